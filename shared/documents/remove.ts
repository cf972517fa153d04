import { removeJobs } from '../files/index.ts';
import { isLive } from '../indexes/index.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import type { Clock } from '../kernel/clock.ts';
import type { DocumentDeps } from './capabilities.ts';
import { jobsOf } from './jobs.ts';
import type { DocumentRecord, Owner } from './record.ts';

/** Removals that wait for their commit together. */
const atOnce = 10;

/**
 * Takes a document out of its index, with its jobs, files and rows; false where there was none. Resolves once no search
 * finds it; where the index does not get to that in time, once it follows by itself. May be repeated after a crash at any
 * line.
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
    // What is left of an index that is being deleted goes with it.
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
 * Removes the documents that no reading of the source since `generation` has seen.
 * @param hasTime Asked again and again; once it says no, the rest is left to a repeat.
 * @returns Whether all are gone.
 */
export const removeUnseen = (
  deps: DocumentDeps,
  owner: Owner,
  generation: number,
  clock: Clock,
  hasTime: () => boolean = () => true,
): Promise<boolean> => removeWhere(deps, owner, (document) => document.generation < generation, clock, hasTime);

/** Number of documents, and of those that no reading of the source since `generation` has seen. */
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

/** Removes every document of an owner; `hasTime` and result as of `removeUnseen`. */
export const removeAll = (
  deps: DocumentDeps,
  owner: Owner,
  clock: Clock,
  hasTime: () => boolean = () => true,
): Promise<boolean> => removeWhere(deps, owner, () => true, clock, hasTime);
