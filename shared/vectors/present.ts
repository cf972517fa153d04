import type * as z from 'zod';
import { decodeVector, type WireFoundRow } from '../indexes/index.ts';
import type { SourceFile, VectorRecord } from './schemas.ts';

/** Returns the source file of a row; null for a direct upsert. */
export const toSourceFile = (row: Omit<WireFoundRow, 'vector'>): z.input<typeof SourceFile> =>
  row.job_id === null
    ? null
    : { job_id: row.job_id, filename: row.filename, page_start: row.page_start, page_end: row.page_end };

export const toVectorRecord = (row: WireFoundRow): z.input<typeof VectorRecord> => ({
  id: row.id,
  ...(row.vector === null ? {} : { vector: [...decodeVector(row.vector)] }),
  text: row.text,
  metadata: row.metadata,
  file: toSourceFile(row),
  version: row.version ?? '',
});
