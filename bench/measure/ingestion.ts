import { setTimeout as delay } from 'node:timers/promises';
import type { VectorSet } from '../data/vectors.ts';
import { batchesOf } from '../peers/peer.ts';
import type { Service } from '../peers/service.ts';
import { createIndex } from '../peers/strata.ts';
import { percentile } from './searches.ts';

/** How long searches took. */
interface SearchesRow {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly searches: number;
}

/** Searches while nothing else happens, while the other part of the vectors is written, and while the rest is done. */
export interface IngestionRow {
  readonly rows: number;
  readonly dimensions: number;
  readonly quiet: SearchesRow;
  readonly writing: SearchesRow;
  /** From the last answer to a write until all maintenance that the writes asked for was done. */
  readonly settling: SearchesRow;
  /** Searches that failed, in all. */
  readonly errors: number;
  /** Vectors written in a second while searches went on. */
  readonly vectorsPerSecond: number;
}

/** Enough for one in a hundred to be more than a few. */
const quietSearches = 1_200;
/** One search after another with a pause like that of a person or a page, so that the search does not starve the writes. */
const pauseMs = 20;

const rowOf = (timesMs: readonly number[]): SearchesRow => ({
  p50Ms: percentile(timesMs, 0.5),
  p99Ms: percentile(timesMs, 0.99),
  searches: timesMs.length,
});

/** Writes a tenth of the vectors, then searches them in peace, then while all others are written. */
export const measureIngestion = async (service: Service, { base, queries }: VectorSet): Promise<IngestionRow> => {
  const index = await createIndex(service, base.dimensions);
  const batches = batchesOf(base.count);
  const first = Math.max(1, Math.floor(batches.length / 10));
  for (const [from, to] of batches.slice(0, first)) await index.upsert(base, from, to);
  // Those who search would wait for the making of requests in their own process, which no user's are in.
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
