import { capability, type Runtime } from '../../kernel/capability.ts';
import { engineCaches } from './lance/connect-database.ts';
import { openReader } from './lance/open-reader.ts';
import { type EngineFor, locationOf, perOrganization } from './open.ts';
import type { EngineReader } from './port.ts';

/** Memory of a reader for index data; 400,000 vectors of 1,536 dimensions take 316 MB. */
const readerIndexBytes = 1024 * 1024 * 1024;

const openReaders = (runtime: Runtime): EngineFor<EngineReader> => {
  // One memory bound for the process, whatever the number of organizations: a third of what the reader's function has, so
  // that the vector indexes that are searched at the same time stay in memory.
  const caches = engineCaches(readerIndexBytes);
  return perOrganization((organizationId) => openReader(locationOf(runtime, organizationId, caches)));
};

/** The tables of an organization in this region, to search. */
export const engineRead = capability<EngineFor<EngineReader>>(['engine.read'], openReaders);
