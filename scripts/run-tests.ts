import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { run, type EventData } from 'node:test';
import { inspect } from 'node:util';
import { denialsVariable } from '#local-cloud';
import { skippedOnVectors, testEngine } from './support/test-engine.ts';
import { bundleProject } from './bundle.ts';
import { projectDirectory } from './support/project-directory.ts';
import { isUnitTest } from './support/unit-tests.ts';
import { serviceLogOf } from './support/service-log.ts';

/** Test files run side by side; some wait for the service much of their time. */
const filesAbreast = 5;

/** Where tests ask the whole service, which then is started for all of them. */
const serviceTests = new Set([join('test', 'contract'), join('test', 'service')]);
const globalSetupPath = join(projectDirectory, 'test', 'support', 'global-setup.ts');

/** Longer than any test may take on a slow machine. */
const testTimeoutMs = process.env['STEP'] === '1' ? 3_600_000 : 300_000;

/** A process that is forced to exit loses what it has not written yet, so it waits for each write of a result. */
const blockingOutput = 'data:text/javascript,process.stdout._handle?.setBlocking?.(true)';

/**
 * Node.js tracks each promise of a test to find the test of an uncaught error, which takes a quarter of the CPU time of
 * many tests. Without tracking, the file fails and the error has no stack. `node --test` shows it.
 */
const unfollowedPromises = `data:text/javascript,${encodeURIComponent(`
  import hooks from 'node:async_hooks';
  const { createHook } = hooks;
  hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
`)}`;

const counts = { passed: 0, failed: 0, skipped: 0 };
const outputs = new Map<string, string>();
const failedFiles = new Set<string>();
const endedFiles = new Set<string>();

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const shown = (file: string): string => relative(projectDirectory, file);

/** Of a file as a whole, which Node.js reports only where the process failed or had no test. */
const isFile = ({ name, file }: EventData.TestPass | EventData.TestFail): boolean => name === file;

const keepOutput = ({ file, message }: EventData.TestStdout | EventData.TestStderr): void => {
  outputs.set(file, (outputs.get(file) ?? '') + message);
};

/** Stores diagnostics, which contain errors that occurred after their test. */
const keepDiagnostic = ({ file, message }: EventData.TestDiagnostic): void => {
  if (file !== undefined) outputs.set(file, `${outputs.get(file) ?? ''}${message}\n`);
};

/** Whether the tests of a file ask the shared service. */
const asksService = (file: string): boolean => serviceTests.has(dirname(shown(file)));

const fail = (file: string, what: string, error: unknown): void => {
  counts.failed += 1;
  failedFiles.add(file);
  const text = typeof error === 'string' ? error : inspect(error, { depth: 8 });
  console.log(`\n✖ ${what}\n${text}\n`);
  const log = asksService(file) ? serviceLogOf(text, new Date()) : '';
  if (log !== '') console.log(`Log of the service:\n${log}\n`);
};

const printOutput = (file: string): void => {
  const printed = outputs.get(file)?.trimEnd();
  if (printed) console.log(`Output of ${shown(file)}:\n${printed}\n`);
  outputs.delete(file);
};

const onPass = (data: EventData.TestPass): void => {
  if (data.details.type === 'suite' || isFile(data)) return;
  if (data.skip || data.todo) counts.skipped += 1;
  else counts.passed += 1;
};

const onFail = (data: EventData.TestFail): void => {
  const { error } = data.details;
  // The failure of a parent repeats that of its tests.
  const repeats = 'failureType' in error && error.failureType === 'subtestsFailed';
  if (repeats || data.todo) return;
  const { file = 'unknown', line = 1, name } = data;
  const cause = error.cause instanceof Error || typeof error.cause === 'string' ? error.cause : error;
  fail(file, isFile(data) ? shown(file) : `${shown(file)}:${line} ${name}`, cause);
  if (isFile(data)) printOutput(file);
};

