import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DistanceMetric } from '#engine';
import { readCommandLine } from '../scripts/support/read-command-line.ts';

/** Rows and dimensions of one comparison. */
export interface Size {
  readonly rows: number;
  readonly dimensions: 100 | 1536;
}

/** Options of one run of the benchmark. */
export interface BenchOptions {
  readonly sizes: readonly Size[];
  readonly peers: readonly string[];
  /** Numbers of concurrent clients, with one measurement each. */
  readonly clients: readonly number[];
  /** Searches timed for each peer and number of clients. */
  readonly searches: number;
  /** Held-out vectors to search with; recall is measured over all of them. */
  readonly queries: number;
  /** Directory into which vectors are made and peers are installed once. */
  readonly cacheDirectory: string;
  /** Metrics under which recall is measured; speed is measured with cosine. */
  readonly metrics: readonly DistanceMetric[];
  /** File of the table and the plot; null only prints them. */
  readonly reportFile: string | null;
}

export const usage = `npm run bench -- [options]

Runs the service over HTTP beside other ways to search vectors, all in the same run, and writes docs/benchmarks.md.

  --sizes LIST     rows x dimensions (100 or 1536), default 10000x100,100000x100,400000x100,10000x1536,100000x1536
  --peers LIST     default strata,lance,chroma,hnswlib,usearch,sqlite-vec,orama
  --clients LIST   default 1,8
  --searches N     timed searches for each peer and number of clients (default 1000)
  --queries N      held-out vectors to search with (default 200)
  --metrics LIST   for the recall, default cosine,euclidean
  --cache DIR      vectors and peers are kept here (default strata-bench in the temporary directory)
  --quick          2000x100 with few searches, without Chroma, and nothing written
  --print          print the report, write nothing
`;

const allPeers = 'strata,lance,chroma,hnswlib,usearch,sqlite-vec,orama';
const allSizes = '10000x100,100000x100,400000x100,10000x1536,100000x1536';

const listOf = (text: string): readonly string[] => text.split(',').filter((part) => part !== '');

const countOf = (name: string, text: string): number => {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name} ${text} is not a whole number above 0`);
  return count;
};

const sizeOf = (text: string): Size => {
  const [rows = '', dimensions = ''] = text.split('x');
  if (dimensions !== '100' && dimensions !== '1536') throw new Error(`--sizes ${text}: dimensions are 100 or 1536`);
  return { rows: countOf('sizes', rows), dimensions: dimensions === '100' ? 100 : 1536 };
};

/** Reads the command line; null if only the usage was requested. Throws in one line for an invalid option. */
export const readOptions = (args: readonly string[]): BenchOptions | null => {
  const { values } = readCommandLine({
    args: [...args],
    options: {
      sizes: { type: 'string' },
      peers: { type: 'string' },
      clients: { type: 'string', default: '1,8' },
      searches: { type: 'string' },
      queries: { type: 'string' },
      metrics: { type: 'string', default: 'cosine,euclidean' },
      cache: { type: 'string', default: join(tmpdir(), 'strata-bench') },
      quick: { type: 'boolean', default: false },
      print: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const { quick } = values;
  return {
    sizes: listOf(values.sizes ?? (quick ? '2000x100' : allSizes)).map(sizeOf),
    peers: listOf(values.peers ?? (quick ? 'strata,lance' : allPeers)),
    clients: listOf(values.clients).map((text) => countOf('clients', text)),
    searches: countOf('searches', values.searches ?? (quick ? '40' : '1000')),
    queries: countOf('queries', values.queries ?? (quick ? '20' : '200')),
    cacheDirectory: resolve(values.cache),
    metrics: (['cosine', 'euclidean'] as const).filter((metric) => listOf(values.metrics).includes(metric)),
    reportFile: quick || values.print ? null : join(import.meta.dirname, '..', 'docs', 'benchmarks.md'),
  };
};
