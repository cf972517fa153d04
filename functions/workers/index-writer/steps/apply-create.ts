import type { Item } from '../../../../shared/db/contracts.ts';
import { fillSlot, indexCreated } from '../../../../shared/events/index.ts';
import { type IndexRecord, type LogMessage, toIndexRef } from '../../../../shared/indexes/index.ts';
import type { TableState } from '../../../../shared/platform/engine/port.ts';
import { acknowledge, done } from './receipts.ts';
import type { Writing } from '../uses.ts';

/**
 * Makes the index ready and records `index.created` with the name of its creation. Returns the changed item; null if the
 * index is gone.
 */
const makeReady = async (writing: Writing, index: IndexRecord, state: TableState): Promise<Item | null> => {
  const { deps, run } = writing;
  const { organizationId, id, createdName: name, region, dimensions } = index;
  // The first name must not be dated after the `index.updated` of a rename, whose name is the newer one.
  const at = index.name === name ? run.clock.now() : new Date(index.createdAt);
  const event = indexCreated({ at, organizationId, index: { id, name, region, dimensions } });
  const ready = await deps.indexes.markReady(index, state, fillSlot('created', event));
  if (ready !== null) return ready;
  const renamed = await deps.indexes.get(organizationId, id);
  // Renamed since it was read, so the event needs another date.
  if (renamed?.status === 'creating') return makeReady(writing, renamed, state);
  return deps.indexes.item(organizationId, id);
};

/** Creates the table of an index. One write makes it ready and records `index.created`. */
export const applyCreate = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<void> => {
  const { deps } = writing;
  const state = await deps.engines(index.organizationId, index.engine).create(toIndexRef(index));
  const item = await makeReady(writing, index, state);
  if (item !== null) await deps.indexEvents.flush(index.organizationId, item);
  await acknowledge(writing, message, done);
};
