import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the names of LanceDB's temporary directories begin with. */
const prefix = '.tmp';

/**
 * Removes what the engine left in the temporary directory: every build of a vector index leaves what it sorted there
 * (https://github.com/lance-format/lance/issues/8992), and a run that was killed what it had. Lambda keeps the directory
 * for as long as the environment of a function, so in the end it would be full. Only while the engine does nothing, and
 * only where the directory is the function's own.
 */
export const clearScratch = async (): Promise<void> => {
  const directory = tmpdir();
  const found = await readdir(directory, { withFileTypes: true });
  for (const { name } of found.filter((entry) => entry.isDirectory() && entry.name.startsWith(prefix))) {
    const path = join(directory, name);
    // An empty one may be a session's, which works in it for as long as it is open.
    if ((await readdir(path)).length > 0) await rm(path, { recursive: true });
  }
};
