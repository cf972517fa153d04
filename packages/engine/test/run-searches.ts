import { exploreSearches, type Mixture } from './support/explore-searches.ts';

// `node packages/engine/test/run-searches.ts [searches] [seed]`
const [searches = 10_000, seed = 1] = process.argv.slice(2).map(Number);
const portion = 1_000;
const counts = new Map<Mixture, number>();
for (let done = 0, at = 0; done < searches; done += portion, at += 1) {
  for (const [mixture, count] of await exploreSearches(seed + at, Math.min(portion, searches - done)))
    counts.set(mixture, (counts.get(mixture) ?? 0) + count);
  console.log(`${Math.min(searches, done + portion)} searches, 0 differences (seed ${seed + at})`);
}
console.log([...counts].map(([mixture, count]) => `${mixture} ${count}`).join('; '));
console.log(`${searches} passed, 0 failed`);
