import { createHash } from 'node:crypto';
import { textOf } from './read-item.ts';
import type { Test } from './condition.ts';
import type { DuePartition, Item, Key } from './contracts.ts';

/**
 * Partitions of the index `due` for each kind of work. A partition takes 1,000 writes a second, and an organization stays in
 * one. More shards need no migration as long as sweeps go on to read those that there were.
 */
const shards = 4;

/** The keys of a kind of work in the index `due`. Items that earlier versions stored lie under the bare name. */
export const shardsOf = (partition: DuePartition): readonly string[] =>
  Array.from({ length: shards }, (_, shard) => `${partition}#${shard}`);

/** Ends the lane in `due_at`. */
const laneEnd = '#';

/**
 * Prefix of `due_at` under which the work of one organization lies together, so that a sweep can skip the rest of it. A hash
 * spreads organizations evenly. It begins with a letter, so that no lane sorts among the plain times of earlier versions.
 */
export const laneOf = (organizationId: string): string =>
  `o${createHash('sha256').update(organizationId).digest('hex').slice(0, 15)}`;

const shardOf = (lane: string): number => Number.parseInt(lane.slice(-4), 16) % shards;

const partitionOf = (partition: DuePartition, organizationId: string): string =>
  `${partition}#${shardOf(laneOf(organizationId))}`;

/** The `due_at` of a time in a lane. The empty lane is that of earlier versions, whose `due_at` is the time alone. */
export const placeIn = (lane: string, time: string): string => (lane === '' ? time : `${lane}${laneEnd}${time}`);

/** Bounds of all lanes. */
export const allLanes = { from: '0', to: 'p' } as const;

/** Sorts after every place in a lane, and before the next lane. */
export const endOf = (lane: string): string => (lane === '' ? 'o' : `${lane}~`);

/** Puts an item of an organization among what a sweeper finds from a moment on. */
export const dueBy = (partition: DuePartition, organizationId: string, at: Date) => ({
  due_pk: partitionOf(partition, organizationId),
  due_at: placeIn(laneOf(organizationId), at.toISOString()),
});

/** What keeps an item there: it leaves without them. */
export const dueAttributes = ['due_pk', 'due_at'] as const;

/** That an item of an organization is among what is found under a name. */
export const dueIn = (partition: DuePartition, organizationId: string) => ({
  due_pk: { in: [partitionOf(partition, organizationId), partition] },
});

/** That an item of an organization is due at `until`, or was before. */
export const isDueBy = (organizationId: string, until: Date): { readonly due_at: Test } => {
  const time = until.toISOString();
  const lane = laneOf(organizationId);
  return { due_at: { either: [[{ gte: placeIn(lane, '') }, { lte: placeIn(lane, time) }], [{ lte: time }]] } };
};

/** That an item of an organization is due at exactly this time, RFC 3339 UTC. */
export const isDueAtTime = (organizationId: string, time: string): { readonly due_at: Test } => ({
  due_at: { in: [placeIn(laneOf(organizationId), time), time] },
});

/** The organization of an item: keys name it after the kind of their partition. */
export const organizationOf = ({ pk }: Key): string => pk.split('#')[1] ?? '';

/** Lane and time of a `due_at`; those of earlier versions have no lane. */
export const placeOf = (dueAt: string): { readonly lane: string; readonly time: string } => {
  const end = dueAt.indexOf(laneEnd);
  return { lane: dueAt.slice(0, Math.max(0, end)), time: dueAt.slice(end + 1) };
};

/** When an item is due, RFC 3339 UTC; null where it is not waiting. */
export const dueTimeOf = (item: Item): string | null => {
  const dueAt = textOf(item, 'due_at');
  return dueAt === null ? null : placeOf(dueAt).time;
};

/** Unix seconds, by which a table drops what expires. */
export const epochSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);

/** The same for what has to be there until the very moment. */
export const epochSecondsAfter = (at: Date): number => Math.ceil(at.getTime() / 1000);
