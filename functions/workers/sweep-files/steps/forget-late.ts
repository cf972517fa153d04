import type { credentialStore } from '../../../../shared/connectors/index.ts';
import type { crawlsErase } from '../../../../shared/crawls/index.ts';
import type { recordEvents } from '../../../../shared/events/index.ts';
import { type filesWrite, forgetJob, type removeJobsUses } from '../../../../shared/files/index.ts';
import type { IndexRecord, indexesWrite } from '../../../../shared/indexes/index.ts';
import type { Deps } from '../../../../shared/kernel/capability.ts';

export type LateDeps = Deps<{
  indexes: typeof indexesWrite;
  files: typeof filesWrite;
  stored: typeof removeJobsUses.content;
  events: ReturnType<typeof recordEvents>;
  crawled: typeof crawlsErase;
  connectors: typeof credentialStore;
}>;

const pageSize = 100;

/**
 * Forgets what was stored for an index by those who had just seen it there, beside its removal or after it; an import goes
 * with its job. A repeat of its creation may bring an index back under its id: what belongs to that one is stored once it is
 * there, and so is not among what had been read when the index was still gone.
 * @returns Whether nothing is left.
 */
export const forgetLate = async (
  deps: LateDeps,
  { organizationId, id }: Pick<IndexRecord, 'organizationId' | 'id'>,
): Promise<boolean> => {
  const { files, indexes, events, stored } = deps;
  const isGone = async (): Promise<boolean> => (await indexes.get(organizationId, id)) === null;
  for (;;) {
    const { jobs } = await files.list(organizationId, id, { limit: pageSize, after: null, withRemoved: true });
    if (jobs.length === 0 || !(await isGone())) break;
    for (const job of jobs) await forgetJob({ files, events, content: stored }, job);
  }
  await deps.connectors.removeAll(organizationId, id, isGone);
  return (await deps.crawled.removeAll(organizationId, id, isGone)) && isGone();
};
