// Every point of every scenario, then many random sequences: `npm run test:faults [-- sequences [first seed]]`. Two
// processes divide scenarios and seeds.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { explore, scenarios } from './explore.ts';
import { simulate } from './simulate.ts';
import { TestApp } from './test-app.ts';

const processes = 2;
const partVariable = 'FAULTS_PART';
const [sequences = 300, firstSeed = 1] = process.argv.slice(2).map(Number);

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const causes = error instanceof AggregateError ? error.errors : [error.cause];
  return [error.message, ...causes.filter((cause) => cause !== undefined).map(describe)].join('\n');
};

const seconds = (sinceMs: number): string => `${((performance.now() - sinceMs) / 1000).toFixed(0)} s`;

const line = (...cells: readonly string[]): void =>
  console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(80) : cell.padStart(10))).join(' '));

/** Runs every `processes`-th scenario and seed, from `part` on. Returns the number of failures. */
const runPart = async (part: number): Promise<number> => {
  const isMine = (_: unknown, at: number): boolean => at % processes === part;
  let [passed, failed] = [0, 0];
  const report = (failure: unknown): void => {
    failed += 1;
    console.log(`\n${describe(failure)}\n`);
  };
  const app = await TestApp.open();
  line('single points', 'points', 'failures', 'time');
  for (const name of Object.keys(scenarios).filter(isMine)) {
    const [began, failedBefore] = [performance.now(), failed];
    const points = await explore(app, name, 1, 0, report);
    passed += points - (failed - failedBefore);
    line(name, String(points), String(failed - failedBefore), seconds(began));
  }
  const began = performance.now();
  const seeds = Array.from({ length: sequences }, (_, at) => firstSeed + at).filter(isMine);
  const sums = { calls: 0, faults: 0, failures: 0 };
  for (const seed of seeds) {
    try {
      const { calls, faults } = await simulate(app, seed);
      passed += 1;
      sums.calls += calls;
      sums.faults += faults;
    } catch (error) {
      sums.failures += 1;
      report(error);
    }
  }
  await app.close();
  line('random sequences', 'sequences', 'failures', 'calls', 'faults', 'time');
  const { failures, calls, faults } = sums;
  line(`of the seeds from ${firstSeed} on`, ...[seeds.length, failures, calls, faults].map(String), seconds(began));
  console.log(`${passed} passed, ${failed} failed`);
  return failed;
};

const part = process.env[partVariable];
if (part === undefined) {
  const ends = Array.from({ length: processes }, async (_, at) => {
    const child = fork(import.meta.filename, process.argv.slice(2), {
      env: { ...process.env, [partVariable]: String(at) },
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  });
  process.exitCode = (await Promise.all(ends)).every((code) => code === 0) ? 0 : 1;
} else process.exitCode = (await runPart(Number(part))) === 0 ? 0 : 1;
