import type { Deps } from '../../../../shared/kernel/capability.ts';
import { askToFold, hasManyAncestors, type IndexRecord, type logSend } from '../../../../shared/indexes/index.ts';
import { lookAtEach, maxLookedAt } from '../../../../shared/pipeline/look-at-each.ts';
import { forgetLate, type LateDeps } from './forget-late.ts';

type SweepDeps = LateDeps & Deps<{ log: typeof logSend }>;

/** Whether an index waits for nothing. */
const isSettled = (index: IndexRecord): boolean => index.status === 'ready' && !hasManyAncestors(index);

/**
 * Asks for what an index waits for: its creation, which for a branch stands in the log of its parent, that it comes to
 * stand alone, or its removal.
 */
const sendAgain = async (deps: SweepDeps, index: IndexRecord, now: Date): Promise<void> => {
  const { log } = deps;
  const { id, parentIndexId } = index;
  if (index.status === 'deleting') await log.append(index, { op: 'drop' });
  else if (index.status === 'ready') await askToFold(deps, index, now.toISOString(), now);
  else if (parentIndexId === null) await log.append(index, { op: 'create' }, `create-${id}`);
  else await log.append({ ...index, id: parentIndexId }, { op: 'branch', branch_id: id }, `branch-${id}`);
};

/**
 * Looks at each index that should have been created or removed, or stand alone, by now. A message too many finds its work
 * done. An index that no request came to keep goes: nobody was told of it, and the plan may have no room for it. One that is
 * gone is looked at once more, when nobody can be about to store anything for it.
 */
export const sweepIndexes = async (deps: SweepDeps, now: Date): Promise<void> => {
  const at = now.toISOString();
  await lookAtEach(await deps.indexes.overdue(now, maxLookedAt), async (address) => {
    if (!(await deps.indexes.remind(address, at))) return;
    const index = await deps.indexes.get(address.organizationId, address.id);
    const waitsForNothing = index === null ? await forgetLate(deps, address) : isSettled(index);
    if (waitsForNothing) await deps.indexes.forget(address, at);
    else if (index !== null && !(await deps.indexes.dropUnkept(address))) await sendAgain(deps, index, now);
  });
};
