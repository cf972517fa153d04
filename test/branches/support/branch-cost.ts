import { bucketStore, openReader, openWriter, type IndexRef, type TableState } from '#engine';
import { makeRow } from '../../../packages/engine/test/support/index-bench.ts';
import { openCountedStore } from '../../support/counted-store.ts';

const portion = 20_000;

/** What making a branch of an index with so many rows asks of the object store, by an engine that has nothing open. */
export const branchCost = async (rows: number, dimensions = 8): Promise<Readonly<Record<string, number>>> => {
  const store = await openCountedStore();
  try {
    const at = (version: number): IndexRef => ({
      dimensions,
      metric: 'cosine',
      nonFilterableKeys: [],
      layers: [{ table: 'parent', version }],
    });
    const location = () => ({
      ...store.location(),
      objects: bucketStore('us-east-1', store.bucket, 'tables/', store.client),
    });
    const writer = openWriter(location());
    let state: TableState = await writer.create(at(0));
    for (let from = 0; from < rows; from += portion) {
      const some = Array.from({ length: Math.min(portion, rows - from) }, (_, offset) => {
        const number = from + offset;
        return makeRow(
          `row${number}`,
          Array.from({ length: dimensions }, (__, axis) => 1 + ((number * (axis + 3)) % 17)),
          {
            text: `text ${number}`,
          },
        );
      });
      ({ state } = await writer.commit(at(state.version), [{ kind: 'upsert', rows: some }]));
    }
    state = await writer.maintain(at(state.version), { keepSeconds: 3_600, keepVersions: [] });
    const branch: IndexRef = { ...at(0), layers: [{ table: 'branch', version: 0 }, at(state.version).layers[0]] };
    const fresh = openWriter(location());
    const cost = await store.count(() => fresh.create(branch));
    const found = await openReader(location()).count(branch);
    if (found !== rows) throw new Error(`the branch shows ${found} rows of ${rows}`);
    return cost;
  } finally {
    await store.close();
  }
};
