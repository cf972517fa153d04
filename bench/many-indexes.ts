import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from '../scripts/support/read-command-line.ts';
import { markdownTable } from './report/table.ts';
import { copyIndex } from './measure/copy-index.ts';
import { measureUnits } from './measure/billed-units.ts';
import { openService, type Service } from './peers/service.ts';

const usage = `npm run bench:indexes -- [options]

Starts the service, creates indexes of one organization with a row each, and measures at some numbers of them. It measures
creation and commit with their requests to tables, a page of the list, a part of a name, the usage of the month, by index and
by day, and memory. Then it copies the items of an index in the tables, and measures again.

  --indexes N   created indexes (default 3000)
  --steps N     numbers of them at which it measures (default 3)
  --copies N    copied indexes (default 6800)
`;

const { values } = commandLine({
  options: {
    indexes: { type: 'string', default: '3000' },
    steps: { type: 'string', default: '3' },
    copies: { type: 'string', default: '6800' },
    help: { type: 'boolean', default: false },
  },
});

/** Clients that create indexes. */
const clients = 4;
/** Measured operations of each kind at each number of indexes. */
const samples = 20;

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** Returns the median milliseconds of an operation that runs several times, one after the other. */
const timed = async (run: (turn: number) => Promise<unknown>, times = samples): Promise<number> => {
  const all: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const startedMs = performance.now();
    await run(turn);
    all.push(performance.now() - startedMs);
  }
  return median(all);
};

interface Health {
  readonly memory: { readonly main_bytes: number; readonly total_bytes: number };
}

const create = async (service: Service, name: string): Promise<string> => {
  const { id } = (await service.call('POST', '/v1/indexes', { name, dimensions: 8 })) as { readonly id: string };
  return id;
};

const upsert = (service: Service, id: string): Promise<unknown> =>
  service.call('POST', `/v1/indexes/${id}/vectors`, [{ id: 'row', vector: [1, 0, 0, 0, 0, 0, 0, 0] }]);

/** Creates indexes with a row each until there are as many. Returns the creations a second. */
const fill = async (service: Service, from: number, to: number): Promise<number> => {
  let next = from;
  let createdMs = 0;
  const client = async (): Promise<void> => {
    while (next < to) {
      next += 1;
      const startedMs = performance.now();
      const id = await create(service, `tenant ${next}`);
      createdMs += performance.now() - startedMs;
      await upsert(service, id);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return ((to - from) * 1_000 * clients) / createdMs;
};

/** Measures with a number of indexes. Returns the cells of a row of the table. */
const measure = async (service: Service, indexes: number, perSecond: number | null): Promise<readonly string[]> => {
  const ids: string[] = [];
  const creation = await measureUnits(service, 'creation', samples, async (turn) => {
    ids.push(await create(service, `sample ${indexes} ${turn}`));
  });
  const created = await timed((turn) => create(service, `timed ${indexes} ${turn}`));
  const commit = await measureUnits(service, 'upsert', samples, (turn) => upsert(service, ids[turn] ?? ''));
  const page = await timed(() => service.call('GET', '/v1/indexes?limit=100'));
  const few = (path: string): Promise<number> => timed(() => service.call('GET', path), 5);
  const named = await few('/v1/indexes?limit=20&q=nothing%20of%20the%20kind');
  const usageMs = await few('/v1/organization/usage');
  const byIndex = await few('/v1/organization/usage/indexes?limit=51');
  const byDay = await few('/v1/organization/usage/history');
  const { memory } = (await service.call('GET', '/_local/health')) as Health;
  return [
    String(indexes),
    perSecond?.toFixed(1) ?? '–',
    created.toFixed(0),
    (creation.tableReads + creation.tableWrites).toFixed(1),
    (commit.tableReads + commit.tableWrites).toFixed(1),
    page.toFixed(0),
    named.toFixed(0),
    usageMs.toFixed(0),
    byIndex.toFixed(0),
    byDay.toFixed(0),
    (memory.main_bytes / 2 ** 20).toFixed(0),
    (memory.total_bytes / 2 ** 20).toFixed(0),
  ];
};

const head = [
  'Indexes',
  'Created a second',
  'Creation, ms',
  'Requests to tables of a creation',
  'of a commit',
  'List of 100, ms',
  'Part of a name, ms',
  'Usage, ms',
  'by index, ms',
  'by day, ms',
  'Main process, MiB',
  'All, MiB',
];

const run = async (): Promise<void> => {
  const [indexes, steps] = [Number(values.indexes), Number(values.steps)];
  const directory = await mkdtemp(join(tmpdir(), 'strata-indexes-'));
  const service = await openService(directory);
  try {
    const rows: (readonly string[])[] = [];
    for (let step = 1; step <= steps; step += 1) {
      const [from, to] = [step - 1, step].map((at) => Math.round((indexes * at) / steps)) as [number, number];
      const row = await measure(service, to, await fill(service, from, to));
      process.stderr.write(`${row.join(' ')}\n`);
      rows.push(row);
    }
    const copies = Number(values.copies);
    if (copies > 0) {
      const id = await create(service, 'to copy');
      await upsert(service, id);
      await copyIndex(service, id, copies);
      rows.push(await measure(service, indexes + copies, null));
    }
    process.stdout.write(`${markdownTable(head, rows)}\n`);
  } finally {
    await service.close();
    await rm(directory, { recursive: true, force: true });
  }
};

if (values.help) process.stdout.write(usage);
else await run();
