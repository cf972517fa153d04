import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const projectDirectory = join(import.meta.dirname, '..');

/** Text as the formatter would leave it in the file of that absolute path. */
export const formatText = (file: string, text: string): string =>
  execFileSync(join(projectDirectory, 'node_modules', '.bin', 'oxfmt'), ['--stdin-filepath', file], {
    input: text,
    encoding: 'utf8',
    cwd: projectDirectory,
    shell: process.platform === 'win32',
  });
