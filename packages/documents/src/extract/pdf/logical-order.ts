import { hasRightToLeft } from '../text/right-to-left.ts';
import type { PageCharacter } from './page-characters.ts';

/** Characters at one place: a letter with its accents, or the letters of a ligature. */
interface Cluster {
  text: string;
  readonly x: number;
  readonly right: number;
  readonly size: number;
}

/** Letter or sign with the extent of its glyph. */
interface Glyph {
  readonly character: PageCharacter;
  readonly text: string;
  x: number;
  right: number;
}

type Direction = 'left' | 'right' | 'number' | 'neutral';

const rightLetter = /[\p{L}\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/u;
const presentationForms = /[\uFB1D-\uFDFF\uFE70-\uFEFC]/g;
const mark = /^\p{M}/u;

// The two letters of the Arabic ligature, which are at one place, in either order.
const lam = '\u0644';
const isAlef = /^[\u0622\u0623\u0625\u0627]$/;

const minGap = 0.27;
const samePlace = 0.05;

const isOn = (one: Glyph, cluster: Cluster): boolean =>
  Math.abs(one.x - cluster.x) < samePlace * cluster.size &&
  Math.abs(one.right - cluster.right) < samePlace * cluster.size;

/** Whether two characters are parts of one glyph: PDFium divides its width between a letter and its marks. */
const isSameGlyph = (one: PageCharacter, other: PageCharacter, distance: number): boolean =>
  one.style.object === other.style.object &&
  Math.abs(one.width - other.width) < samePlace &&
  Math.abs(one.x - other.x) < (distance + 0.5) * one.width;

const distanceOf = (one: PageCharacter, other: PageCharacter): number =>
  Math.abs(one.x + one.width / 2 - other.x - other.width / 2);

/** The letter of each mark: that of its glyph, else the one above or below which it stands. */
const hostsOf = (characters: readonly PageCharacter[]): ReadonlyMap<PageCharacter, PageCharacter> => {
  const hosts = new Map<PageCharacter, PageCharacter>();
  const printed = characters.filter(({ isGenerated }) => !isGenerated);
  if (!printed.some(({ text }) => mark.test(text))) return hosts;
  const letters = printed.filter(({ text }) => text.trim() !== '' && !mark.test(text));
  for (const [at, one] of printed.entries()) {
    if (!mark.test(one.text)) continue;
    const near = [...printed.slice(at + 1, at + 4), ...printed.slice(Math.max(0, at - 3), at).toReversed()];
    const own = near.find((other) => !mark.test(other.text) && isSameGlyph(one, other, 3));
    const nearest = (): PageCharacter | undefined =>
      letters.reduce<PageCharacter | undefined>(
        (best, next) => (best === undefined || distanceOf(one, next) < distanceOf(one, best) ? next : best),
        undefined,
      );
    const host = own ?? nearest();
    if (host !== undefined) hosts.set(one, host);
  }
  return hosts;
};

/** Letters and signs from left to right, without marks. */
const wholeGlyphs = (
  characters: readonly PageCharacter[],
  hosts: ReadonlyMap<PageCharacter, PageCharacter>,
): readonly Glyph[] => {
  const glyphs = new Map<PageCharacter, Glyph>();
  for (const character of characters) {
    const { text, x, width, isGenerated } = character;
    if (!isGenerated && !hosts.has(character)) glyphs.set(character, { character, text, x, right: x + width });
  }
  for (const [point, letter] of hosts) {
    const glyph = glyphs.get(letter);
    if (glyph === undefined || !isSameGlyph(point, letter, 3)) continue;
    glyph.x = Math.min(glyph.x, point.x);
    glyph.right = Math.max(glyph.right, point.x + point.width);
  }
  return [...glyphs.values()].toSorted((one, other) => one.x - other.x);
};

/** Clusters of a line from left to right. Spaces follow from the distances, unless they are characters of the page. */
const clustersOf = (characters: readonly PageCharacter[]): readonly Cluster[] => {
  const hosts = hostsOf(characters);
  const printed = wholeGlyphs(characters, hosts);
  const clusters: Cluster[] = [];
  const clusterOf = new Map<PageCharacter, Cluster>();
  for (const one of printed) {
    const last = clusters.at(-1);
    const size = one.character.style.fontSize;
    if (last !== undefined && isOn(one, last)) {
      last.text = isAlef.test(last.text) && one.text === lam ? one.text + last.text : last.text + one.text;
      clusterOf.set(one.character, last);
      continue;
    }
    const gap = last === undefined ? 0 : one.x - last.right;
    const isApart = gap > minGap * size && last?.text.trim() !== '' && one.text.trim() !== '';
    if (last !== undefined && isApart) clusters.push({ text: ' ', x: last.right, right: one.x, size });
    const cluster = { text: one.text, x: one.x, right: one.right, size };
    clusters.push(cluster);
    clusterOf.set(one.character, cluster);
  }
  // A mark is written after its letter.
  for (const [point, letter] of hosts) {
    const cluster = clusterOf.get(letter);
    if (cluster !== undefined) cluster.text += point.text;
  }
  return clusters;
};

const directionOf = (text: string): Direction => {
  if (/\p{Nd}/u.test(text)) return 'number';
  if (hasRightToLeft(text)) return 'right';
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
  const isRight = letters.filter(({ text }) => hasRightToLeft(text)).length >= letters.length * minShare;
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
