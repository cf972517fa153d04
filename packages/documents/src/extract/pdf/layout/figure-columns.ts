import { medianOf } from '../../../../../../shared/platform/median.ts';
import { columnAt, type Columns } from './columns.ts';
import type { Fragment } from './fragments.ts';

/** A figure, with its sign, unit, bounds or mark of a note, or a sign for a missing one. */
export const value =
  /^(?:[(<>≤≥±~$€£¥+−–-]*\s*\d[\d.,:/]*(?:\s?\d{3})*[%‰)\]*†‡]*(?:\s?\p{L}{1,2})?(?:\s?[–-]\s?[\d.,]+%?\)?)?|[–—−*-]+|n\/?a\.?|\(?X\)?)$/iu;

/** Whether a word is a figure, or the Roman number of a page. */
export const isValue = (word: string): boolean => value.test(word) || /^[ivx]{1,6}$/.test(word);

/** Dots that lead from a label to its figure. */
const leader = /^[.…·_]{3,}$/;

interface Word {
  readonly left: number;
  readonly right: number;
  readonly text: string;
}

const wordsIn = (fragments: readonly Fragment[]): readonly Word[] => {
  const words: { left: number; right: number; text: string }[] = [];
  let isOpen = false;
  for (const { characters } of fragments) {
    isOpen = false;
    for (const { text, x, width } of characters) {
      const last = words.at(-1);
      if (text.trim() === '') isOpen = false;
      else if (isOpen && last !== undefined) {
        last.text += text;
        last.right = Math.max(last.right, x + width);
      } else {
        words.push({ left: x, right: x + width, text });
        isOpen = true;
      }
    }
  }
  return words.filter(({ text }) => !leader.test(text));
};

// Digits in groups of three are one figure.
const isGroup = (before: Word | undefined, word: Word): boolean =>
  /^\d{3}(?:[.,]\d+)?$/.test(word.text) &&
  before !== undefined &&
  /^[+−-]?\d{1,3}$/.test(before.text) &&
  word.left - before.right < (word.right - word.left) / word.text.length;

const minDividedRows = 3;

/**
 * Borders within a column whose cells consist of the same number of figures, below each other: the head above them, which
 * reaches over all of them, hides the gutters.
 */
const bordersWithin = (cells: readonly (readonly Word[])[]): readonly number[] => {
  const filled = cells.filter((words) => words.some(({ text }) => /\d/.test(text)));
  const counts = filled.map(({ length }) => length).toSorted((one, other) => one - other);
  const usual = counts[counts.length >> 1] ?? 0;
  if (usual < 2) return [];
  const rows = filled.filter(({ length }) => length === usual);
  if (rows.length < minDividedRows || rows.length < 0.7 * filled.length) return [];
  const values = rows.flat();
  if (values.filter(({ text }) => value.test(text)).length < 0.9 * values.length) return [];
  if (rows.some((words) => words.some((word, at) => isGroup(words[at - 1], word)))) return [];
  // A figure with its share or error is one cell.
  if (usual === 2 && rows.every(([, second]) => /^[(±]/.test(second?.text ?? ''))) return [];
  return Array.from({ length: usual - 1 }, (_, at) =>
    medianOf(rows.map((words) => ((words[at]?.right ?? 0) + (words[at + 1]?.left ?? 0)) / 2)),
  );
};

/** Borders with those that divide columns of several figures. */
export const dividedBorders = ({ bands, borders }: Columns): readonly number[] => {
  const words = bands.map(({ fragments }) => wordsIn(fragments));
  const columns = [0, ...borders.keys().map((column) => column + 1)];
  const within = columns.flatMap((column) =>
    bordersWithin(words.map((line) => line.filter((word) => columnAt(borders, word) === column))),
  );
  return within.length === 0 ? borders : [...borders, ...within].toSorted((one, other) => one - other);
};

// Distance of a space from a border, in font sizes: centred figures differ in width, and a name over two columns has a
// space near their border by chance.
const maxShift = { figures: 1.6, names: 0 } as const;

/** Splits fragments that have a space near a border. Others reach over it. */
export const splitAtBorders = (fragment: Fragment, borders: readonly number[]): readonly Fragment[] => {
  const { left, right, size, characters } = fragment;
  const crossed = borders.filter((x) => x > left && x < right);
  if (crossed.length === 0) return [fragment];
  const words = wordsIn([fragment]);
  const shift = words.every(({ text }) => value.test(text)) ? maxShift.figures : maxShift.names;
  const distanceTo = (x: number, at: number): number => {
    const [before, after] = [words[at]?.right ?? 0, words[at + 1]?.left ?? 0];
    return x >= before && x <= after ? 0 : Math.min(Math.abs(x - before), Math.abs(x - after));
  };
  const cuts = crossed.flatMap((x) => {
    const gaps = words.slice(1).map((word, at) => ({ at, x: word.left }));
    const [nearest] = gaps.toSorted((one, other) => distanceTo(x, one.at) - distanceTo(x, other.at));
    return nearest !== undefined && distanceTo(x, nearest.at) <= shift * size ? [nearest.x] : [];
  });
  if (cuts.length < crossed.length || new Set(cuts).size < cuts.length) return [fragment];
  return [left, ...cuts].flatMap((from, at) => {
    const own = characters.filter(({ x }) => x >= from && x < (cuts[at] ?? Number.POSITIVE_INFINITY));
    const last = own.findLast(({ text }) => text.trim() !== '');
    return last === undefined
      ? []
      : [{ ...fragment, characters: own.slice(0, own.indexOf(last) + 1), left: from, right: last.x + last.width }];
  });
};

const minFigures = 2;
const minFiguresAfterLabel = 3;

/** Cuts a fragment at the left edges of words. */
const cutAt = (fragment: Fragment, starts: readonly number[]): readonly Fragment[] =>
  starts.flatMap((from, at) => {
    const to = starts[at + 1] ?? Number.POSITIVE_INFINITY;
    const own = fragment.characters.filter(({ x }) => x >= from && x < to);
    const last = own.findLast(({ text }) => text.trim() !== '');
    if (last === undefined) return [];
    const characters = own.slice(0, own.indexOf(last) + 1);
    return [{ ...fragment, characters, left: from, right: last.x + last.width, isFigure: true, endsWithSpace: true }];
  });

/** Splits a fragment that ends with several figures, such as a row of a table that was painted as one text. */
const splitFigures = (fragment: Fragment): readonly Fragment[] => {
  const end = fragment.characters.at(-1)?.text ?? '';
  if (!/[\d)%*†‡–—-]/.test(end)) return [fragment];
  const words = wordsIn([fragment]);
  const firstFigure = words.findLastIndex(({ text }) => !value.test(text)) + 1;
  const figures = words.slice(firstFigure);
  const least = firstFigure === 0 ? minFigures : minFiguresAfterLabel;
  if (figures.length < least || figures.some((word, at) => isGroup(figures[at - 1], word))) return [fragment];
  if (!figures.every(({ text }) => /\d/.test(text) || figures.length > minFigures)) return [fragment];
  return cutAt(fragment, [...(firstFigure === 0 ? [] : [fragment.left]), ...figures.map(({ left }) => left)]);
};

/** Makes fragments of figures that were painted as one text, so that each may be in a column of its own. */
export const withSplitFigures = (fragments: readonly Fragment[]): readonly Fragment[] =>
  fragments.flatMap(splitFigures);
