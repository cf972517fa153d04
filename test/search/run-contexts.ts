// `node test/search/run-contexts.ts [contents] [seed]`: contexts of random files, compared with a model.
import { compareContexts } from './support/explore-contexts.ts';

const [contents = 200, first = 1_000] = process.argv.slice(2).map(Number);
let compared = 0;
for (let seed = first; seed < first + contents; seed += 1) {
  try {
    compared += await compareContexts(seed, 50);
  } catch (error) {
    console.error(`seed ${seed}`);
    throw error;
  }
}
console.log(`${compared} contexts of ${contents} contents, 0 differences`);
