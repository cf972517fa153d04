import { capability, type Runtime } from '../../../shared/kernel/capability.ts';
import { engineCaches } from './lance/connect-database.ts';
import { rowCache } from './lance/row-cache.ts';
import { openReader } from './lance/open-reader.ts';
import { vectorCache } from './lance/vector-cache/vector-cache.ts';
import { dispatchEngine, type EngineFor, locationOf, perOrganization, shareCaches, vectorLocationOf } from './open.ts';
import type { EngineReader } from './port.ts';
import { openReader as openVectorReader } from './s3-vectors/open-reader.ts';

/** Memory of a reader for index data. 400,000 vectors of 1,536 dimensions take 316 MB. */
const readerIndexBytes = 1024 * 1024 * 1024;
/**
 * Memory of a reader for the vector cache. 100,000 vectors of 1,536 dimensions take 650 MB. The cache loads rows in the
 * background, but Lambda freezes a function between its runs. If the tables are in an object store, this memory serves
 * the cache of table files instead.
 */
const readerVectorCacheBytes = 1024 * 1024 * 1024;

/** Memory of a reader for the row cache: texts and metadata of rows that searches return repeatedly. */
const readerRowCacheBytes = 64 * 1024 * 1024;

const vectorReaders =
  (runtime: Runtime) =>
  (organizationId: string): EngineReader =>
    openVectorReader(vectorLocationOf(runtime, organizationId));

const openReaders = (runtime: Runtime): EngineFor<EngineReader> => {
  // One memory limit for the process, independent of the number of organizations. It is a third of the memory of the
  // reader's function, so that vector indexes in use stay in memory.
  const caches = shareCaches(runtime, engineCaches(readerIndexBytes), readerVectorCacheBytes);
  const vectors = caches.storageOptions === null ? { vectorCache: vectorCache(readerVectorCacheBytes) } : {};
  const rows = rowCache(readerRowCacheBytes);
  const lance = perOrganization((organizationId) =>
    openReader({ ...locationOf(runtime, organizationId, caches), ...vectors, rowCache: rows }),
  );
  return dispatchEngine({ lance, s3_vectors: vectorReaders(runtime) });
};

/** Returns the reader of an organization's indexes in this region. */
export const engineRead = capability<EngineFor<EngineReader>>(['engine.read', 'vector_indexes.read'], openReaders);

/** Memory of a function that reads each row once: tables are hardly read twice. */
const scanBytes = 64 * 1024 * 1024;

/** Returns a reader for reading whole indexes, with small caches. */
export const engineScan = capability<EngineFor<EngineReader>>(['engine.read', 'vector_indexes.read'], (runtime) => {
  const caches = shareCaches(runtime, engineCaches(scanBytes), scanBytes);
  const lance = perOrganization((organizationId) => openReader(locationOf(runtime, organizationId, caches)));
  return dispatchEngine({ lance, s3_vectors: vectorReaders(runtime) });
});
