import type { PageCharacter } from './page-characters.ts';

/** Characters at one place: a letter with its accents, or the letters of a ligature. */
interface Cluster {
  text: string;
  readonly x: number;
  readonly right: number;
  readonly size: number;
}

type Direction = 'left' | 'right' | 'number' | 'neutral';

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/;
const rightLetter = /[\p{L}\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/u;
const presentationForms = /[\uFB1D-\uFDFF\uFE70-\uFEFC]/g;
const mark = /^\p{M}/u;

/** Whether text contains Hebrew, Arabic or other letters that are read from right to left. */
export const hasRightToLeft = (text: string): boolean => rightToLeft.test(text);

// The two letters of the Arabic ligature, which are at one place, in either order.
const lam = '\u0644';
const isAlef = /^[\u0622\u0623\u0625\u0627]$/;

const minGap = 0.2;
const samePlace = 0.05;

const isOn = (one: PageCharacter, cluster: Cluster): boolean =>
  Math.abs(one.x - cluster.x) < samePlace * cluster.size &&
  Math.abs(one.x + one.width - cluster.right) < samePlace * cluster.size;

/** Clusters of a line from left to right. Spaces follow from the distances, unless they are characters of the page. */
const clustersOf = (characters: readonly PageCharacter[]): readonly Cluster[] => {
  const printed = characters.filter(({ isGenerated }) => !isGenerated).toSorted((one, other) => one.x - other.x);
  const clusters: Cluster[] = [];
  for (const one of printed) {
    const last = clusters.at(-1);
    const size = one.style.fontSize;
    if (last !== undefined && (isOn(one, last) || (mark.test(one.text) && one.x < last.right))) {
      // A mark is written after its letter.
      last.text = isAlef.test(last.text) && one.text === lam ? one.text + last.text : last.text + one.text;
      continue;
    }
    const gap = last === undefined ? 0 : one.x - last.right;
    const isApart = gap > minGap * size && last?.text.trim() !== '' && one.text.trim() !== '';
    if (last !== undefined && isApart) clusters.push({ text: ' ', x: last.right, right: one.x, size });
    clusters.push({ text: one.text, x: one.x, right: one.x + one.width, size });
  }
  return clusters;
};

const directionOf = (text: string): Direction => {
  if (/\p{Nd}/u.test(text)) return 'number';
  if (rightToLeft.test(text)) return 'right';
  return /\p{L}/u.test(text) ? 'left' : 'neutral';
};

/** Parts of numbers: separators between digits, and signs of percent, currency and degree beside them. */
const joinNumbers = (texts: readonly string[], directions: Direction[]): void => {
  const isNumber = (at: number): boolean => directions[at] === 'number';
  for (const [at, text] of texts.entries()) {
    if (directions[at] !== 'neutral') continue;
    if (/^[.,:/+\-\u2212\u00A0]$/.test(text) && isNumber(at - 1) && isNumber(at + 1)) directions[at] = 'number';
    else if (/^[%‰°#\p{Sc}]$/u.test(text) && (isNumber(at - 1) || isNumber(at + 1))) directions[at] = 'number';
  }
};

/** Gives numbers and neutral characters between two of one direction that direction. */
const spread = (directions: Direction[], direction: Direction): void => {
  let last = -1;
  for (const [at, current] of directions.entries()) {
    if (current !== direction) {
      if (current !== 'neutral' && current !== 'number') last = -1;
      continue;
    }
    if (last !== -1) directions.fill(direction, last, at);
    last = at;
  }
};

/** Numbers beside Latin words, such as X200, are part of them. */
const joinNumbersToWords = (directions: Direction[]): void => {
  const take = (order: readonly number[]): void => {
    let isAfterWord = false;
    for (const at of order) {
      if (directions[at] === 'left') isAfterWord = true;
      else if (directions[at] === 'right') isAfterWord = false;
      else if (directions[at] === 'number' && isAfterWord) directions[at] = 'left';
    }
  };
  const forwards = directions.map((_, at) => at);
  take(forwards);
  take(forwards.toReversed());
};

const reverseRuns = (texts: string[], directions: readonly Direction[], isTurned: (at: Direction) => boolean): void => {
  let start = 0;
  for (let at = 1; at <= texts.length; at += 1) {
    const first = directions[start] ?? 'neutral';
    if (at < texts.length && directions[at] === first) continue;
    if (isTurned(first)) texts.splice(start, at - start, ...texts.slice(start, at).toReversed());
    start = at;
  }
};

const brackets = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
] as const;

/** Turns pairs of brackets whose closing one comes first: some files name the mirrored signs. */
const turnBrackets = (text: string): string => {
  const letters = Array.from(text);
  for (const [open, close] of brackets) {
    const places = letters.flatMap((letter, at) => (letter === close || letter === open ? [at] : []));
    const first = places[0] === undefined ? undefined : letters[places[0]];
    if (first !== close) continue;
    for (const at of places) letters[at] = letters[at] === close ? open : close;
  }
  return letters.join('');
};

/** Reverses the right-to-left runs of a line that is read from left to right. Their numbers keep the order of digits. */
const reverseWithNumbers = (texts: string[], own: readonly Direction[], words: readonly Direction[]): void => {
  let start = 0;
  for (let at = 1; at <= texts.length; at += 1) {
    if (at < texts.length && words[at] === words[start]) continue;
    if (words[start] === 'right') {
      const run = texts.slice(start, at).toReversed();
      reverseRuns(run, own.slice(start, at).toReversed(), (direction) => direction === 'number');
      texts.splice(start, at - start, ...run);
    }
    start = at;
  }
};

// Share of the letters from which a line is read from right to left.
const minShare = 0.4;

/** Returns the text of a line with right-to-left letters in the order in which it is read. */
export const logicalOrder = (characters: readonly PageCharacter[]): string => {
  const clusters = clustersOf(characters);
  const letters = clusters.filter(({ text }) => rightLetter.test(text));
  const isRight = letters.filter(({ text }) => rightToLeft.test(text)).length >= letters.length * minShare;
  const texts = clusters.map(({ text }) => text);
  if (isRight) texts.reverse();
  const directions = texts.map(directionOf);
  joinNumbers(texts, directions);
  if (isRight) {
    joinNumbersToWords(directions);
    spread(directions, 'left');
    reverseRuns(texts, directions, (direction) => direction === 'left' || direction === 'number');
  } else {
    const words = directions.slice();
    spread(words, 'right');
    reverseWithNumbers(texts, directions, words);
  }
  const text = texts.join('').replace(presentationForms, (form) => form.normalize('NFKC'));
  return turnBrackets(text).trim();
};
