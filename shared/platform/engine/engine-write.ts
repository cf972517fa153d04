import { capability, type Runtime } from '../../kernel/capability.ts';
import { engineCaches } from './lance/connect-database.ts';
import { openWriter } from './lance/open-writer.ts';
import { type EngineFor, locationOf, perOrganization, shareCaches } from './open.ts';
import type { EngineWriter } from './port.ts';

/** Memory of a writer for files of tables. Most are its own. */
const writerObjectBytes = 256 * 1024 * 1024;

const openWriters = (runtime: Runtime): EngineFor<EngineWriter> => {
  const caches = shareCaches(runtime, engineCaches(), writerObjectBytes);
  return perOrganization((organizationId) => openWriter(locationOf(runtime, organizationId, caches), runtime.clock));
};

/** The tables of an organization in this region, to write. */
export const engineWrite = capability<EngineFor<EngineWriter>>(['engine.read', 'engine.write'], openWriters);
