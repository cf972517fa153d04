import { digestCut, openUnits, type OpenedFile } from './format.ts';
import { packParts, unpackParts } from './pack-parts.ts';
import type { Mark, Part, Place, Section, TableSpan, TextPlace } from './port.ts';
import { splitLongText } from './chunk/split-long-text.ts';

/** Heading, or text that belongs together: a paragraph, a list, a table, a row of data. */
export interface Block {
  readonly text: string;
  /** 0 for the document's title, 1 (outermost) to 6 for a heading; null for other text. */
  readonly level: number | null;
  /** Whether it begins a chapter: of the headings before it, only the document's title applies to it. */
  readonly isApart?: boolean;
  /** Whether it begins a section under the same headings. */
  readonly isScene?: boolean;
  /** Its place. Blocks with different places belong to different sections. Default: `{}`. */
  readonly place?: Place;
  /** Its place within the section, which a chunk that begins or ends in it takes over. */
  readonly bounds?: Omit<Mark, 'at'>;
  /** The same for parts of a long block, by position in its text. */
  readonly marks?: readonly Mark[];
  /** Places of its lines and cells on a page. */
  readonly textPlaces?: readonly TextPlace[];
  /** Title and head of a table, with which its text begins. Every chunk that begins within the block repeats it. */
  readonly head?: string;
}

interface Heading {
  readonly level: number;
  readonly title: string;
}

interface OpenSection {
  readonly texts: string[];
  readonly marks: Mark[];
  readonly tables: TableSpan[];
  readonly textPlaces: TextPlace[];
  readonly place: Place;
  headings: readonly Heading[];
  chars: number;
  hasBody: boolean;
}

/** Maximum characters of text in one unit. A block is split only if it is longer than this. */
const unitChars = 40_000;

// Every chunk stores the path, so a paragraph that is marked up as a heading is shortened.
const titleChars = 200;

const between = '\n\n';

const toHeading = (level: number, text: string): Heading => ({
  level,
  title: text.replace(/\s+/g, ' ').slice(0, titleChars).toWellFormed().trim(),
});

const openSection = (headings: readonly Heading[], place: Place): OpenSection => ({
  texts: [],
  marks: [],
  tables: [],
  textPlaces: [],
  place,
  headings,
  chars: 0,
  hasBody: false,
});

const toSection = ({ texts, marks, tables, textPlaces, place, headings }: OpenSection): Section => ({
  text: texts.join(between),
  pageStart: null,
  pageEnd: null,
  headingPath: headings.map(({ title }) => title),
  place,
  ...(marks.length > 0 && { marks }),
  ...(tables.length > 0 && { tables }),
  ...(textPlaces.length > 0 && { textPlaces }),
});

const samePlace = (one: Place, other: Place): boolean => one === other || JSON.stringify(one) === JSON.stringify(other);

const nowhere: Place = {};

/** Marks of a range of a block, by their positions in it. It begins with the mark that covers its start. */
const marksWithin = (marks: readonly Mark[], start: number, end: number): readonly Mark[] => {
  const open = marks.findLast(({ at }) => at <= start);
  const inside = marks.filter(({ at }) => at > start && at < end);
  return [...(open === undefined ? [] : [{ ...open, at: start }]), ...inside].map((mark) => ({
    ...mark,
    at: mark.at - start,
  }));
};

/** Adds the places of the part of a block that was added last. */
const addPlaces = (section: OpenSection, places: readonly TextPlace[], from: number, chars: number): void => {
  const start = section.chars - chars - between.length;
  for (const place of places)
    if (place.at >= from && place.at < from + chars) section.textPlaces.push({ ...place, at: start + place.at - from });
};

/**
 * Cuts a document into units of at most `unitChars` characters at the borders of blocks, and each unit into one section
 * per heading and place. A section's text begins with its heading. A heading that only introduces deeper ones opens the
 * first of them. A section that continues in the next unit keeps its heading path there. Deterministic.
 */
export const cutUnits = function* (blocks: Iterable<Block>): Iterable<readonly Section[]> {
  const done: Section[][] = [];
  let unit: Section[] = [];
  let current = openSection([], nowhere);
  let chars = 0;
  const closeSection = (headings: readonly Heading[], place: Place): void => {
    if (current.texts.length > 0) unit.push(toSection(current));
    current = openSection(headings, place);
  };
  const closeUnit = (): void => {
    closeSection(current.headings, current.place);
    if (unit.length > 0) done.push(unit);
    unit = [];
    chars = 0;
  };
  const add = (text: string, marks: readonly Mark[], table: Pick<TableSpan, 'rows' | 'head'> | null): void => {
    if (chars > 0 && chars + text.length > unitChars) closeUnit();
    const start = current.chars;
    for (const mark of marks) current.marks.push({ ...mark, at: start + mark.at });
    if (table !== null) {
      current.tables.push({ rows: start + table.rows, start, end: start + text.length, head: table.head });
    }
    current.texts.push(text);
    current.chars += text.length + between.length;
    chars += text.length + between.length;
  };
  for (const { text, level, place = nowhere, isApart = false, isScene = false, head = '', ...where } of blocks) {
    const kept = isApart ? current.headings.filter((heading) => heading.level === 0) : current.headings;
    if (isScene || kept.length < current.headings.length || !samePlace(place, current.place)) closeSection(kept, place);
    if (level !== null) {
      const outer = current.headings.filter((heading) => heading.level < level);
      const headings = [...outer, toHeading(level, text)];
      const introduced = !current.hasBody && outer.length === current.headings.length;
      if (introduced) current.headings = headings;
      else closeSection(headings, place);
    }
    const marks = where.marks ?? (where.bounds === undefined ? [] : [{ at: 0, ...where.bounds }]);
    let at = 0;
    for (const part of splitLongText(text, unitChars)) {
      const table = head === '' ? null : { rows: at === 0 ? head.length + 1 : 0, head };
      add(part, marksWithin(marks, at, at + part.length), table);
      addPlaces(current, where.textPlaces ?? [], at, part.length);
      at += part.length;
    }
    current.hasBody = level === null;
    yield* done.splice(0);
  }
  closeUnit();
  yield* done;
};

/** Converts sections to parts of a file. */
export const toParts = (sections: readonly Section[]): readonly Part[] =>
  sections.map((section) => ({ kind: 'text', ...section }));

/** Opens a file of text blocks. It is cut into units of bounded size, which are kept packed. */
export const openBlocks = (blocks: Iterable<Block>): OpenedFile => {
  const lengths: number[] = [];
  const units = Array.from(cutUnits(blocks), (sections) => {
    lengths.push(sections.reduce((sum, { text }) => sum + text.length, 0));
    return packParts(toParts(sections));
  });
  return {
    ...openUnits(units.map(() => [])),
    cut: digestCut(lengths),
    packed: units,
    read: async ({ start, end }) => units.slice(start - 1, end).flatMap(unpackParts),
  };
};

/** Opens a file of pages or slides, one unit each. Every section has its page's number. */
export const openPages = (pages: readonly (readonly Block[])[]): OpenedFile => {
  const units = pages.map((blocks, index) => {
    const page = index + 1;
    return toParts([...cutUnits(blocks)].flat().map((section) => ({ ...section, pageStart: page, pageEnd: page })));
  });
  return { ...openUnits(units, { paged: true }), packed: units.map(packParts) };
};
