import { capability, type Runtime } from '../../kernel/capability.ts';
import { engineCaches } from './lance/connect-database.ts';
import { openWriter } from './lance/open-writer.ts';
import { dispatchEngine, type EngineFor, locationOf, perOrganization, shareCaches } from './open.ts';
import type { EngineWriter } from './port.ts';
import { openWriter as openVectorWriter } from './s3-vectors/open-writer.ts';

/** Memory of a writer for files of tables. Most of them were written by the same process. */
const writerObjectBytes = 256 * 1024 * 1024;

const openTableWriters = (runtime: Runtime): ((organizationId: string) => EngineWriter) => {
  const caches = shareCaches(runtime, engineCaches(), writerObjectBytes);
  return perOrganization((organizationId) => openWriter(locationOf(runtime, organizationId, caches), runtime.clock));
};

/** Returns the writer of an organization's LanceDB tables in this region. */
export const tableWrite = capability(['engine.read', 'engine.write'], openTableWriters);

/** Returns the writer of an organization's indexes in this region. */
export const engineWrite = capability<EngineFor<EngineWriter>>(
  [...tableWrite.needs, 'vector_indexes.write'],
  (runtime) => dispatchEngine(runtime, openTableWriters(runtime), openVectorWriter),
);
