import { capability, type Runtime } from '../../kernel/capability.ts';
import { engineCaches } from './lance/connect-database.ts';
import { foundRows } from './lance/found-rows.ts';
import { openReader } from './lance/open-reader.ts';
import { residentTables } from './lance/resident-tables.ts';
import { type EngineFor, locationOf, perOrganization, shareCaches } from './open.ts';
import type { EngineReader } from './port.ts';

/** Memory of a reader for index data. 400,000 vectors of 1,536 dimensions take 316 MB. */
const readerIndexBytes = 1024 * 1024 * 1024;
/**
 * Memory of a reader for the vector cache. 100,000 vectors of 1,536 dimensions take 650 MB. The cache loads rows in the
 * background, but Lambda freezes a function between its runs. If the tables are in an object store, this memory serves
 * the cache of table files instead.
 */
const readerResidentBytes = 1024 * 1024 * 1024;

/** Memory of a reader for the row cache: texts and metadata of rows that searches return repeatedly. */
const readerFoundBytes = 64 * 1024 * 1024;

const openReaders = (runtime: Runtime): EngineFor<EngineReader> => {
  // One memory limit for the process, independent of the number of organizations. It is a third of the memory of the
  // reader's function, so that vector indexes in use stay in memory.
  const caches = shareCaches(runtime, engineCaches(readerIndexBytes), readerResidentBytes);
  const residents = caches.storageOptions === null ? { residents: residentTables(readerResidentBytes) } : {};
  const found = foundRows(readerFoundBytes);
  return perOrganization((organizationId) =>
    openReader({ ...locationOf(runtime, organizationId, caches), ...residents, found }),
  );
};

/** Returns the reader of an organization's tables in this region. */
export const engineRead = capability<EngineFor<EngineReader>>(['engine.read'], openReaders);
