import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatText } from './support/format-text.ts';
import { keepMade } from './support/made-file.ts';
import { projectDirectory } from './support/project-directory.ts';

const directory = 'packages/engine/src/in-memory-search';
const source = 'compare.as';
const path = `${directory}/compare-wasm.ts`;
/** The compiler takes no file of another name; the linters and types of the project are not meant for it. */
const entry = 'compare.ts';
const compiled = 'compare.wasm';

/** What neither traps nor allocates: all memory is the caller's. */
const settings = ['--runtime', 'stub', '--importMemory', '--maximumMemory', '65536', '--enable', 'simd', '--noAssert'];

/** A program of its own, because the compiler's types declare globals of their own. */
const compiler = join(projectDirectory, 'node_modules', 'assemblyscript', 'bin', 'asc.js');

const compile = async (): Promise<Buffer> => {
  const scratch = await mkdtemp(join(tmpdir(), 'strata-kernel-'));
  try {
    await copyFile(join(projectDirectory, directory, source), join(scratch, entry));
    const args = [compiler, entry, '-O3', ...settings, '--outFile', compiled];
    execFileSync(process.execPath, args, { cwd: scratch, stdio: 'inherit' });
    return await readFile(join(scratch, compiled));
  } finally {
    await rm(scratch, { recursive: true });
  }
};

const text = `// Generated from ${source} by \`npm run kernel\`: do not edit.

/** The compiled module, as base64. */
export const compareWasm =
  '${(await compile()).toString('base64')}';
`;

await keepMade(path, formatText(path, text), 'kernel');
