import { constants, crc32, deflateRawSync, inflateRawSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { DamagedIndex } from '../damaged-index.ts';
import type { ChangeResult } from '../port.ts';
import type { TableBase } from './base-table.ts';
import { emptyChecksum } from './row-set.ts';

/*
 * A segment is an immutable object with rows of an index: those of one commit, or of several that were merged. It consists of
 * sections, and of a footer if it is a version of the index. The footer is the manifest, compressed, its length, its checksum
 * and a mark.
 */

/** Sections in their order. Vectors are first, since searches read `halves` in their place. */
export const sectionNames = [
  /** As they were written, in single precision. */
  'vectors',
  /** In half precision, for searches. */
  'halves',
  'keys',
  /** Ids of rows of the table below that are removed. */
  'removed',
  'tokens',
  'terms',
  /** Stop words of texts. */
  'common',
  'positions',
  'records',
] as const;
export type SectionName = (typeof sectionNames)[number];

/** Offset in the object, length and checksum. */
export type Section = readonly [at: number, bytes: number, crc: number];

/** Description of a live segment in a manifest. */
export interface SegmentInfo {
  /** Key of its object, without the organization. */
  readonly object: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sections: Readonly<Record<SectionName, Section>>;
  /** Ids in the section `removed`. */
  readonly removed: number;
  /** Rows that later commits have replaced or removed: bits in base64, compressed. Empty: none. */
  readonly dead: string;
}

/** Results of the last changes, by key. */
type JournalEntries = readonly (readonly [key: string, result: ChangeResult])[];

/** Content of an index at one version. */
export interface Manifest {
  readonly format: 1;
  readonly version: number;
  /** Version of the last commit. */
  readonly commitVersion: number;
  readonly rows: number;
  /** UTF-8 bytes of texts. */
  readonly sparseBytes: number;
  readonly journal: JournalEntries;
  /** Live segments, oldest first. No id is live in two of them. */
  readonly live: readonly SegmentInfo[];
  /** Table under the segments. Null: there is none. A row or removal in a segment masks its row with that id. */
  readonly base: TableBase | null;
  /** Sum of the hashes of all rows. */
  readonly checksum: string;
  /** Versions that restored a former one, the last of them. Absent: none did. */
  readonly restored?: readonly number[];
}

export const emptyManifest: Manifest = {
  format: 1,
  version: 0,
  commitVersion: 0,
  rows: 0,
  sparseBytes: 0,
  journal: [],
  live: [],
  base: null,
  checksum: emptyChecksum,
};

/** Whether a former version was restored since a version, so that its dead rows may be live again. */
export const isRestoredSince = (before: Manifest, now: Manifest): boolean =>
  before.restored?.at(-1) !== now.restored?.at(-1);

/** Returns the table to which an object belongs. */
export const tableOfKey = (key: string): string => key.slice(0, key.indexOf('/'));

export const versionPrefix = (table: string): string => `${table}/versions/`;

/** Returns the key of the object that is a version of an index. */
export const versionKey = (table: string, version: number): string =>
  `${versionPrefix(table)}${String(version).padStart(12, '0')}`;

/** Returns the version that an object is. */
export const versionOfKey = (key: string): number => Number(key.slice(key.lastIndexOf('/') + 1));

export const compress = (bytes: Buffer): Buffer =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });

export const decompress = (bytes: Buffer): Buffer => zstdDecompressSync(bytes);

/** Returns the dead rows of a segment as bits. Null: none. */
export const decodeDead = (dead: string): Uint8Array | null =>
  dead === '' ? null : decompress(Buffer.from(dead, 'base64'));

export const encodeDead = (bits: Uint8Array): string => compress(Buffer.from(bits)).toString('base64');

export const isSet = (bits: Uint8Array, row: number): boolean => (((bits[row >> 3] ?? 0) >> (row & 7)) & 1) === 1;

/** Returns the bytes of a section. Throws `DamagedIndex` if they are not those that were written. */
export const checked = (bytes: Buffer, [, length, crc]: Section, what: string): Buffer => {
  if (bytes.length !== length || crc32(bytes) !== crc) throw new DamagedIndex(`${what} is damaged`);
  return bytes;
};

const mark = Buffer.from('STRSEG01');
const tailBytes = 16;

export const encodeFooter = (manifest: Manifest): Buffer => {
  const footer = deflateRawSync(JSON.stringify(manifest));
  const tail = Buffer.alloc(tailBytes);
  tail.writeUInt32LE(footer.length, 0);
  tail.writeUInt32LE(crc32(footer), 4);
  mark.copy(tail, 8);
  return Buffer.concat([footer, tail]);
};

/** Returns the bytes of a footer, by the last bytes of its object. */
export const footerBytes = (last: Buffer, key: string): number => {
  if (!last.subarray(-mark.length).equals(mark)) throw new DamagedIndex(`${key} is no segment`);
  return last.readUInt32LE(last.length - tailBytes) + tailBytes;
};

/** Returns the manifest at the end of an object, whose last bytes contain the whole footer. */
export const decodeFooter = (last: Buffer, key: string): Manifest => {
  const footer = last.subarray(last.length - footerBytes(last, key), last.length - tailBytes);
  if (crc32(footer) !== last.readUInt32LE(last.length - tailBytes + 4))
    throw new DamagedIndex(`the footer of ${key} is damaged`);
  // Cast: a writer encoded it.
  return JSON.parse(inflateRawSync(footer).toString()) as Manifest;
};

/** Bytes of a manifest up to which the record of its index contains it. */
const maxRecordBytes = 6_000;

/** Encodes a manifest without its journal for the record of its index. Empty: it is too long, and readers read the footer. */
export const encodeManifest = (manifest: Manifest): string => {
  const text = deflateRawSync(JSON.stringify({ ...manifest, journal: [] })).toString('base64');
  return text.length > maxRecordBytes ? '' : text;
};

/** Returns the manifest of a record, without a journal. */
export const decodeManifest = (text: string): Manifest =>
  // Cast: `encodeManifest` made it.
  JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString()) as Manifest;
