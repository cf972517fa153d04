import { columnAt, columnsIn, textOf, type Columns } from './columns.ts';
import { isValue } from './figure-columns.ts';
import type { Band } from './fragments.ts';

const isBoldRow = (row: readonly Band[]): boolean =>
  row.every(({ fragments }) => fragments.every(({ isBold }) => isBold));

/** Number of head rows: those above the only rule, or in bold type. */
export const countHead = (rows: readonly (readonly Band[])[], separators: readonly number[]): number | undefined => {
  const firstRule = separators.find((y) => y > (rows[0]?.[0]?.baseline ?? 0));
  const aboveRule = firstRule === undefined ? 0 : rows.filter((row) => (row.at(-1)?.baseline ?? 0) < firstRule).length;
  if (aboveRule > 0 && aboveRule <= 3 && aboveRule < rows.length) return aboveRule;
  const bold = rows.findIndex((row) => !isBoldRow(row));
  return bold > 0 && bold <= 3 ? bold : undefined;
};

/** Lines of the head before the first rule or in bold type, whose cells wrap: joined to one row. */
export const joinHead = (
  rows: readonly (readonly Band[])[],
  head: number,
  { borders }: Columns,
): readonly (readonly Band[])[] => {
  if (head < 2) return rows;
  const lines = rows.slice(0, head).flat();
  const spansColumns = lines.some(({ fragments }) =>
    fragments.some(({ left, right }) => borders.some((border) => border > left && border < right)),
  );
  return spansColumns ? rows : [lines, ...rows.slice(head)];
};

const maxNameLines = 8;
const maxNamePitch = 1.45;

const spansColumns = ({ fragments }: Band, borders: readonly number[]): boolean =>
  fragments.some(({ left, right, size }) => borders.some((x) => x > left + 0.5 * size && x < right - 0.5 * size));

/**
 * Joins the lines of names that wrap above columns of figures, from the last line of names up to one that groups
 * columns or is apart. Null: the table has no such names.
 */
export const joinNames = (
  rows: readonly (readonly Band[])[],
  { borders }: Columns,
  separators: readonly number[],
): { readonly rows: readonly (readonly Band[])[]; readonly head: number } | null => {
  const isOfFigures = (row: readonly Band[]): boolean => {
    const cells = row.flatMap(({ fragments }) => fragments.filter((one) => columnAt(borders, one) > 0));
    const figures = cells.filter((one) => isValue(textOf(one).trim()));
    return cells.length > 0 && figures.length * 2 > cells.length;
  };
  const firstOfFigures = rows.findIndex(isOfFigures);
  const end = rows
    .slice(0, Math.max(0, firstOfFigures))
    .findLastIndex((row) => [...columnsIn(borders, row)].some((one) => one > 0));
  const lines = rows.slice(0, end + 1).flat();
  const last = lines.at(-1);
  if (last === undefined || lines.length < 2 || lines.length > maxNameLines || spansColumns(last, borders)) return null;
  const isJoined = (at: number): boolean => {
    const [line, below] = [lines[at], lines[at + 1]];
    if (line === undefined || below === undefined || spansColumns(line, borders)) return false;
    const isRuled = separators.some((y) => y > line.baseline && y < below.baseline - 0.3 * below.size);
    return !isRuled && below.baseline - line.baseline <= maxNamePitch * Math.max(line.size, below.size);
  };
  let from = lines.length - 1;
  while (from > 0 && isJoined(from - 1)) from -= 1;
  if (from === lines.length - 1) return null;
  const groups = lines.slice(0, from).map((line) => [line]);
  return { rows: [...groups, lines.slice(from), ...rows.slice(end + 1)], head: from + 1 };
};
