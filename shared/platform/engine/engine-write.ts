import { capability, type Runtime } from '../../kernel/capability.ts';
import { engineCaches } from './lance/connect-database.ts';
import { openWriter } from './lance/open-writer.ts';
import { type EngineFor, locationOf, perOrganization } from './open.ts';
import type { EngineWriter } from './port.ts';

const openWriters = (runtime: Runtime): EngineFor<EngineWriter> => {
  const caches = engineCaches();
  return perOrganization((organizationId) => openWriter(locationOf(runtime, organizationId, caches), runtime.clock));
};

/** The tables of an organization in this region, to write. */
export const engineWrite = capability<EngineFor<EngineWriter>>(['engine.read', 'engine.write'], openWriters);
