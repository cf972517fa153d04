import { loadPackage } from '../data/install.ts';
import { type Peer, secondsSince } from './peer.ts';

interface Space {
  initIndex(options: { readonly maxElements: number; readonly m: number; readonly efConstruction: number }): void;
  addPoint(vector: readonly number[], label: number): void;
  setEf(ef: number): void;
  searchKnn(query: readonly number[], count: number): { readonly neighbors: readonly number[] };
}
interface Hnswlib {
  readonly HierarchicalNSW: new (space: 'cosine', dimensions: number) => Space;
}

const efSteps = [50, 100, 200, 400, 800];

/** hnswlib in this process: a graph in memory, without storage, filters by metadata or text. */
export const hnswlib = (cacheDirectory: string): Peer => ({
  name: 'hnswlib',
  title: 'hnswlib-node',
  reached: 'in process',
  load: async ({ base }) => {
    // Cast: the package has no types that this loader could see.
    const { HierarchicalNSW } = (await loadPackage(cacheDirectory, 'hnswlib-node')) as Hnswlib;
    const startedMs = performance.now();
    const space = new HierarchicalNSW('cosine', base.dimensions);
    space.initIndex({ maxElements: base.count, m: 16, efConstruction: 200 });
    for (let row = 0; row < base.count; row += 1) space.addPoint([...base.at(row)], row);
    const loadSeconds = secondsSince(startedMs);
    let step = 0;
    space.setEf(efSteps[step] ?? 50);
    return {
      loadSeconds,
      readySeconds: loadSeconds,
      search: (query, topK) => space.searchKnn([...query], topK).neighbors,
      lookCloser: () => {
        step += 1;
        space.setEf(efSteps[step] ?? 800);
        return step < efSteps.length;
      },
      close: async () => {},
    };
  },
});
