/** A row of a memory, by its place, with its score: higher is nearer. */
export interface Scored {
  readonly place: number;
  readonly score: number;
}

const byScore = (left: Scored, right: Scored): number => right.score - left.score || left.place - right.place;

/** The `limit` best of `count` rows, best first; those whose score is no number are left out. */
export const bestOf = (
  count: number,
  limit: number,
  scoreOf: (at: number) => number,
  placeOf: (at: number) => number,
): readonly Scored[] => {
  const room = limit * 4 + 32;
  let best: Scored[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < count; at += 1) {
    const score = scoreOf(at);
    // So that NaN is left out too.
    if (!(score >= least)) continue;
    best.push({ place: placeOf(at), score });
    if (best.length < room) continue;
    best = best.toSorted(byScore).slice(0, limit);
    least = best.at(-1)?.score ?? least;
  }
  return best.toSorted(byScore).slice(0, limit);
};
