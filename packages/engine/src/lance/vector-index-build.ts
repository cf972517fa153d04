import type { Index, Table } from '@lancedb/lancedb';
import type { IndexRef } from '../port.ts';
import { indexNames } from './table-indexes.ts';
import { openRecallCheck } from './vector-index-recall.ts';
import { coarseFrom } from './vector-query.ts';

/** Returns the number of parts of the vector index of a table; 0 if it has none. */
export const vectorPartsOf = async (table: Table): Promise<number> =>
  (await table.indexStats(indexNames.vector))?.numIndices ?? 0;

/** Kind of vector index, and the share of the nearest rows that it must find to be used. */
interface Kind {
  readonly config: Index;
  readonly minRecall: number;
}

/**
 * Lists kinds, the cheapest first. Quantization is relative to the distances of rows from the middle of their
 * partition, and a few far rows can spoil it.
 */
const kindsFor = async ({ dimensions, metric }: IndexRef): Promise<readonly Kind[]> => {
  const { Index } = await import('@lancedb/lancedb');
  const distanceType = metric === 'cosine' ? 'cosine' : 'l2';
  const coarse: Kind = { config: Index.ivfRq({ numBits: 2, distanceType }), minRecall: 0.97 };
  return [
    ...(dimensions < coarseFrom ? [] : [coarse]),
    { config: Index.ivfRq({ numBits: 4, distanceType }), minRecall: 0.9 },
    { config: Index.ivfFlat({ distanceType }), minRecall: 0 },
  ];
};

/**
 * Builds the vector index over all rows of a table and replaces the existing one. Uses the cheapest kind whose recall is as
 * required.
 */
export const buildVectorIndex = async (table: Table, ref: IndexRef): Promise<void> => {
  const recall = await openRecallCheck(table, ref);
  for (const { config, minRecall } of await kindsFor(ref)) {
    await table.createIndex('vector', { config, name: indexNames.vector, replace: true });
    if (minRecall === 0 || (await recall()) >= minRecall) break;
  }
};
