import { beginRemoval, type JobRecord } from '../../../../shared/files/index.ts';
import { addErasedRows, erasedRows } from '../../../../shared/erasures/index.ts';
import type { IndexRecord } from '../../../../shared/indexes/index.ts';
import { jobPrefixes } from '../../../../shared/kernel/content-keys.ts';
import { matcherOf } from '#engine';
import type { Deleting } from '../uses.ts';
import type { Erasing, FoundFiles, Target } from './erasing.ts';

const pageSize = 100;

/** Remaining milliseconds below which a run removes no further file. The next look goes on. */
const reserveMs = 60_000;

/** Returns how many rows of each job were removed from an index. */
const rowsByJob = ({ rows }: Target): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const jobId of rows.values()) if (jobId !== null) counts.set(jobId, (counts.get(jobId) ?? 0) + 1);
  return counts;
};

/** Returns a test whether a file is erased whole: it was named, its metadata matches, or all of its rows were removed. */
const isErasedOf = (
  { found: { by }, selection }: Erasing,
  { nonFilterableKeys }: IndexRecord,
  removed: ReadonlyMap<string, number>,
): ((job: JobRecord) => boolean) => {
  // Rows of a file have its metadata, and more: a condition of a filter may concern one part alone.
  const filter = by === 'subject' || by === 'document' ? selection.filter : undefined;
  const matches = filter === undefined ? () => false : matcherOf(filter, { nonFilterableKeys });
  return (job) => {
    const rows = removed.get(job.id) ?? 0;
    return job.id === selection.job_id || matches(job.metadata) || (rows > 0 && rows >= job.vectorsWritten);
  };
};

/** Removes the erased files of an index with all that belongs to them. */
const eraseJobs = async (
  { deps, run }: Deleting,
  erasing: Erasing,
  target: Target,
): Promise<{ readonly removed: readonly string[]; readonly kept: readonly string[] }> => {
  const { organizationId, id: indexId } = target.index;
  const rows = rowsByJob(target);
  const isErased = isErasedOf(erasing, target.index, rows);
  const [removed, kept]: [string[], string[]] = [[], []];
  let after: string | null = null;
  do {
    const page = await deps.files.list(organizationId, indexId, { limit: pageSize, after });
    for (const job of page.jobs) {
      if (!isErased(job)) {
        if (rows.has(job.id)) kept.push(job.id);
        continue;
      }
      removed.push(job.id);
      if (run.remainingMs() > reserveMs) await beginRemoval(deps, job, run.clock);
    }
    after = page.next;
  } while (after !== null);
  return { removed, kept };
};

/** Deletes objects of jobs that are gone. Returns their number. */
const eraseObjectsOfJobs = async (
  { deps }: Deleting,
  { targets }: Erasing,
  jobIds: Iterable<string>,
): Promise<number> => {
  let count = 0;
  for (const jobId of jobIds)
    for (const { index } of targets) {
      const address = { organizationId: index.organizationId, indexId: index.id, jobId };
      for (const prefix of jobPrefixes(address)) count += await deps.stored.deleteAll(index.region, prefix);
    }
  return count;
};

/** Returns the jobs of an erasure that are gone from all its indexes, and whether others are being removed. */
const goneOf = async ({ deps }: Deleting, { targets }: Erasing, jobIds: ReadonlySet<string>) => {
  const gone = new Set(jobIds);
  let isOpen = false;
  for (const jobId of jobIds)
    for (const { index } of targets) {
      const job = await deps.files.get({ organizationId: index.organizationId, indexId: index.id, jobId });
      if (job === null) continue;
      gone.delete(jobId);
      isOpen ||= job.removed;
    }
  return { gone, isOpen };
};

/** Returns the jobs that an erasure has removed, with those of this look. */
const removedJobs = async (
  { deps }: Deleting,
  { found, targets }: Erasing,
  removed: readonly string[],
): Promise<readonly string[]> => {
  const index = targets.at(-1)?.index;
  if (index === undefined) return removed;
  const name = `${found.id}-files`;
  const rows = removed.map((jobId) => ({ id: jobId, jobId }));
  if (rows.length > 0) await addErasedRows(deps.lists, deps.stored, index, name, rows);
  return ((await erasedRows(deps.lists, index, name)) ?? []).map(({ id }) => id);
};

/** Removes erased files with their originals, texts and pictures, and what is left of those that are gone. */
export const eraseFiles = async (deleting: Deleting, erasing: Erasing): Promise<FoundFiles> => {
  const removed: string[] = [];
  const withRows = new Set<string>();
  const kept = new Set<string>();
  for (const target of erasing.targets) {
    const found = await eraseJobs(deleting, erasing, target);
    removed.push(...found.removed);
    for (const id of rowsByJob(target).keys()) withRows.add(id);
    for (const id of found.kept) kept.add(id);
  }
  const { job_id: named } = erasing.selection;
  const jobs = [...(await removedJobs(deleting, erasing, removed)), ...(named === undefined ? [] : [named])];
  const { gone, isOpen } = await goneOf(deleting, erasing, new Set([...withRows, ...jobs]));
  return { count: removed.length + (await eraseObjectsOfJobs(deleting, erasing, gone)), isOpen, gone, kept };
};
