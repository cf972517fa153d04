import type { Deps } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { unavailable } from '../kernel/errors.ts';
import { fillSlot, indexUpdated, recordEvents } from '../events/index.ts';
import { indexesWrite } from './capabilities.ts';
import { type IndexRecord, toIndexRecord } from './record.ts';
import { requireIndex } from './require.ts';

/** Capabilities that renaming needs. */
export const renameIndexUses = { indexes: indexesWrite, events: recordEvents('indexes') };

/**
 * Maximum retries. Concurrent renames wait for each other's event, and in every round at least one succeeds. A rename that
 * lost gets a new time, so that the last event has the final name.
 */
const maxTries = 50;

/**
 * Renames an index and records `index.updated` in the same write. A rename to the current name changes nothing and records
 * no event. Throws 404, and 503 if too many renames run concurrently.
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
  for (let tries = 0; tries < maxTries; tries += 1) {
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
  throw unavailable(null, 'Other requests are changing the index. Try again');
};
