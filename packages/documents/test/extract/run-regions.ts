// Measures the regions of the PDFs of a folder: `node packages/documents/test/extract/run-regions.ts FOLDER [COUNT]`.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measureRegions } from './measure-regions.ts';

const [folder = '.', count = '30'] = process.argv.slice(2);
const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.pdf')).toSorted();
const step = Math.max(1, Math.floor(names.length / Number(count)));
const sums = { words: 0, covered: 0, wordArea: 0, regionArea: 0 };
for (const name of names.filter((_, at) => at % step === 0).slice(0, Number(count))) {
  const found = await measureRegions(await readFile(join(folder, name))).catch(() => null);
  if (found === null) {
    console.log(`${name}: refused`);
    continue;
  }
  const { words, covered, wordArea, regionArea, regions, chunks } = found;
  sums.words += words;
  sums.covered += covered;
  sums.wordArea += wordArea;
  sums.regionArea += regionArea;
  const shares = [(covered / Math.max(1, words)).toFixed(3), (regionArea / Math.max(1e-9, wordArea)).toFixed(2)];
  console.log(`${name}: ${covered}/${words} = ${shares[0]}, area ${shares[1]}, ${regions} regions of ${chunks} chunks`);
}
console.log(
  `All: ${(sums.covered / sums.words).toFixed(4)} of the words, area ${(sums.regionArea / sums.wordArea).toFixed(3)}`,
);
