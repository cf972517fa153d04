import { lineOf, type Paragraph, type Piece } from './compose-blocks.ts';
import { firstAfter, type DocFile, type PropertyRun, type TextRange } from './doc-file.ts';
import type { DocNumbering } from './doc-lists.ts';
import type { DocNotes } from './doc-notes.ts';
import { propertiesIn, sprm } from './doc-properties.ts';
import type { CharacterFormat, DocStyles, ParagraphFormat } from './doc-styles.ts';
import { edgedTable, type CellDefinition, type RowDefinition } from './edged-tables.ts';
import { pageNumber, withoutPageNumbers } from './header-text.ts';
import { symbolCharacter } from './symbol-font.ts';
import { markRaised, renderRaised } from '../text/superscript.ts';

/** Parts of a DOC to which its text refers. */
export interface DocContext {
  readonly file: DocFile;
  readonly styles: DocStyles;
  readonly numbering: () => DocNumbering;
  readonly notes: DocNotes;
  /** Whether it is the text of headers and footers, without page numbers. */
  readonly isRunning?: boolean;
  /** Called if hidden text is left out. */
  readonly onHidden: () => void;
}

interface TablePlace {
  readonly depth: number;
  readonly endsRow: boolean;
  readonly endsInnerCell: boolean;
  readonly endsInnerRow: boolean;
  readonly row: RowDefinition;
}

// Flags of a cell. Source: [MS-DOC] 2.9.317.
const continuesBefore = 0x2;
const continuesAbove = 0x20;
const beginsMerge = 0x40;
const cellBytes = 20;

const emptyRow: RowDefinition = { left: 0, isHead: false, cells: [] };

/** Reads the definition of a row: TDefTableOperand of [MS-DOC]. */
const readCells = (operand: Buffer): Pick<RowDefinition, 'left' | 'cells'> => {
  const count = operand.length < 3 ? 0 : operand.readUInt8(2);
  if (operand.length < 3 + 2 * (count + 1)) return emptyRow;
  const cells = Array.from({ length: count }, (_, at): CellDefinition => {
    const flagsAt = 3 + 2 * (count + 1) + cellBytes * at;
    const flags = flagsAt + 2 <= operand.length ? operand.readUInt16LE(flagsAt) : 0;
    const isAbove = (flags & continuesAbove) !== 0 && (flags & beginsMerge) === 0;
    return {
      right: operand.readInt16LE(3 + 2 * (at + 1)),
      continues: (flags & continuesBefore) !== 0 ? 'before' : isAbove ? 'above' : null,
      begins: (flags & beginsMerge) !== 0,
    };
  });
  return { left: operand.readInt16LE(3), cells };
};

/** Properties that are kept in the data stream, since they are too long for the list of paragraphs. */
const longProperties = function* (properties: Buffer, data: Buffer): Generator<readonly [number, Buffer]> {
  for (const [property, operand] of propertiesIn(properties)) {
    if (property !== sprm.paragraphHuge && property !== sprm.paragraphTable) yield [property, operand];
    else {
      const at = operand.readUInt32LE(0);
      if (at + 2 <= data.length) yield* propertiesIn(data.subarray(at + 2, at + 2 + data.readUInt16LE(at)));
    }
  }
};

/** Merges the cells of a row that a property names. */
const mergeCells = (cells: readonly CellDefinition[], property: number, operand: Buffer): readonly CellDefinition[] => {
  if (property === sprm.tableMerge && operand.length >= 2) {
    const [first, end] = [operand.readUInt8(0), operand.readUInt8(1)];
    return cells.map((cell, at) => (at > first && at < end ? { ...cell, continues: 'before' } : cell));
  }
  if (property !== sprm.tableVerticalMerge || operand.length < 3) return cells;
  const [column, kind] = [operand.readUInt8(1), operand.readUInt8(2)];
  const merged = { continues: kind === 1 ? ('above' as const) : null, begins: kind === 3 };
  return cells.map((cell, at) => (at === column ? { ...cell, ...merged } : cell));
};

const tablePlaceOf = (properties: Buffer, data: Buffer): TablePlace => {
  let [depth, isIn] = [0, false];
  const found = { endsRow: false, endsInnerCell: false, endsInnerRow: false };
  let [isHead, left, cells] = [false, 0, emptyRow.cells];
  for (const [property, operand] of longProperties(properties, data)) {
    const isOn = operand.length > 0 && operand.readUInt8(0) !== 0;
    if (property === sprm.paragraphInTable) isIn = isOn;
    else if (property === sprm.paragraphDepth) depth = operand.readInt32LE(0);
    else if (property === sprm.paragraphEndsRow) found.endsRow = isOn;
    else if (property === sprm.paragraphEndsInnerCell) found.endsInnerCell = isOn;
    else if (property === sprm.paragraphEndsInnerRow) found.endsInnerRow = isOn;
    else if (property === sprm.tableHead) isHead = isOn;
    else if (property === sprm.tableDefinition) ({ left, cells } = readCells(operand));
    else cells = mergeCells(cells, property, operand);
  }
  return { depth: isIn || found.endsRow ? Math.max(1, depth) : depth, ...found, row: { left, isHead, cells } };
};

