/**
 * Family name of the placeholder font. PDFium reports it for a text object whose own font is neither embedded nor one
 * of the standard fonts.
 */
export const placeholderFamily = 'Placeholder';

const unitsPerEm = 1_000;
// A box of the size of a Chinese character, on the usual baseline.
const box = { left: 50, bottom: -100, right: 950, top: 860 } as const;

const u16 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, index * 2);
  return bytes;
};

const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
};

const segmentChars = 256;

/** Character map, format 4: every character has glyph 1. All segments share one array of glyph numbers. */
const characterMap = (): Buffer => {
  const starts = Array.from({ length: 0x10000 / segmentChars }, (_, index) => index * segmentChars);
  const ends = starts.map((start) => (start + segmentChars > 0xffff ? 0xfffe : start + segmentChars - 1));
  const count = starts.length + 1;
  // Offsets are relative to their own position. The array follows the last of them.
  const offsets = starts.map((_, index) => (count - index) * 2);
  const glyphs = starts.length > 0 ? Array.from({ length: segmentChars }, () => 1) : [];
  const length = 16 + count * 8 + glyphs.length * 2;
  const table = Buffer.concat([
    u16(4, length, 0, count * 2, 512, 8, count * 2 - 512),
    u16(...ends, 0xffff),
    u16(0),
    u16(...starts, 0xffff),
    u16(...starts.map(() => 0), 1),
    u16(...offsets, 0),
    u16(...glyphs),
  ]);
  return Buffer.concat([u16(0, 1, 3, 1), u32(12), table]);
};

const boxGlyph = (): Buffer => {
  const { left, bottom, right, top } = box;
  return Buffer.concat([
    u16(1, left, bottom, right, top, 3, 0),
    Buffer.from([1, 1, 1, 1]),
    u16(left, 0, right - left, 0),
    u16(bottom, top - bottom, 0, bottom - top),
  ]);
};

const nameTable = (): Buffer => {
  const text = Buffer.from(placeholderFamily, 'utf16le').swap16();
  const ids = [1, 4, 6];
  const records = ids.map((id) => u16(3, 1, 0x409, id, text.length, 0));
  return Buffer.concat([u16(0, ids.length, 6 + ids.length * 12), ...records, text]);
};

// Code pages of Japanese, simplified Chinese, Korean and traditional Chinese.
const codePages = (1 << 17) | (1 << 18) | (1 << 19) | (1 << 20);

const tablesOf = (): Readonly<Record<string, Buffer>> => {
  const glyph = boxGlyph();
  return {
    'OS/2': Buffer.concat([
      u16(1, unitsPerEm, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 250, 0),
      Buffer.alloc(10),
      u32(0xffffffff, 0xffffffff, 0, 0),
      Buffer.from('NONE'),
      u16(0x40, 0x20, 0xfffe, box.top, box.bottom, 0, box.top, -box.bottom),
      u32(codePages, 0),
    ]),
    cmap: characterMap(),
    glyf: glyph,
    head: Buffer.concat([
      u32(0x10000, 0x10000, 0, 0x5f0f3cf5),
      u16(0, unitsPerEm),
      Buffer.alloc(16),
      u16(box.left, box.bottom, box.right, box.top, 0, 8, 2, 1, 0),
    ]),
    hhea: Buffer.concat([u32(0x10000), u16(box.top, box.bottom, 0, unitsPerEm), Buffer.alloc(22), u16(1)]),
    hmtx: u16(unitsPerEm, box.left, box.left),
    loca: u32(0, 0, glyph.length),
    maxp: Buffer.concat([u32(0x10000), u16(2, 4, 1, 0, 0, 2), Buffer.alloc(16)]),
    name: nameTable(),
    post: Buffer.concat([u32(0x30000), Buffer.alloc(28)]),
  };
};

/**
 * Builds a TrueType font that has the same box for every character. PDFium drops characters without a glyph, such as
 * Japanese ones in a font that is not embedded. With this font they have a place on the page, and their text is read.
 */
export const buildPlaceholderFont = (): Uint8Array => {
  const tables = Object.entries(tablesOf());
  const directory: Buffer[] = [];
  const bodies: Buffer[] = [];
  let offset = 12 + tables.length * 16;
  for (const [tag, table] of tables) {
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    directory.push(Buffer.concat([Buffer.from(tag), u32(0, offset, table.length)]));
    bodies.push(padded);
    offset += padded.length;
  }
  return Buffer.concat([u32(0x10000), u16(tables.length, 128, 3, tables.length * 16 - 128), ...directory, ...bodies]);
};
