import { join } from 'node:path';
import type { Table } from '@lancedb/lancedb';
import { coarseFrom } from '#engine';
import { filterParts } from '../data/truth.ts';
import type { Vectors } from '../data/vectors.ts';
import { batchesOf, type Peer, secondsSince } from './peer.ts';

/** Numbers below which LanceDB is fastest without a vector index. */
const flatBelowFloats = 1_000_000;
const probeSteps = [20, 40, 80, 160, 320];

const paddedTo8 = (dimensions: number): number => Math.ceil(dimensions / 8) * 8;

const batchOf = async (vectors: Vectors, from: number, to: number) => {
  const {
    Field,
    FixedSizeList,
    Float32,
    Int32,
    makeData,
    makeVector,
    Table: Batch,
    Utf8,
    vectorFromArray,
  } = await import('apache-arrow');
  const width = paddedTo8(vectors.dimensions);
  const values = new Float32Array((to - from) * width);
  for (let row = from; row < to; row += 1) values.set(vectors.at(row), (row - from) * width);
  const rows = Array.from({ length: to - from }, (_, at) => from + at);
  const child = makeData({ type: new Float32(), data: values });
  return new Batch({
    id: vectorFromArray(
      rows.map((row) => `row-${row}`),
      new Utf8(),
    ),
    part: vectorFromArray(
      rows.map((row) => row % filterParts),
      new Int32(),
    ),
    vector: makeVector(
      makeData({ type: new FixedSizeList(width, new Field('item', new Float32(), true)), length: to - from, child }),
    ),
  });
};

const write = async (directory: string, base: Vectors): Promise<Table> => {
  const { connect } = await import('@lancedb/lancedb');
  const connection = await connect(join(directory, 'lance'));
  const [[, first] = [0, 0], ...rest] = batchesOf(base.count);
  const table = await connection.createTable('bench', await batchOf(base, 0, first));
  for (const [from, to] of rest) {
    const merge = table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().useIndex(false);
    await merge.execute(await batchOf(base, from, to));
  }
  return table;
};

/** LanceDB called directly: the upper bound for any service on top of it. */
export const lance: Peer = {
  name: 'lance',
  title: 'LanceDB, called directly',
  reached: 'in process',
  load: async ({ base }, directory) => {
    const startedMs = performance.now();
    const table = await write(directory, base);
    const loadSeconds = secondsSince(startedMs);
    const indexed = base.count * base.dimensions > flatBelowFloats;
    await table.optimize();
    // The index that the service uses for such vectors.
    const isCoarse = base.dimensions >= coarseFrom;
    if (indexed) {
      const { Index } = await import('@lancedb/lancedb');
      await table.createIndex('vector', { config: Index.ivfRq({ numBits: isCoarse ? 2 : 4, distanceType: 'cosine' }) });
    }
    const readySeconds = secondsSince(startedMs);
    const width = paddedTo8(base.dimensions);
    let step = 0;
    const search = async (query: Float32Array, topK: number, part?: number): Promise<readonly number[]> => {
      const padded = new Float32Array(width);
      padded.set(query);
      const nearest = table.query().nearestTo(padded).distanceType('cosine').limit(topK).select(['id', '_distance']);
      const tuned = indexed
        ? nearest.nprobes(probeSteps[step] ?? 20).refineFactor(isCoarse ? 3 : 2)
        : nearest.bypassVectorIndex();
      const kept = part === undefined ? tuned : tuned.where(`part = ${part}`);
      const ids = (await kept.toArrow()).getChild('id');
      return Array.from({ length: ids?.length ?? 0 }, (_, at) => Number(String(ids?.get(at)).slice(4)));
    };
    return {
      loadSeconds,
      readySeconds,
      search,
      searchPart: search,
      lookCloser: () => {
        step += 1;
        return indexed && step < probeSteps.length;
      },
      close: async () => table.close(),
    };
  },
};
