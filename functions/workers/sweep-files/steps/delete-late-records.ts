import type { credentialStore } from '../../../../shared/connectors/index.ts';
import type { crawlsErase } from '../../../../shared/crawls/index.ts';
import type { evaluationsWrite } from '../../../../shared/evaluations/index.ts';
import type { recordEvents } from '../../../../shared/events/index.ts';
import { type filesWrite, purgeJob, type removeJobsUses } from '../../../../shared/files/index.ts';
import type { IndexRecord, indexesWrite } from '../../../../shared/indexes/index.ts';
import type { Deps } from '../../../../shared/kernel/capability.ts';

export type LateDeps = Deps<{
  indexes: typeof indexesWrite;
  files: typeof filesWrite;
  stored: typeof removeJobsUses.content;
  originals: typeof removeJobsUses.originals;
  events: ReturnType<typeof recordEvents>;
  crawled: typeof crawlsErase;
  evaluations: typeof evaluationsWrite;
  connectors: typeof credentialStore;
}>;

const pageSize = 100;

/**
 * Deletes records that requests stored for an index during or after its deletion. An import is deleted with its job. If
 * a repeat of its creation restores the index under its id, its new records are kept: they are stored after the check
 * that the index is gone.
 * @returns Whether nothing remains.
 */
export const deleteLateRecords = async (
  deps: LateDeps,
  { organizationId, id }: Pick<IndexRecord, 'organizationId' | 'id'>,
): Promise<boolean> => {
  const { files, indexes, events, stored, originals } = deps;
  const isGone = async (): Promise<boolean> => (await indexes.get(organizationId, id)) === null;
  for (;;) {
    const { jobs } = await files.list(organizationId, id, { limit: pageSize, after: null, withRemoved: true });
    if (jobs.length === 0 || !(await isGone())) break;
    for (const job of jobs) await purgeJob({ files, events, content: stored, originals }, job);
  }
  if (await isGone()) await deps.evaluations.removeAll(organizationId, id);
  await deps.connectors.removeAll(organizationId, id, isGone);
  return (await deps.crawled.removeAll(organizationId, id, isGone)) && isGone();
};
