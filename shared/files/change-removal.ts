import { present } from '../db/condition.ts';
import { textOf } from '../db/read-item.ts';
import type { Key, Page, Table } from '../db/contracts.ts';
import { deleteWithEvents, type EventRecorder } from '../events/index.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { namePartition } from './file-names.ts';
import type { JobRemoval } from './job-contracts.ts';
import { overdueRemoval } from './overdue.ts';
import { type JobAddress, jobKeyOf, jobPartition, removalKeyOf, successorPartition, taskPartition } from './record.ts';

const pageSize = 100;
const deletedAtOnce = 20;
/** Each takes about six sequential requests. */
const jobsAtOnce = 10;

/** Processes the items of a partition page by page, so that a repeat after a crash has less to do. */
const forEachKey = async (
  table: Table,
  partition: string,
  atOnce: number,
  work: (key: Key) => Promise<unknown>,
): Promise<void> => {
  let after: string | null = null;
  do {
    const page: Page = await table.query(partition, { limit: pageSize, only: [], after });
    await inParallel(page.items, atOnce, work);
    after = page.next;
  } while (after !== null);
};

const removePartition = (table: Table, partition: string): Promise<void> =>
  forEachKey(table, partition, deletedAtOnce, ({ pk, sk }) => table.delete({ pk, sk }));

const removeTasks = (table: Table, organizationId: string, jobId: string): Promise<void> =>
  removePartition(table, taskPartition(organizationId, jobId));

const remove = async (table: Table, address: JobAddress, events: EventRecorder): Promise<void> => {
  await removeTasks(table, address.organizationId, address.jobId);
  await deleteWithEvents(table, events, address.organizationId, jobKeyOf(address));
};

/** Removal of jobs, and the notes by which the sweep completes it. */
export const jobRemovals = (table: Table): JobRemoval => ({
  beginRemoval: async (address, { receiptId, at, event }) => {
    await table.update(removalKeyOf(address), { set: { receipt_id: receiptId, ...overdueRemoval(address, at) } });
    const hidden = event === undefined ? null : { ...present, removed: { exists: false } };
    await table.update(jobKeyOf(address), { set: { removed: true, ...event }, condition: hidden ?? present });
  },
  postponeRemovalCheck: async (address, at) => {
    const note = await table.update(removalKeyOf(address), {
      set: overdueRemoval(address, at),
      condition: present,
    });
    return note === null ? null : { receiptId: textOf(note, 'receipt_id') };
  },
  deleteRemovalNote: async (address) => {
    await table.delete(removalKeyOf(address));
  },
  removeTasks: (organizationId, jobId) => removeTasks(table, organizationId, jobId),
  remove: (address, events) => remove(table, address, events),
  removeAll: async (organizationId, indexId, events) => {
    await forEachKey(table, jobPartition(organizationId, indexId), jobsAtOnce, ({ sk: jobId }) =>
      remove(table, { organizationId, indexId, jobId }, events),
    );
    await removePartition(table, successorPartition(organizationId, indexId));
    await removePartition(table, namePartition(organizationId, indexId));
  },
});
