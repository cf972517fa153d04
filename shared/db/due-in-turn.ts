import { inParallel } from '../kernel/in-parallel.ts';
import type { DuePartition, Key } from './contracts.ts';
import { allLanes, endOf, laneOf, organizationOf, placeIn, placeOf, shardsOf } from './due.ts';

/** An entry of the index `due`. */
interface DueEntry extends Key {
  readonly due_at: string;
}

/** Entries of one partition of the index, by `due_at` from `from` to `to`. */
interface DueRange {
  readonly partition: string;
  readonly from: string;
  readonly to: string;
  /** Exclusive start. */
  readonly after?: DueEntry;
}

/** One request to the index, in order of `due_at`. */
export type ReadDue = (
  range: DueRange,
  limit: number,
) => Promise<{ readonly entries: readonly DueEntry[]; readonly isMore: boolean }>;

/** Due work of one organization in one shard. */
interface Queue {
  readonly keys: Key[];
  /** Where to read on for more of it; null where that was all. */
  readonly rest: DueRange | null;
}

interface Look {
  readonly until: string;
  readonly limit: number;
}

/** Entries of one request: the waiting work of many organizations that have little, or a part of what one has. */
const pageSize = 100;
/** Requests of one look to one shard. */
const maxPages = 50;
/** Requests at once for more of organizations that have much. */
const restsAtOnce = 20;

const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk });

/**
 * Reads a shard, organization by organization. The rest of one that has more than a page is skipped, so the number of
 * requests depends on how many organizations wait, and not on how much of one does. Where `maxPages` are too few for all
 * of them, each look begins at another.
 */
const walkShard = async (read: ReadDue, partition: string, until: string): Promise<readonly Queue[]> => {
  const queues: Queue[] = [];
  let pages = 0;
  /** Walks one range; returns where the first page ended, or null at the end of the range. */
  const walk = async (from: string, to: string, limit: number): Promise<string | null> => {
    let start = from;
    for (let left = limit; left > 0 && pages < maxPages; left -= 1) {
      pages += 1;
      const { entries, isMore } = await read({ partition, from: start, to }, pageSize);
      const lanes = Map.groupBy(entries, ({ due_at }) => placeOf(due_at).lane);
      for (const [lane, waiting] of lanes) {
        const due = waiting.filter(({ due_at }) => placeOf(due_at).time <= until);
        const last = due.at(-1);
        if (last === undefined) continue;
        const isCut = isMore && last === entries.at(-1);
        const rest = { partition, from: last.due_at, to: placeIn(lane, until), after: last };
        queues.push({ keys: due.map(keyOf), rest: isCut ? rest : null });
      }
      const end = entries.at(-1);
      if (!isMore || end === undefined) return null;
      start = endOf(placeOf(end.due_at).lane);
    }
    return start;
  };
  const next = await walk(allLanes.from, allLanes.to, 1);
  if (next === null) return queues;
  const pivot = laneOf(until);
  if (pivot > next) await walk(pivot, allLanes.to, maxPages);
  await walk(next, pivot > next ? pivot : allLanes.to, maxPages);
  return queues;
};

/** Reads entries of earlier versions, which are in order of time alone. There come no more of them. */
const readUnsharded = async (
  read: ReadDue,
  partition: DuePartition,
  { until, limit }: Look,
): Promise<readonly Queue[]> => {
  const { entries } = await read({ partition, from: '0', to: until }, limit);
  const byOrganization = Map.groupBy(entries, organizationOf);
  return [...byOrganization.values()].map((due) => ({ keys: due.map(keyOf), rest: null }));
};

/** Takes the first of each queue, then the second of each, and so on. */
const inTurns = (queues: readonly Queue[], limit: number): readonly Key[] => {
  const taken: Key[] = [];
  for (let turn = 0; taken.length < limit; turn += 1) {
    const round = queues.flatMap(({ keys }) => keys.slice(turn, turn + 1));
    if (round.length === 0) break;
    taken.push(...round.slice(0, limit - taken.length));
  }
  return taken;
};

/**
 * Keys of items that are due, in turn among organizations and oldest first within each. However much of one organization
 * waits, something of each other that has something due is among them, as long as that fits into `limit`.
 */
export const dueInTurn = async (read: ReadDue, partition: DuePartition, look: Look): Promise<readonly Key[]> => {
  const shards = shardsOf(partition).map((shard) => walkShard(read, shard, look.until));
  const queues = (await Promise.all([readUnsharded(read, partition, look), ...shards])).flat();
  const missing = look.limit - queues.reduce((sum, { keys }) => sum + keys.length, 0);
  const cut = queues.filter(({ rest }) => rest !== null);
  if (missing > 0) {
    await inParallel(cut, restsAtOnce, async ({ keys, rest }) => {
      if (rest === null) return;
      const { entries } = await read(rest, Math.ceil(missing / cut.length));
      keys.push(...entries.map(keyOf));
    });
  }
  return inTurns(queues, look.limit);
};
