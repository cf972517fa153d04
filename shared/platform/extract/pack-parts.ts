import { deserialize, serialize } from 'node:v8';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Part } from './port.ts';

/** The parts of a unit in a fraction of the memory that they take as objects. */
export type PackedParts = Uint8Array;

/** Packs parts until they are asked for: of a large file, a task asks for a few units. */
export const packParts = (parts: readonly Part[]): PackedParts => zstdCompressSync(serialize(parts));

/** The parts as they were packed. */
export const unpackParts = (packed: PackedParts): readonly Part[] =>
  // Only `packParts` makes what is unpacked here.
  deserialize(zstdDecompressSync(packed)) as readonly Part[];
