import type { Fusion, Row, SearchQuery } from '../../src/port.ts';
import type { Filter } from '../../src/filter.ts';
import { oracle } from './filter-oracle.ts';

/** A hit as its definition gives it. Ranks begin at 1. */
export interface ExpectedHit {
  readonly id: string;
  readonly score: number;
  readonly ranks: { readonly dense: number | null; readonly sparse: number | null };
}

interface Scored {
  readonly id: string;
  readonly score: number;
}

/** Words of a query: those that score, and the phrases that a text must and must not contain. */
export interface AskedWords {
  readonly words: readonly string[];
  readonly required: readonly (readonly string[])[];
  readonly excluded: readonly (readonly string[])[];
}

/** A query in terms of its words. */
export type AskedQuery = { readonly filter?: Filter; readonly topK: number } & (
  | { readonly mode: 'dense'; readonly vector: readonly number[] }
  | { readonly mode: 'sparse'; readonly asked: AskedWords }
  | {
      readonly mode: 'hybrid';
      readonly vector: readonly number[];
      readonly asked: AskedWords;
      readonly fusion: Fusion;
    }
);

/** Writes a query as a caller does. */
export const writtenQuery = (query: AskedQuery): SearchQuery => {
  const { topK, filter, mode } = query;
  const common = { topK, ...(filter && { filter }) };
  const vector = mode === 'sparse' ? new Float32Array() : Float32Array.from(query.vector);
  if (mode === 'dense') return { ...common, mode, vector };
  const { words, required, excluded } = query.asked;
  const quoted = (phrases: typeof required, sign: string) => phrases.map((phrase) => `${sign}"${phrase.join(' ')}"`);
  const text = [...words, ...quoted(required, ''), ...quoted(excluded, '-')].join(' ');
  return mode === 'sparse' ? { ...common, mode, text } : { ...common, mode, text, vector, fusion: query.fusion };
};

const best = (scored: readonly Scored[]): readonly Scored[] =>
  scored.toSorted((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1));

/** Words that are no terms. */
export const stopWords = ['the', 'of'];

const wordsOf = ({ text }: Row): readonly string[] => (text === null ? [] : text.split(' '));
const termsOf = (row: Row): readonly string[] => wordsOf(row).filter((word) => !stopWords.includes(word));
const times = (words: readonly string[], word: string): number => words.filter((other) => other === word).length;

const holds = (words: readonly string[], phrase: readonly string[]): boolean =>
  words.some((_, at) => phrase.every((word, offset) => words[at + offset] === word));

/** Rows of an index. */
export interface Content {
  readonly rows: readonly Row[];
  /** Replaced rows of its table, which count in the frequencies of terms until they are folded. */
  readonly replaced: readonly Row[];
}

/** BM25 with k1 = 1.2 and b = 0.75 over all rows with a term. */
const bm25 = ({ rows, replaced }: Content, { words, required, excluded }: AskedWords): readonly Scored[] => {
  const hasTerms = (row: Row): boolean => termsOf(row).length > 0;
  const texts = [...rows, ...replaced].filter(hasTerms);
  const mean = texts.reduce((sum, row) => sum + termsOf(row).length, 0) / Math.max(1, texts.length);
  const terms = [...words, ...required.flat()].filter((word) => !stopWords.includes(word));
  return rows.filter(hasTerms).flatMap((row): readonly Scored[] => {
    const own = termsOf(row);
    let score = 0;
    for (const term of new Set(terms)) {
      const matches = texts.filter((other) => termsOf(other).includes(term)).length;
      const weight = times(terms, term) * Math.log(1 + (texts.length - matches + 0.5) / (matches + 0.5));
      const count = times(own, term);
      score += (weight * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * own.length) / mean));
    }
    const written = wordsOf(row);
    const fits =
      required.every((phrase) => holds(written, phrase)) && !excluded.some((phrase) => holds(written, phrase));
    return score > 0 && fits ? [{ id: row.id, score: Math.fround(score) }] : [];
  });
};

