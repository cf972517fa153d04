import type { DuePartition, Table } from '../db/contracts.ts';
import type { IndexAddress } from './contracts.ts';

/** An index with a note, whose key is (`KIND#organization`, id). */
export interface DueIndex extends IndexAddress {
  readonly kind: string;
}

/** Returns indexes with a note that is due by `until`, longest waiting first. */
export const dueIndexes = async (
  table: Table,
  partition: DuePartition,
  until: Date,
  limit: number,
): Promise<readonly DueIndex[]> =>
  (await table.due(partition, until.toISOString(), limit)).map(({ pk, sk }) => ({
    kind: pk.slice(0, pk.indexOf('#')),
    organizationId: pk.slice(pk.indexOf('#') + 1),
    id: sk,
  }));
