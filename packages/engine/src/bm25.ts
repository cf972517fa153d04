/** Constants of BM25, as in LanceDB. */
const [saturation, lengthShare] = [1.2, 0.75];

/** Frequencies of the terms of a query in the texts of one part of an index. */
export interface TextStatistics {
  /** Texts with at least one term. */
  readonly texts: number;
  /** All their terms. */
  readonly length: number;
  /** Returns the number of texts with a term. */
  readonly matchesOf: (term: string) => number;
}

/** Adds up the statistics of two parts. */
export const sumOf = (one: TextStatistics, other: TextStatistics): TextStatistics => ({
  texts: one.texts + other.texts,
  length: one.length + other.length,
  matchesOf: (term) => one.matchesOf(term) + other.matchesOf(term),
});

/** Returns the mean number of terms of a text. */
export const meanLengthOf = ({ texts, length }: TextStatistics): number => Math.max(1, length / Math.max(1, texts));

/** Returns the inverse document frequency of a term. */
export const inverseFrequency = ({ texts, matchesOf }: TextStatistics, term: string): number => {
  const matches = matchesOf(term);
  return Math.log(1 + (Math.max(texts - matches, 0) + 0.5) / (matches + 0.5));
};

/**
 * Returns what a term adds to the score of a text.
 * @param weight Its inverse document frequency, times its occurrences in the query.
 * @param count Its occurrences in the text, of `length` terms.
 */
export const termScore = (weight: number, count: number, length: number, meanLength: number): number =>
  (weight * count * (saturation + 1)) / (count + saturation * (1 - lengthShare + (lengthShare * length) / meanLength));
