import { burn } from '@kenjiuno/msgreader/lib/Burner.js';
import { TypeEnum } from '@kenjiuno/msgreader/lib/Reader.js';

/** Text in one charset of 8 bits, with properties of its letters: numbers of properties and their operands. */
export interface Run {
  readonly text: string;
  readonly properties?: readonly number[];
}

/** Paragraph with the number of its style and its properties. */
export interface DocParagraph {
  readonly runs: readonly Run[];
  readonly style?: number;
  readonly properties?: readonly number[];
}

/** Style by the number of the built-in one that it is. */
export interface DocStyle {
  readonly builtIn: number;
  readonly properties?: readonly number[];
}

/** Level of a list: its mark, in which the code 0 is the number of the first level. */
export interface DocLevel {
  readonly text: string;
  /** 0: decimal digits, 4: letters, 23: a bullet. */
  readonly format: number;
}

const pageBytes = 512;
const headerPages = 2;
// The text follows the header, and the pages of runs follow the text.
const textAt = headerPages * pageBytes;
const textPages = 8;
const structureCount = 93;

/** Bytes of a number, the lowest first. */
export const word = (value: number): readonly [number, number] => [value & 0xff, (value >> 8) & 0xff];

const long = (value: number): readonly number[] => [...word(value), ...word(value >>> 16)];

interface Stretch {
  readonly length: number;
  /** Bytes with their length before them; empty if there are none. */
  readonly content: readonly number[];
}

// More would not have room for what they contain.
const stretchesOfPage = 5;

/** Page that lists stretches of text: where each begins and ends, and at which half of a byte's number its content is. */
const pageOf = (stretches: readonly Stretch[], entryBytes: number, start: number): Buffer => {
  const page = Buffer.alloc(pageBytes);
  let end = start;
  let free = pageBytes - 2;
  page.writeUInt32LE(end, 0);
  for (const [index, { length, content }] of stretches.entries()) {
    end += length;
    page.writeUInt32LE(end, 4 * (index + 1));
    if (content.length === 0) continue;
    free -= 2 * Math.ceil(content.length / 2);
    page.writeUInt8(free / 2, 4 * (stretches.length + 1) + entryBytes * index);
    Buffer.from(content).copy(page, free);
  }
  page.writeUInt8(stretches.length, pageBytes - 1);
  return page;
};

const lengthOf = (stretches: readonly Stretch[]): number => stretches.reduce((sum, { length }) => sum + length, 0);

const pagesOf = (stretches: readonly Stretch[], entryBytes: number): readonly Buffer[] =>
  Array.from({ length: Math.ceil(stretches.length / stretchesOfPage) }, (_, page) => {
    const at = page * stretchesOfPage;
    const start = textAt + lengthOf(stretches.slice(0, at));
    return pageOf(stretches.slice(at, at + stretchesOfPage), entryBytes, start);
  });

/** List of pages. The bytes at which they begin are in the pages too. */
const pageList = (pages: readonly Buffer[], first: number, end: number): Buffer =>
  Buffer.from([
    ...pages.flatMap((page) => long(page.readUInt32LE(0))),
    ...long(end),
    ...pages.flatMap((_, at) => long(first + at)),
  ]);

const stretchOfRun = ({ text, properties = [] }: Run): Stretch => ({
  length: text.length,
  content: properties.length === 0 ? [] : [properties.length, ...properties],
});

const stretchOfParagraph = ({ runs, style = 0, properties = [] }: DocParagraph): Stretch => {
  const content = [...word(style), ...properties];
  const padded = content.length % 2 === 0 ? [...content, 0] : content;
  return {
    length: runs.reduce((sum, { text }) => sum + text.length, 0),
    content: [(padded.length + 1) / 2, ...padded],
  };
};

