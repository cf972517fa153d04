import { setTimeout as delay } from 'node:timers/promises';
import type { VectorSet } from '../data/vectors.ts';
import { batchesOf } from '../peers/peer.ts';
import type { Service } from '../peers/service.ts';
import { createIndex } from '../peers/strata.ts';
import { percentile } from './searches.ts';

/** Times of searches. */
interface SearchesRow {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly searches: number;
}

/** Searches on an idle index, while the other part of the vectors is written, and during the maintenance after that. */
export interface IngestionRow {
  readonly rows: number;
  readonly dimensions: number;
  readonly quiet: SearchesRow;
  readonly writing: SearchesRow;
  /** Searches from the response to the last write until all maintenance after the writes is done. */
  readonly settling: SearchesRow;
  /** Number of all failed searches. */
  readonly errors: number;
  /** Vectors written in a second while searches went on. */
  readonly vectorsPerSecond: number;
}

/** Enough that one percent of them is more than a few. */
const quietSearches = 1_200;
/** Pause between searches, like that of a user or a page, so that searches do not starve the writes. */
const pauseMs = 20;

const rowOf = (timesMs: readonly number[]): SearchesRow => ({
  p50Ms: percentile(timesMs, 0.5),
  p99Ms: percentile(timesMs, 0.99),
  searches: timesMs.length,
});

/** Writes a tenth of the vectors, then searches them on the idle index, then while all others are written. */
export const measureIngestion = async (service: Service, { base, queries }: VectorSet): Promise<IngestionRow> => {
  const index = await createIndex(service, base.dimensions);
  const batches = batchesOf(base.count);
  const first = Math.max(1, Math.floor(batches.length / 10));
  for (const [from, to] of batches.slice(0, first)) await index.upsert(base, from, to);
  // Prepared before: building requests in this process would delay the searches, which no user sees.
  const writes = batches.slice(first).map(([from, to]) => index.prepare(base, from, to));
  await index.waitUntilIdle();
  let errors = 0;
  let number = 0;
  const search = async (): Promise<number> => {
    const startedMs = performance.now();
    number += 1;
    await index.search(queries.at(number % queries.count), 10).catch(() => {
      errors += 1;
    });
    return performance.now() - startedMs;
  };
  const quiet: number[] = [];
  for (let at = 0; at < quietSearches; at += 1) {
    quiet.push(await search());
    await delay(pauseMs);
  }
  const busy: number[] = [];
  const until = { settled: false };
  const searching = (async () => {
    while (!until.settled) {
      busy.push(await search());
      await delay(pauseMs);
    }
  })();
  const startedMs = performance.now();
  for (const write of writes) await write();
  const seconds = (performance.now() - startedMs) / 1_000;
  const writing = rowOf(busy.splice(0));
  await index.waitUntilIdle();
  until.settled = true;
  await searching;
  await service.call('DELETE', `/v1/indexes/${index.id}`);
  return {
    rows: base.count,
    dimensions: base.dimensions,
    quiet: rowOf(quiet),
    writing,
    settling: rowOf(busy),
    errors,
    vectorsPerSecond: ((batches.length - first) * 1_000) / seconds,
  };
};
