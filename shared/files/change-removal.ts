import { textOf } from '../db/read-item.ts';
import type { Key } from '../db/contracts.ts';
import type { Table } from '../db/table.ts';
import { deleteCarrier, type EventRecorder } from '../events/index.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import type { FileWriter } from './contracts.ts';
import { overdueRemoval } from './overdue.ts';
import { type JobAddress, jobKey, jobKeyOf, removalKeyOf, successorPartition, taskPartition } from './record.ts';

const atOnce = 20;
/** Each takes half a dozen requests, one after the other. */
const jobsAtOnce = 10;

const keysOf = (table: Table, partition: string): Promise<readonly Key[]> =>
  Array.fromAsync(table.all(partition), ({ pk, sk }) => ({ pk, sk }));

const removePartition = async (table: Table, partition: string): Promise<void> => {
  await inParallel(await keysOf(table, partition), atOnce, (key) => table.delete(key));
};

const removeTasks = (table: Table, organizationId: string, jobId: string): Promise<void> =>
  removePartition(table, taskPartition(organizationId, jobId));

const remove = async (table: Table, address: JobAddress, events: EventRecorder): Promise<void> => {
  await removeTasks(table, address.organizationId, address.jobId);
  await deleteCarrier(table, events, address.organizationId, jobKeyOf(address));
};

/** The removal of jobs, and the notes that see to it that one which was begun is ended. */
export const jobRemovals = (
  table: Table,
): Pick<FileWriter, 'beginRemoval' | 'remindRemoval' | 'forgetRemoval' | 'removeTasks' | 'remove' | 'removeAll'> => ({
  beginRemoval: async (address, { receiptId, at }) => {
    await table.update(removalKeyOf(address), { set: { receipt_id: receiptId, ...overdueRemoval(at) } });
    await table.update(jobKeyOf(address), { set: { removed: true }, condition: { pk: { exists: true } } });
  },
  remindRemoval: async (address, at) => {
    const note = await table.update(removalKeyOf(address), {
      set: overdueRemoval(at),
      condition: { pk: { exists: true } },
    });
    return textOf(note, 'receipt_id');
  },
  forgetRemoval: async (address) => {
    await table.delete(removalKeyOf(address));
  },
  removeTasks: (organizationId, jobId) => removeTasks(table, organizationId, jobId),
  remove: (address, events) => remove(table, address, events),
  removeAll: async (organizationId, indexId, events) => {
    const keys = await keysOf(table, jobKey(organizationId, indexId, '').pk);
    await inParallel(keys, jobsAtOnce, ({ sk: jobId }) => remove(table, { organizationId, indexId, jobId }, events));
    await removePartition(table, successorPartition(organizationId, indexId));
  },
});
