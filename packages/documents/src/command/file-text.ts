import { lengthOf } from '../../../../shared/kernel/text.ts';
import type { Section } from '../extract/port.ts';

/** Text of a file, or of a part of it, as it was read. */
export interface FileText {
  /** Headings and texts of the sections. A form feed stands before each further page. */
  readonly text: string;
  /** With headings and tables in Markdown, and a comment before each page. */
  readonly markdown: string;
  /** Returns the position in `text`, in code points, of one in the text of a section, in UTF-16 code units. */
  readonly positionOf: (section: number, at: number) => number;
}

/** Part of a file whose text is composed. */
export interface FilePart {
  /** Whether it continues a file. It then begins with what divides it from the part before. */
  readonly continues: boolean;
  /** Its pages; null if the file has none. */
  readonly pageStart: number | null;
  readonly pageEnd: number | null;
}

const rowOf = (cells: readonly string[], width: number): string =>
  `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`;

/** Writes the lines of a table. What is before its rows of several cells is its title. */
const tableOf = (lines: readonly string[], headLines: number): string => {
  const rows = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  const first = rows.findIndex((row) => row.length > 1);
  if (first === -1) return lines.join('\n\n');
  const width = Math.max(...rows.map((row) => row.length));
  const [title, head] = [lines.slice(0, first), rows.slice(first, Math.max(first, headLines))];
  const shown = head.length > 0 ? head : [[]];
  const body = rows.slice(first + head.length);
  const rule = `|${' --- |'.repeat(width)}`;
  const table = [...shown.map((row) => rowOf(row, width)), rule, ...body.map((row) => rowOf(row, width))];
  return [...title, table.join('\n')].join('\n\n');
};

/** Position in a section's text at which a page begins. */
interface PageStart {
  readonly at: number;
  readonly page: number;
}

/** Returns where a section goes on on a further page. */
const pageStartsIn = ({ pageStart, textPlaces = [] }: Section): readonly PageStart[] => {
  const starts: PageStart[] = [];
  let page = pageStart ?? 1;
  for (const { at, region } of textPlaces) {
    if (at === 0 || region.page <= page) continue;
    page = region.page;
    starts.push({ at, page });
  }
  return starts;
};

const pageComment = (page: number): string => `<!-- page ${page} -->`;

/** Returns a section's text with its tables as Markdown. A page that begins within a table is noted behind it. */
const toMarkdownText = ({ text, tables = [] }: Section, pageStarts: readonly PageStart[]): string => {
  const left = [...pageStarts];
  let [written, end] = ['', 0];
  const writeUpTo = (to: number): void => {
    for (let [next] = left; next !== undefined && next.at < to; [next] = left) {
      left.shift();
      const at = Math.max(end, next.at);
      written += `${text.slice(end, at)}${pageComment(next.page)}\n`;
      end = at;
    }
    written += text.slice(end, to);
    end = to;
  };
  for (const { start, rows, end: tableEnd, head } of tables) {
    const lines = text.slice(start, tableEnd).trim().split('\n');
    const headLines = rows > start ? head.split('\n').length : 0;
    writeUpTo(start);
    written += tableOf(lines, headLines);
    end = tableEnd;
  }
  writeUpTo(text.length);
  return written;
};

/** Returns the headings that begin before each section. */
const newHeadings = (sections: readonly Section[], continues: boolean): readonly (readonly string[])[] => {
  let above: readonly string[] | null = continues ? null : [];
  return sections.map(({ headingPath, text }) => {
    const last = headingPath.at(-1) ?? '';
    // The part before has the headings above the beginning of this one.
    above ??= last !== '' && text.startsWith(last) ? headingPath.slice(0, -1) : headingPath;
    const known = above;
    const same = headingPath.findIndex((title, level) => title !== known[level]);
    above = headingPath;
    return same === -1 ? [] : headingPath.slice(same);
  });
};

/** Whether a text begins with the last of its new headings, as that of most formats. */
const beginsWithHeading = (text: string, headings: readonly string[]): boolean => {
  const own = headings.at(-1) ?? '';
  return own !== '' && text.startsWith(own);
};

const between = '\n\n';

/** Composes Markdown. A heading stands before the first section that it is above. */
const composeMarkdown = (
  sections: readonly Section[],
  headings: readonly (readonly string[])[],
  hasPages: boolean,
): string => {
  let page: number | null = null;
  const blocks = sections.flatMap((section, index) => {
    const { headingPath, pageStart } = section;
    const fresh = headings[index] ?? [];
    const pageStarts = hasPages ? pageStartsIn(section) : [];
    const isNewPage = hasPages && pageStart !== null && pageStart > (page ?? 0);
    const comment = isNewPage ? [pageComment(pageStart)] : [];
    page = Math.max(page ?? 0, pageStart ?? 0, ...pageStarts.map((start) => start.page));
    const text = toMarkdownText(section, pageStarts);
    const level = headingPath.length - fresh.length;
    const own = fresh.at(-1) ?? '';
    const rest = beginsWithHeading(text, fresh) ? text.slice(own.length).trimStart() : text;
    return [...comment, ...fresh.map((title, at) => `${'#'.repeat(Math.min(6, level + at + 1))} ${title}`), rest];
  });
  return blocks.filter((block) => block !== '').join(between);
};

/** Returns the sections as Markdown. */
export const toMarkdown = ({ sections }: { readonly sections: readonly Section[] }): string =>
  `${composeMarkdown(sections, newHeadings(sections, false), false)}\n`;

/** A text that grows, with its code points. */
class GrowingText {
  readonly #pieces: string[] = [];
  length = 0;

  add(piece: string): void {
    this.#pieces.push(piece);
    this.length += lengthOf(piece);
  }

  toString(): string {
    return this.#pieces.join('');
  }
}

/** Pieces of a section's text between its pages: positions in the section and in the whole text. */
type PlacedPiece = readonly [at: number, position: number];

/** Composes the text of a file from its sections. */
export const composeText = (
  sections: readonly Section[],
  { continues, pageStart, pageEnd }: FilePart = { continues: false, pageStart: null, pageEnd: null },
): FileText => {
  const headings = newHeadings(sections, continues);
  const text = new GrowingText();
  let page = pageStart;
  const breakTo = (next: number | null): void => {
    if (page !== null && next !== null && next > page) text.add('\f'.repeat(next - page));
    if (next !== null) page = Math.max(page ?? 0, next);
  };
  if (continues) text.add(pageStart === null ? between : '\f');
  const placed = sections.map((section, index): readonly PlacedPiece[] => {
    if (index > 0) text.add(between);
    breakTo(section.pageStart);
    const fresh = headings[index] ?? [];
    const lines = beginsWithHeading(section.text, fresh) ? fresh.slice(0, -1) : fresh;
    text.add(lines.map((line) => `${line}${between}`).join(''));
    const starts = pageStartsIn(section);
    return [{ at: 0, page: null }, ...starts].map((start, piece): PlacedPiece => {
      breakTo(start.page);
      const position = text.length;
      text.add(section.text.slice(start.at, starts[piece]?.at));
      return [start.at, position];
    });
  });
  breakTo(pageEnd);
  const markdown = composeMarkdown(sections, headings, true);
  return {
    text: text.toString(),
    markdown: continues && markdown !== '' ? `${between}${markdown}` : markdown,
    positionOf: (section, at) => {
      const [from, position] = placed[section]?.findLast(([start]) => start <= at) ?? [0, 0];
      return position + lengthOf(sections[section]?.text.slice(from, at) ?? '');
    },
  };
};
