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

/**
 * Joins accents with the letters on which they were painted, as in files of older TeX: before the letter or after it,
 * also where PDFium put a space between them.
 */
const joinAccents = (characters: readonly PageCharacter[]): readonly PageCharacter[] => {
  if (!characters.some(({ text }) => accents.has(text))) return characters;
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

interface Run {
  readonly from: number;
  to: number;
}

/** Divides characters into runs of one text object, without the spaces that PDFium put between them. */
const runsOf = (characters: readonly PageCharacter[]): readonly Run[] => {
  const runs: Run[] = [];
  let object = 0;
  for (let at = 0; at < characters.length; at += 1) {
    const { style } = characters[at] ?? { style: null };
    if (style === null || style.object === 0) continue;
    const last = runs.at(-1);
    if (last !== undefined && style.object === object) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
    ({ object } = style);
  }
  return runs;
};

// Share of the font size by which a second painting of a text may be moved.
const maxMove = 0.12;
const minCopyChars = 3;

/** Removes texts that were painted again at the same place, as for a shadow or for bold type. */
const removeCopies = (characters: readonly PageCharacter[]): readonly PageCharacter[] => {
  const byText = new Map<string, Run[]>();
  const gone = new Set<number>();
  const printedIn = ({ from, to }: Run): readonly PageCharacter[] =>
    characters.slice(from, to).filter(({ isGenerated }) => !isGenerated);
  const isCopy = (one: Run, other: Run): boolean => {
    const [first, second] = [printedIn(one), printedIn(other)];
    return (
      first.length === second.length &&
      first.every((character, at) => {
        const copy = second[at];
        const limit = maxMove * character.style.fontSize;
        return (
          copy !== undefined &&
          copy.text === character.text &&
          Math.abs(copy.x - character.x) <= limit &&
          Math.abs(copy.originY - character.originY) <= limit
        );
      })
    );
  };
  for (const run of runsOf(characters)) {
    if (run.to - run.from < minCopyChars) continue;
    // Copies have the same first letters and the same length.
    const [first, second, third] = characters.slice(run.from, run.from + 3);
    const key = `${first?.text}${second?.text}${third?.text}${run.to - run.from}`;
    const known = byText.get(key);
    if (known === undefined) byText.set(key, [run]);
    else if (known.some((other) => isCopy(run, other))) for (let at = run.from; at < run.to; at += 1) gone.add(at);
    else known.push(run);
  }
  return gone.size === 0 ? characters : characters.filter((_, at) => !gone.has(at));
};

/** Mends the letters of a page: accents painted apart from them, and texts painted twice. */
export const mendLetters = (characters: readonly PageCharacter[]): readonly PageCharacter[] =>
  joinAccents(removeCopies(characters));
