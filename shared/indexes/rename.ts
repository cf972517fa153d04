import type { Deps } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { unavailable } from '../kernel/errors.ts';
import { fillSlot, indexUpdated, recordEvents } from '../events/index.ts';
import { indexesWrite } from './capabilities.ts';
import { type IndexRecord, toIndexRecord } from './record.ts';
import { requireIndex } from './require.ts';

/** What renaming may touch. */
export const renameIndexUses = { indexes: indexesWrite, events: recordEvents('indexes') };

/**
 * Renames side by side wait for each other's event: every try lets at least one of them through. One that was overtaken
 * is dated anew, so that the last event tells the name that stands.
 */
const mostTries = 50;

/**
 * Gives an index another name and records `index.updated` in the same change. A rename to the present name changes nothing
 * and makes no event. Throws 404, and 503 where other renames leave no room for its event.
 */
export const renameIndex = async (
  {
    deps,
    clock,
    organizationId,
  }: { readonly deps: Deps<typeof renameIndexUses>; readonly clock: Clock; readonly organizationId: string },
  indexId: string,
  name: string,
): Promise<IndexRecord> => {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const index = await requireIndex(deps.indexes, organizationId, indexId);
    if (index.name === name) return index;
    const event = indexUpdated({
      at: clock.now(),
      organizationId,
      index: { id: index.id, name, region: index.region },
    });
    const changed = await deps.indexes.rename(index, name, fillSlot('updated', event));
    const item = changed ?? (await deps.indexes.item(organizationId, indexId));
    if (item !== null) await deps.events.flush(organizationId, item);
    if (changed !== null) return toIndexRecord(changed);
  }
  throw unavailable(null, 'The index is being changed by others, try again');
};
