// `npm run bench:rebuild`: a rebuild of an index to another model while it is read and written, and its rollback.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startService } from '../scripts/support/start-service.ts';
import { commandLine } from '../scripts/support/read-command-line.ts';
import { seededRandom } from './data/random.ts';
import { openOrganization, type Organization } from './files/service.ts';
import { markdownTable, whole } from './report/table.ts';

const usage = `npm run bench:rebuild -- [options]

Fills an index with texts, rebuilds it with another embedding model while it is searched and written, and undoes that.
Compares its rows with those that were written, and the forecast with the price.

  --rows N      default 50000
  --reads N     searches in a second (default 10)
  --writes N    rows that are written in a second (default 5)
  --to NAME     model of the successor (default embedded-multilingual-e5-small)
`;

const { values } = commandLine({
  options: {
    rows: { type: 'string', default: '50000' },
    reads: { type: 'string', default: '10' },
    writes: { type: 'string', default: '5' },
    to: { type: 'string', default: 'embedded-multilingual-e5-small' },
    help: { type: 'boolean', default: false },
  },
});

const [rows, reads, writes] = [Number(values.rows), Number(values.reads), Number(values.writes)];

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const random = seededRandom(11);
const words =
  'harbour lantern meadow copper winter orchard signal engine ribbon castle velvet thunder island carpet mirror garden bridge compass feather kettle'.split(
    ' ',
  );
const textOf = (nth: number): string =>
  `Note ${nth}: ${Array.from({ length: 12 }, () => words[Math.floor(random() * words.length)]).join(' ')}.`;

interface Bench {
  readonly api: Organization['api'];
  readonly index: string;
  /** Texts that the index must have, by id. */
  readonly texts: Map<string, string>;
  /** Ids of writes without a response, which may have been applied. */
  readonly unknown: Set<string>;
}

/** Counts of requests beside a rebuild. */
interface Tally {
  reads: number;
  writes: number;
  failed: number;
  /** Searches for the text of a row whose first hits lack that row. */
  misses: number;
  readonly milliseconds: number[];
}

const batchRows = 500;

const fill = async ({ api, index, texts }: Bench): Promise<void> => {
  const params = { path: { index_id: index } };
  for (let from = 0; from < rows; from += batchRows) {
    const body = Array.from({ length: Math.min(batchRows, rows - from) }, (_, at) => {
      const row = { id: `row-${from + at}`, text: textOf(from + at) };
      texts.set(row.id, row.text);
      return row;
    });
    await api.post('/v1/indexes/{index_id}/vectors', { params, body });
    if (from % 10_000 === 0) say(`  ${from} rows`);
  }
};

/** Starts `work` a number of times in a second until it is stopped. */
const repeated = (perSecond: number, work: () => Promise<void>) => {
  const stopped = new AbortController();
  const running = new Set<Promise<void>>();
  const loop = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const one = work().finally(() => running.delete(one));
      running.add(one);
      await delay(1_000 / perSecond);
    }
    await Promise.all(running);
  };
  const ended = loop();
  return async (): Promise<void> => {
    stopped.abort();
    await ended;
  };
};

/** Searches and writes an index until it is stopped. */
const useIndex = ({ api, index, texts, unknown }: Bench) => {
  const params = { path: { index_id: index } };
  const tally: Tally = { reads: 0, writes: 0, failed: 0, misses: 0, milliseconds: [] };
  const counted = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      tally.failed += 1;
      say(String(error));
    }
  };
  const stops = [
    repeated(reads, () =>
      counted(async () => {
        const id = `row-${Math.floor(random() * rows)}`;
        const startedMs = performance.now();
        const body = { text: texts.get(id) ?? '', top_k: 3 };
        const { results } = await api.post('/v1/indexes/{index_id}/search/dense', { params, body });
        tally.milliseconds.push(performance.now() - startedMs);
        tally.reads += 1;
        if (!results.some((hit) => hit.id === id)) tally.misses += 1;
      }),
    ),
    repeated(writes, () =>
      counted(async () => {
        const nth = rows + tally.writes;
        tally.writes += 1;
        const row = { id: `later-${nth}`, text: textOf(nth) };
        unknown.add(row.id);
        await api.post('/v1/indexes/{index_id}/vectors', { params, body: [row] });
        texts.set(row.id, row.text);
        unknown.delete(row.id);
      }),
    ),
  ];
  return {
    tally,
    stop: async (): Promise<void> => {
      for (const stop of stops) await stop();
    },
  };
};

