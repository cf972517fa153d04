import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory of its own that goes away with the process, after everything that writes there was stopped. */
export const temporaryDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'strata-test-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
};
