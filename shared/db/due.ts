import { createHash } from 'node:crypto';
import { textOf } from './read-item.ts';
import type { Test } from './condition.ts';
import type { DuePartition, Item, Key } from './contracts.ts';

/**
 * Shards of each partition of the index `due`. A shard takes 1,000 writes a second, and an organization stays in one. More
 * shards need no migration, as long as sweeps also read the previous ones.
 */
const shards = 4;

/** Returns the shards of a partition. */
export const shardsOf = (partition: DuePartition): readonly string[] =>
  Array.from({ length: shards }, (_, shard) => `${partition}#${shard}`);

/** Separates lane and time in `due_at`. */
const laneEnd = '#';

/**
 * Returns the prefix of `due_at` for the work of one organization, so a sweep can skip the rest of it. A hash distributes
 * organizations evenly.
 */
export const laneOf = (organizationId: string): string =>
  `o${createHash('sha256').update(organizationId).digest('hex').slice(0, 15)}`;

const shardOf = (lane: string): number => Number.parseInt(lane.slice(-4), 16) % shards;

const partitionOf = (partition: DuePartition, organizationId: string): string =>
  `${partition}#${shardOf(laneOf(organizationId))}`;

/** Returns the `due_at` of a time in a lane. */
export const placeIn = (lane: string, time: string): string => `${lane}${laneEnd}${time}`;

/** Bounds of all lanes. */
export const allLanes = { from: '0', to: 'p' } as const;

/** Returns a `due_at` after every time in a lane and before the next lane. */
export const endOf = (lane: string): string => `${lane}~`;

/** Returns the attributes that make an item of an organization due at a time. */
export const dueBy = (partition: DuePartition, organizationId: string, at: Date) => ({
  due_pk: partitionOf(partition, organizationId),
  due_at: placeIn(laneOf(organizationId), at.toISOString()),
});

/** Attributes that put an item into the index `due`. */
export const dueAttributes = ['due_pk', 'due_at'] as const;

/** Returns the condition that an item of an organization is in a partition of the index. */
export const whereDueIn = (partition: DuePartition, organizationId: string) => ({
  due_pk: { eq: partitionOf(partition, organizationId) },
});

/** Returns the condition that an item of an organization is due at `until` or before. */
export const whereDueBy = (organizationId: string, until: Date): { readonly due_at: Test } => ({
  due_at: { lte: placeIn(laneOf(organizationId), until.toISOString()) },
});

/** Returns the condition that an item of an organization is due at exactly this time, RFC 3339 UTC. */
export const whereDueAt = (organizationId: string, time: string): { readonly due_at: Test } => ({
  due_at: { eq: placeIn(laneOf(organizationId), time) },
});

/** Returns the organization of an item, which is the second part of its partition key. */
export const organizationOf = ({ pk }: Key): string => pk.split('#')[1] ?? '';

/** Returns lane and time of a `due_at`. */
export const placeOf = (dueAt: string): { readonly lane: string; readonly time: string } => {
  const end = dueAt.indexOf(laneEnd);
  return { lane: dueAt.slice(0, end), time: dueAt.slice(end + 1) };
};

/** Returns when an item is due, RFC 3339 UTC; null if it is not in the index. */
export const dueTimeOf = (item: Item): string | null => {
  const dueAt = textOf(item, 'due_at');
  return dueAt === null ? null : placeOf(dueAt).time;
};

/** Returns Unix seconds, rounded down, for the TTL attribute. */
export const epochSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);

/** Returns Unix seconds, rounded up, for the TTL of an item that must not expire early. */
export const epochSecondsAfter = (at: Date): number => Math.ceil(at.getTime() / 1000);