const styleBytes = ({ builtIn, properties = [] }: DocStyle, index: number): readonly number[] => {
  const paragraph = [...word(index), ...properties];
  const lists = [...word(paragraph.length), ...paragraph, ...(paragraph.length % 2 === 0 ? [] : [0]), ...word(0)];
  // Number, kind with the base style, count of lists, then an empty name.
  const content = [
    ...word(builtIn),
    ...word(0xfff1),
    ...word(2),
    ...word(0),
    ...word(0),
    ...word(0),
    ...word(0),
    ...lists,
  ];
  return [...word(content.length), ...content];
};

const sheetOf = (styles: readonly DocStyle[]): Buffer =>
  Buffer.from([...word(4), ...word(styles.length), ...word(10), ...styles.flatMap(styleBytes)]);

const levelBytes = ({ text, format }: DocLevel): readonly number[] => {
  const header = Buffer.alloc(28);
  header.writeInt32LE(1, 0);
  header.writeUInt8(format, 4);
  return [...header, ...word(text.length), ...Buffer.from(text, 'utf16le')];
};

/** A list whose levels beyond the given ones have bullets. */
const listOf = (levels: readonly DocLevel[]): Buffer => {
  const header = Buffer.alloc(28);
  header.writeInt32LE(77, 0);
  const all = Array.from({ length: 9 }, (_, at) => levels[at] ?? { text: '\u00B7', format: 23 });
  return Buffer.from([...word(1), ...header, ...all.flatMap(levelBytes)]);
};

const useOfList = (): Buffer =>
  Buffer.from([...long(1), ...long(77), ...Array.from({ length: 12 }, () => 0), ...long(0)]);

/** A document of Word 97 with its text in one piece. */
export const makeDoc = (
  paragraphs: readonly DocParagraph[],
  { styles = [], list }: { readonly styles?: readonly DocStyle[]; readonly list?: readonly DocLevel[] } = {},
): Buffer => {
  const runs = paragraphs.flatMap((paragraph) => paragraph.runs);
  const text = Buffer.from(runs.map((run) => run.text).join(''), 'latin1');
  const header = Buffer.alloc(textAt);
  header.writeUInt16LE(0xa5ec, 0);
  header.writeUInt32LE(text.length, 0x4c);
  header.writeUInt16LE(structureCount, 0x98);
  const table: Buffer[] = [];
  let at = 0;
  /** Adds a structure, and what follows it without belonging to it. */
  const add = (index: number, content: Buffer, length = content.length): void => {
    header.writeUInt32LE(at, 0x9a + 8 * index);
    header.writeUInt32LE(length, 0x9a + 8 * index + 4);
    table.push(content);
    at += content.length;
  };
  add(1, sheetOf(styles));
  const characterPages = pagesOf(runs.map(stretchOfRun), 1);
  const paragraphPages = pagesOf(paragraphs.map(stretchOfParagraph), 13);
  const first = headerPages + textPages;
  add(12, pageList(characterPages, first, textAt + text.length));
  add(13, pageList(paragraphPages, first + characterPages.length, textAt + text.length));
  add(
    33,
    Buffer.from([
      2,
      ...long(16),
      ...long(0),
      ...long(text.length),
      ...word(0),
      ...long(0x40000000 + 2 * textAt),
      ...word(0),
    ]),
  );
  if (list !== undefined) {
    add(73, listOf(list), 30);
    add(74, useOfList());
  }
  const streamOf = (name: string, bytes: Uint8Array) => ({
    name,
    type: TypeEnum.DOCUMENT,
    length: bytes.length,
    binaryProvider: () => new Uint8Array(bytes),
  });
  return Buffer.from(
    burn([
      { name: 'Root Entry', type: TypeEnum.ROOT, length: 0, children: [1, 2] },
      streamOf('0Table', Buffer.concat(table)),
      streamOf(
        'WordDocument',
        Buffer.concat([
          header,
          text,
          Buffer.alloc(textPages * pageBytes - text.length),
          ...characterPages,
          ...paragraphPages,
        ]),
      ),
    ]),
  );
};
