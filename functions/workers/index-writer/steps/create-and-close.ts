import { type IndexRecord, type LogMessage, toIndexRef } from '../../../../shared/indexes/index.ts';
import { closed, created } from '../../../../shared/ledger/index.ts';
import { acknowledge, done } from './receipts.ts';
import { ledgerOf, type Writing } from '../uses.ts';

/** Creates the table of an index. */
export const applyCreate = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<void> => {
  const state = await writing.deps.engines(index.organizationId, index.engine).create(toIndexRef(index));
  await created(ledgerOf(writing), index, state);
  await acknowledge(writing, message, done);
};

/**
 * Closes a deleted index after all earlier changes: its storage counts no more from the day of the request, and a worker
 * deletes what belongs to it. Later changes are refused.
 */
export const applyClose = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<void> => {
  const { deps } = writing;
  if (index.status === 'deleting') {
    await closed(ledgerOf(writing), index);
    await deps.deletions.send(index);
  }
  await acknowledge(writing, message, done);
};
