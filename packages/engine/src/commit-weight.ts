import type { Row } from './port.ts';

const vectorBytes = (dimensions: number): number => dimensions * 4;

/** Copies of the metadata in a commit: it is also stored as tokens for filters. */
const metadataCopies = 4;
const otherBytes = 1_024;
const removalBytes = 512;

const weightOfRow = ({ vector, text, metadata, passage = '' }: Row): number =>
  vectorBytes(vector.length) +
  Buffer.byteLength(text ?? '') +
  passage.length +
  Buffer.byteLength(JSON.stringify(metadata)) * metadataCopies +
  otherBytes;

/**
 * Bytes by which rows count towards the limit of a commit that writes them. At its peak a commit takes up to nine times
 * as much memory.
 */
export const weightOf = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + weightOfRow(row), 0);

/** Bytes by which removed rows count towards the limit of a commit, so that it stays bounded in time too. */
export const weightOfRemoved = (count: number, dimensions: number): number =>
  count * (vectorBytes(dimensions) + removalBytes);
