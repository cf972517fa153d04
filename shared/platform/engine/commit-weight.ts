import type { Row } from './port.ts';

const vectorBytes = (dimensions: number): number => dimensions * 4;

/** Metadata is also kept as tokens, which filters ask for. */
const metadataCopies = 4;
const otherBytes = 1_024;
const tombstoneBytes = 512;

const weightOfRow = ({ vector, text, metadata }: Row): number =>
  vectorBytes(vector.length) +
  Buffer.byteLength(text ?? '') +
  Buffer.byteLength(JSON.stringify(metadata)) * metadataCopies +
  otherBytes;

/** Bytes by which rows count in a commit that writes them; at its peak it takes up to nine times as much memory. */
export const weightOf = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + weightOfRow(row), 0);

/** Bytes by which so many rows count in a commit that removes them: a tombstone has the room of a vector. */
export const weightOfRemoved = (count: number, dimensions: number): number =>
  count * (vectorBytes(dimensions) + tombstoneBytes);
