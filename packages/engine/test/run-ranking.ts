import {
  compareFacets,
  compareFaults,
  comparePages,
  compareStages,
  faults,
  focuses,
  hangs,
  placeNames,
  withContent,
} from './support/explore-stages.ts';

// `node packages/engine/test/run-ranking.ts [requests] [filters] [seed]`
const [requests = 1_000, filters = 10_000, seed = 1] = process.argv.slice(2).map(Number);
/** Requests of one content. */
const portion = 100;
let passed = 0;

for (const name of placeNames) {
  for (const focus of focuses) {
    for (let done = 0; done < requests; done += portion)
      await withContent(name, seed + done, (content) =>
        compareStages(content, Math.min(portion, requests - done), seed + done, focus),
      );
    passed += requests;
    console.log(`${name}, ${focus}: ${requests} requests, 0 differences`);
  }
}
for (const name of placeNames) {
  for (let done = 0; done < requests; done += portion)
    await withContent(name, seed + done, (content) =>
      comparePages(content, Math.min(portion, requests - done), seed + done),
    );
  passed += requests;
  console.log(`${name}, pages of one version: ${requests} searches, 0 differences`);
}
const filtersOfPlace = filters / placeNames.length;
for (const name of placeNames) {
  for (let done = 0; done < filtersOfPlace; done += 10 * portion)
    await withContent(name, seed + done, (content) =>
      compareFacets(content, Math.min(10 * portion, filtersOfPlace - done), seed + done),
    );
  passed += filtersOfPlace;
  console.log(`${name}, facets: ${filtersOfPlace} filters, 0 differences`);
}
const longestMs = await withContent('both', seed, (content) =>
  compareFaults(content, requests, seed, [...hangs, ...faults]),
);
passed += requests;
console.log(`${requests} searches with broken rerankers: 0 failed, all ended within ${Math.round(longestMs)} ms`);
console.log(`${passed} passed, 0 failed`);
