/** Returns the positions of the `limit` highest of the first `count` numbers, highest first. NaN is left out. */
const highestOf = (numbers: Float32Array, count: number, limit: number): readonly number[] => {
  const room = limit * 4 + 32;
  const byNumber = (left: number, right: number): number =>
    (numbers[right] ?? 0) - (numbers[left] ?? 0) || left - right;
  let highest: number[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < count; at += 1) {
    const number = numbers[at] ?? Number.NaN;
    // This form also skips NaN.
    if (!(number >= least)) continue;
    highest.push(at);
    if (highest.length < room) continue;
    highest = highest.toSorted(byNumber).slice(0, limit);
    least = numbers[highest.at(-1) ?? 0] ?? least;
  }
  return highest.toSorted(byNumber).slice(0, limit);
};

/** Returns the `limit` highest of numbers, highest first, and then all others that equal the last of these. NaN is left out. */
export const highestWithTies = (numbers: Float32Array, limit: number): readonly number[] => {
  const best = highestOf(numbers, numbers.length, limit);
  const last = best[limit - 1];
  if (last === undefined) return best;
  const [lowest, kept] = [numbers[last], new Set(best)];
  const equal: number[] = [];
  for (let at = 0; at < numbers.length; at += 1) if (numbers[at] === lowest && !kept.has(at)) equal.push(at);
  return [...best, ...equal];
};
