import { dependentsOf, type IndexRecord, type LogMessage, releaseLayers } from '../../../../shared/indexes/index.ts';
import { derivedId } from '../../../../shared/kernel/ids.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { releaseStorage } from './update-ledger.ts';
import { closeCrawls } from './close-crawls.ts';
import { eraseJobs } from './erase-jobs.ts';
import { acknowledge, done } from './receipts.ts';
import { findBranchOrRelease } from './release-ancestors.ts';
import type { Writing } from '../uses.ts';

/** Maximum branches of a deleted index that are checked concurrently, with one request each. */
const lookedAtOnce = 100;

/** Deletes an index with all its data. */
const erase = async (writing: Writing, index: IndexRecord): Promise<void> => {
  const { deps } = writing;
  await deps.engines(index.organizationId, index.engine).drop(index.id);
  await deps.files.removeAll(index.organizationId, index.id, deps.events);
  for (const content of [deps.crawled, deps.imports, deps.connectors])
    await content.removeAll(index.organizationId, index.id);
  await releaseLayers(deps, index, index.layers.slice(1), writing.run.clock);
  await deps.indexes.remove(index.organizationId, index.id, deps.indexEvents);
};

/** Enqueues a message that continues the deletion, and postpones the sweep's check. */
const continueLater = async (
  { deps, run }: Writing,
  index: IndexRecord,
  { receipt_id: id }: Pick<LogMessage, 'receipt_id'>,
): Promise<void> => {
  await deps.log.append(index, { op: 'drop' }, derivedId('rcp', new Date(index.createdAt), id, 'drop'));
  await deps.indexes.postponeCheck(index, run.clock.now().toISOString());
};

/**
 * Deletes the data of a deleted index. If branches still read its table, the last of them deletes the table later. Its jobs
 * are deleted, its crawls end and its storage is released in either case, even after a concurrent commit.
 */
export const applyDrop = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<void> => {
  if (index.status === 'deleting') {
    await releaseStorage(writing, index);
    const isWithoutJobs = await eraseJobs(writing, index);
    if (isWithoutJobs) await closeCrawls(writing, index);
    await writing.deps.usage.releaseIndex(index.organizationId, index.id);
    if (!isWithoutJobs) await continueLater(writing, index, message);
    else if (index.dependents.size === 0) await erase(writing, index);
    else
      await inParallel(dependentsOf(index), lookedAtOnce, (dependent) =>
        findBranchOrRelease(writing, index, dependent),
      );
  }
  await acknowledge(writing, message, done);
};
