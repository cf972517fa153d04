import type { VectorSet } from '../data/vectors.ts';
import { batchesOf, secondsSince } from '../peers/peer.ts';
import type { StrataIndex } from '../peers/strata.ts';

/** Writes of concurrent clients. Each client sends one batch after the other. */
export interface WriteRow {
  readonly rows: number;
  readonly dimensions: number;
  readonly clients: number;
  readonly vectorsPerSecond: number;
}

/** Writes all vectors into an empty index. */
export const measureWrites = async (index: StrataIndex, { base }: VectorSet, clients: number): Promise<WriteRow> => {
  const batches = batchesOf(base.count).values();
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      // All clients share one iterator of batches.
      for (const [from, to] of batches) await index.upsert(base, from, to);
    }),
  );
  const { count: rows, dimensions } = base;
  return { rows, dimensions, clients, vectorsPerSecond: rows / secondsSince(startedMs) };
};
