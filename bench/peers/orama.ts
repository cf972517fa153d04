import { loadPackage } from '../data/install.ts';
import { batchesOf, type Peer, secondsSince } from './peer.ts';

/** The used part of the package, which has no types that its loader could see. */
export interface Orama {
  create(options: { readonly schema: Readonly<Record<string, string>> }): unknown;
  insertMultiple(database: unknown, rows: readonly object[], batchSize: number): Promise<unknown>;
  search(database: unknown, query: object): Promise<{ readonly hits: readonly { readonly id: string }[] }>;
}

/** Orama in this process: JavaScript that keeps all in memory and compares every row. */
export const orama = (cacheDirectory: string): Peer => ({
  name: 'orama',
  title: 'Orama',
  reached: 'in process',
  load: async ({ base }) => {
    // Cast: the package has no types that this loader could see.
    const library = (await loadPackage(cacheDirectory, '@orama/orama')) as Orama;
    const database = library.create({ schema: { id: 'string', vector: `vector[${base.dimensions}]` } });
    const startedMs = performance.now();
    for (const [from, to] of batchesOf(base.count)) {
      const rows = Array.from({ length: to - from }, (_, at) => ({
        id: String(from + at),
        vector: [...base.at(from + at)],
      }));
      await library.insertMultiple(database, rows, rows.length);
    }
    const loadSeconds = secondsSince(startedMs);
    return {
      loadSeconds,
      readySeconds: loadSeconds,
      search: async (query, topK) => {
        const vector = { value: [...query], property: 'vector' };
        const { hits } = await library.search(database, { mode: 'vector', vector, limit: topK, similarity: -1 });
        return hits.map(({ id }) => Number(id));
      },
      lookCloser: () => false,
      close: async () => {},
    };
  },
});
