import { oneLine } from '../../../../../shared/kernel/text.ts';
import type { Section } from '../port.ts';

const between = '\n\n';

const nameOf = (text: string): string => oneLine(text).replace(/[:.]$/, '');

/** Whether a section consists of its headings. A long heading is cut off in the path. */
const isHeadingAlone = ({ text, headingPath, row, tables = [] }: Section): boolean => {
  if (row !== undefined || tables.length > 0 || headingPath.length === 0) return false;
  const titles = new Set(headingPath.map(nameOf));
  return text.split(between).every((part) => {
    const name = nameOf(part);
    return titles.has(name) || headingPath.some((title) => title.length >= 200 && name.startsWith(title));
  });
};

/** Whether two sections are in the same part of a file, on one page or two. */
const areNeighbours = (one: Section, other: Section): boolean =>
  one.row === undefined &&
  other.row === undefined &&
  (other.pageEnd ?? 0) - (one.pageStart ?? 0) <= 1 &&
  JSON.stringify(one.place) === JSON.stringify(other.place);

/** Joins two sections, with the headings of one of them. */
const join = (one: Section, other: Section, { headingPath }: Section): Section => {
  const shift = one.text.length + between.length;
  const marks = [...(one.marks ?? []), ...(other.marks ?? []).map((mark) => ({ ...mark, at: mark.at + shift }))];
  const tables = [
    ...(one.tables ?? []),
    ...(other.tables ?? []).map((table) => ({
      ...table,
      rows: table.rows + shift,
      start: table.start + shift,
      end: table.end + shift,
    })),
  ];
  const textPlaces = [
    ...(one.textPlaces ?? []),
    ...(other.textPlaces ?? []).map((place) => ({ ...place, at: place.at + shift })),
  ];
  return {
    ...one,
    text: `${one.text}${between}${other.text}`,
    pageEnd: other.pageEnd,
    headingPath,
    ...(marks.length > 0 && { marks }),
    ...(tables.length > 0 && { tables }),
    ...(textPlaces.length > 0 && { textPlaces }),
  };
};

/**
 * Joins headings without text to the section after them, and at the end of a file to the one before. Alone they would be
 * chunks that match a query and answer nothing.
 */
export const joinHeadings = (sections: readonly Section[]): readonly Section[] => {
  const joined: Section[] = [];
  let open: Section | undefined;
  const close = (): void => {
    const before = joined.at(-1);
    if (open !== undefined && before !== undefined && areNeighbours(before, open))
      joined[joined.length - 1] = join(before, open, before);
    else if (open !== undefined) joined.push(open);
    open = undefined;
  };
  for (const section of sections) {
    if (open !== undefined && !areNeighbours(open, section)) close();
    const whole = open === undefined ? section : join(open, section, section);
    if (isHeadingAlone(section)) open = whole;
    else {
      joined.push(whole);
      open = undefined;
    }
  }
  close();
  return joined;
};
