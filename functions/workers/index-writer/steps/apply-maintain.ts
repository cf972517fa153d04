import { type IndexRecord, type LogMessage, toIndexRef } from '../../../../shared/indexes/index.ts';
import { acknowledge } from './receipts.ts';
import type { Writing } from './writing.ts';

/** How long a version that no branch needs is kept for readers that still hold it. */
const keepSeconds = 600;

/** Versions that a parent keeps for a branch; an older one makes the branch stand alone, so that they can go. */
const mostKeptVersions = 1_000;

/** Asks branches for which the table keeps too much to stand alone. */
const foldOldBranches = async ({ deps }: Writing, index: IndexRecord, version: number): Promise<void> => {
  for (const dependent of index.dependents) {
    const [branchId = '', branchedAt] = dependent.split('@');
    if (version - Number(branchedAt) < mostKeptVersions) continue;
    const branch = await deps.indexes.get(index.organizationId, branchId);
    if (branch?.status !== 'ready') continue;
    const ancestors = branch.layers.slice(1);
    await deps.log.append(branch, { op: 'fold', after: null, ancestors }, `fold-${branchId}-${index.id}-${version}`);
  }
};

/** Compacts a table and brings its indexes up to date. */
export const applyMaintain = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<void> => {
  const { deps } = writing;
  const engine = deps.engines(index.organizationId);
  const keepVersions = [...index.dependents].map((dependent) => Number(dependent.split('@')[1]));
  const state = await engine.maintain(toIndexRef(index), { keepSeconds, keepVersions });
  await deps.indexes.saveState(index.organizationId, index.id, state, null);
  await foldOldBranches(writing, index, state.version);
  await acknowledge(writing, message, { written: 0, deleted: 0, error: null });
};
