import { capability, type Runtime } from '../../../shared/kernel/capability.ts';
import { engineCaches } from './lance/connect-database.ts';
import { dispatchEngine, type EngineFor, locationOf, perOrganization, shareCaches, vectorLocationOf } from './open.ts';
import { expiringReader } from './expiry.ts';
import { openReader } from './open-location.ts';
import type { EngineReader } from './port.ts';
import { openReader as openVectorReader } from './s3-vectors/open-reader.ts';

const mebibyte = 1024 * 1024;

/**
 * Memory of a reader for indexes of tables. With the other caches it is two thirds of the memory of the reader's function.
 * 400,000 vectors of 1,536 dimensions take 316 MB.
 */
const readerIndexBytes = 1024 * mebibyte;
const readerCaches = { segments: 768 * mebibyte, tableFiles: 256 * mebibyte };

const vectorReaders =
  (runtime: Runtime) =>
  (organizationId: string): EngineReader =>
    openVectorReader(vectorLocationOf(runtime, organizationId));

const openReaders =
  (indexBytes: number, sizes: typeof readerCaches) =>
  (runtime: Runtime): EngineFor<EngineReader> => {
    const caches = shareCaches(runtime, engineCaches(indexBytes), sizes);
    const lance = perOrganization((organizationId) =>
      openReader(locationOf(runtime, organizationId, caches), runtime.clock),
    );
    const engines = dispatchEngine({ lance, s3_vectors: vectorReaders(runtime) });
    return (organizationId, engine) => expiringReader(engines(organizationId, engine), runtime.clock);
  };

/** Returns the reader of an organization's indexes in this region. */
export const engineRead = capability<EngineFor<EngineReader>>(
  ['engine.read', 'vector_indexes.read'],
  openReaders(readerIndexBytes, readerCaches),
);

/** Memory of a function that reads each row once: content is hardly read twice. */
const scanBytes = 64 * mebibyte;

/** Returns a reader for reading whole indexes, with small caches. */
export const engineScan = capability<EngineFor<EngineReader>>(
  ['engine.read', 'vector_indexes.read'],
  openReaders(scanBytes, { segments: 2 * scanBytes, tableFiles: scanBytes }),
);
