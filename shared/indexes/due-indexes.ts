import type { DuePartition, Table } from '../db/contracts.ts';
import type { IndexAddress } from './contracts.ts';

/** Indexes whose notes of a kind, `KIND#organization` and the id, are due by `until`; longest waiting first. */
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
