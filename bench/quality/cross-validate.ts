import { type Judged, weights } from './judge.ts';
import { mean } from './ndcg.ts';

/** Languages among which one weight is chosen. The embedded model understands English. */
const groups: Readonly<Record<string, (judged: Judged) => boolean>> = {
  english: ({ language }) => language === 'english',
  'other, Latin letters': ({ language, name }) =>
    ['german', 'spanish', 'romanian', 'turkish'].includes(language) || name.endsWith('.vi'),
  'other letters': ({ language, name }) => language === 'arabic' || name.endsWith('.zh'),
};

/** Choice of a weight for a group of collections. */
export interface ChosenWeight {
  readonly group: string;
  /** nDCG@10 of each collection by weight. */
  readonly rows: readonly { readonly name: string; readonly sparse: number; readonly scores: readonly number[] }[];
  /** Weight with the best mean over all collections. */
  readonly weight: number;
  /** For each collection, the weight that is best for the others, and its score with that weight. */
  readonly held: readonly { readonly name: string; readonly weight: number; readonly score: number }[];
}

const bestOf = (rows: readonly (readonly number[])[]): number => {
  const means = weights.map((_, at) => mean(rows.map((scores) => scores[at] ?? 0)));
  return means.indexOf(Math.max(...means));
};

/** Chooses the weight of the dense side by leaving out one collection at a time, each counted alike. */
export const crossValidate = (all: readonly Judged[]): readonly ChosenWeight[] =>
  Object.entries(groups).flatMap(([group, isMember]) => {
    const rows = all.filter(isMember).map(({ name, scores, grid }) => ({
      name,
      sparse: scores.sparse.ndcg,
      scores: weights.map(
        (weight) =>
          grid.find(({ fusion }) => fusion.method === 'weighted' && fusion.denseWeight === weight)?.score ?? 0,
      ),
    }));
    if (rows.length === 0) return [];
    const held = rows.map(({ name, scores }) => {
      const others = rows.filter((other) => other.name !== name).map((other) => other.scores);
      const at = bestOf(others.length > 0 ? others : [scores]);
      return { name, weight: weights[at] ?? 0, score: scores[at] ?? 0 };
    });
    return [{ group, rows, weight: weights[bestOf(rows.map(({ scores }) => scores))] ?? 0, held }];
  });
