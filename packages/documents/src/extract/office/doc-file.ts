import { openCompoundFile } from '../containers/compound-file.ts';
import { western } from '../text/code-pages.ts';
import { UnreadableFile } from '../port.ts';

// Offsets in the header of a DOC. Source: [MS-DOC] 2.5, The File Information Block.
const flagsAt = 0x0a;
const storyLengthsAt = 0x4c;
const listsAt = 0x9a;
const listCountAt = 0x98;
const isEncrypted = 0x0100;
const usesSecondTable = 0x0200;
const pageBytes = 512;

/** Structures of the table stream, by their position in the header. */
const structures = {
  styles: 1,
  footnoteMarks: 2,
  footnotes: 3,
  commentMarks: 4,
  comments: 5,
  headers: 11,
  characterPages: 12,
  paragraphPages: 13,
  pieces: 33,
  authors: 36,
  endnoteMarks: 46,
  endnotes: 47,
  lists: 73,
  listUses: 74,
  commentDates: 112,
} as const;

/** Texts of a DOC, one after the other. */
const stories = ['body', 'footnotes', 'headers', 'macros', 'comments', 'endnotes', 'boxes', 'headerBoxes'] as const;

/** Range of characters. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Properties of a range of characters. */
export interface PropertyRun extends TextRange {
  /** Index of the paragraph's style; 0 for a run of characters. */
  readonly style: number;
  readonly properties: Buffer;
}

interface Piece extends TextRange {
  /** First byte in the document stream. */
  readonly from: number;
  readonly bytesOfCharacter: number;
}

/** Streams of a DOC, in which its structures are found. */
export interface DocFile {
  readonly text: string;
  readonly story: (name: (typeof stories)[number]) => TextRange;
  /** Returns a structure of the table stream; empty if there is none. */
  readonly structure: (name: keyof typeof structures) => Buffer;
  /** Returns what follows a structure in the table stream. */
  readonly after: (name: keyof typeof structures) => Buffer;
  readonly data: Buffer;
  /** Runs of characters, in order. Those without properties are left out. */
  readonly characterRuns: readonly PropertyRun[];
  readonly paragraphRuns: readonly PropertyRun[];
}

const rangeOf = (document: Buffer, name: keyof typeof structures): readonly [number, number] => {
  const index = structures[name];
  if (index >= document.readUInt16LE(listCountAt)) return [0, 0];
  const at = listsAt + 8 * index;
  return [document.readUInt32LE(at), document.readUInt32LE(at + 4)];
};

const readPieces = (list: Buffer): readonly Piece[] => {
  let at = 0;
  // Properties of pieces precede the table of pieces.
  while (list.readUInt8(at) === 1) at += 3 + list.readUInt16LE(at + 1);
  const count = Math.floor((list.readUInt32LE(at + 1) - 4) / 12);
  at += 5;
  return Array.from({ length: count }, (_, index) => {
    const stated = list.readUInt32LE(at + 4 * (count + 1) + 8 * index + 2);
    const isSingle = (stated & 0x40000000) !== 0;
    const place = stated & 0x3fffffff;
    return {
      start: list.readUInt32LE(at + 4 * index),
      end: list.readUInt32LE(at + 4 * (index + 1)),
      from: isSingle ? place / 2 : place,
      bytesOfCharacter: isSingle ? 1 : 2,
    };
  });
};

const textOf = (document: Buffer, pieces: readonly Piece[]): string => {
  const decoder = new TextDecoder(western);
  let read = 0;
  return pieces
    .map(({ start, end, from, bytesOfCharacter }) => {
      const bytes = document.subarray(from, from + (end - start) * bytesOfCharacter);
      read += bytes.length;
      // Pieces share no bytes.
      if (read > document.length || end < start || end - start > document.length)
        throw new RangeError('the pieces of the document overlap');
      const text = bytesOfCharacter === 1 ? decoder.decode(bytes) : bytes.toString('utf16le');
      return text.padEnd(end - start, '\0');
    })
    .join('');
};

