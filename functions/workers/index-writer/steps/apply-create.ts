import { fillSlot, indexCreated } from '../../../../shared/events/index.ts';
import { type IndexRecord, type LogMessage, toIndexRef } from '../../../../shared/indexes/index.ts';
import { acknowledge } from './receipts.ts';
import type { Writing } from './writing.ts';

/** Creates the table of an index and announces it: ready and `index.created` are one change. */
export const applyCreate = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<void> => {
  const { deps, run } = writing;
  const engine = deps.engines(index.organizationId);
  const state = await engine.create(toIndexRef(index));
  const event = indexCreated({
    at: run.clock.now(),
    organizationId: index.organizationId,
    index: { id: index.id, name: index.name, region: index.region, dimensions: index.dimensions },
  });
  const item =
    (await deps.indexes.markReady(index.organizationId, index.id, state, fillSlot('created', event))) ??
    (await deps.indexes.item(index.organizationId, index.id));
  if (item !== null) await deps.indexEvents.flush(index.organizationId, item);
  await acknowledge(writing, message, { written: 0, deleted: 0, error: null });
};
