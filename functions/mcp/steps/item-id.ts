import { AppError } from '../../../shared/kernel/errors.ts';
import { idPattern } from '../../../shared/kernel/ids.ts';

/** Address of a document or row: the id of its index, and the id of its file job or row. */
export interface ItemAddress {
  readonly indexId: string;
  readonly itemId: string;
}

const form = /^(idx_[0-9a-z]{26})\/(.{1,512})$/s;
const chunkForm = /^(job_[0-9a-z]{26}):\d{6}:\d{5}$/;

/** Returns the id that tools show for a document or row. It is unique in the deployment. */
export const toItemId = (indexId: string, itemId: string): string => `${indexId}/${itemId}`;

/** Parses an id that a tool has shown. Throws 404 for any other text, and for an index that the server does not serve. */
export const parseItemId = (text: string, servedIndexId: string | null): ItemAddress => {
  const [, indexId, itemId] = form.exec(text) ?? [];
  if (indexId === undefined || itemId === undefined || (servedIndexId !== null && indexId !== servedIndexId))
    throw new AppError('not_found', 'There is nothing with this id: pass an id that search or list_documents returned');
  return { indexId, itemId };
};

/** Whether the id of an item is that of a document, which is a file job. */
export const isDocument = (itemId: string): boolean => idPattern('job').test(itemId);

/** Returns the document of a chunk by the chunk's id; null for a row that has an id of its own. */
export const documentOfChunk = (rowId: string): string | null => chunkForm.exec(rowId)?.[1] ?? null;
