import type { Found, Target } from './search-table.ts';
import { textsAt } from './search-table.ts';
import type { TextAnalysis } from './text-analysis.ts';

/** Rows of each layer that are scored anew at least: those that were given too low a score are among them. */
export const leastRescored = 50;

/** As the engine has them. */
const saturation = 1.2;
const lengthShare = 0.75;

/** What a text is worth to a search, wherever its row lies. */
export interface Scoring {
  readonly analysis: TextAnalysis;
  /** Terms as the text index has them, with their weight. */
  readonly weights: ReadonlyMap<string, number>;
  /** Terms of a text of usual length, over all layers. */
  readonly meanLength: number;
}

const scoreOf = async ({ analysis, weights, meanLength }: Scoring, text: string): Promise<number> => {
  const { tokenize } = await import('@lancedb/lancedb');
  const times = new Map<string, number>();
  const terms = await tokenize(text, analysis);
  for (const { text: term } of terms) if (weights.has(term)) times.set(term, (times.get(term) ?? 0) + 1);
  const damping = saturation * (1 - lengthShare + (lengthShare * terms.length) / meanLength);
  let score = 0;
  for (const [term, count] of times) score += ((weights.get(term) ?? 0) * count * (saturation + 1)) / (count + damping);
  return score;
};

/**
 * What one layer found, by BM25 over all layers: the engine takes the mean length of texts from each table alone, so that a
 * long text in a branch of few rows would count as one of usual length.
 */
export const rescored = async (
  scoring: Scoring,
  target: Target,
  found: readonly Found[],
): Promise<readonly Found[]> => {
  const texts = await textsAt(
    target,
    found.map(({ rowId }) => rowId),
  );
  return Promise.all(found.map(async (hit) => ({ ...hit, score: await scoreOf(scoring, texts.get(hit.id) ?? '') })));
};
