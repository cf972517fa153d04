// Every point of every scenario, then many random sequences: `npm run test:faults [-- sequences [first seed]]`.
import { explore, scenarios } from './explore.ts';
import { simulate } from './simulate.ts';
import { TestApp } from './test-app.ts';

const [sequences = 300, firstSeed = 1] = process.argv.slice(2).map(Number);
let failed = 0;

const describe = (error: unknown): string =>
  error instanceof Error
    ? `${error.message}${error.cause === undefined ? '' : `\n${describe(error.cause)}`}`
    : String(error);

const seconds = (sinceMs: number): string => `${((performance.now() - sinceMs) / 1000).toFixed(0)} s`;

const line = (...cells: readonly string[]): void =>
  console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(80) : cell.padStart(10))).join(' '));

const report = (failure: unknown): void => {
  failed += 1;
  console.log(`\n${describe(failure)}\n`);
};

const app = await TestApp.open();
line('single points', 'points', 'failures', 'time');
let total = 0;
for (const name of Object.keys(scenarios)) {
  const began = performance.now();
  const failedBefore = failed;
  const points = await explore(app, name, 1, 0, report);
  total += points;
  line(name, String(points), String(failed - failedBefore), seconds(began));
}
line('all', String(total), String(failed), '');

const began = performance.now();
const sums = { calls: 0, faults: 0, failures: 0 };
for (let seed = firstSeed; seed < firstSeed + sequences; seed += 1) {
  try {
    const { calls, faults } = await simulate(app, seed);
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
line(
  `seeds ${firstSeed} to ${firstSeed + sequences - 1}`,
  ...[sequences, failures, calls, faults].map(String),
  seconds(began),
);
console.log(`${total + sequences - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
