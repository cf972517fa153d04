/*
 * `npm run test:long [-- SUITE…]`: runs the suites that `npm test` leaves out, one after another, and writes their results
 * to docs/testing.md. A suite whose last run passed with the same code is skipped, so that a stopped run goes on.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectDirectory } from './support/project-directory.ts';
import { commandLine } from './support/read-command-line.ts';

const page = join('docs', 'testing.md');
const prefix = 'test:';
interface Result {
  readonly suite: string;
  readonly commit: string;
  readonly date: string;
  readonly minutes: number;
  readonly passed: number;
  readonly failed: number;
}

const git = (...args: readonly string[]): { readonly isSuccess: boolean; readonly output: string } => {
  const { status, stdout } = spawnSync('git', args, { cwd: projectDirectory, encoding: 'utf8' });
  return { isSuccess: status === 0, output: stdout.trim() };
};

/** Whether the code of a commit is that of the work tree, apart from the page of results. */
const isSameCode = (commit: string): boolean => git('diff', '--quiet', commit, '--', '.', `:!${page}`).isSuccess;

/** Returns the short name of the last commit, with `+` if the work tree differs from it. */
const commitOf = (): string => {
  const { output } = git('rev-parse', '--short', 'HEAD');
  return isSameCode(output) ? output : `${output}+`;
};

/** Splits a page of results into its text and the rows of its table. */
const readPage = (): { readonly text: string; readonly results: Map<string, Result> } => {
  const lines = readFileSync(join(projectDirectory, page), 'utf8').split('\n');
  const results = new Map<string, Result>();
  for (const line of lines.filter((found) => found.startsWith('| `'))) {
    const [suite = '', commit = '', date = '', ...numbers] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const name = suite.replaceAll('`', '');
    const [minutes = 0, passed = 0, failed = 0] = numbers.map(Number);
    results.set(name, { suite: name, commit, date, minutes, passed, failed });
  }
  return { text: lines.filter((line) => !line.startsWith('|')).join('\n'), results };
};

const writePage = (text: string, results: Iterable<Result>): void => {
  const rows = [
    ['Suite', 'Commit', 'Date', 'Minutes', 'Passed', 'Failed'],
    ['-', '-', '-', '-:', '-:', '-:'],
    ...Array.from(results, (found) => [
      `\`${found.suite}\``,
      found.commit,
      found.date,
      found.minutes.toFixed(1),
      ...[found.passed, found.failed].map(String),
    ]),
  ];
  const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  writeFileSync(join(projectDirectory, page), `${text.trimEnd()}\n\n${table}\n`);
  spawnSync('oxfmt', [page], { cwd: projectDirectory });
};

/** Counts of a line of output: of `node --test`, of `pytest`, or the last line of a suite of the project. */
const countsOf = (line: string): { readonly passed: number; readonly failed: number } => {
  const number = (...patterns: readonly RegExp[]): number =>
    Number(patterns.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined) ?? 0);
  return {
    passed: number(/^ℹ pass (\d+)$/, /\b(\d+) passed\b/),
    failed: number(/^ℹ fail (\d+)$/, /\b(\d+) failed\b/),
  };
};

const run = async (suite: string, commit: string, args: readonly string[]): Promise<Result> => {
  const startedMs = performance.now();
  const directory = join(projectDirectory, 'dist', 'test-long');
  mkdirSync(directory, { recursive: true });
  const log = createWriteStream(join(directory, `${suite.replace(prefix, '')}.log`));
  const child = spawn('npm', ['run', '--silent', suite, '--', ...args], {
    cwd: projectDirectory,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.pipe(log, { end: false });
  let [passed, failed] = [0, 0];
  const closed = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    log.write(`${line}\n`);
    const counts = countsOf(line);
    passed += counts.passed;
    failed += counts.failed;
  }
  const [code] = (await closed) as [number | null];
  log.end();
  const date = new Date().toISOString().slice(0, 10);
  // A suite that ends early may have counted nothing.
  if (code !== 0 && failed === 0) failed = 1;
  return { suite, commit, date, minutes: (performance.now() - startedMs) / 60_000, passed, failed };
};

const { scripts } = JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const withoutOwn = new Set(['test:unit', 'test:long']);
const suites = Object.keys(scripts).filter((name) => name.startsWith(prefix) && !withoutOwn.has(name));

const { values, positionals } = commandLine({
  options: {
    again: { type: 'boolean', default: false },
    // Commit from which the emulators are upgraded.
    from: { type: 'string' },
  },
  allowPositionals: true,
});
const asked = positionals.map((name) => (name.startsWith(prefix) ? name : `${prefix}${name}`));
const unknown = asked.filter((name) => !suites.includes(name));
if (unknown.length > 0) {
  console.error(`No suite ${unknown.join(', ')}; there are: ${suites.join(', ')}`);
  process.exit(1);
}

const { text, results } = readPage();
const isDone = (suite: string): boolean => {
  const last = results.get(suite);
  return last !== undefined && last.failed === 0 && !last.commit.endsWith('+') && isSameCode(last.commit);
};
let failures = 0;
for (const suite of asked.length > 0 ? asked : suites) {
  if (!values.again && isDone(suite)) {
    console.log(`- ${suite} passed with this code already`);
    continue;
  }
  const upgrade = suite === 'test:emulators' && values.from !== undefined ? ['--from', values.from] : [];
  const result = await run(suite, commitOf(), upgrade);
  failures += result.failed;
  results.set(suite, result);
  const sorted = suites.map((name) => results.get(name)).filter((found) => found !== undefined);
  writePage(text, sorted);
  const minutes = result.minutes.toFixed(1).padStart(5);
  console.log(
    `${result.failed === 0 ? '✔' : '✖'} ${minutes} min  ${suite}  ${result.passed} passed, ${result.failed} failed`,
  );
}
process.exitCode = failures === 0 ? 0 : 1;
