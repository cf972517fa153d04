import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { projectDirectory } from './project-directory.ts';

/** Text as the formatter would leave it in the file of that path, from the directory of the project. */
export const formatText = (file: string, text: string): string =>
  execFileSync(join(projectDirectory, 'node_modules', '.bin', 'oxfmt'), ['--stdin-filepath', file], {
    input: text,
    encoding: 'utf8',
    cwd: projectDirectory,
    shell: process.platform === 'win32',
  });
