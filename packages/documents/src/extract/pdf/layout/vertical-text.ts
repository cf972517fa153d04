import { changedCharacter, type PageCharacter, type PageCharacters } from '../page-characters.ts';
import { toLine, type Line } from './line-of.ts';
import { toFragments } from './fragments.ts';
import type { LayoutBlock } from './paragraphs.ts';
import type { Box } from './text-places.ts';

/** Characters below each other, from top to bottom. */
interface Column {
  readonly characters: readonly PageCharacter[];
  readonly middle: number;
  readonly top: number;
  readonly bottom: number;
  readonly size: number;
}

const eastAsian = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\u3000-\u303F\uFF00-\uFFEF]/u;

// In font sizes.
const maxShift = 0.2;
const maxPitch = 1.5;
const minPitch = 0.85;
const beside = 0.35;
const sameBaseline = 0.3;

const minColumnChars = 4;
const minChars = 8;
// Share of the characters of columns beside which other text may share their baseline, as in rows of a table.
const maxShared = 0.2;

const isPrinted = ({ text, isGenerated }: PageCharacter): boolean => !isGenerated && text.trim() !== '';
// The box of a full stop may be larger than its font size.
const middleOf = ({ x, width, style }: PageCharacter): number => x + Math.min(width, style.fontSize) / 2;

/** Groups sorted items, each with the first of its group within a limit. */
const groupBy = (
  characters: readonly PageCharacter[],
  valueOf: (character: PageCharacter) => number,
  limit: number,
): readonly (readonly PageCharacter[])[] => {
  const groups: PageCharacter[][] = [];
  let start = Number.NEGATIVE_INFINITY;
  for (const character of characters.toSorted((one, other) => valueOf(one) - valueOf(other))) {
    const value = valueOf(character);
    if (value - start > limit * character.style.fontSize) {
      groups.push([]);
      start = value;
    }
    groups.at(-1)?.push(character);
  }
  return groups;
};

/** Characters without another one directly beside them on their baseline. */
const isolated = (rows: readonly (readonly PageCharacter[])[]): readonly PageCharacter[] =>
  rows.flatMap((row) => {
    const sorted = row.toSorted((one, other) => one.x - other.x);
    const isNear = (left: PageCharacter | undefined, right: PageCharacter | undefined): boolean =>
      left !== undefined &&
      right !== undefined &&
      right.x - (left.x + left.width) < beside * Math.min(left.style.fontSize, right.style.fontSize);
    return sorted.filter((character, at) => !isNear(sorted[at - 1], character) && !isNear(character, sorted[at + 1]));
  });

const toColumn = (characters: readonly PageCharacter[]): Column => {
  const [first, last] = [characters[0], characters.at(-1)];
  const size = first?.style.fontSize ?? 0;
  return {
    characters,
    middle: first === undefined ? 0 : middleOf(first),
    top: (first?.originY ?? 0) - size,
    bottom: last?.originY ?? 0,
    size,
  };
};

/** Divides characters of one column where the distance between them is not that of vertical text. */
const splitColumn = (characters: readonly PageCharacter[]): readonly Column[] => {
  const parts: PageCharacter[][] = [];
  let above: PageCharacter | undefined;
  for (const character of characters.toSorted((one, other) => one.originY - other.originY)) {
    const { fontSize } = character.style;
    const distance = above === undefined ? 0 : (character.originY - above.originY) / fontSize;
    const goesOn = above?.style.fontSize === fontSize && distance >= minPitch && distance <= maxPitch;
    if (goesOn) parts.at(-1)?.push(character);
    else parts.push([character]);
    above = character;
  }
  return parts.map(toColumn);
};

/** Columns of at least four characters, and shorter ones that begin or end at the height of such a column. */
const columnsOf = (characters: readonly PageCharacter[]): readonly Column[] => {
  const all = groupBy(characters, middleOf, maxShift).flatMap(splitColumn);
  const long = all.filter((column) => column.characters.length >= minColumnChars);
  const isBesideLong = ({ top, size }: Column): boolean =>
    long.some((column) => column.size === size && Math.abs(column.top - top) < size / 2);
  return all.filter(
    (column) =>
      column.characters.length >= minColumnChars ||
      (column.characters.some(({ text }) => eastAsian.test(text)) && isBesideLong(column)),
  );
};

