import { capability, type Runtime } from '../../../shared/kernel/capability.ts';
import { engineCaches } from './lance/connect-database.ts';
import { openWriter } from './lance/open-writer.ts';
import { locationOf, perOrganization, shareCaches } from './open.ts';
import type { EngineWriter } from './port.ts';

/** Memory of a writer for files of tables. Most of them were written by the same process. */
const writerObjectBytes = 256 * 1024 * 1024;

export const openTableWriters = (runtime: Runtime): ((organizationId: string) => EngineWriter) => {
  const caches = shareCaches(runtime, engineCaches(), writerObjectBytes);
  return perOrganization((organizationId) => openWriter(locationOf(runtime, organizationId, caches), runtime.clock));
};

/** Returns the writer of an organization's LanceDB tables in this region. */
export const tableWrite = capability(['engine.read', 'engine.write'], openTableWriters);
