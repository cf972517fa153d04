import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { projectDirectory } from './support/project-directory.ts';
import { commandLine } from './support/read-command-line.ts';

/** Every check, by name: a program and its arguments. The longest comes first, since two run side by side. */
const steps = {
  // With the types that the linter's rules need, it checks the types, too.
  lint: ['oxlint', '--type-aware', '--type-check', '--deny-warnings', '--report-unused-disable-directives', '.'],
  format: ['oxfmt', '--check', '.'],
  imports: ['node', 'scripts/check-imports.ts'],
  prose: ['node', 'scripts/check-prose.ts'],
  unused: ['knip', '--no-progress'],
  lock: ['node', 'scripts/complete-lock.ts', '--check'],
  api: ['node', 'scripts/openapi.ts', '--check'],
  client: ['node', 'scripts/client.ts', '--check'],
  kernel: ['node', 'scripts/kernel.ts', '--check'],
  models: ['node', 'scripts/check-models.ts'],
  authorization: ['node', 'scripts/authorization.ts', '--check'],
  samples: ['node', 'scripts/webhook-samples.ts', '--check'],
  cost: ['node', 'scripts/cost.ts', '--check'],
  bundles: ['node', 'scripts/check-bundles.ts'],
} as const satisfies Record<string, readonly [string, ...string[]]>;

type StepName = keyof typeof steps;

const stepNames = Object.keys(steps) as readonly StepName[];

const programDirectory = join(projectDirectory, 'node_modules', '.bin');

const isStep = (name: string): name is StepName => Object.hasOwn(steps, name);

interface Outcome {
  readonly passed: boolean;
  readonly output: string;
}

const run = (name: StepName): Promise<Outcome> =>
  new Promise((resolve) => {
    const [program, ...args] = steps[name];
    // On Windows the programs of packages are command files, which only a shell starts.
    const shell = process.platform === 'win32';
    // With a larger heap the type checker, a Go program, takes a fifth less CPU time at about the same peak of memory.
    const env = { GOGC: '400', ...process.env, PATH: [programDirectory, process.env['PATH']].join(delimiter) };
    const child = spawn(program, args, { cwd: projectDirectory, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', (error) => resolve({ passed: false, output: `${program}: ${error.message}` }));
    child.once('close', (code) => resolve({ passed: code === 0, output: Buffer.concat(chunks).toString().trim() }));
  });

const report = async (name: StepName): Promise<boolean> => {
  const startedAt = performance.now();
  const { passed, output } = await run(name);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${passed ? '✔' : '✖'} ${name.padEnd(13)} ${seconds.padStart(5)} s`);
  if (!passed) console.log(`\n${output}\n`);
  return passed;
};

/** Runs the steps two at a time, in order; resolves to the names of those that failed. */
const runAll = async (names: readonly StepName[]): Promise<readonly StepName[]> => {
  const waiting = names.values();
  const failed: StepName[] = [];
  const work = async (): Promise<void> => {
    for (const name of waiting) if (!(await report(name))) failed.push(name);
  };
  await Promise.all([work(), work()]);
  return failed;
};

const { values } = commandLine({ options: { only: { type: 'string', multiple: true } } });
const asked = values.only?.flatMap((list) => list.split(',')) ?? stepNames;
const unknown = asked.filter((name) => !isStep(name));
if (unknown.length > 0) {
  console.error(`No step ${unknown.join(', ')}; there are: ${stepNames.join(', ')}`);
  process.exitCode = 1;
} else {
  const failed = await runAll(asked.filter(isStep));
  console.log(failed.length === 0 ? 'Everything holds.' : `Failed: ${failed.join(', ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
