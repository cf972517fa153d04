import * as z from 'zod';
import type { FoundRow, Row } from '../platform/engine/port.ts';

/** A row as it travels between functions: the vector is base64 of little-endian float32. */
export const WireRow = z.object({
  id: z.string(),
  vector: z.string(),
  text: z.string().nullable(),
  metadata: z.record(z.string(), z.json()),
  job_id: z.string().nullable(),
  filename: z.string().nullable(),
  page_start: z.number().int().nullable(),
  page_end: z.number().int().nullable(),
});
export type WireRow = z.infer<typeof WireRow>;

/** A row to write, and the version that it must have for that; null: there must be none. */
export const WireWrite = WireRow.extend({ if_version: z.string().nullable().optional() });
export type WireWrite = z.infer<typeof WireWrite>;

/** What is merged into the metadata of a row, and the version that the row must have for that. */
export const WirePatch = z.object({
  id: z.string(),
  metadata: z.record(z.string(), z.json()),
  if_version: z.string().nullable().optional(),
});
export type WirePatch = z.infer<typeof WirePatch>;

/** Base64 of the little-endian float32 values. */
export const encodeVector = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');

/** The little-endian float32 numbers in bytes; trailing bytes that make no number are ignored. */
export const floatsOf = (bytes: Buffer): Float32Array =>
  // Copied, because a pooled Buffer need not start at a multiple of four.
  new Float32Array(new Uint8Array(bytes).buffer, 0, Math.floor(bytes.length / 4));

/** The numbers of a base64 vector. */
export const decodeVector = (base64: string): Float32Array => floatsOf(Buffer.from(base64, 'base64'));

export const toWireRow = (row: Row): WireRow => ({
  id: row.id,
  vector: encodeVector(row.vector),
  text: row.text,
  metadata: { ...row.metadata } as WireRow['metadata'],
  job_id: row.jobId,
  filename: row.filename,
  page_start: row.pageStart,
  page_end: row.pageEnd,
});

export const fromWireRow = (row: WireRow): Row => ({
  id: row.id,
  vector: decodeVector(row.vector),
  text: row.text,
  metadata: row.metadata,
  jobId: row.job_id,
  filename: row.filename,
  pageStart: row.page_start,
  pageEnd: row.page_end,
});

/** A found row; its vector is null unless it was asked for, its version in the hits of a search. */
export type WireFoundRow = Omit<WireRow, 'vector'> & {
  readonly vector: string | null;
  readonly version?: string;
};

export const toWireFoundRow = (row: FoundRow): WireFoundRow => ({
  ...toWireRow({ ...row, vector: row.vector ?? new Float32Array(0) }),
  vector: row.vector === null ? null : encodeVector(row.vector),
  ...(row.version === undefined ? {} : { version: row.version }),
});
