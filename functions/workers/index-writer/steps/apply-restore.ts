import { firstReadable, type IndexRecord, type MessageOf, toIndexRef } from '../../../../shared/indexes/index.ts';
import { admit, committed, goneJobs } from '../../../../shared/ledger/index.ts';
import { receiptOf } from './commit-changes.ts';
import { nothing, refuse } from './receipts.ts';
import { requestMaintenance } from './request-maintenance.ts';
import { ledgerOf, type Writing } from '../uses.ts';

/** Makes a former version the content of an index again. Rows of files that are gone since stay away. */
export const applyRestore = async (
  writing: Writing,
  index: IndexRecord,
  message: MessageOf<'restore'>,
): Promise<void> => {
  if (message.change.version < firstReadable(index)) {
    await refuse(writing, message, 'Rows were erased since that version. Nothing was changed');
    return;
  }
  const ledger = ledgerOf(writing);
  const { quota, maxRows, room } = await admit(ledger, index, Infinity);
  const restored = await writing.deps.engines(index.organizationId, index.engine).restore(toIndexRef(index), {
    version: message.change.version,
    key: message.receipt_id,
    goneOf: (jobIds) => goneJobs(ledger, index, jobIds),
    maxRows,
  });
  if (restored === null) {
    await refuse(writing, message, `Version ${message.change.version} is no longer kept. Nothing was changed`);
    return;
  }
  const { state, results } = restored;
  const outcomes = [{ message, result: results[0] ?? nothing }];
  await committed(ledger, index, { state, outcomes, durationMs: 0, quota, room }, receiptOf(writing, quota));
  await requestMaintenance(writing, index, state);
};