/** Signs that are written as control characters. Others have no text. */
const signs: ReadonlyMap<string, string> = new Map([
  ['\t', '\t'],
  ['\u000B', '\n'],
  ['\u000E', '\n'],
  ['\u001E', '-'],
]);

const endsOfParagraph = new Set(['\r', '\u0007', '\u000C']);

interface Field {
  code: string;
  isResult: boolean;
}

interface Row {
  readonly cells: readonly (readonly Piece[])[];
  readonly definition: RowDefinition;
}

/** Collects the text of one paragraph. */
interface Line {
  text: string;
  readonly asides: string[];
  readonly sizes: Set<number>;
  hasBold: boolean;
  hasPlain: boolean;
}

const openLine = (): Line => ({ text: '', asides: [], sizes: new Set(), hasBold: false, hasPlain: false });

const maxCodeChars = 200;

/** Reads a text of a DOC: the document, a note or a header. */
export class DocStory {
  readonly #context: DocContext;
  readonly #numbering: DocNumbering;
  readonly #fields: Field[] = [];
  readonly #pieces: Piece[] = [];
  #rows: Row[] = [];
  #cells: (readonly Piece[])[] = [];
  #cell: Piece[] = [];
  #inner = '';
  #line = openLine();

  constructor(context: DocContext) {
    this.#context = context;
    this.#numbering = context.numbering();
  }

  /** Returns the paragraphs and tables of a range. */
  read({ start, end }: TextRange): readonly Piece[] {
    const { text, paragraphRuns } = this.#context.file;
    const to = Math.min(end, text.length);
    for (let from = start; from < to;) {
      let at = from;
      while (at < to - 1 && !endsOfParagraph.has(text[at] ?? '')) at += 1;
      const run = paragraphRuns[firstAfter(paragraphRuns, at)];
      this.#readParagraph({ start: from, end: at + 1 }, run !== undefined && run.start <= at ? run : undefined);
      from = at + 1;
    }
    this.#endTable();
    return this.#pieces;
  }

