import type { Attributes, Key } from '../db/contracts.ts';
import type { ConnectionAddress } from './record.ts';

/** What keeps a connection in the sparse index that the schedule reads. */
export const dueAttributes = ['due_pk', 'due_at'] as const;

export const duePartition = 'syncs';

/** Marks a connection that somebody is to look at from a moment on. */
export const dueAt = (at: Date): Attributes => ({ due_pk: duePartition, due_at: at.toISOString() });

/** No run holds the connection. */
export const neverLeased = { leased_until: '0' } as const;

/** The address of a connection by its key. */
export const connectionAddressOf = ({ pk, sk }: Key): ConnectionAddress => {
  const [, organizationId = '', indexId = ''] = pk.split('#');
  return { organizationId, indexId, connectionId: sk };
};
