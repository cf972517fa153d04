import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Section } from '#documents';
import type { TruthSet } from './truth-set.ts';

const wordsInShingle = 4;

/** Counts of four words in a row, as the benchmark's own evaluator counts them. */
const shinglesOf = (text: string): ReadonlyMap<string, number> => {
  const words = text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  const counts = new Map<string, number>();
  for (let at = 0; at < Math.max(1, words.length - wordsInShingle + 1); at += 1) {
    const shingle = words.slice(at, at + wordsInShingle).join(' ');
    if (shingle !== '') counts.set(shingle, (counts.get(shingle) ?? 0) + 1);
  }
  return counts;
};

const sharesOf = (
  truth: string,
  read: string,
): { readonly precision: number | null; readonly recall: number | null } => {
  const [expected, found] = [shinglesOf(truth), shinglesOf(read)];
  let [both, onlyFound, onlyExpected] = [0, 0, 0];
  for (const key of new Set([...expected.keys(), ...found.keys()])) {
    const [one, other] = [expected.get(key) ?? 0, found.get(key) ?? 0];
    both += Math.min(one, other);
    onlyFound += Math.max(0, other - one);
    onlyExpected += Math.max(0, one - other);
  }
  return {
    precision: both + onlyFound === 0 ? null : both / (both + onlyFound),
    recall: both + onlyExpected === 0 ? null : both / (both + onlyExpected),
  };
};

const minHeadlineChars = 15;

/** Text of a page without its headline, which is no part of the bodies in the truth. */
const bodyOf = (sections: readonly Section[]): string => {
  const title = sections[0]?.headingPath[0] ?? '';
  return sections
    .flatMap(({ text }) => text.split('\n\n'))
    .filter((part) => part !== title && !(part.length >= minHeadlineChars && title.startsWith(part)))
    .join('\n\n');
};

const mean = (values: readonly (number | null)[]): number => {
  const known = values.filter((value) => value !== null);
  return known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
};

/** Bodies of 181 articles: https://github.com/scrapinghub/article-extraction-benchmark */
export const articles: TruthSet = {
  folder: 'article-extraction-benchmark',
  measure: async (folder, read) => {
    const truth = JSON.parse(await readFile(join(folder, 'ground-truth.json'), 'utf8')) as Readonly<
      Record<string, { readonly articleBody: string }>
    >;
    const files = (await readdir(join(folder, 'html'))).filter((name) => name.endsWith('.html.gz')).toSorted();
    const shares: { readonly name: string; readonly precision: number | null; readonly recall: number | null }[] = [];
    for (const file of files) {
      const name = file.replace('.html.gz', '');
      const bytes = gunzipSync(await readFile(join(folder, 'html', file)));
      shares.push({ name, ...sharesOf(truth[name]?.articleBody ?? '', bodyOf(await read('page.html', bytes))) });
    }
    const [precision, recall] = [mean(shares.map((one) => one.precision)), mean(shares.map((one) => one.recall))];
    return {
      title: 'Bodies of articles (article-extraction-benchmark)',
      columns: ['Pages', 'F1', 'Precision', 'Recall'],
      rows: [[String(files.length), (2 * precision * recall) / (precision + recall), precision, recall]],
      worst: shares
        .toSorted(
          (one, other) => (one.precision ?? 1) + (one.recall ?? 1) - (other.precision ?? 1) - (other.recall ?? 1),
        )
        .slice(0, 25)
        .map(
          ({ name, precision: exact, recall: found }) =>
            `${name} ${(exact ?? 1).toFixed(2)} ${(found ?? 1).toFixed(2)}`,
        ),
    };
  },
};
