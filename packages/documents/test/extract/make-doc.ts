import { burn } from '@kenjiuno/msgreader/lib/Burner.js';
import { TypeEnum } from '@kenjiuno/msgreader/lib/Reader.js';

/** Text in one charset of 8 bits, with what is said of its letters: numbers of properties and their operands. */
export interface Run {
  readonly text: string;
  readonly properties?: readonly number[];
}

const pageBytes = 512;
const textAt = 2 * pageBytes;

/** The page that lists the runs: where each begins and ends, and at which half of a byte's number its properties lie. */
const pageOf = (runs: readonly Run[]): Buffer => {
  const page = Buffer.alloc(pageBytes);
  let end = textAt;
  let free = pageBytes - 2;
  page.writeUInt32LE(end, 0);
  for (const [index, { text, properties = [] }] of runs.entries()) {
    end += text.length;
    page.writeUInt32LE(end, 4 * (index + 1));
    if (properties.length === 0) continue;
    free -= 2 * Math.ceil((properties.length + 1) / 2);
    page.writeUInt8(free / 2, 4 * (runs.length + 1) + index);
    page.writeUInt8(properties.length, free);
    Buffer.from(properties).copy(page, free + 1);
  }
  page.writeUInt8(runs.length, pageBytes - 1);
  return page;
};

/** A document of Word 97 with its text in one piece. */
export const makeDoc = (runs: readonly Run[]): Buffer => {
  const text = Buffer.from(runs.map((run) => run.text).join(''), 'latin1');
  const header = Buffer.alloc(pageBytes);
  header.writeUInt16LE(0xa5ec, 0);
  header.writeUInt32LE(text.length, 0x4c);
  header.writeUInt32LE(0, 0xfa);
  header.writeUInt32LE(12, 0xfe);
  header.writeUInt32LE(12, 0x1a2);
  const table = Buffer.alloc(33);
  // The byte range of the page, and its number; then the pieces.
  table.writeUInt32LE(textAt, 0);
  table.writeUInt32LE(textAt + text.length, 4);
  table.writeUInt32LE(1, 8);
  table.writeUInt8(2, 12);
  table.writeUInt32LE(16, 13);
  table.writeUInt32LE(text.length, 21);
  table.writeUInt32LE(0x40000000 + 2 * textAt, 27);
  const streamOf = (name: string, bytes: Uint8Array) => ({
    name,
    type: TypeEnum.DOCUMENT,
    length: bytes.length,
    binaryProvider: () => new Uint8Array(bytes),
  });
  return Buffer.from(
    burn([
      { name: 'Root Entry', type: TypeEnum.ROOT, length: 0, children: [1, 2] },
      streamOf('0Table', table),
      streamOf('WordDocument', Buffer.concat([header, pageOf(runs), text])),
    ]),
  );
};