/** Negative squared euclidean distances. */
const distances = (rows: readonly Row[], vector: readonly number[]): readonly Scored[] =>
  rows.map((row) => ({
    id: row.id,
    score: 0 - row.vector.reduce((sum, x, at) => sum + (x - (vector[at] ?? 0)) ** 2, 0),
  }));

/** Rows of a side that are fused. */
const fusedRows = 100;

const fused = (dense: readonly Scored[], sparse: readonly Scored[], { method, k, denseWeight }: Fusion) => {
  const [firstDense, firstSparse] = [dense.slice(0, fusedRows), sparse.slice(0, fusedRows)];
  const nearest = firstDense[0]?.score ?? 0;
  const farthest = firstDense.at(-1)?.score ?? 0;
  const scale = Math.max(nearest - farthest, 0.1 * -farthest);
  const most = firstSparse[0]?.score ?? 0;
  const rankIn = (side: readonly Scored[], name: string): number | null => {
    const at = side.findIndex(({ id }) => id === name);
    return at === -1 ? null : at + 1;
  };
  const hits = [...new Set([...firstDense, ...firstSparse].map(({ id }) => id))].map((id): ExpectedHit => {
    const ranks = { dense: rankIn(firstDense, id), sparse: rankIn(firstSparse, id) };
    const denseScore = firstDense[(ranks.dense ?? 0) - 1]?.score;
    const sparseScore = firstSparse[(ranks.sparse ?? 0) - 1]?.score;
    const normal = {
      dense: denseScore === undefined ? 0 : scale > 0 ? 1 - (nearest - denseScore) / scale : 1,
      sparse: sparseScore === undefined ? 0 : sparseScore / most,
    };
    const reciprocal = {
      dense: ranks.dense === null ? 0 : 1 / (k + ranks.dense),
      sparse: ranks.sparse === null ? 0 : 1 / (k + ranks.sparse),
    };
    const value = method === 'rrf' ? reciprocal : normal;
    return { id, ranks, score: denseWeight * value.dense + (1 - denseWeight) * value.sparse };
  });
  return { hits, behind: furtherHits(hits, dense, sparse, denseWeight) };
};

/** Rows behind those that are fused: rank by rank, the side with more weight first. */
const furtherHits = (
  hits: readonly ExpectedHit[],
  dense: readonly Scored[],
  sparse: readonly Scored[],
  denseWeight: number,
): readonly ExpectedHit[] => {
  const seen = new Set(hits.map(({ id }) => id));
  const sides = { dense: dense.slice(fusedRows), sparse: sparse.slice(fusedRows) };
  const order = denseWeight < 0.5 ? (['sparse', 'dense'] as const) : (['dense', 'sparse'] as const);
  return Array.from({ length: dense.length + sparse.length }, (_, at) => at).flatMap((at) =>
    order.flatMap((side): readonly ExpectedHit[] => {
      const found = sides[side][at];
      if (found === undefined || seen.has(found.id)) return [];
      seen.add(found.id);
      return [{ id: found.id, score: 0, ranks: { dense: null, sparse: null, [side]: fusedRows + at + 1 } }];
    }),
  );
};

/** Returns the hits of a query, by its definition. Those with equal scores in a hybrid search are in any order. */
export const expectedHits = (content: Content, query: AskedQuery): readonly ExpectedHit[] => {
  const { filter, topK, mode } = query;
  const { rows } = content;
  const fits = ({ id }: Scored): boolean => {
    const row = rows.find((one) => one.id === id);
    return row !== undefined && (filter === undefined || oracle(filter, row.metadata));
  };
  const dense = mode === 'sparse' ? [] : best(distances(rows, query.vector).filter(fits));
  const sparse = mode === 'dense' ? [] : best(bm25(content, query.asked).filter(fits));
  if (mode !== 'hybrid') {
    const side = mode === 'dense' ? dense : sparse;
    return side
      .slice(0, topK)
      .map(({ id, score }, at) => ({ id, score, ranks: { dense: null, sparse: null, [mode]: at + 1 } }));
  }
  const { hits, behind } = fused(dense, sparse, query.fusion);
  return [...hits.toSorted((left, right) => right.score - left.score), ...behind].slice(0, topK);
};
