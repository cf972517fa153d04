import type { DuePartition } from './contracts.ts';

/** Puts an item among what a sweeper finds from a moment on. */
export const dueBy = (partition: DuePartition, at: Date) => ({ due_pk: partition, due_at: at.toISOString() });

/** What keeps an item there: it leaves without them. */
export const dueAttributes = ['due_pk', 'due_at'] as const;

/** That an item is among what is found under a name. */
export const dueIn = (partition: DuePartition) => ({ due_pk: { eq: partition } });

/** Unix seconds, by which a table drops what expires. */
export const epochSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);

/** The same for what has to be there until the very moment. */
export const epochSecondsAfter = (at: Date): number => Math.ceil(at.getTime() / 1000);
