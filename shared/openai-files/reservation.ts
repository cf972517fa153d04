import type { Table } from '../db/contracts.ts';
import type { NewOriginal } from '../usage/index.ts';
import { fileKey, type StoredFile } from './record.ts';

/** Returns what a file without an index reserves from the allowance of originals. */
export const reservationOf = (
  table: Table,
  { organizationId, id, sizeBytes }: Pick<StoredFile, 'organizationId' | 'id' | 'sizeBytes'>,
): NewOriginal => ({
  organizationId,
  id,
  indexId: null,
  bytes: sizeBytes,
  isStored: async (other) =>
    other.indexId === null ? (await table.get(fileKey(organizationId, other.id))) !== null : null,
});
