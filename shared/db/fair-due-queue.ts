import { inParallel } from '../kernel/in-parallel.ts';
import type { DuePartition, Key } from './contracts.ts';
import { allLanes, endOf, laneOf, placeIn, placeOf, shardsOf } from './due.ts';

/** Entry of the index `due`. */
interface DueEntry extends Key {
  readonly due_at: string;
}

/** Range of one partition of the index, by `due_at` from `from` to `to`. */
interface DueRange {
  readonly partition: string;
  readonly from: string;
  readonly to: string;
  /** Exclusive start. */
  readonly after?: DueEntry;
}

/** Sends one request to the index. The entries are in order of `due_at`. */
export type ReadDue = (
  range: DueRange,
  limit: number,
) => Promise<{ readonly entries: readonly DueEntry[]; readonly isMore: boolean }>;

/** Due work of one organization in one shard. */
interface Queue {
  readonly keys: Key[];
  /** Range of further work; null if there is none. */
  readonly rest: DueRange | null;
}

interface DueRequest {
  readonly until: string;
  readonly limit: number;
}

/** Maximum entries of one request. */
const pageSize = 100;
/** Maximum requests to one shard in one call. */
const maxPages = 50;
/** Concurrent requests for further work of organizations that have more than a page. */
const maxConcurrency = 20;

const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk });

/**
 * Reads a shard, organization by organization. Further pages of one organization are skipped, so the number of requests
 * depends on the number of organizations and not on the work of one. If `maxPages` are too few for all organizations,
 * each call starts at another one.
 */
const walkShard = async (read: ReadDue, partition: string, until: string): Promise<readonly Queue[]> => {
  const queues: Queue[] = [];
  let pages = 0;
  /** Walks one range. Returns where the first page ended; null at the end of the range. */
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

/** Interleaves queues round-robin: the first of each queue, then the second of each, and so on. */
const roundRobin = (queues: readonly Queue[], limit: number): readonly Key[] => {
  const taken: Key[] = [];
  for (let turn = 0; taken.length < limit; turn += 1) {
    const round = queues.flatMap(({ keys }) => keys.slice(turn, turn + 1));
    if (round.length === 0) break;
    taken.push(...round.slice(0, limit - taken.length));
  }
  return taken;
};

/**
 * Returns keys of due items by fair queuing among organizations, oldest first within each. Every organization with due work
 * gets a share of `limit`, however much work another organization has.
 */
export const readDueFairly = async (
  read: ReadDue,
  partition: DuePartition,
  request: DueRequest,
): Promise<readonly Key[]> => {
  const shards = shardsOf(partition).map((shard) => walkShard(read, shard, request.until));
  const queues = (await Promise.all(shards)).flat();
  const missing = request.limit - queues.reduce((sum, { keys }) => sum + keys.length, 0);
  const cut = queues.filter(({ rest }) => rest !== null);
  if (missing > 0) {
    await inParallel(cut, maxConcurrency, async ({ keys, rest }) => {
      if (rest === null) return;
      const { entries } = await read(rest, Math.ceil(missing / cut.length));
      keys.push(...entries.map(keyOf));
    });
  }
  return roundRobin(queues, request.limit);
};
