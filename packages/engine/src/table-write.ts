import { capability, type Runtime } from '../../../shared/kernel/capability.ts';
import { engineCaches } from './lance/connect-database.ts';
import { locationOf, perOrganization, shareCaches } from './open.ts';
import { openWriter } from './open-location.ts';
import type { EngineWriter } from './port.ts';
import { defaultBounds } from './segments/write-version.ts';

const mebibyte = 1024 * 1024;

/** Memory of a writer for content. Most of it was written by the same process. */
const writerCaches = { segments: 512 * mebibyte, tableFiles: 256 * mebibyte };

export const openTableWriters = (runtime: Runtime): ((organizationId: string) => EngineWriter) => {
  const caches = shareCaches(runtime, engineCaches(), writerCaches);
  return perOrganization((organizationId) =>
    openWriter(locationOf(runtime, organizationId, caches), {
      clock: runtime.clock,
      bounds: { ...defaultBounds, foldBytes: runtime.config.foldBytes ?? defaultBounds.foldBytes },
    }),
  );
};

/** Returns the writer of an organization's LanceDB tables in this region. */
export const tableWrite = capability(['engine.read', 'engine.write'], openTableWriters);
