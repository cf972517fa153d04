import type { Item } from '../db/contracts.ts';
import { fillSlot, indexCreated } from '../events/index.ts';
import { type Content, holdingOf, type IndexRecord } from '../indexes/index.ts';
import type { Deps } from '../kernel/capability.ts';
import { addressOfRebuild, type RebuildRecord, type rebuildStore } from '../rebuilds/index.ts';
import type { TableState } from '#engine';
import { countMessages, type UsageCounters } from '../usage/index.ts';
import type { LedgerContext } from './context.ts';
import { changeCounters, releaseStorage } from './count-usage.ts';

/**
 * Makes the index ready and records `index.created` with the name of its creation. Returns the changed item; null if the
 * index is gone.
 */
const makeReady = async (context: LedgerContext, index: IndexRecord, state: TableState): Promise<Item | null> => {
  const { deps, run } = context;
  const { organizationId, id, createdName: name, region, dimensions } = index;
  // The first name must not be dated after the `index.updated` of a rename, whose name is the newer one.
  const at = index.name === name ? run.clock.now() : new Date(index.createdAt);
  const event = indexCreated({ at, organizationId, index: { id, name, region, dimensions } });
  const ready = await deps.indexes.markReady(index, state, fillSlot('created', event));
  if (ready !== null) return ready;
  const renamed = await deps.indexes.get(organizationId, id);
  // Renamed since it was read, so the event needs another date.
  if (renamed?.status === 'creating') return makeReady(context, renamed, state);
  return deps.indexes.item(organizationId, id);
};

/** Makes an index ready whose table was created. One write does so and records `index.created`. */
export const created = async (context: LedgerContext, index: IndexRecord, state: TableState): Promise<void> => {
  const item = await makeReady(context, index, state);
  if (item !== null) await context.deps.indexEvents.flush(index.organizationId, item);
};

/**
 * Makes the other content of a rebuild that of the index, in one write with the usage of the index until then. Returns the
 * changed index; null if the index is gone, or if another run has switched meanwhile.
 */
export const switched = async (
  { deps, run }: LedgerContext,
  index: IndexRecord,
  rebuilds: Deps<{ rebuilds: typeof rebuildStore }>['rebuilds'],
  { rebuild, next }: { readonly rebuild: RebuildRecord; readonly next: Content },
): Promise<IndexRecord | null> => {
  const at = run.clock.now().toISOString();
  let after: IndexRecord | null = null;
  await changeCounters(deps, index, at, async (current) => {
    const usage = countMessages({ usage: current.usage, held: holdingOf(current) }, [], at);
    after = await rebuilds.switchContent(current, rebuild, next, { at, usage });
    if (after !== null) return after;
    const found = await rebuilds.find(addressOfRebuild(rebuild));
    return found?.status === rebuild.status ? null : 'unneeded';
  });
  return after;
};

/** Begins the usage of a branch before it is ready, because its own writer counts from then on. Returns its counters. */
export const branched = async (
  { deps, run }: LedgerContext,
  branch: IndexRecord,
  state: TableState,
): Promise<UsageCounters> => {
  const at = run.clock.now().toISOString();
  const usage = countMessages({ usage: branch.usage, held: holdingOf(branch) }, [], at);
  await deps.usage.saveIndex(branch, holdingOf({ state, usage }), usage, at);
  return usage;
};

/** Ends the storage of a deleted index from the day of the request. */
export const closed = async ({ deps }: LedgerContext, index: IndexRecord): Promise<void> => {
  await releaseStorage(deps, index);
  await deps.usage.releaseIndex(index.organizationId, index.id);
};

/** Removes the stored amounts of a branch that could not be created. */
export const withdrawn = ({ deps }: LedgerContext, organizationId: string, branchId: string): Promise<void> =>
  deps.usage.releaseIndex(organizationId, branchId);
