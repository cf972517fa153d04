/** Constants of BM25, as in LanceDB. */
const [saturation, lengthShare] = [1.2, 0.75];

/** Returns the inverse document frequency of a term that occurs in `matches` of `texts` texts. */
export const inverseFrequency = (texts: number, matches: number): number =>
  Math.log(1 + (Math.max(texts - matches, 0) + 0.5) / (matches + 0.5));

/**
 * Returns what a term adds to the score of a text.
 * @param weight Its inverse document frequency, times its occurrences in the query.
 * @param count Its occurrences in the text, of `length` terms.
 */
export const termScore = (weight: number, count: number, length: number, meanLength: number): number =>
  (weight * count * (saturation + 1)) / (count + saturation * (1 - lengthShare + (lengthShare * length) / meanLength));
