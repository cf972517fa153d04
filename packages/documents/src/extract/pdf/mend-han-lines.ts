const sign = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]`;
const wide = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}…\uFF00-\uFFEF]`;

const signs = new RegExp(sign, 'u');
const endsWithSign = new RegExp(`${sign}$`, 'u');
const startsWithSign = new RegExp(`^${sign}`, 'u');
const spaces = new RegExp(`(?<=${wide}) (?=${wide})`, 'gu');
const gaps = new RegExp(`(?<=${wide}) ?(?=${wide})`, 'gu');
const numbered =
  /^(?:第[一二三四五六七八九十百〇]+[^\s一二三四五六七八九十百〇]|[一二三四五六七八九十]+[、）]|\p{sc=Kana}\s)/u;
const prose = /[、。，；,.;]/;

const countOf = (text: string, found: RegExp): number => text.match(found)?.length ?? 0;

// A shorter line may be part of a calendar.
const minGaps = 4;

/** Removes the spaces between all characters of a line. Single spaces separate words. */
const closeUp = (line: string): string => {
  const spaced = countOf(line, spaces);
  return spaced >= minGaps && spaced >= 0.8 * countOf(line, gaps) ? line.replace(spaces, '') : line;
};

/** Printed width of a line; a Chinese or Japanese character counts as two letters. */
const widthOf = (line: string): number => line.length + countOf(line, /[\u2E80-\uFFEF]/g);

const minWidth = 30;
const fullShare = 0.85;
const linesAround = 5;

/**
 * Whether a line continues in the next. It is as long as the lines around it, and neither is a heading, an item or a
 * row.
 */
const continuesInNext = (lines: readonly string[], at: number, widths: readonly number[]): boolean => {
  const [line = '', next = ''] = lines.slice(at, at + 2);
  if (!endsWithSign.test(line) || !startsWithSign.test(next) || numbered.test(next)) return false;
  if (countOf(line, spaces) > 1 || countOf(next, spaces) > 1 || !prose.test(line + next)) return false;
  const around = widths.slice(Math.max(0, at - linesAround), at + linesAround + 1);
  return (widths[at] ?? 0) >= Math.max(minWidth, fullShare * Math.max(...around));
};

/** Joins Chinese and Japanese words that a page splits at line ends or by spaces between all characters. */
export const mendHanLines = (text: string): string => {
  if (!signs.test(text)) return text;
  const lines = text.split('\n').map((line) => closeUp(line.trimEnd()));
  const widths = lines.map(widthOf);
  return lines.map((line, at) => (continuesInNext(lines, at, widths) ? line : `${line}\n`)).join('');
};
