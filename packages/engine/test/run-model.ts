import { exploreTrees, openBuilding } from './support/explore-tree.ts';

// `node packages/engine/test/run-model.ts [sequences] [seed]`
const [runs = 2_000, seed = 1] = process.argv.slice(2).map(Number);
const portion = 100;
const building = openBuilding(seed);
const steps = new Map<string, number>();
let [sequences, deepest] = [0, 0];
for (let at = 0; sequences < runs; at += 1) {
  const explored = await exploreTrees(seed + at, Math.min(portion, runs - sequences), building.open);
  sequences += explored.sequences;
  deepest = Math.max(deepest, explored.deepest);
  for (const [step, count] of explored.steps) steps.set(step, (steps.get(step) ?? 0) + count);
  console.log(`${sequences} sequences, 0 differences (seed ${seed + at})`);
}
console.log(
  [...steps]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([step, count]) => `${step} ${count}`)
    .join(', '),
);
console.log(`${building.folds()} folds`);
console.log(`Trees of up to ${deepest} levels. ${sequences} passed, 0 failed`);
