import { removeJobs } from '../files/index.ts';
import { isLive } from '../indexes/index.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import type { Clock } from '../kernel/clock.ts';
import type { DocumentDeps } from './capabilities.ts';
import { jobsOf } from './jobs.ts';
import type { DocumentRecord, Owner } from './record.ts';

/** Removals that wait for their commit at the same time. */
const atOnce = 10;

/**
 * Removes a document from its index with its jobs, files and rows; false if there was none. Returns when no search
 * finds it, or, if the index does not commit in time, when the removal is queued. Repeatable after a crash at any
 * point.
 */
export const removeDocument = async (
  deps: DocumentDeps,
  owner: Owner,
  externalId: string,
  clock: Clock,
): Promise<boolean> => {
  for (;;) {
    const document = await deps.documents.get(owner, externalId);
    if (document === null) return false;
    const index = await deps.indexes.get(owner.organizationId, owner.indexId);
    // The deletion of an index removes the rest.
    if (isLive(index)) await removeJobs(deps, await jobsOf(deps, owner, document), clock);
    if (await deps.documents.remove(owner, document)) return true;
  }
};

const removeWhere = async (
  deps: DocumentDeps,
  owner: Owner,
  unwanted: (document: DocumentRecord) => boolean,
  clock: Clock,
  hasTime: () => boolean,
): Promise<boolean> => {
  let next: string[] = [];
  const remove = async (): Promise<void> => {
    await inParallel(next, atOnce, (externalId) => removeDocument(deps, owner, externalId, clock));
    next = [];
  };
  for await (const document of deps.documents.all(owner)) {
    if (!unwanted(document)) continue;
    if (!hasTime()) return false;
    next.push(document.externalId);
    if (next.length === atOnce) await remove();
  }
  await remove();
  return true;
};

/**
 * Removes the documents that no scan since `generation` has found.
 * @param hasTime Called before each removal; false ends the run, and a repeat continues.
 * @returns Whether all are removed.
 */
export const removeUnseen = (
  deps: DocumentDeps,
  owner: Owner,
  generation: number,
  clock: Clock,
  hasTime: () => boolean = () => true,
): Promise<boolean> => removeWhere(deps, owner, (document) => document.generation < generation, clock, hasTime);

/** Counts the documents, and those that no scan since `generation` has found. */
export const countUnseen = async (
  deps: DocumentDeps,
  owner: Owner,
  generation: number,
): Promise<{ readonly unseen: number; readonly total: number }> => {
  let [unseen, total] = [0, 0];
  for await (const document of deps.documents.all(owner)) {
    total += 1;
    if (document.generation < generation) unseen += 1;
  }
  return { unseen, total };
};

/** Removes all documents of an owner. `hasTime` and result are those of `removeUnseen`. */
export const removeAll = (
  deps: DocumentDeps,
  owner: Owner,
  clock: Clock,
  hasTime: () => boolean = () => true,
): Promise<boolean> => removeWhere(deps, owner, () => true, clock, hasTime);
