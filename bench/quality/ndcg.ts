const gain = (rank: number): number => 1 / Math.log2(rank + 1);

/** nDCG of the first `depth` documents, each relevant or not. */
export const ndcg = (found: readonly string[], relevant: ReadonlySet<string>, depth: number): number => {
  const dcg = found.slice(0, depth).reduce((sum, id, at) => sum + (relevant.has(id) ? gain(at + 1) : 0), 0);
  const ideal = Array.from({ length: Math.min(depth, relevant.size) }, (_, at) => gain(at + 1));
  return dcg / ideal.reduce((sum, one) => sum + one, 0);
};

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
