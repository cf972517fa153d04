import { changedCharacter, type PageCharacter } from './page-characters.ts';

/** Accents that have a character of their own, and the combining form of each. */
const accents: ReadonlyMap<string, string> = new Map([
  ['`', '\u0300'],
  ['\u00B4', '\u0301'],
  ['^', '\u0302'],
  ['\u02C6', '\u0302'],
  ['~', '\u0303'],
  ['\u02DC', '\u0303'],
  ['\u00AF', '\u0304'],
  ['\u02C9', '\u0304'],
  ['\u02D8', '\u0306'],
  ['\u02D9', '\u0307'],
  ['\u00A8', '\u0308'],
  ['\u02DA', '\u030A'],
  ['\u02DD', '\u030B'],
  ['\u02C7', '\u030C'],
  ['\u00B8', '\u0327'],
  ['\u02DB', '\u0328'],
]);

const undotted: Readonly<Record<string, string>> = { '\u0131': 'i', '\u0237': 'j' };

/** The letter with an accent as one character; null if there is none. */
const accented = (letter: string, accent: string): string | null => {
  const text = ((undotted[letter] ?? letter) + (accents.get(accent) ?? '')).normalize('NFC');
  return Array.from(text).length === 1 && /\p{L}/u.test(letter) ? text : null;
};

// Shares of the font size.
const maxHeight = 0.5;
const slack = 0.08;

/** Whether an accent was painted on a letter: its middle is above or below the letter. */
const isOn = (accent: PageCharacter, letter: PageCharacter): boolean => {
  const { fontSize } = letter.style;
  const middle = accent.x + accent.width / 2;
  return (
    Math.abs(accent.originY - letter.originY) <= maxHeight * fontSize &&
    Math.abs(accent.style.fontSize - fontSize) <= 0.2 * fontSize &&
    middle >= letter.x - slack * fontSize &&
    middle <= letter.x + letter.width + slack * fontSize
  );
};

const firstAccent = 0x5e;
const lastAscii = 0x7f;

const hasAccents = (characters: readonly PageCharacter[]): boolean => {
  for (let at = 0; at < characters.length; at += 1) {
    const text = characters[at]?.text ?? '';
    const code = text.charCodeAt(0);
    // Most letters are none of the three signs of ASCII.
    const isLetter = code < firstAccent || (code > 0x60 && code < 0x7e);
    if (!isLetter && code !== lastAscii && accents.has(text)) return true;
  }
  return false;
};

/**
 * Joins accents with the letters on which they were painted, as in files of older TeX: before the letter or after it,
 * also where PDFium put a space between them.
 */
const joinAccents = (characters: readonly PageCharacter[]): readonly PageCharacter[] => {
  if (!hasAccents(characters)) return characters;
  const joined = characters.slice();
  const gone = new Set<number>();
  const printedFrom = (start: number, step: 1 | -1): number => {
    let at = start + step;
    while (joined[at]?.isGenerated === true || gone.has(at)) at += step;
    return at;
  };
  for (const [at, accent] of characters.entries()) {
    if (!accents.has(accent.text) || accent.isGenerated) continue;
    for (const step of [1, -1] as const) {
      const other = printedFrom(at, step);
      const letter = joined[other];
      const text = letter === undefined || !isOn(accent, letter) ? null : accented(letter.text, accent.text);
      if (letter === undefined || text === null) continue;
      joined[other] = changedCharacter(letter, { text });
      for (let between = at; between !== other; between += step) gone.add(between);
      // The space that PDFium sees between the accent and the letter before it is none.
      const before = printedFrom(at, -1);
      const [left, right] = [joined[before], joined[other]];
      const isBeside =
        left !== undefined && right !== undefined && right.x - left.x - left.width < 0.15 * right.style.fontSize;
      if (step === 1 && isBeside && left.originY === right.originY)
        for (let between = before + 1; between < at; between += 1) gone.add(between);
      break;
    }
  }
  return gone.size === 0 ? characters : joined.filter((_, at) => !gone.has(at));
};

/** Consecutive characters of one text object. */
interface Run {
  readonly from: number;
  readonly to: number;
}

// Share of the font size by which a second painting of a text may be moved.
const maxMove = 0.12;
const minCopyChars = 3;
// In points: more than a copy of usual type is moved.
const cellSide = 4;
const cellsAcross = 100_000;

const isSamePlace = (one: PageCharacter | undefined, other: PageCharacter | undefined): boolean => {
  if (one === undefined || other === undefined || one.text !== other.text) return false;
  const limit = maxMove * one.style.fontSize;
  return Math.abs(one.originY - other.originY) <= limit && Math.abs(one.x - other.x) <= limit;
};

/** Removes texts that were painted again at the same place, as for a shadow or for bold type. */
const removeCopies = (characters: readonly PageCharacter[]): readonly PageCharacter[] => {
  // By the place of the first character, in cells. A copy is in the same cell or the next one.
  const runs = new Map<number, Run[]>();
  const gone: Run[] = [];
  const isCopy = (one: Run, other: Run): boolean => {
    if (other.to - other.from !== one.to - one.from) return false;
    for (let at = 0; at < one.to - one.from; at += 1)
      if (!isSamePlace(characters[one.from + at], characters[other.from + at])) return false;
    return true;
  };
  const close = (from: number, to: number): void => {
    const first = characters[from];
    if (to - from < minCopyChars || first === undefined) return;
    const run = { from, to };
    const [row, column] = [Math.round(first.originY / cellSide), Math.round(first.x / cellSide)];
    for (let y = row - 1; y <= row + 1; y += 1)
      for (let x = column - 1; x <= column + 1; x += 1)
        if (runs.get(y * cellsAcross + x)?.some((other) => isCopy(run, other)) === true) {
          gone.push(run);
          return;
        }
    const key = row * cellsAcross + column;
    const known = runs.get(key);
    if (known === undefined) runs.set(key, [run]);
    else known.push(run);
  };
  let from = 0;
  let object = 0;
  for (let at = 0; at < characters.length; at += 1) {
    const own = characters[at]?.style.object ?? 0;
    if (own === object) continue;
    if (object !== 0) close(from, at);
    [from, object] = [at, own];
  }
  if (object !== 0) close(from, characters.length);
  if (gone.length === 0) return characters;
  const indexes = new Set(gone.flatMap((run) => Array.from({ length: run.to - run.from }, (_, at) => run.from + at)));
  return characters.filter((_, at) => !indexes.has(at));
};

/** Mends the letters of a page: accents painted apart from them, and texts painted twice. */
export const mendLetters = (characters: readonly PageCharacter[]): readonly PageCharacter[] =>
  joinAccents(removeCopies(characters));
