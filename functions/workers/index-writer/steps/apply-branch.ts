import {
  dependentOf,
  holdingOf,
  type IndexRecord,
  type LogMessage,
  toIndexRef,
} from '../../../../shared/indexes/index.ts';
import { countMessages } from '../../../../shared/usage/index.ts';
import { acknowledge } from './receipts.ts';
import { refuseChange } from './refuse-change.ts';
import type { Writing } from './writing.ts';

/** Tables behind a branch up to which each search asks them all; beyond, the branch gets a table of its own. */
const mostAncestors = 8;

/** What a branch that stands on `index` reads behind its own table: the index as it is now, then what that stands on. */
const ancestorsFor = (index: IndexRecord) => index.layers.map(({ table, version }) => ({ table, version }));

/** Lets a branch stand on its parent as of this place in the parent's log. The number of steps does not depend on size. */
export const applyBranch = async (writing: Writing, parent: IndexRecord, message: LogMessage): Promise<void> => {
  if (message.change.op !== 'branch') return;
  const { deps, run } = writing;
  const { organizationId } = parent;
  const branchId = message.change.branch_id;
  const branch = await deps.indexes.get(organizationId, branchId);
  if (parent.status === 'deleting' || branch === null || branch.status === 'deleting') {
    await refuseChange(writing, message, 'The index has been deleted');
    return;
  }
  if (branch.status === 'creating') {
    const ancestors = ancestorsFor(parent);
    // Noted first: a version that nobody uses is kept too long at worst, one that is used is never lost.
    for (const { table, version } of ancestors) {
      await deps.indexes.changeDependents(organizationId, table, { include: dependentOf(branchId, version) });
    }
    const layers: IndexRecord['layers'] = [{ table: branchId, version: 0 }, ...ancestors];
    const engine = deps.engines(organizationId);
    const state = await engine.branch({ ...toIndexRef(branch), layers }, parent.state);
    const at = run.clock.now().toISOString();
    const usage = countMessages({ usage: branch.usage, held: holdingOf(branch) }, [], at);
    // In the books before it is ready: from then on its own writer keeps them.
    await deps.usage.saveIndex(branch, holdingOf({ state }), usage, at);
    if (!(await deps.indexes.markBranchReady(organizationId, branchId, ancestors, { state, usage }))) {
      // It has been deleted meanwhile.
      await applyBranch(writing, parent, message);
      return;
    }
    if (ancestors.length > mostAncestors)
      await deps.log.append(branch, { op: 'fold', after: null, ancestors }, `fold-${branchId}`);
  }
  await acknowledge(writing, message, { written: 0, deleted: 0, error: null });
};
