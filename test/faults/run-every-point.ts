// Every point of every scenario, then many random sequences: `npm run test:faults [-- sequences [first seed]]`.
import { explore, scenarios } from './explore.ts';
import { simulate } from './simulate.ts';
import { World } from './world.ts';

const [sequences = 300, firstSeed = 1] = process.argv.slice(2).map(Number);
const shownFailures: string[] = [];

const describe = (error: unknown): string =>
  error instanceof Error
    ? `${error.message}${error.cause === undefined ? '' : `\n${describe(error.cause)}`}`
    : String(error);

const seconds = (sinceMs: number): string => `${((performance.now() - sinceMs) / 1000).toFixed(0)} s`;

const line = (...cells: readonly string[]): void =>
  console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(80) : cell.padStart(10))).join(' '));

const world = await World.open();
line('single points', 'points', 'failures', 'time');
let total = 0;
for (const name of Object.keys(scenarios)) {
  const began = performance.now();
  const failures: unknown[] = [];
  const points = await explore(world, name, 1, 0, (failure) => failures.push(failure));
  total += points;
  shownFailures.push(...failures.map(describe));
  line(name, String(points), String(failures.length), seconds(began));
}
line('all', String(total), String(shownFailures.length), '');

const began = performance.now();
const sums = { calls: 0, faults: 0, failures: 0 };
for (let seed = firstSeed; seed < firstSeed + sequences; seed += 1) {
  try {
    const { calls, faults } = await simulate(world, seed);
    sums.calls += calls;
    sums.faults += faults;
  } catch (error) {
    sums.failures += 1;
    shownFailures.push(describe(error));
  }
}
await world.close();
line('random sequences', 'sequences', 'failures', 'calls', 'faults', 'time');
const { failures, calls, faults } = sums;
line(
  `seeds ${firstSeed} to ${firstSeed + sequences - 1}`,
  ...[sequences, failures, calls, faults].map(String),
  seconds(began),
);
for (const failure of shownFailures) console.log(`\n${failure}`);
process.exitCode = shownFailures.length === 0 ? 0 : 1;