  #readParagraph(range: TextRange, run: PropertyRun | undefined): void {
    const { file, styles } = this.#context;
    const style = run?.style ?? 0;
    const properties = run?.properties ?? Buffer.alloc(0);
    const format = styles.paragraph(style, properties);
    const place = tablePlaceOf(properties, file.data);
    this.#readCharacters(range, style, format.level !== null);
    const pieces = this.#endParagraph(format);
    if (place.depth === 0) {
      this.#endTable();
      this.#pieces.push(...pieces);
    } else if (place.depth > 1) this.#addInner(pieces, place);
    else {
      this.#cell.push(...pieces);
      if (place.endsRow) this.#endRow(place.row);
      else if (file.text[range.end - 1] === '\u0007') this.#endCell();
    }
  }

  /** Adds a paragraph of a nested table, which becomes text of the outer cell. */
  #addInner(pieces: readonly Piece[], { endsInnerCell, endsInnerRow }: TablePlace): void {
    const text = lineOf(pieces);
    const open = this.#inner;
    if (text !== '') this.#inner += /[^,;\s]\s*$/.test(open) && open !== '' && !open.endsWith(', ') ? ` ${text}` : text;
    if (endsInnerRow) this.#inner = `${this.#inner.replace(/(?:, )+$/, '')}; `;
    else if (endsInnerCell && this.#inner !== '') this.#inner += ', ';
  }

  #takeInner(): void {
    const text = this.#inner.replace(/[,;\s]+$/, '');
    this.#inner = '';
    if (text !== '') this.#cell.push({ text, level: null });
  }

  #endCell(): void {
    this.#takeInner();
    this.#cells.push(this.#cell);
    this.#cell = [];
  }

  #endRow(definition: RowDefinition): void {
    if (this.#cell.length > 0) this.#endCell();
    if (this.#cells.some((cell) => cell.length > 0)) this.#rows.push({ cells: this.#cells, definition });
    this.#cells = [];
  }

  /** Ends a table. One of a single column, or of a single row of long cells, only arranges its content. */
  #endTable(): void {
    this.#takeInner();
    this.#endRow(emptyRow);
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length === 0) return;
    const isColumn = rows.every(({ cells }) => cells.length < 2);
    const isRow = rows.length === 1 && (rows[0]?.cells ?? []).some((cell) => cell.length > 1);
    if (isColumn || isRow) {
      for (const { cells } of rows) for (const cell of cells) this.#pieces.push(...cell);
    } else
      this.#pieces.push(
        edgedTable(rows.map(({ cells, definition }) => ({ texts: cells.map((cell) => lineOf(cell)), definition }))),
      );
  }

  #endParagraph({ level, isCaption, ...list }: ParagraphFormat): readonly Piece[] {
    const { hasBold, hasPlain, sizes, asides, ...line } = this.#line;
    this.#line = openLine();
    const text = withoutPageNumbers(renderRaised(line.text));
    const [size] = sizes;
    const pieces: Paragraph[] = [];
    if (text !== '') {
      // An empty paragraph shows no number, and does not count.
      const mark = this.#numbering({ level, isCaption, ...list });
      const isItem = level === null && mark !== null;
      pieces.push({
        text: level !== null && mark !== null && mark !== '' ? `${mark} ${text}` : text,
        level,
        look: { isBold: hasBold && !hasPlain, size: sizes.size === 1 ? (size ?? null) : null },
        isItem,
        isCaption,
        ...(isItem && mark !== '' && { mark }),
      });
    }
    return [...pieces, ...asides.map((aside) => ({ text: aside, level: null }))];
  }

  /** Reads the characters of a paragraph by their runs. Those without properties have the format of its style. */
  #readCharacters({ start, end }: TextRange, style: number, isHeading: boolean): void {
    const { characterRuns } = this.#context.file;
    const nothing = Buffer.alloc(0);
    let at = start;
    for (let index = firstAfter(characterRuns, start); at < end; index += 1) {
      const run = characterRuns[index];
      const from = Math.min(end, run?.start ?? end);
      if (from > at) this.#readRun({ start: at, end: from }, this.#formatOf(style, nothing), isHeading);
      at = Math.max(at, from);
      const to = Math.min(end, run?.end ?? end);
      if (run !== undefined && to > at)
        this.#readRun({ start: at, end: to }, this.#formatOf(style, run.properties), isHeading);
      at = Math.max(at, to);
    }
  }

  #formatOf(style: number, properties: Buffer): CharacterFormat {
    return this.#context.styles.characters(style, properties);
  }

  #readRun({ start, end }: TextRange, format: CharacterFormat, isHeading: boolean): void {
    const { file, notes } = this.#context;
    let written = '';
    for (let at = start; at < end; at += 1) {
      const note = notes.get(at);
      if (note === undefined || format.isDeleted) written += this.#characterOf(file.text[at] ?? '', format);
      else {
        this.#write(written, format);
        written = '';
        // A note of a heading is kept out of the heading path, which is stored with all text under it.
        if (isHeading) this.#line.asides.push(note);
        else this.#line.text += ` (${note})`;
      }
    }
    this.#write(written, format);
  }

  #write(text: string, { isDeleted, isHidden, isBold, isRaised, size }: CharacterFormat): void {
    if (text === '' || isDeleted) return;
    if (isHidden) {
      if (text.trim() !== '') this.#context.onHidden();
      return;
    }
    if (text.trim() !== '') {
      this.#line.sizes.add(size);
      this.#line.hasBold ||= isBold;
      this.#line.hasPlain ||= !isBold;
    }
    this.#line.text += isRaised ? markRaised(text) : text;
  }

  #characterOf(character: string, { symbol }: CharacterFormat): string {
    const field = this.#fields.at(-1);
    if (character === '\u0013') this.#fields.push({ code: '', isResult: false });
    else if (character === '\u0014' && field !== undefined) field.isResult = true;
    else if (character === '\u0015') {
      this.#fields.pop();
      return field !== undefined && this.#isPageNumber(field) ? pageNumber : '';
    } else if (field !== undefined && !field.isResult) {
      if (field.code.length < maxCodeChars) field.code += character;
    } else if (this.#fields.every((open) => open.isResult && !this.#isPageNumber(open))) {
      if (character === '(' && symbol !== undefined) return symbolCharacter(symbol) ?? '';
      // oxlint-disable-next-line no-control-regex -- control characters have their own meaning in this format
      return /[\u0000-\u001F]/.test(character) ? (signs.get(character) ?? '') : character;
    }
    return '';
  }

  #isPageNumber({ code }: Field): boolean {
    return this.#context.isRunning === true && /^\s*(?:PAGE|NUMPAGES|SECTION|SECTIONPAGES)\b/i.test(code);
  }
}
