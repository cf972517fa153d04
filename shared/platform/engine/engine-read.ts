import { capability, type Runtime } from '../../kernel/capability.ts';
import { engineCaches } from './lance/connect-database.ts';
import { foundRows } from './lance/found-rows.ts';
import { openReader } from './lance/open-reader.ts';
import { residentTables } from './lance/resident-tables.ts';
import { type EngineFor, locationOf, perOrganization, shareCaches } from './open.ts';
import type { EngineReader } from './port.ts';

/** Memory of a reader for index data; 400,000 vectors of 1,536 dimensions take 316 MB. */
const readerIndexBytes = 1024 * 1024 * 1024;
/**
 * Its memory for the rows of tables that are searched often; 100,000 vectors of 1,536 dimensions take 650 MB. Rows are read
 * in the background, which a function that is frozen between its runs does not have: with tables in an object store, the
 * memory serves the cache of objects.
 */
const readerResidentBytes = 1024 * 1024 * 1024;

/** Its memory for texts and metadata of what is found again and again. */
const readerFoundBytes = 64 * 1024 * 1024;

const openReaders = (runtime: Runtime): EngineFor<EngineReader> => {
  // One memory bound for the process, whatever the number of organizations: a third of what the reader's function has, so
  // that the vector indexes that are searched at the same time stay in memory.
  const caches = shareCaches(runtime, engineCaches(readerIndexBytes), readerResidentBytes);
  const residents = caches.storageOptions === null ? { residents: residentTables(readerResidentBytes) } : {};
  const found = foundRows(readerFoundBytes);
  return perOrganization((organizationId) =>
    openReader({ ...locationOf(runtime, organizationId, caches), ...residents, found }),
  );
};

/** The tables of an organization in this region, to search. */
export const engineRead = capability<EngineFor<EngineReader>>(['engine.read'], openReaders);