/** One line for each file as it ends, and what it printed if it failed. */
const onSummary = ({ file, counts: inFile, duration_ms: ms, success }: EventData.TestSummary): void => {
  if (file === undefined) return;
  endedFiles.add(file);
  const failed = !success || failedFiles.has(file);
  if (failed) printOutput(file);
  const seconds = (ms / 1000).toFixed(1).padStart(6);
  console.log(`${failed ? '✖' : '✔'} ${seconds} s  ${shown(file)}  ${inFile.passed} of ${inFile.tests}`);
};

/** A file that ends its process before its tests have ended looks like success to Node.js. */
const failUnfinished = (files: readonly string[]): void => {
  for (const file of files) {
    if (endedFiles.has(file) || failedFiles.has(file)) continue;
    fail(file, shown(file), 'The file ended without the result of a test.');
    printOutput(file);
  }
};

/** @param files With their whole paths: Node.js reports results by these, and output by the path that it was given. */
const runFiles = async (files: readonly string[]): Promise<void> => {
  // Bundles are built once here, so that no test file waits for another to build them. Unit tests need none.
  if (!onlyUnit) await bundleProject();
  // Most files load the same modules, which need to be compiled once.
  process.env['NODE_COMPILE_CACHE'] ??= join(projectDirectory, 'dist', 'compile-cache');
  console.log(`${files.length} test files, ${filesAbreast} at a time`);
  const stream = run({
    files,
    cwd: projectDirectory,
    concurrency: filesAbreast,
    timeout: testTimeoutMs,
    // A server that a failed test left open must not hold up the others for ever.
    execArgv: [
      '--test-force-exit',
      '--import',
      blockingOutput,
      '--import',
      unfollowedPromises,
      ...(testEngine === undefined ? [] : ['--import', join(projectDirectory, 'test', 'support', 'use-engine.ts')]),
    ],
    ...(testEngine !== undefined && { testSkipPatterns: Object.keys(skippedOnVectors) }),
    ...(files.some(asksService) && { globalSetupPath }),
  });
  stream.on('test:pass', onPass);
  stream.on('test:fail', onFail);
  stream.on('test:stdout', keepOutput);
  stream.on('test:stderr', keepOutput);
  stream.on('test:diagnostic', keepDiagnostic);
  stream.on('test:summary', onSummary);
  await stream.forEach(() => {});
  failUnfinished(files);
};

/** Fails once for each kind of request that the role of a function did not allow, in whichever cloud it happened. */
const failDenials = (file: string): void => {
  if (!existsSync(file)) return;
  const denials = Map.groupBy(readFileSync(file, 'utf8').trimEnd().split('\n'), (message) => message);
  for (const [message, times] of denials)
    fail(file, 'The policies of the stacks deny what a function does.', `${message} (${times.length} times)`);
};

const onlyUnit = process.argv.includes('--unit');
const asked = process.argv.slice(2).filter((argument) => argument !== '--unit');
// Tests kill processes, which then leave behind what they had in the temporary directory.
const temporaryDirectory = mkdtempSync(join(tmpdir(), 'strata-tests-'));
process.env['TMPDIR'] = temporaryDirectory;
process.env[denialsVariable] = join(temporaryDirectory, 'denials');
const everyTest = ['test/**/*.test.ts', 'packages/{engine,documents,local-cloud}/test/**/*.test.ts'];
const patterns =
  asked.length === 0
    ? everyTest
    : asked.map((path) => (isDirectory(join(projectDirectory, path)) ? `${path}/**/*.test.ts` : path));
try {
  const files = globSync(patterns, { cwd: projectDirectory })
    .toSorted()
    .map((file) => resolve(projectDirectory, file));
  await runFiles(onlyUnit ? files.filter((file) => isUnitTest(file)) : files);
  failDenials(process.env[denialsVariable]);
} catch (error) {
  counts.failed += 1;
  console.log(inspect(error));
} finally {
  rmSync(temporaryDirectory, { recursive: true, force: true });
}
if (counts.passed + counts.failed === 0) {
  counts.failed = 1;
  console.log(`No test ran: nothing matches ${patterns.join(' ')}`);
}
if (counts.skipped > 0) console.log(`${counts.skipped} skipped`);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;
