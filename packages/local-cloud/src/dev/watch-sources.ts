import { watch } from 'node:fs';
import { join } from 'node:path';

/** Exit code by which `supervise.ts` starts the service again. */
export const restartCode = 75;

/** Editors write a file in several steps, and a change of branch writes many files. */
const quietMs = 60;

/**
 * Watches folders of the project. Calls `onChange` with the changed paths, relative to the project, once no file has
 * changed for a moment. The next call waits until the last one has resolved. The watch ends with the process.
 */
export const watchSources = (
  projectDirectory: string,
  folders: readonly string[],
  onChange: (paths: ReadonlySet<string>) => Promise<void>,
): void => {
  let changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  const run = async (): Promise<void> => {
    if (running) return;
    running = true;
    while (changed.size > 0) {
      const paths = changed;
      changed = new Set();
      await onChange(paths);
    }
    running = false;
  };
  for (const folder of folders)
    watch(join(projectDirectory, folder), { recursive: true }, (_, file) => {
      changed.add(join(folder, file ?? ''));
      clearTimeout(timer);
      timer = setTimeout(() => void run(), quietMs);
    });
};
