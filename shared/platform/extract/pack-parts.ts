import { deserialize, serialize } from 'node:v8';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { PackedUnits, Part } from './port.ts';

/** The parts of a unit in a fraction of the memory that they take as objects. */
export type PackedParts = Uint8Array;

const lengthBytes = 4;

/** Bound of one unit when it is unpacked: it may hold a recording, which is as large as a file may be. */
const maxUnitBytes = 512 * 1024 * 1024;

/** Packs parts until they are asked for: of a large file, a task asks for a few units. */
export const packParts = (parts: readonly Part[]): PackedParts => zstdCompressSync(serialize(parts));

/** The parts as they were packed. */
export const unpackParts = (packed: PackedParts): readonly Part[] =>
  // Only `packParts` makes what is unpacked here.
  deserialize(zstdDecompressSync(packed, { maxOutputLength: maxUnitBytes })) as readonly Part[];

/** Joins packed units into one sequence of bytes, each behind its length (32 bits, little-endian). */
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

/** Returns the parts of consecutive units. @param bytes Those of `joinUnits` from the begin of a unit to the end of one. */
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