/** Returns how many rows are missing, too many or other than written. */
const differences = async ({ api, index, texts, unknown }: Bench): Promise<number> => {
  let found = 0;
  let wrong = 0;
  const params = { path: { index_id: index }, query: { limit: 1_000 } };
  for await (const row of api.pages('/v1/indexes/{index_id}/vectors', { params })) {
    if (unknown.has(row.id)) continue;
    found += 1;
    if (texts.get(row.id) !== row.text) wrong += 1;
  }
  return wrong + Math.max(0, texts.size - (found - wrong));
};

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;

const measure = async (bench: Bench): Promise<void> => {
  const { api, index } = bench;
  const params = { path: { index_id: index } };
  await fill(bench);
  const body = { embedding_model: values.to };
  const { estimate } = await api.post('/v1/indexes/{index_id}/rebuilds', { params, body: { ...body, dry_run: true } });
  say(`forecast: ${JSON.stringify(estimate)}`);
  const use = useIndex(bench);
  const startedMs = performance.now();
  const { rebuild } = await api.post('/v1/indexes/{index_id}/rebuilds', { params, body });
  const path = { ...params.path, rebuild_id: rebuild?.id ?? '' };
  const state = () => api.get('/v1/indexes/{index_id}/rebuilds/{rebuild_id}', { params: { path } });
  let now = await state();
  let shown = '';
  while (now.status === 'queued' || now.status === 'running') {
    await delay(200);
    now = await state();
    const progress = `  ${now.status}, ${Math.floor(now.vectors / 5_000) * 5_000} rows`;
    if (progress !== shown) say(progress);
    shown = progress;
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  if (now.status !== 'completed') throw new Error(`the rebuild has failed: ${now.error}`);
  await delay(5_000);
  const price = now.estimated_cost_usd;
  const rollbackMs = performance.now();
  const undone = await api.post('/v1/indexes/{index_id}/rebuilds/{rebuild_id}/rollback', { params: { path } });
  const rollbackSeconds = (performance.now() - rollbackMs) / 1_000;
  await delay(2_000);
  await use.stop();
  const { tally } = use;
  const sorted = tally.milliseconds.toSorted((one, other) => one - other);
  const lines = [
    ['Rows', whole(rows)],
    ['Rebuild, s', seconds.toFixed(0)],
    ['Forecast, s', whole(estimate?.seconds ?? 0)],
    ['Forecast, tokens', whole(estimate?.embedding_tokens ?? 0)],
    ['Tokens', whole(now.embedding_tokens)],
    ['Forecast, USD', String(estimate?.estimated_cost_usd)],
    ['Price, USD', String(price)],
    ['Searches', whole(tally.reads)],
    ['Writes', whole(tally.writes)],
    ['Failed requests', whole(tally.failed)],
    ['Searches that missed their row', whole(tally.misses)],
    ['Search p50, ms', quantile(sorted, 0.5).toFixed(0)],
    ['Search p99, ms', quantile(sorted, 0.99).toFixed(0)],
    ['Rollback, s', rollbackSeconds.toFixed(1)],
    ['Status', undone.status],
    ['Rows that differ from what was written', whole(await differences(bench))],
  ];
  console.log(markdownTable(['Figure', 'Value'], lines));
};

if (values.help) console.log(usage);
else {
  const directory = await mkdtemp(join(tmpdir(), 'strata-rebuild-'));
  const service = startService({ dataDirectory: directory });
  try {
    const { base_url: baseUrl } = await service.ready;
    const { api } = await openOrganization(baseUrl);
    const created = { name: 'rebuilt', embedding_model: 'embedded-minilm-l6-v2' };
    const { id } = await api.post('/v1/indexes', { body: created });
    await measure({ api, index: id, texts: new Map(), unknown: new Set() });
  } finally {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
