import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDirectory } from './project-directory.ts';

/**
 * Keeps a file that is made from something else as it is to be: writes it, or with `--check` only says that the text
 * there is another, and which command mends it.
 * @param path From the directory of the project.
 */
export const keepMade = async (path: string, text: string, command: string): Promise<void> => {
  const file = join(projectDirectory, path);
  if (!process.argv.includes('--check')) return writeFile(file, text);
  if ((await readFile(file, 'utf8').catch(() => '')) === text) return;
  process.stderr.write(`${path} is not what it is made from: run npm run ${command}\n`);
  process.exitCode = 1;
};
