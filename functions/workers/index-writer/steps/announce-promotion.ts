import { fillSlot, indexUpdated } from '../../../../shared/events/index.ts';
import type { IndexRecord, LogMessage } from '../../../../shared/indexes/index.ts';
import { timeOf } from '../../../../shared/kernel/ids.ts';
import type { Writing } from './writing.ts';

/** Renames of the index may each time have put their event first. */
const mostTries = 50;

/** Tells of the promotion, once however often it is repeated: the event takes its id from the message's own time. */
export const announcePromotion = async ({ deps }: Writing, parent: IndexRecord, message: LogMessage): Promise<void> => {
  const { organizationId, id } = parent;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const index = await deps.indexes.get(organizationId, id);
    if (index === null || index.status === 'deleting') return;
    const { name, region } = index;
    const event = indexUpdated({ at: timeOf(message.receipt_id), organizationId, index: { id, name, region } });
    const changed = await deps.indexes.announce(organizationId, id, fillSlot('updated', event));
    const item = changed ?? (await deps.indexes.item(organizationId, id));
    if (item !== null) await deps.indexEvents.flush(organizationId, item);
    if (changed !== null) return;
  }
  throw new Error(`no room for the event of index ${id}`);
};
