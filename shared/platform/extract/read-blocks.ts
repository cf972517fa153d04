import { splitLongText } from './split-long-text.ts';
import { decodeText } from './decode-text.ts';
import type { FormatReader } from './format.ts';
import { UnreadableFile, type Section, type SourceFile } from './port.ts';

/** A heading, or a stretch of text that stands together: a paragraph, a list, a table. */
export interface Block {
  readonly text: string;
  /** 0 for the document's title, 1 (outermost) to 6 of a heading; null for all else. */
  readonly level: number | null;
}

interface Heading {
  readonly level: number;
  readonly title: string;
}

interface OpenSection {
  readonly texts: string[];
  headings: readonly Heading[];
  hasBody: boolean;
}

/** Most characters of text in one unit; a block is never part of two unless it is longer than this. */
const unitChars = 40_000;

// The path travels with every chunk, so a paragraph that is marked up as a heading must not blow it up.
const titleChars = 200;

const toHeading = (level: number, text: string): Heading => ({
  level,
  title: text.replace(/\s+/g, ' ').slice(0, titleChars).toWellFormed().trim(),
});

const openSection = (headings: readonly Heading[]): OpenSection => ({ texts: [], headings, hasBody: false });

const toSection = (section: OpenSection): Section => ({
  text: section.texts.join('\n\n'),
  pageStart: null,
  pageEnd: null,
  headingPath: section.headings.map(({ title }) => title),
  place: {},
});

/**
 * Cuts a document into units of at most `unitChars` characters at the borders of blocks, and each unit into one section
 * per heading. A section's text begins with its heading; a heading that only introduces deeper ones opens the first of
 * them. A section that goes on in the next unit keeps its heading path there. Deterministic.
 */
const cutUnits = (blocks: Iterable<Block>): readonly (readonly Section[])[] => {
  const units: Section[][] = [];
  let unit: Section[] = [];
  let current = openSection([]);
  let chars = 0;
  const closeSection = (headings: readonly Heading[]): void => {
    if (current.texts.length > 0) unit.push(toSection(current));
    current = openSection(headings);
  };
  const closeUnit = (): void => {
    closeSection(current.headings);
    if (unit.length > 0) units.push(unit);
    unit = [];
    chars = 0;
  };
  const add = (text: string): void => {
    if (chars > 0 && chars + text.length > unitChars) closeUnit();
    current.texts.push(text);
    chars += text.length + 2;
  };
  for (const { text, level } of blocks) {
    if (level !== null) {
      const outer = current.headings.filter((heading) => heading.level < level);
      const headings = [...outer, toHeading(level, text)];
      const introduced = !current.hasBody && outer.length === current.headings.length;
      if (introduced) current.headings = headings;
      else closeSection(headings);
    }
    for (const part of splitLongText(text, unitChars)) add(part);
    current.hasBody = level === null;
  }
  closeUnit();
  return units;
};

/**
 * A reader for a text format.
 * @param toBlocks Headings and texts of a whole document, in order, none empty.
 */
export const blockReader = (toBlocks: (text: string) => Promise<readonly Block[]>): FormatReader => {
  const read = async (file: SourceFile): Promise<readonly (readonly Section[])[]> => {
    const text = await decodeText(file);
    if (text === null) throw new UnreadableFile('The file holds binary data, not text');
    return cutUnits(await toBlocks(text));
  };
  return {
    paged: false,
    countUnits: async (file) => (await read(file)).length,
    readUnits: async (file, { start, end }) => (await read(file)).slice(start - 1, end).flat().map((section) => ({ kind: 'text' as const, ...section })),
  };
};
