import { decodeVector, encodeVector } from '../kernel/base64.ts';
import * as z from 'zod';
import type { Chunking } from '../kernel/chunking.ts';
import { ParsedObject } from '../kernel/json-schema.ts';
import type { Row } from '#engine';

/** Row in messages between functions. The vector is base64 of little-endian float32. */
const WireRow = z.object({
  id: z.string(),
  vector: z.string(),
  text: z.string().nullable(),
  metadata: ParsedObject,
  job_id: z.string().nullable(),
  filename: z.string().nullable(),
  page_start: z.number().int().nullable(),
  page_end: z.number().int().nullable(),
  passage: z.string().optional(),
});
type WireRow = z.infer<typeof WireRow>;

/** Row to write in messages. */
export const WireWrite = WireRow.extend({
  if_version: z.string().nullable().optional(),
  /** Model that the service has embedded the row with. Absent: its vector comes from elsewhere. */
  model: z.string().optional(),
  /** Bounds by which a chunk was cut; `file`: those in the metadata of its file. Absent: the default ones, or no chunk. */
  chunking: z.union([z.literal('file'), z.object({ size: z.number(), overlap: z.number() })]).optional(),
});
export type WireWrite = z.infer<typeof WireWrite>;

/** Row to write, and the version that it must have before; null: it must not exist. */
export interface RowWrite extends Row {
  readonly ifVersion?: string | null;
  /** Model that the service has embedded the row with. Absent: its vector comes from elsewhere. */
  readonly model?: string;
  /** Bounds by which a chunk was cut; `file`: those in the metadata of its file. Absent: the default ones, or no chunk. */
  readonly chunking?: Chunking | 'file';
}

/** Patch of the metadata of a row, and the version that the row must have before. */
export const WirePatch = z.object({
  id: z.string(),
  metadata: ParsedObject,
  if_version: z.string().nullable().optional(),
});
export type WirePatch = z.infer<typeof WirePatch>;

export { floatsOf } from '../kernel/base64.ts';

const withoutVector = (row: Omit<Row, 'vector'>): Omit<WireRow, 'vector'> => ({
  id: row.id,
  text: row.text,
  metadata: { ...row.metadata },
  job_id: row.jobId,
  filename: row.filename,
  page_start: row.pageStart,
  page_end: row.pageEnd,
  ...(row.passage === undefined ? {} : { passage: row.passage }),
});

/** Returns the message form of a row, with another representation of its vector. */
export const writeOf = <Vector>({ ifVersion, model, chunking, ...row }: RowWrite, vector: Vector) => ({
  ...withoutVector(row),
  vector,
  ...(model === undefined ? {} : { model }),
  ...(chunking === undefined ? {} : { chunking }),
  ...(ifVersion === undefined ? {} : { if_version: ifVersion }),
});

/** Returns the row of a message, given its vector. */
export const rowOf = (write: Omit<WireWrite, 'vector'>, vector: Float32Array): RowWrite => ({
  id: write.id,
  vector,
  text: write.text,
  metadata: write.metadata,
  jobId: write.job_id,
  filename: write.filename,
  pageStart: write.page_start,
  pageEnd: write.page_end,
  ...(write.passage === undefined ? {} : { passage: write.passage }),
  ...(write.if_version === undefined ? {} : { ifVersion: write.if_version }),
  ...(write.model === undefined ? {} : { model: write.model }),
  ...(write.chunking === undefined ? {} : { chunking: write.chunking }),
});

export const toWireWrite = (row: RowWrite): WireWrite => writeOf(row, encodeVector(row.vector));

export const fromWireWrite = (write: WireWrite): RowWrite => rowOf(write, decodeVector(write.vector));
