import { setTimeout as delay } from 'node:timers/promises';
import type { VectorSet } from '../data/vectors.ts';
import { batchesOf } from '../peers/peer.ts';
import type { Service } from '../peers/service.ts';
import { createIndex } from '../peers/strata.ts';
import { percentile } from './searches.ts';

/** Searches while nothing else happens, and while the other part of the vectors is written. */
export interface IngestionRow {
  readonly rows: number;
  readonly dimensions: number;
  readonly quietP50Ms: number;
  readonly quietP99Ms: number;
  readonly busyP50Ms: number;
  readonly busyP99Ms: number;
  readonly searches: number;
  readonly errors: number;
  /** Vectors written in a second while searches went on. */
  readonly vectorsPerSecond: number;
}

/** About as many as come while the vectors are written, so that one in a hundred is as many of both. */
const quietSearches = 1_200;
/** One search after another with a pause like that of a person or a page, so that the search does not starve the writes. */
const pauseMs = 20;

/** Writes a tenth of the vectors, then searches them in peace, then while all others are written. */
export const measureIngestion = async (service: Service, { base, queries }: VectorSet): Promise<IngestionRow> => {
  const index = await createIndex(service, base.dimensions);
  const batches = batchesOf(base.count);
  const first = Math.max(1, Math.floor(batches.length / 10));
  for (const [from, to] of batches.slice(0, first)) await index.upsert(base, from, to);
  // Those who search would wait for the making of requests in their own process, which no user's are in.
  const writes = batches.slice(first).map(([from, to]) => index.prepare(base, from, to));
  await index.settled();
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
  const writing = { done: false };
  const searching = (async () => {
    while (!writing.done) {
      busy.push(await search());
      await delay(pauseMs);
    }
  })();
  const startedMs = performance.now();
  for (const write of writes) await write();
  const seconds = (performance.now() - startedMs) / 1_000;
  await index.settled();
  writing.done = true;
  await searching;
  await service.call('DELETE', `/v1/indexes/${index.id}`);
  return {
    rows: base.count,
    dimensions: base.dimensions,
    quietP50Ms: percentile(quiet, 0.5),
    quietP99Ms: percentile(quiet, 0.99),
    busyP50Ms: percentile(busy, 0.5),
    busyP99Ms: percentile(busy, 0.99),
    searches: busy.length,
    errors,
    vectorsPerSecond: ((batches.length - first) * 1_000) / seconds,
  };
};
