import { setTimeout as delay } from 'node:timers/promises';
import { Buffer } from 'node:buffer';
import { filterParts } from '../data/truth.ts';
import type { Vectors } from '../data/vectors.ts';
import type { DistanceMetric } from '#engine';
import { batchesOf, type Peer, secondsSince } from './peer.ts';
import type { Service } from './service.ts';

/** Base64 of little-endian float32, the short form of a vector in a request. */
const encode = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');

/** A vector as a request or a line of a file contains it. */
export const itemOf = (vectors: Vectors, row: number) => ({
  id: `row-${row}`,
  vector: encode(vectors.at(row)),
  metadata: { part: row % filterParts },
});

/** An index of the service. */
export interface StrataIndex {
  readonly id: string;
  readonly upsert: (vectors: Vectors, from: number, to: number) => Promise<void>;
  /** Builds the requests of an upsert. The returned function sends them. */
  readonly prepare: (vectors: Vectors, from: number, to: number) => () => Promise<void>;
  readonly search: (query: Float32Array, topK: number, more?: SearchMore) => Promise<readonly number[]>;
  /** Resolves once all maintenance after the writes is done. */
  readonly waitUntilIdle: () => Promise<void>;
  /** The same, and the fold that follows a pause of writes to a large index. */
  readonly waitUntilFolded: () => Promise<void>;
}

export interface SearchMore {
  readonly filter?: Readonly<Record<string, unknown>>;
  readonly exact?: boolean;
}

/** Safe size of one request: a function takes 6 MB, and escaping adds to the body. */
const requestBytes = 4_500_000;

interface Stats {
  readonly queues: readonly { readonly visible: number; readonly in_flight: number; readonly delayed: number }[];
}

const waitUntilIdle = async (service: Service): Promise<void> => {
  // Twice in a row, because a completed message may have sent the next one.
  for (let quiet = 0; quiet < 2;) {
    const { queues } = (await service.call('GET', '/_local/health')) as Stats;
    quiet = queues.every(({ visible, in_flight: running, delayed }) => visible + running + delayed === 0)
      ? quiet + 1
      : 0;
    await delay(50);
  }
};

/** Longest time from the last maintenance until a fold after a pause has ended, if there is one. */
const foldWaitMs = 200_000;

const waitUntilFolded = async (service: Service, id: string): Promise<void> => {
  await waitUntilIdle(service);
  for (const deadline = performance.now() + foldWaitMs; performance.now() < deadline; await delay(1_000)) {
    const stats = await service.call('GET', `/v1/indexes/${id}/stats`);
    if ((stats as { readonly unindexed_vectors: number }).unindexed_vectors === 0) return;
  }
};

/** Creates an index with default settings. */
export const createIndex = async (
  service: Service,
  dimensions: number,
  metric: DistanceMetric = 'cosine',
): Promise<StrataIndex> => {
  const made = await service.call('POST', '/v1/indexes', { name: 'bench', dimensions, distance_metric: metric });
  const { id } = made as { readonly id: string };
  // As base64, with its id and metadata.
  const rowBytes = dimensions * (16 / 3) + 80;
  const rowsPerRequest = Math.min(1_000, Math.floor(requestBytes / rowBytes));
  const prepare: StrataIndex['prepare'] = (vectors, from, to) => {
    const starts = Array.from(
      { length: Math.ceil((to - from) / rowsPerRequest) },
      (_, at) => from + at * rowsPerRequest,
    );
    const bodies = starts.map((start) => {
      const count = Math.min(rowsPerRequest, to - start);
      return JSON.stringify(Array.from({ length: count }, (_, at) => itemOf(vectors, start + at)));
    });
    return async () => {
      await Promise.all(bodies.map((body) => service.send('POST', `/v1/indexes/${id}/vectors`, body)));
    };
  };
  return {
    id,
    prepare,
    upsert: (vectors, from, to) => prepare(vectors, from, to)(),
    search: async (query, topK, more = {}) => {
      const body = { vector: encode(query), top_k: topK, include: [], ...more };
      const answer = await service.call('POST', `/v1/indexes/${id}/search/dense`, body);
      return (answer as { readonly results: readonly { readonly id: string }[] }).results.map((hit) =>
        Number(hit.id.slice(4)),
      );
    },
    waitUntilIdle: () => waitUntilIdle(service),
    waitUntilFolded: () => waitUntilFolded(service, id),
  };
};

/**
 * The service over HTTP, with default settings.
 * @param beforeClose gets the loaded index after the comparison.
 */
export const strata = (service: Service, beforeClose: (index: StrataIndex) => Promise<void>): Peer => ({
  name: 'strata',
  title: 'Strata',
  reached: 'HTTP',
  load: async ({ base }) => {
    const index = await createIndex(service, base.dimensions);
    const startedMs = performance.now();
    for (const [from, to] of batchesOf(base.count)) await index.upsert(base, from, to);
    const loadSeconds = secondsSince(startedMs);
    await index.waitUntilIdle();
    const readySeconds = secondsSince(startedMs);
    await index.waitUntilFolded();
    return {
      loadSeconds,
      readySeconds,
      search: (query, topK) => index.search(query, topK),
      searchPart: (query, topK, part) => index.search(query, topK, { filter: { part } }),
      lookCloser: () => false,
      close: async () => {
        await beforeClose(index);
        await service.call('DELETE', `/v1/indexes/${index.id}`);
      },
    };
  },
});
