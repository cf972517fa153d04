import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFile, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';

const projectDirectory = join(import.meta.dirname, '..', '..');
const made = new Set(['node_modules', 'dist', '.data', '.git', 'cdk.out']);

/** A copy of those paths of the project that are `kept`. */
const copyProject = async (kept: (path: string) => boolean): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'strata-verify-'));
  after(() => rm(directory, { recursive: true, force: true }));
  await cp(projectDirectory, directory, {
    recursive: true,
    filter: (source) => source === projectDirectory || kept(relative(projectDirectory, source)),
  });
  await symlink(join(projectDirectory, 'node_modules'), join(directory, 'node_modules'));
  return directory;
};

const copy = await copyProject((path) => !made.has(path));

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

test('an import against the house rules is caught', async () => {
  const part = await copyProject((path) =>
    /^(?:\.dependency-cruiser\.cjs|(?:package|tsconfig)\.json|functions(?:\/registry\.ts)?|scripts(?:\/.*)?|shared(?:\/kernel.*)?)$/.test(
      path,
    ),
  );
  const plant = "\nimport '../../functions/registry.ts';\n";
  await catches('imports', 'shared/kernel/text.ts', plant, /shared-not-to-outer/, part);
});

test('an unused export is caught', () =>
  catches('unused', 'shared/kernel/text.ts', '\nexport const nobodyNeedsThis = 1;\n', /nobodyNeedsThis/));

test('a word outside the terminology and a spelling mistake in a comment are caught', async () => {
  const part = await copyProject((path) =>
    /^(?:package\.json|packages(?:\/typescript(?:\/src(?:\/.*)?)?)?|docs(?:\/(?:terminology\.json|words\.txt))?|scripts(?:\/.*)?)$/.test(
      path,
    ),
  );
  const plant = '\n// Whoever recieves the row waits.\n';
  await catches(
    'prose',
    'packages/typescript/src/refusal.ts',
    plant,
    /refusal\.ts:\d+ .*“Whoever”[^]*"recieves" is in no dictionary/,
    part,
  );
});

test('a promise without await and a wrong type are caught', async () => {
  // The linter reads every file with its types. Files without imports from other folders are enough.
  const part = await copyProject(
    (path) =>
      /^(?:\.[^/]+|[^/]+\.json|scripts(?:\/verify\.ts|\/support(?:\/(?:project-directory|read-command-line)\.ts)?)?|shared(?:\/kernel.*)?)$/.test(
        path,
      ) && !made.has(path),
  );
  assert.equal((await verify('lint', part)).code, 0);
  const promise = '\nconst wait = async (): Promise<void> => {};\nwait();\n';
  await catches('lint', 'shared/kernel/text.ts', promise, /no-floating-promises/, part);
  await catches('lint', 'shared/kernel/text.ts', "\nexport const planted: number = 'text';\n", /TS2322/, part);
});

test('a generated file that differs from its source is caught', async () => {
  await catches('samples', 'docs/webhooks.md', '\n\n\nplanted\n', /docs\/webhooks\.md .* run npm run webhook-samples/);
  await catches('cost', 'docs/cost.md', '\n\n\nplanted\n', /docs\/cost\.md .* run npm run cost/);
});
