import type { FtsToken } from '@lancedb/lancedb';
import { LRUCache } from 'lru-cache';
import { batchesOf } from '../../../../shared/kernel/batches.ts';
import { memoizePerOwner } from '../../../../shared/kernel/memoize.ts';
import { tokenizeAll } from '../tokenizer.ts';
import type { TextAnalysis } from './text-analysis.ts';

/** Characters of texts whose terms are remembered, for each language. */
const rememberedChars = 4_000_000;

/** Terms of a text as in the text index. */
export interface TextTerms {
  /** Number of its terms. */
  readonly length: number;
  /** Occurrences of each term in it. */
  readonly times: ReadonlyMap<string, number>;
}

const noTerms: TextTerms = { length: 0, times: new Map() };

const countTerms = (tokens: readonly FtsToken[]): TextTerms => {
  const times = new Map<string, number>();
  for (const { text: term } of tokens) times.set(term, (times.get(term) ?? 0) + 1);
  return { length: tokens.length, times };
};

const remembered = memoizePerOwner(
  (_analysis: TextAnalysis) =>
    new LRUCache<string, TextTerms>({
      maxSize: rememberedChars,
      sizeCalculation: (_terms, text) => Math.max(1, text.length),
    }),
);

/** Texts that are cut at once. */
const textsAtOnce = 100;

/** Cuts texts into terms, many at once: about 0.05 ms for a hundred words. Texts that are remembered are not cut again. */
export const termsOfAll = (analysis: TextAnalysis, texts: readonly string[]): readonly TextTerms[] => {
  const cache = remembered(analysis);
  const known = new Map(texts.map((text) => [text, cache.get(text)]));
  const unknown = [...known].flatMap(([text, terms]) => (terms === undefined ? [text] : []));
  for (const some of batchesOf(unknown, textsAtOnce))
    for (const [at, tokens] of tokenizeAll(some, analysis).entries()) {
      const [text, terms] = [some[at] ?? '', countTerms(tokens)];
      known.set(text, terms);
      cache.set(text, terms);
    }
  return texts.map((text) => known.get(text) ?? noTerms);
};

/** Cuts a text into terms. */
export const termsOf = (analysis: TextAnalysis, text: string): TextTerms => termsOfAll(analysis, [text])[0] ?? noTerms;