/** Groups columns at the same height, from the top of the page. */
const toTiers = (columns: readonly Column[]): readonly (readonly Column[])[] => {
  const tiers: Column[][] = [];
  let bottom = Number.NEGATIVE_INFINITY;
  for (const column of columns.toSorted((one, other) => one.top - other.top)) {
    if ((column.top + Math.min(column.bottom, column.top + column.size)) / 2 > bottom) {
      tiers.push([]);
      bottom = column.bottom;
    }
    bottom = Math.max(bottom, column.bottom);
    tiers.at(-1)?.push(column);
  }
  return tiers;
};

/** Writes columns on lines, one for each paragraph: it ends where a column ends above the others. */
const toLines = (tier: readonly Column[]): readonly Line[] => {
  const sorted = tier.toSorted((one, other) =>
    Math.abs(one.middle - other.middle) < maxShift * one.size ? one.top - other.top : other.middle - one.middle,
  );
  const bottom = Math.max(...tier.map((column) => column.bottom));
  const lines: PageCharacter[][] = [[]];
  for (const { characters, size, ...column } of sorted) {
    if (lines.at(-1)?.[0] !== undefined && lines.at(-1)?.[0]?.style.fontSize !== size) lines.push([]);
    const line = lines.at(-1);
    for (const character of characters) {
      const x = (line?.length ?? 0) * size;
      line?.push(changedCharacter(character, { x, width: size, originX: x, originY: column.top }));
    }
    if (column.bottom < bottom - 1.5 * size) lines.push([]);
  }
  return lines
    .filter((line) => line.length > 0)
    .map((line) => {
      const [first] = line;
      return toLine(toFragments(line.map((one) => changedCharacter(one, { originY: first?.originY ?? 0 }))));
    });
};

const boxOf = (tier: readonly Column[]): Box => ({
  left: Math.min(...tier.map(({ middle, size }) => middle - size / 2)),
  right: Math.max(...tier.map(({ middle, size }) => middle + size / 2)),
  top: Math.min(...tier.map(({ top }) => top)),
  bottom: Math.max(...tier.map(({ bottom }) => bottom)),
});

const toBlock = (tier: readonly Column[]): LayoutBlock => toParagraph(toLines(tier), boxOf(tier));

const toParagraph = (lines: readonly Line[], box: Box): LayoutBlock => ({
  kind: 'text',
  box,
  lines,
  size: Math.max(...lines.map(({ size }) => size)),
  isBold: lines.every(({ isBold }) => isBold),
  isItalic: false,
  font: lines[0]?.font ?? '',
  top: Math.min(...lines.map(({ top }) => top)),
  bottom: Math.max(...lines.map(({ bottom }) => bottom)),
});

/**
 * Separates text that is written from top to bottom, in columns from right to left, as in Chinese and Japanese. The
 * characters of such text stand apart from those beside them, and as near to those below as their size.
 */
export const takeVerticalText = (
  page: PageCharacters,
): { readonly vertical: readonly LayoutBlock[]; readonly rest: PageCharacters } => {
  const none = { vertical: [], rest: page };
  let count = 0;
  for (const { text } of page.characters) if (text >= '\u2E80' && eastAsian.test(text)) count += 1;
  if (count < minChars) return none;
  const printed = page.characters.filter((one) => isPrinted(one) && one.style.angle === 0);
  const rows = groupBy(printed, ({ originY }) => originY, sameBaseline);
  const columns = columnsOf(isolated(rows));
  const taken = new Set(columns.flatMap(({ characters }) => characters));
  const signs = [...taken].filter(({ text }) => eastAsian.test(text)).length;
  if (taken.size < minChars || signs * 2 < taken.size) return none;
  const shared = rows.reduce((sum, row) => {
    const own = row.filter((one) => taken.has(one)).length;
    return own === row.length ? sum : sum + own;
  }, 0);
  if (shared > maxShared * taken.size) return none;
  return {
    vertical: toTiers(columns).map(toBlock),
    rest: { ...page, characters: page.characters.filter((one) => !one.isGenerated && !taken.has(one)) },
  };
};
