/**
 * Whether a text matches a pattern as a whole. `*` is any number of characters, including slashes, and `?` is one. This is
 * the rule of `--include` and `--exclude` in the command line of AWS. Takes time in proportion to text and pattern at most
 * multiplied, for any pattern.
 */
const matchesWildcard = (pattern: string, text: string): boolean => {
  let [at, wild] = [0, 0];
  let star = -1;
  let resumed = 0;
  while (at < text.length) {
    const sign = pattern[wild];
    if (sign === '*') {
      star = wild;
      wild += 1;
      resumed = at;
    } else if (sign === '?' || sign === text[at]) {
      wild += 1;
      at += 1;
    } else if (star >= 0) {
      // The last star takes one more character.
      resumed += 1;
      at = resumed;
      wild = star + 1;
    } else return false;
  }
  while (pattern[wild] === '*') wild += 1;
  return wild === pattern.length;
};

/** Patterns of what is read: anything that matches an included pattern, or all if there is none, and no excluded one. */
export interface Patterns {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Whether a text is selected by patterns. */
export const isSelected = ({ include, exclude }: Patterns, text: string): boolean => {
  const matches = (pattern: string): boolean => matchesWildcard(pattern, text);
  return (include.length === 0 || include.some(matches)) && !exclude.some(matches);
};
