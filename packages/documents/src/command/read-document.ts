import { createFileOpener } from '../extract/read-file.ts';
import type { Section, SourceFile } from '../extract/port.ts';
import type { OcrModel } from '../ocr/port.ts';

/** Text of a file, with what could not be read. */
export interface ReadDocument {
  readonly format: string;
  readonly units: number;
  readonly sections: readonly Section[];
  /** Content that was not read, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Reads a whole file in this process.
 * @param ocr Reads pictures. Null: they are noted as unread.
 * @param assetsDirectory Directory that contains `readerFiles`, such as `node_modules`.
 * @throws UnreadableFile
 */
export const readDocument = async (
  file: SourceFile,
  assetsDirectory: string,
  ocr: OcrModel | null,
): Promise<ReadDocument> => {
  const { format, units, notes, read } = await createFileOpener(assetsDirectory)(file);
  const sections: Section[] = [];
  const unread = [...notes];
  for (const part of await read({ start: 1, end: units })) {
    if (part.kind === 'text') {
      const { kind: _, ...section } = part;
      sections.push(section);
    } else if (part.kind === 'unread') unread.push(part.reason);
    else if (part.kind === 'picture' && ocr !== null) {
      const { text } = await ocr.recognize(part);
      if (text !== '') sections.push({ ...part.section, text });
    } else unread.push(`A ${part.kind} was not read.`);
  }
  return { format, units, sections, notes: unread };
};

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

/** Text of a section with its tables as Markdown. */
const withTables = ({ text, tables = [] }: Section): string => {
  let [written, end] = ['', 0];
  for (const { start, rows, end: tableEnd, head } of tables) {
    const lines = text.slice(start, tableEnd).trim().split('\n');
    const headLines = rows > start ? head.split('\n').length : 0;
    written += `${text.slice(end, start)}${tableOf(lines, headLines)}`;
    end = tableEnd;
  }
  return written + text.slice(end);
};

/** Returns the sections as Markdown. A heading stands before the first section that it is above. */
export const toMarkdown = ({ sections }: Pick<ReadDocument, 'sections'>): string => {
  let above: readonly string[] = [];
  const blocks = sections.flatMap((section) => {
    const { headingPath } = section;
    const text = withTables(section);
    const same = headingPath.findIndex((title, level) => title !== above[level]);
    const fresh = same === -1 ? [] : headingPath.slice(same);
    above = headingPath;
    const level = headingPath.length - fresh.length;
    // The text of most formats begins with its own heading.
    const own = fresh.at(-1) ?? '';
    const rest = own !== '' && text.startsWith(own) ? text.slice(own.length).trimStart() : text;
    return [...fresh.map((title, at) => `${'#'.repeat(Math.min(6, level + at + 1))} ${title}`), rest];
  });
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
};
