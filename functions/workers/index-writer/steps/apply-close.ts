import type { IndexRecord, LogMessage } from '../../../../shared/indexes/index.ts';
import { releaseStorage } from '../../../../shared/ledger/index.ts';
import type { Writing } from '../uses.ts';
import { acknowledge, done } from './receipts.ts';

/**
 * Closes a deleted index after all earlier changes: its storage counts no more from the day of the request, and a worker
 * deletes what belongs to it. Later changes are refused.
 */
export const applyClose = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<void> => {
  const { deps } = writing;
  if (index.status === 'deleting') {
    await releaseStorage(deps, index);
    await deps.usage.releaseIndex(index.organizationId, index.id);
    await deps.deletions.send(index);
  }
  await acknowledge(writing, message, done);
};
