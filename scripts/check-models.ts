import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { projectDirectory } from './support/project-directory.ts';

/*
 * Compares the files of the models in this repository with their checksums, `models/<model>/SHA256SUMS`, in the format of
 * `sha256sum`.
 */

const listLine = /^(?<digest>[0-9a-f]{64}) {2}(?<file>\S+)$/;

/** Returns the problems of one model folder. */
const problemsOf = async (list: string): Promise<readonly string[]> => {
  const lines = (await readFile(list, 'utf8')).trim().split('\n');
  const problems = lines.map(async (line) => {
    const { digest, file = '' } = listLine.exec(line)?.groups ?? {};
    const path = join(dirname(list), file);
    const content = digest === undefined ? null : await readFile(path).catch(() => null);
    if (content === null) return [`${relative(projectDirectory, list)}: no file for the line "${line}"`];
    const found = createHash('sha256').update(content).digest('hex');
    return found === digest ? [] : [`${relative(projectDirectory, path)} has the SHA-256 ${found}, expected ${digest}`];
  });
  return (await Promise.all(problems)).flat();
};

const lists = globSync(join(projectDirectory, 'models', '*', 'SHA256SUMS'));
const problems = (await Promise.all(lists.map(problemsOf))).flat();
if (lists.length === 0) problems.push('There is no list of checksums below models');
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
