import type { Fragment } from './fragments.ts';

// Fewer may be an ellipsis.
const minDots = 5;

const isDot = (text: string): boolean => text === '.' || text === '…' || text === '·';

/** Runs of dots, with the spaces between them, as indexes of the first and after the last character. */
const leadersIn = (characters: Fragment['characters']): readonly (readonly [from: number, to: number])[] => {
  const runs: [number, number][] = [];
  let [from, dots] = [0, 0];
  for (let at = 0; at <= characters.length; at += 1) {
    const text = characters[at]?.text ?? 'x';
    if (isDot(text)) {
      if (dots === 0) from = at;
      dots += 1;
    } else if (text.trim() !== '') {
      if (dots >= minDots) runs.push([from, at]);
      dots = 0;
    }
  }
  return runs;
};

/** Splits a fragment at the dots that lead from a label to its value, and leaves them out. */
const splitAtLeaders = (fragment: Fragment): readonly Fragment[] => {
  const { characters } = fragment;
  const runs = characters.length < minDots ? [] : leadersIn(characters);
  if (runs.length === 0) return [fragment];
  const ends = [...runs, [characters.length, characters.length] as const];
  return ends.flatMap(([to], at) => {
    const own = characters.slice(runs[at - 1]?.[1] ?? 0, to);
    const first = own.findIndex(({ text }) => text.trim() !== '');
    const last = own.findLastIndex(({ text }) => text.trim() !== '');
    const [start, end] = [own[first], own[last]];
    if (start === undefined || end === undefined) return [];
    const part = { left: start.x, right: end.x + end.width, characters: own.slice(first, last + 1) };
    return [{ ...fragment, ...part, endsWithSpace: true }];
  });
};

const isDots = ({ characters }: Fragment): boolean =>
  characters.every(({ text }) => isDot(text) || text.trim() === '') && characters.some(({ text }) => isDot(text));

/** The fragment without dots at its end; none if nothing is left. */
const withoutDots = (fragment: Fragment): readonly Fragment[] => {
  const last = fragment.characters.findLastIndex(({ text }) => !isDot(text) && text.trim() !== '');
  const end = fragment.characters[last];
  if (end === undefined) return [];
  return [{ ...fragment, characters: fragment.characters.slice(0, last + 1), right: end.x + end.width }];
};

/** Fragments without leaders, such as those of a table of contents. Their values are fragments of their own. */
export const withoutLeaders = (fragments: readonly Fragment[]): readonly Fragment[] => {
  const parts = fragments.flatMap(splitAtLeaders);
  // Dots that were painted apart from each other.
  const lines = Map.groupBy(parts.filter(isDots), ({ baseline }) => Math.round(baseline));
  const isLeader = ({ baseline }: Fragment): boolean => (lines.get(Math.round(baseline))?.length ?? 0) >= minDots - 1;
  return lines.size === 0 ? parts : parts.flatMap((one) => (isLeader(one) ? withoutDots(one) : [one]));
};
