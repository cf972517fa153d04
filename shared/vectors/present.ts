import type * as z from 'zod';
import type { FoundRow } from '#engine';
import type { SourceFile, VectorRecord } from './schemas.ts';

/** Returns the source file of a row; null for a direct upsert. */
export const toSourceFile = (row: Omit<FoundRow, 'vector'>): z.input<typeof SourceFile> =>
  row.jobId === null
    ? null
    : { job_id: row.jobId, filename: row.filename, page_start: row.pageStart, page_end: row.pageEnd };

export const toVectorRecord = (row: FoundRow): z.input<typeof VectorRecord> => ({
  id: row.id,
  ...(row.vector === null ? {} : { vector: [...row.vector] }),
  text: row.text,
  metadata: row.metadata,
  file: toSourceFile(row),
  version: row.version ?? '',
  ...(row.expiresAt === undefined ? {} : { expires_at: new Date(row.expiresAt).toISOString() }),
});
