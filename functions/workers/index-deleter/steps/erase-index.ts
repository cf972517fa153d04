import {
  type DeletionMessage,
  dependentsOf,
  findBranchOrRelease,
  type IndexRecord,
  releaseLayers,
  tablesOf,
} from '../../../../shared/indexes/index.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { countCrawl } from '../../../../shared/ledger/index.ts';
import type { Deleting } from '../uses.ts';
import { eraseJobs } from './erase-jobs.ts';

/** Crawls that are read at a time. */
const pageSize = 100;

/** Maximum branches of a deleted index that are checked concurrently, with one request each. */
const lookedAtOnce = 100;

/** Cancels every crawl of a deleted index, and counts the pages that it has found. */
const closeCrawls = async ({ deps, run }: Deleting, { organizationId, id }: IndexRecord): Promise<void> => {
  let after: string | null = null;
  do {
    const page = await deps.crawls.list(organizationId, id, { limit: pageSize, after });
    for (const { id: crawlId } of page.crawls) {
      const address = { organizationId, indexId: id, crawlId };
      const at = run.clock.now().toISOString();
      await deps.crawls.cancel(address, at);
      await countCrawl(deps, address, at);
    }
    after = page.next;
  } while (after !== null);
};

/** Deletes the table of an index that no branch reads, all its records, and its own record last. */
const eraseRecords = async ({ deps, run }: Deleting, index: IndexRecord): Promise<void> => {
  const { organizationId, id } = index;
  const { content, others } = tablesOf(index);
  for (const { engine, table } of [content, ...others]) await deps.engines(organizationId, engine).drop(table);
  await deps.rebuilds.removeAll(organizationId, id);
  await deps.erasures.removeAll(organizationId, id);
  await deps.evaluations.removeAll(organizationId, id);
  await deps.files.removeAll(organizationId, id, deps.events);
  for (const content of [deps.crawled, deps.imports, deps.connectors]) await content.removeAll(organizationId, id);
  await releaseLayers(deps, index, index.layers.slice(1, 2), run.clock);
  await deps.indexes.remove(organizationId, id, deps.indexEvents);
};

/**
 * Deletes what belongs to an index that its log has closed. If branches still read its table, the last of them deletes the
 * table later. Jobs are deleted and crawls end in either case. Repeatable at any point; a run without time left continues
 * in the next.
 */
export const eraseIndex = async (deleting: Deleting, message: DeletionMessage): Promise<void> => {
  const { deps } = deleting;
  const { organization_id: organizationId, index_id: indexId } = message;
  const index = await deps.indexes.get(organizationId, indexId);
  if (index?.status !== 'deleting') return;
  if (!(await eraseJobs(deleting, index))) {
    await deps.deletions.send(index);
    await deps.indexes.postponeCheck(index, deleting.run.clock.now().toISOString());
    return;
  }
  await closeCrawls(deleting, index);
  // A run that counted a job or a crawl has saved the amounts again.
  await deps.usage.releaseIndex(organizationId, indexId);
  // Read again: a branch may have been released, and another run may have ended the deletion.
  const now = await deps.indexes.get(organizationId, indexId);
  if (now?.status !== 'deleting') return;
  if (now.dependents.size === 0) await eraseRecords(deleting, now);
  else
    await inParallel(dependentsOf(now), lookedAtOnce, (dependent) =>
      findBranchOrRelease(deps, organizationId, dependent, deleting.run.clock),
    );
};
