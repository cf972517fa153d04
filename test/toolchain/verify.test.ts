import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFile, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const projectDirectory = join(import.meta.dirname, '..', '..');
const made = ['node_modules', 'dist', '.data', '.git', 'cdk.out'];

/** A copy of the project, but for some of its directories. */
const copyProject = async (leftOut: ReadonlySet<string>): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'strata-verify-'));
  after(() => rm(directory, { recursive: true, force: true }));
  await cp(projectDirectory, directory, {
    recursive: true,
    filter: (source) => !leftOut.has(source.slice(projectDirectory.length + 1)),
  });
  await symlink(join(projectDirectory, 'node_modules'), join(directory, 'node_modules'));
  return directory;
};

const copy = await copyProject(new Set(made));

/** Runs one step of `npm run verify` in a copy. */
const verify = (step: string, copy: string): Promise<{ readonly code: number | null; readonly output: string }> =>
  new Promise((resolve) => {
    const path = `${join(copy, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`;
    const child = spawn(process.execPath, ['scripts/verify.ts', '--only', step], {
      cwd: copy,
      env: { ...process.env, PATH: path, NODE_OPTIONS: '' },
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('close', (code) => resolve({ code, output }));
  });

/** The step, which holds for the project as it is, fails with the plant and names it. */
const catches = async (step: string, file: string, plant: string, named: RegExp, directory = copy): Promise<void> => {
  const path = join(directory, file);
  const before = await readFile(path, 'utf8');
  await appendFile(path, plant);
  const planted = await verify(step, directory);
  await writeFile(path, before);
  assert.equal(planted.code, 1);
  assert.match(planted.output, named);
};

test('an import against the house rules is caught', () =>
  catches('imports', 'shared/indexes/present.ts', "\nimport '../../functions/registry.ts';\n", /shared-not-to-outer/));

test('an export that nobody uses is caught', () =>
  catches('unused', 'shared/kernel/text.ts', '\nexport const nobodyNeedsThis = 1;\n', /nobodyNeedsThis/));

test('a promise that nobody waits for is caught', async () => {
  // The linter reads every file with its types, of which a part will do.
  const part = await copyProject(new Set([...made, 'bench', 'bin', 'client', 'functions', 'lib', 'local', 'test']));
  const plant = '\nconst wait = async (): Promise<void> => {};\nwait();\n';
  await catches('lint', 'shared/kernel/text.ts', plant, /no-floating-promises/, part);
});

test('a bundle over its budget is caught', () =>
  catches(
    'bundles',
    'functions/meta/get-health.ts',
    `\nexport const ballast = ${JSON.stringify(Array.from({ length: 60_000 }, (_, at) => `item ${at}`))};\nprocess.stdout.write(ballast.join(''));\n`,
    /get-health takes \d+ kB, over its budget/,
  ));
