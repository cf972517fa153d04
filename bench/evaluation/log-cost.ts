import { readdirSync, readFileSync } from 'node:fs';
import { estimates } from '../../shared/evaluations/statistics.ts';
import { logged } from '../../shared/query-log/entry.ts';
import { newSearchId } from '../../shared/query-log/record.ts';
import type { Organization } from '../files/service.ts';

type Api = Organization['api'];

/** Rows of each index, requests of a block, pairs of blocks without and with the log, and blocks before them. */
const [rows, blockRequests, pairs, warmBlocks] = [2_000, 50, 20, 40];

const pathOf = (index: string) => ({ path: { index_id: index } });

const fill = async (api: Api): Promise<string> => {
  const { id: index } = await api.post('/v1/indexes', { body: { name: 'logged', dimensions: 8 } });
  const body = Array.from({ length: rows }, (_, at) => ({
    id: `row-${at}`,
    text: `note ${at} about topic ${at % 97} and place ${at % 31}`,
    vector: Array.from({ length: 8 }, (__, place) => Math.cos(at * (place + 1))),
  }));
  for (let from = 0; from < rows; from += 500)
    await api.post('/v1/indexes/{index_id}/vectors', { params: pathOf(index), body: body.slice(from, from + 500) });
  return index;
};

/** Parent of each process of the machine. Source: proc_pid_stat(5), whose second field may contain spaces. */
const parents = (): ReadonlyMap<number, number> =>
  new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
          return [[Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const];
        } catch {
          // The process has ended.
          return [];
        }
      }),
  );

/** Returns the processes below another one, and itself. */
const processesBelow = (root: number): readonly number[] => {
  const all = parents();
  const isBelow = (pid: number): boolean => {
    const parent = all.get(pid);
    return pid === root || (parent !== undefined && isBelow(parent));
  };
  return [...all.keys()].filter(isBelow);
};

/** Returns the milliseconds of CPU that the threads of a process have used, in steps of nanoseconds. */
const cpuMsOf = (pid: number): number => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const used = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    return used.reduce((sum, nanoseconds) => sum + Number(nanoseconds), 0) / 1e6;
  } catch {
    return 0;
  }
};

/** Returns the process that uses most CPU time for some work, below the service. Others sweep meanwhile. */
const busiestDuring = async (root: number, work: () => Promise<void>): Promise<number> => {
  const before = new Map(processesBelow(root).map((pid) => [pid, cpuMsOf(pid)]));
  await work();
  const used = (pid: number): number => cpuMsOf(pid) - (before.get(pid) ?? 0);
  const [busiest = root] = processesBelow(root)
    .filter((pid) => pid !== root)
    .toSorted((one, other) => used(other) - used(one));
  return busiest;
};

interface BlockCost {
  readonly cpuMs: number;
  readonly ms: number;
}

/** CPU time of the function and duration of a search with the log, in comparison with one without. */
export interface LogCost {
  readonly requests: number;
  readonly cpuMs: number;
  /** Relative difference of the CPU time with its 95 % interval. */
  readonly cpu: { readonly mean: number; readonly low: number; readonly high: number };
  readonly latency: { readonly mean: number; readonly low: number; readonly high: number };
}

/** Sends searches to two equal indexes in blocks that alternate. One of them has a log. */
export const measureLog = async ({ api }: Organization, servicePid: number): Promise<LogCost> => {
  const [off, on] = [await fill(api), await fill(api)];
  await api.patch('/v1/indexes/{index_id}', {
    params: pathOf(on),
    body: { query_log: { sample: 1, keep_days: 7 } },
  });
  let asked = 0;
  const block = async (index: string, pid = servicePid): Promise<BlockCost> => {
    const [cpuBefore, startedMs] = [cpuMsOf(pid), performance.now()];
    for (let request = 0; request < blockRequests; request += 1) {
      asked += 1;
      const body = { text: `topic ${asked % 97} place ${asked % 31}`, top_k: 10 };
      await api.post('/v1/indexes/{index_id}/search/sparse', { params: pathOf(index), body });
    }
    return { cpuMs: cpuMsOf(pid) - cpuBefore, ms: performance.now() - startedMs };
  };
  // The first blocks start functions and compile code.
  const pid = await busiestDuring(servicePid, async () => {
    for (let warm = 0; warm < warmBlocks; warm += 1) await block(warm % 2 === 0 ? off : on);
  });
  const found: { readonly without: BlockCost; readonly with: BlockCost }[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    // The order alternates too, so that a drift of the machine cancels out.
    const isOffFirst = pair % 2 === 0;
    const one = await block(isOffFirst ? off : on, pid);
    const other = await block(isOffFirst ? on : off, pid);
    found.push(isOffFirst ? { without: one, with: other } : { without: other, with: one });
  }
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [cpu, latency] = estimates(
    (['cpuMs', 'ms'] as const).map((name) => {
      const usual = mean(found.map((pair) => pair.without[name]));
      return found.map((pair) => (pair.with[name] - pair.without[name]) / usual);
    }),
  );
  if (cpu === undefined || latency === undefined) throw new Error('nothing was measured');
  const cpuMs = mean(found.map((pair) => pair.without.cpuMs)) / blockRequests;
  return { requests: 2 * pairs * blockRequests, cpuMs, cpu, latency };
};

/** Entries whose cost is measured, those before them, and entries of a write. */
const [measuredEntries, warmEntries, batchEntries] = [100_000, 20_000, 100];

/** Returns the microseconds of CPU that a process spends on an entry: its id, its making, and its share of a batch. */
export const measureEntry = (): number => {
  const index = { organizationId: 'org_bench', id: `idx_${'0'.repeat(26)}` };
  const hits = Array.from({ length: 10 }, (_, at) => ({ row: { id: `row-${at}` }, score: 1 / (at + 1) }));
  const search = { mode: 'sparse', text: 'topic 3 place 4', top_k: 10, filter: { topic: 'tea' } } as const;
  const make = (entries: number): void => {
    let batch: string[] = [];
    for (let at = 0; at < entries; at += 1) {
      batch.push(JSON.stringify(logged(newSearchId(index, new Date()), 'key_bench', search, { hits, tookMs: 2.1 })));
      if (batch.length < batchEntries) continue;
      batch.join(',');
      batch = [];
    }
  };
  make(warmEntries);
  const before = process.cpuUsage();
  make(measuredEntries);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / measuredEntries;
};
