import type { SourceFile } from '../platform/extract/port.ts';
import type { JobRecord } from './record.ts';

/**
 * The file of a job as its reader takes it. What a page, a mail or a connected app holds may come from strangers, who must
 * not replace rows of the index by stating their ids; a file that was sent or named by a caller of the API may.
 * @param bytes All of it.
 */
export const sourceFileOf = (
  { filename, contentType, source }: Pick<JobRecord, 'filename' | 'contentType' | 'source'>,
  bytes: Uint8Array,
): SourceFile => ({ bytes, filename, contentType, mayStateRows: source === 'upload' || source === 'import' });
