import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';

const projectDirectory = join(import.meta.dirname, '..', '..');
const runner = join(projectDirectory, 'scripts', 'run-tests.ts');
const directory = await mkdtemp(join(tmpdir(), 'strata-runner-'));
after(() => rm(directory, { recursive: true, force: true }));

const files = {
  good: `test('one', () => {}); describe('two', () => test('inner', () => {}));`,
  failing: `test('right', () => {}); test('wrong', () => { console.log('a hint'); assert.equal(1, 2); });`,
  broken: `import './absent.ts';`,
  leaving: `test('first', () => {}); test('second', () => process.exit(0));`,
  empty: `export const nothing = 1;`,
  denied: `test('goes on', () => appendFileSync(process.env.STRATA_DENIALS_FILE, 'User: f may not act\\n'.repeat(2)));`,
  open: `setInterval(() => {}, 1000); test('leaves a timer', () => {});`,
};

const imports = `import assert from 'node:assert/strict';\nimport { appendFileSync } from 'node:fs';\nimport { describe, test } from 'node:test';\n`;
await Promise.all(
  Object.entries(files).map(([name, text]) => writeFile(join(directory, `${name}.test.ts`), `${imports}${text}\n`)),
);

/** Runs the named files; resolves to the exit code, the whole output and its last line. */
const run = (...names: readonly string[]) =>
  new Promise<{ readonly code: number | null; readonly output: string; readonly last: string | undefined }>(
    (resolve) => {
      const paths = names.map((name) => relative(projectDirectory, join(directory, `${name}.test.ts`)));
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const child = spawn(process.execPath, [runner, ...paths], { env });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
      child.once('close', (code) => resolve({ code, output, last: output.trimEnd().split('\n').at(-1) }));
    },
  );

test('a successful test run ends with exit code 0, even if a file leaves a timer open', async () => {
  const { code, output, last } = await run('good', 'open');
  assert.deepEqual({ code, last }, { code: 0, last: '3 passed, 0 failed' }, output);
});

test('a test run fails for a failed test and for a file that does not load, exits early or has no test', async () => {
  const { code, output, last } = await run('good', 'failing', 'broken', 'leaving', 'empty');
  assert.deepEqual({ code, last }, { code: 1, last: last?.replace(/\d+ failed$/, '4 failed') }, output);
  assert.match(output, /failing\.test\.ts:4 wrong[^]*1 !== 2[^]*a hint/);
  assert.match(output, /Cannot find module '[^']*absent\.ts'/);
  for (const name of ['leaving', 'empty']) assert.match(output, new RegExp(`✖ .*${name}\\.test\\.ts\n.*ended without`));
});

test('a request that the policies of the stacks denied is reported as one failure, even if it is repeated', async () => {
  const { code, output, last } = await run('denied');
  assert.deepEqual({ code, last }, { code: 1, last: '1 passed, 1 failed' }, output);
  assert.match(output, /The policies of the stacks deny[^]*User: f may not act \(2 times\)/);
});

test('a test run without any test fails', async () => {
  const { code, output, last } = await run('absent');
  assert.deepEqual({ code, last }, { code: 1, last: '0 passed, 1 failed' }, output);
});
