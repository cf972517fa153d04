import { openTestApp } from '../support/test-app.ts';
import { explore, letterModels } from './explore.ts';

// `npm run test:rebuilds [-- sequences] [seed]`
const [sequences = 300, seed = 1] = process.argv.slice(2).map(Number);
const [steps, portion] = [60, 20];
const app = await openTestApp(letterModels);
const taken = new Map<string, number>();
let passed = 0;
try {
  for (; passed < sequences; passed += 1) {
    for (const [name, count] of await explore(app, seed + passed, steps))
      taken.set(name, (taken.get(name) ?? 0) + count);
    if ((passed + 1) % portion === 0) console.log(`${passed + 1} sequences, 0 differences`);
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
console.log([...taken].map(([name, count]) => `${name} ${count}`).join(', '));
console.log(`${passed} passed, ${sequences - passed} failed`);
await app.close();
