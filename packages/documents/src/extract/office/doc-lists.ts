import type { DocFile } from './doc-file.ts';
import type { ParagraphFormat } from './doc-styles.ts';
import { ListCounters, type CountedList, type ListLevel, type NumberFormat } from './list-numbers.ts';

const levelsOfList = 9;

// Source: Office Common Data Types, 2.2.1.3. Others are written in decimal digits.
const formats: ReadonlyMap<number, NumberFormat | null> = new Map([
  [1, 'upperRoman'],
  [2, 'lowerRoman'],
  [3, 'upperLetter'],
  [4, 'lowerLetter'],
  [22, 'decimalZero'],
  [23, null],
  [255, null],
]);

/** Reads structures one after the other. */
class Cursor {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  take(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new RangeError('a list of the document is cut off');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

/** Reads the format of a level: LVL of [MS-DOC]. */
const readLevel = (cursor: Cursor): ListLevel => {
  const header = cursor.take(28);
  const format = formats.get(header.readUInt8(4));
  cursor.take(header.readUInt8(24) + header.readUInt8(25));
  const text = cursor.take(2 * cursor.take(2).readUInt16LE(0)).toString('utf16le');
  return {
    start: header.readInt32LE(0),
    format: format === undefined ? 'decimal' : format,
    // The number of a level is given as its code.
    text: Array.from(text, (letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return code < levelsOfList ? `%${code + 1}` : letter;
    }).join(''),
    isLegal: (header.readUInt8(5) & 4) !== 0,
  };
};

interface Definition {
  readonly levels: readonly ListLevel[];
}

/** Reads the definitions of lists. Their levels follow all of them. */
const readDefinitions = (file: DocFile): ReadonlyMap<number, Definition> => {
  const list = file.structure('lists');
  const definitions = new Map<number, Definition>();
  if (list.length < 2) return definitions;
  const headers = new Cursor(list, 2);
  const levels = new Cursor(file.after('lists'));
  for (let count = list.readUInt16LE(0); count > 0; count -= 1) {
    const header = headers.take(28);
    const isSimple = (header.readUInt8(26) & 1) === 1;
    definitions.set(header.readInt32LE(0), {
      levels: Array.from({ length: isSimple ? 1 : levelsOfList }, () => readLevel(levels)),
    });
  }
  return definitions;
};

/** Reads the uses of lists, which may change levels and the numbers at which they begin. */
const readUses = (file: DocFile): readonly CountedList[] => {
  const list = file.structure('listUses');
  if (list.length < 4) return [];
  const definitions = readDefinitions(file);
  const cursor = new Cursor(list, 4);
  const headers = Array.from({ length: Math.min(list.readUInt32LE(0), list.length / 16) }, () => cursor.take(16));
  return headers.map((header) => {
    const id = header.readInt32LE(0);
    const levels = [...(definitions.get(id)?.levels ?? [])];
    const restarts = new Map<number, number>();
    cursor.take(4);
    for (let count = header.readUInt8(12); count > 0; count -= 1) {
      const change = cursor.take(8);
      const at = change.readUInt8(4) & 0xf;
      const level = (change.readUInt8(4) & 0x20) === 0 ? undefined : readLevel(cursor);
      if (level !== undefined) levels[at] = level;
      if ((change.readUInt8(4) & 0x10) !== 0) restarts.set(at, level?.start ?? change.readInt32LE(0));
    }
    return { key: String(id), levels, restarts };
  });
};

/** Returns the mark of a paragraph, such as `2.1` or `(b)`; empty for a bullet. Null: it is in no list. */
export type DocNumbering = (format: ParagraphFormat) => string | null;

/** Reads the lists of a DOC. Returns a numbering that begins at the first numbers. */
export const readDocLists = (file: DocFile): (() => DocNumbering) => {
  let uses: readonly CountedList[] = [];
  try {
    uses = readUses(file);
  } catch (error) {
    // Text is read without its numbers if the lists are damaged.
    if (!(error instanceof RangeError)) throw error;
  }
  return () => {
    const counters = new ListCounters();
    return ({ list, listLevel }) => {
      const use = uses[list - 1];
      if (list === 0) return null;
      return use === undefined ? '' : counters.next(String(list), use, listLevel);
    };
  };
};
