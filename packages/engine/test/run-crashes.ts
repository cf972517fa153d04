import { crashSteps, exploreCrashes } from './support/explore-crashes.ts';

// Lets a process of the engine die at every request of every step: `node packages/engine/test/run-crashes.ts [steps]`.
const named = process.argv.slice(2);
let [passed, failed] = [0, 0];
for (const step of crashSteps.filter((one) => named.length === 0 || named.includes(one))) {
  try {
    const points = await exploreCrashes(step);
    passed += points;
    console.log(`${step}: ${points} points, 0 failures`);
  } catch (error) {
    failed += 1;
    process.exitCode = 1;
    console.log(step, error);
  }
}
console.log(`${passed} passed, ${failed} failed`);
