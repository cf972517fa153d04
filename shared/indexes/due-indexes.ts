import type { DuePartition, Table } from '../db/contracts.ts';
import type { IndexAddress } from './contracts.ts';

/** Returns indexes with a note (`KIND#organization`, id) that is due by `until`, longest waiting first. */
export const dueIndexes = async (
  table: Table,
  partition: DuePartition,
  until: Date,
  limit: number,
): Promise<readonly IndexAddress[]> =>
  (await table.due(partition, until.toISOString(), limit)).map(({ pk, sk }) => ({
    organizationId: pk.slice(pk.indexOf('#') + 1),
    id: sk,
  }));
