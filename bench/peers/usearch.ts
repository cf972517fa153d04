import { loadPackage } from '../data/install.ts';
import { type Peer, secondsSince } from './peer.ts';

interface UsearchIndex {
  add(keys: BigUint64Array, vectors: Float32Array, threads: number): void;
  search(query: Float32Array, count: number, threads: number): { readonly keys: BigUint64Array };
}
interface Usearch {
  readonly Index: new (options: {
    readonly metric: 'cos';
    readonly dimensions: number;
    readonly connectivity: number;
    readonly quantization: 'f32';
    readonly expansion_add: number;
    readonly expansion_search: number;
    readonly multi: boolean;
  }) => UsearchIndex;
}

/** Rows that are added in one call. */
const chunkRows = 10_000;

/** usearch in this process: a graph in memory. Its breadth is set when the index is made. */
export const usearch = (cacheDirectory: string): Peer => ({
  name: 'usearch',
  title: 'usearch',
  reached: 'in process',
  load: async ({ base }) => {
    // Cast: the package has no types that this loader could see.
    const { Index } = (await loadPackage(cacheDirectory, 'usearch')) as Usearch;
    const startedMs = performance.now();
    const index = new Index({
      metric: 'cos',
      dimensions: base.dimensions,
      connectivity: 16,
      quantization: 'f32',
      expansion_add: 128,
      expansion_search: 128,
      multi: false,
    });
    for (let from = 0; from < base.count; from += chunkRows) {
      const rows = Math.min(chunkRows, base.count - from);
      const keys = BigUint64Array.from({ length: rows }, (_, at) => BigInt(from + at));
      const vectors = new Float32Array(rows * base.dimensions);
      for (let at = 0; at < rows; at += 1) vectors.set(base.at(from + at), at * base.dimensions);
      index.add(keys, vectors, 2);
    }
    const loadSeconds = secondsSince(startedMs);
    return {
      loadSeconds,
      readySeconds: loadSeconds,
      search: (query, topK) => Array.from(index.search(query.slice(), topK, 1).keys, Number),
      lookCloser: () => false,
      close: async () => {},
    };
  },
});
