import { digestCut, openUnits, type OpenedFile } from './format.ts';
import { packParts, unpackParts } from './pack-parts.ts';
import type { Mark, Part, Place, Section } from './port.ts';
import { splitLongText } from './chunk/split-long-text.ts';

/** A heading, or a stretch of text that stands together: a paragraph, a list, a table, a row of data. */
export interface Block {
  readonly text: string;
  /** 0 for the document's title, 1 (outermost) to 6 of a heading; null for all else. */
  readonly level: number | null;
  /** Whether it begins a chapter, so that no heading before it but the document's title is one of its own. */
  readonly isApart?: boolean;
  /** Where it stands; blocks of another place belong to another section. `{}` unless given. */
  readonly place?: Place;
  /** Where it stands within the section: what a chunk that begins or ends in it says about itself. */
  readonly bounds?: Omit<Mark, 'at'>;
  /** The same for parts of a long block, by their positions in its text. */
  readonly marks?: readonly Mark[];
}

interface Heading {
  readonly level: number;
  readonly title: string;
}

interface OpenSection {
  readonly texts: string[];
  readonly marks: Mark[];
  readonly place: Place;
  headings: readonly Heading[];
  chars: number;
  hasBody: boolean;
}

/** Most characters of text in one unit; a block is never part of two unless it is longer than this. */
const unitChars = 40_000;

// The path travels with every chunk, so a paragraph that is marked up as a heading must not blow it up.
const titleChars = 200;

const between = '\n\n';

const toHeading = (level: number, text: string): Heading => ({
  level,
  title: text.replace(/\s+/g, ' ').slice(0, titleChars).toWellFormed().trim(),
});

const openSection = (headings: readonly Heading[], place: Place): OpenSection => ({
  texts: [],
  marks: [],
  place,
  headings,
  chars: 0,
  hasBody: false,
});

const toSection = ({ texts, marks, place, headings }: OpenSection): Section => ({
  text: texts.join(between),
  pageStart: null,
  pageEnd: null,
  headingPath: headings.map(({ title }) => title),
  place,
  ...(marks.length > 0 && { marks }),
});

const samePlace = (one: Place, other: Place): boolean => one === other || JSON.stringify(one) === JSON.stringify(other);

const nowhere: Place = {};

/** The marks of a stretch of a block, by their positions in it; it begins with the mark that it lies in. */
const marksWithin = (marks: readonly Mark[], start: number, end: number): readonly Mark[] => {
  const open = marks.findLast(({ at }) => at <= start);
  const inside = marks.filter(({ at }) => at > start && at < end);
  return [...(open === undefined ? [] : [{ ...open, at: start }]), ...inside].map((mark) => ({
    ...mark,
    at: mark.at - start,
  }));
};

/**
 * Cuts a document into units of at most `unitChars` characters at the borders of blocks, and each unit into one section
 * per heading and place. A section's text begins with its heading; a heading that only introduces deeper ones opens the
 * first of them. A section that goes on in the next unit keeps its heading path there. Deterministic.
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
  const add = (text: string, marks: readonly Mark[]): void => {
    if (chars > 0 && chars + text.length > unitChars) closeUnit();
    for (const mark of marks) current.marks.push({ ...mark, at: current.chars + mark.at });
    current.texts.push(text);
    current.chars += text.length + between.length;
    chars += text.length + between.length;
  };
  for (const { text, level, place = nowhere, isApart = false, ...where } of blocks) {
    const kept = isApart ? current.headings.filter((heading) => heading.level === 0) : current.headings;
    if (kept.length < current.headings.length || !samePlace(place, current.place)) closeSection(kept, place);
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
      add(part, marksWithin(marks, at, at + part.length));
      at += part.length;
    }
    current.hasBody = level === null;
    yield* done.splice(0);
  }
  closeUnit();
  yield* done;
};

/** Sections as parts of a file. */
export const asParts = (sections: readonly Section[]): readonly Part[] =>
  sections.map((section) => ({ kind: 'text', ...section }));

/** A file that consists of blocks of text, cut into units of bounded size, which are kept packed. */
export const openBlocks = (blocks: Iterable<Block>): OpenedFile => {
  const lengths: number[] = [];
  const units = Array.from(cutUnits(blocks), (sections) => {
    lengths.push(sections.reduce((sum, { text }) => sum + text.length, 0));
    return packParts(asParts(sections));
  });
  return {
    ...openUnits(units.map(() => [])),
    cut: digestCut(lengths),
    packed: units,
    read: async ({ start, end }) => units.slice(start - 1, end).flatMap(unpackParts),
  };
};

/** A file of pages or slides, each with its blocks: one unit per page, and the page's number on every section. */
export const openPages = (pages: readonly (readonly Block[])[]): OpenedFile => {
  const units = pages.map((blocks, index) => {
    const page = index + 1;
    return asParts([...cutUnits(blocks)].flat().map((section) => ({ ...section, pageStart: page, pageEnd: page })));
  });
  return { ...openUnits(units, { paged: true }), packed: units.map(packParts) };
};
