import * as z from 'zod';
import { ParsedObject } from '../kernel/json-schema.ts';
import type { FoundRow, Row } from '../platform/engine/port.ts';

/** A row as it travels between functions: the vector is base64 of little-endian float32. */
const WireRow = z.object({
  id: z.string(),
  vector: z.string(),
  text: z.string().nullable(),
  metadata: ParsedObject,
  job_id: z.string().nullable(),
  filename: z.string().nullable(),
  page_start: z.number().int().nullable(),
  page_end: z.number().int().nullable(),
});
type WireRow = z.infer<typeof WireRow>;

/** A row to write, as it travels. */
export const WireWrite = WireRow.extend({ if_version: z.string().nullable().optional() });
export type WireWrite = z.infer<typeof WireWrite>;

/** A row to write, and the version that it must have for that; null: there must be none. */
export interface RowWrite extends Row {
  readonly ifVersion?: string | null;
}

/** What is merged into the metadata of a row, and the version that the row must have for that. */
export const WirePatch = z.object({
  id: z.string(),
  metadata: ParsedObject,
  if_version: z.string().nullable().optional(),
});
export type WirePatch = z.infer<typeof WirePatch>;

/** Base64 of the little-endian float32 values. */
export const encodeVector = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');

/** The little-endian float32 numbers in bytes; trailing bytes that make no number are ignored. */
export const floatsOf = (bytes: Buffer): Float32Array => {
  // They have to start at a multiple of four in memory; where they do not, a copy does.
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Float32Array(buffer, byteOffset, Math.floor(bytes.length / 4));
};

/** The numbers of a base64 vector. */
export const decodeVector = (base64: string): Float32Array => floatsOf(Buffer.from(base64, 'base64'));

const withoutVector = (row: Omit<Row, 'vector'>): Omit<WireRow, 'vector'> => ({
  id: row.id,
  text: row.text,
  metadata: { ...row.metadata },
  job_id: row.jobId,
  filename: row.filename,
  page_start: row.pageStart,
  page_end: row.pageEnd,
});

/** A row to write with what stands for its vector. */
export const writeOf = <Vector>({ ifVersion, ...row }: RowWrite, vector: Vector) => ({
  ...withoutVector(row),
  vector,
  ...(ifVersion === undefined ? {} : { if_version: ifVersion }),
});

/** The row of one that travels without its vector. */
export const rowOf = (write: Omit<WireWrite, 'vector'>, vector: Float32Array): RowWrite => ({
  id: write.id,
  vector,
  text: write.text,
  metadata: write.metadata,
  jobId: write.job_id,
  filename: write.filename,
  pageStart: write.page_start,
  pageEnd: write.page_end,
  ...(write.if_version === undefined ? {} : { ifVersion: write.if_version }),
});

export const toWireWrite = (row: RowWrite): WireWrite => writeOf(row, encodeVector(row.vector));

export const fromWireWrite = (write: WireWrite): RowWrite => rowOf(write, decodeVector(write.vector));

/** A found row; its vector is null unless it was asked for, its version in the hits of a search. */
export type WireFoundRow = Omit<WireRow, 'vector'> & {
  readonly vector: string | null;
  readonly version?: string;
};

export const toWireFoundRow = (row: FoundRow): WireFoundRow => ({
  ...withoutVector(row),
  vector: row.vector === null ? null : encodeVector(row.vector),
  ...(row.version === undefined ? {} : { version: row.version }),
});
