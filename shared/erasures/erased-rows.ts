import * as z from 'zod';
import { erasedKey } from '../kernel/content-keys.ts';
import type { IndexRecord } from '../indexes/index.ts';
import type { ContentReader, ContentWriter } from '../platform/aws/objects.ts';
import type { ErasedRow } from '#engine';

const ErasedRows = z.array(z.tuple([z.string(), z.string().nullable()]));

type Stored = Pick<IndexRecord, 'organizationId' | 'id' | 'region'>;

const keyOf = ({ organizationId, id }: Stored, name: string): string =>
  erasedKey({ organizationId, indexId: id }, name);

/**
 * Returns the rows that an erasure has removed from an index, with the jobs that wrote them; null if there is no list.
 * @param name Id of the erasure, or name of another list of it.
 */
export const erasedRows = async (
  content: ContentReader,
  index: Stored,
  name: string,
): Promise<readonly ErasedRow[] | null> => {
  const bytes = await content.get(index.region, keyOf(index, name));
  if (bytes === null) return null;
  return ErasedRows.parse(JSON.parse(new TextDecoder().decode(bytes))).map(([id, jobId]) => ({ id, jobId }));
};

/** Adds rows that an erasure is about to remove from an index. A run that died may have removed others before. */
export const addErasedRows = async (
  content: ContentReader,
  stored: Pick<ContentWriter, 'put'>,
  index: Stored,
  name: string,
  rows: readonly ErasedRow[],
): Promise<void> => {
  const known = (await erasedRows(content, index, name)) ?? [];
  const all = new Map([...rows, ...known].map(({ id, jobId }) => [id, jobId]));
  const body = new TextEncoder().encode(JSON.stringify([...all]));
  await stored.put(index.region, keyOf(index, name), body, 'application/json');
};