const runOf = (page: Buffer, at: number, isParagraph: boolean): Pick<PropertyRun, 'style' | 'properties'> => {
  if (at === 0) return { style: 0, properties: Buffer.alloc(0) };
  const stated = page.readUInt8(at);
  if (!isParagraph) return { style: 0, properties: page.subarray(at + 1, at + 1 + stated) };
  const start = stated === 0 ? at + 2 : at + 1;
  const bytes = stated === 0 ? 2 * page.readUInt8(at + 1) : 2 * stated - 1;
  return { style: page.readUInt16LE(start), properties: page.subarray(start + 2, start + bytes) };
};

/** Reads the pages that list runs by their bytes, in ascending order. */
const readRuns = (document: Buffer, list: Buffer, isParagraph: boolean): readonly PropertyRun[] => {
  const runs: PropertyRun[] = [];
  const entryBytes = isParagraph ? 13 : 1;
  const count = Math.max(0, Math.floor((list.length - 4) / 8));
  let done = 0;
  const seen = new Set<number>();
  for (let index = 0; index < count; index += 1) {
    const number = list.readUInt32LE(4 * (count + 1 + index)) & 0x3fffff;
    if (seen.has(number)) continue;
    seen.add(number);
    const page = document.subarray(number * pageBytes, (number + 1) * pageBytes);
    if (page.length < pageBytes) continue;
    const length = page.readUInt8(pageBytes - 1);
    for (let run = 0; run < length && (run + 2) * 4 + run * entryBytes < pageBytes; run += 1) {
      const [start, end] = [Math.max(done, page.readUInt32LE(4 * run)), page.readUInt32LE(4 * (run + 1))];
      if (end <= start) continue;
      const at = 2 * page.readUInt8(4 * (length + 1) + entryBytes * run);
      runs.push({ start, end, ...runOf(page, at, isParagraph) });
      done = end;
    }
  }
  return runs;
};

/** Index of the first run that ends after a position. */
export const firstAfter = (runs: readonly PropertyRun[], position: number): number => {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.end ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Converts runs of bytes to runs of characters. */
const toCharacters = (pieces: readonly Piece[], runs: readonly PropertyRun[]): readonly PropertyRun[] =>
  pieces.flatMap(({ start, end, from, bytesOfCharacter }) => {
    const found: PropertyRun[] = [];
    const to = from + (end - start) * bytesOfCharacter;
    for (let index = firstAfter(runs, from); index < runs.length; index += 1) {
      const run = runs[index];
      if (run === undefined || run.start >= to) break;
      found.push({
        ...run,
        start: start + Math.ceil((Math.max(run.start, from) - from) / bytesOfCharacter),
        end: start + Math.ceil((Math.min(run.end, to) - from) / bytesOfCharacter),
      });
    }
    return found;
  });

/**
 * Opens DOC of Word 97 to 2003: its text, and the properties of its characters and paragraphs.
 * @throws UnreadableFile if it is protected by a password or older.
 */
export const openDocFile = (bytes: Uint8Array): DocFile => {
  const file = openCompoundFile(bytes);
  const document = file.read('WordDocument');
  if (document === null || document.readUInt16LE(0) !== 0xa5ec)
    throw new UnreadableFile('The Word document is older than Word 97: save it as DOCX');
  const flags = document.readUInt16LE(flagsAt);
  if ((flags & isEncrypted) !== 0) throw new UnreadableFile('The Word document is protected by a password');
  const table = file.read((flags & usesSecondTable) === 0 ? '0Table' : '1Table') ?? Buffer.alloc(0);
  const structure = (name: keyof typeof structures): Buffer => {
    const [at, length] = rangeOf(document, name);
    return table.subarray(at, at + length);
  };
  const pieces = readPieces(structure('pieces'));
  const lengths = stories.map((_, at) => document.readUInt32LE(storyLengthsAt + 4 * at));
  return {
    text: textOf(document, pieces),
    story: (name) => {
      const index = stories.indexOf(name);
      const start = lengths.slice(0, index).reduce((sum, length) => sum + length, 0);
      return { start, end: start + (lengths[index] ?? 0) };
    },
    structure,
    after: (name) => {
      const [at, length] = rangeOf(document, name);
      return table.subarray(at + length);
    },
    data: file.read('Data') ?? Buffer.alloc(0),
    characterRuns: toCharacters(pieces, readRuns(document, structure('characterPages'), false)),
    paragraphRuns: toCharacters(pieces, readRuns(document, structure('paragraphPages'), true)),
  };
};
