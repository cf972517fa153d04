import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory of its own that goes away with the test. */
export const temporaryDirectory = (context: { after(hook: () => void): void }): string => {
  const directory = mkdtempSync(join(tmpdir(), 'strata-test-'));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};
