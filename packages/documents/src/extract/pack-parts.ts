import { deserialize, serialize } from 'node:v8';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { PackedUnits, Part } from './port.ts';

/** Parts of a unit, serialized and compressed to a fraction of their size in memory. */
export type PackedParts = Uint8Array;

const lengthBytes = 4;

/** Maximum bytes of an unpacked unit: it may contain a recording, which may be as large as a file. */
const maxUnitBytes = 512 * 1024 * 1024;

/** Packs parts. A task of a large file needs only a few units. */
export const packParts = (parts: readonly Part[]): PackedParts => zstdCompressSync(serialize(parts));

/** Unpacks parts. */
export const unpackParts = (packed: PackedParts): readonly Part[] =>
  // Cast: the input comes from `packParts`.
  deserialize(zstdDecompressSync(packed, { maxOutputLength: maxUnitBytes })) as readonly Part[];

/** Joins packed units into one byte sequence, each after its length (32 bits, little-endian). */
export const joinUnits = (units: readonly PackedParts[]): PackedUnits => {
  const bytes = Buffer.alloc(units.reduce((sum, { length }) => sum + lengthBytes + length, 0));
  let end = 0;
  const ends = units.map((unit) => {
    bytes.writeUInt32LE(unit.length, end);
    bytes.set(unit, end + lengthBytes);
    end += lengthBytes + unit.length;
    return end;
  });
  return { bytes, ends };
};

/**
 * Returns the parts of consecutive units.
 * @param bytes Bytes of `joinUnits` from the start of a unit to the end of one.
 */
export const unpackUnits = (bytes: Uint8Array): readonly Part[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Part[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = at + lengthBytes;
    at = start + view.getUint32(at, true);
    for (const part of unpackParts(bytes.subarray(start, at))) parts.push(part);
  }
  return parts;
};
