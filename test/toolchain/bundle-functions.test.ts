import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { bundleFunctions } from '../../scripts/bundle/bundle-functions.ts';

const projectDirectory = await mkdtemp(join(tmpdir(), 'strata-bundles-'));
const outputDirectory = join(projectDirectory, 'dist');
after(() => rm(projectDirectory, { recursive: true, force: true }));

const write = async (path: string, text: string): Promise<void> => {
  const file = join(projectDirectory, path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, text);
};

await write('package-lock.json', '{}');
await write('layer/apache-arrow/index.js', `exports.name = 'from the layer';`);
await write('data.json', '{"beside":true}');
await write('greeting.ts', `export const greeting: string = 'hello';`);
await write(
  'handler.ts',
  `import { readFile } from 'node:fs/promises';
   import { greeting } from './greeting.ts';
   export const handle = async (): Promise<unknown> => {
     const { name } = await import('apache-arrow');
     return [greeting, name, String(await readFile(new URL('data.json', import.meta.url)))];
   };`,
);

const entry = (id: string) => ({
  id,
  source: `import { handle } from './handler.ts';\nexport const handler = handle;\n`,
  files: [{ from: 'data.json', to: 'data.json' }],
});
const bundle = (...ids: readonly string[]) =>
  bundleFunctions({ entries: ids.map(entry), projectDirectory, outputDirectory });
const file = join(outputDirectory, 'one', 'index.cjs');

const call = async (): Promise<unknown> => {
  const script = `require(${JSON.stringify(file)}).handler().then((answer) => console.log(JSON.stringify(answer)))`;
  const env = { NODE_PATH: join(projectDirectory, 'layer') };
  return JSON.parse((await promisify(execFile)(process.execPath, ['-e', script], { env })).stdout);
};

test('a bundle finds its files beside it and its layer through NODE_PATH', async () => {
  const [one, two] = await bundle('one', 'two');
  assert.equal(one?.bytes, (await stat(file)).size);
  assert.equal(two?.id, 'two');
  assert.deepEqual(await call(), ['hello', 'from the layer', '{"beside":true}']);
});

test('bundles are built again only if one of their inputs has changed', async () => {
  const made = await bundle('one', 'two');
  const { ino } = await stat(file);
  await write('unrelated.ts', 'export const unrelated = 1;');
  assert.deepEqual(await bundle('one', 'two'), made);
  assert.equal((await stat(file)).ino, ino);
  await write('greeting.ts', `export const greeting: string = 'good morning';`);
  await bundle('one');
  assert.deepEqual(await call(), ['good morning', 'from the layer', '{"beside":true}']);
  assert.deepEqual((await readdir(outputDirectory)).toSorted(), ['one', 'stamp.json']);
});

test('deployed files are readable for all users, for any umask and mode of the sources', async (context) => {
  const umask = process.umask(0o077);
  context.after(() => process.umask(umask));
  const source = join(projectDirectory, 'data.json');
  const data = join(outputDirectory, 'private', 'data.json');
  await rm(outputDirectory, { recursive: true });
  await chmod(source, 0o600);
  await bundle('private');
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
  const bundled = join(outputDirectory, 'private', 'index.cjs');
  assert.deepEqual(await Promise.all([bundled, data, source].map(modeOf)), [0o644, 0o644, 0o600]);
  const { ino } = await stat(data);
  await write('greeting.ts', `export const greeting: string = 'good evening';`);
  await bundle('private');
  assert.equal((await stat(data)).ino, ino, 'a copy that is there is not made again');
});
