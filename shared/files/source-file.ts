import type { SourceFile } from '#documents';
import type { JobRecord } from './record.ts';

/**
 * Converts a job's file to the input of its reader. Only a file that an API caller uploads or imports may supply rows.
 * Pages, mail and connected apps may contain untrusted content, which must not replace rows by their ids.
 * @param bytes Whole file.
 */
export const sourceFileOf = (
  { filename, contentType, source, embeds }: Pick<JobRecord, 'filename' | 'contentType' | 'source' | 'embeds'>,
  bytes: Uint8Array,
): SourceFile => ({
  bytes,
  filename,
  contentType,
  maySupplyRows: source === 'upload' || source === 'import',
  ignoresVectors: embeds,
});
