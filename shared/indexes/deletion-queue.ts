import * as z from 'zod';
import { capability } from '../kernel/capability.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { IndexRecord } from './record.ts';

/** Message for the worker that deletes what belongs to a closed index, or what an erasure names. */
export const DeletionMessage = z.object({
  organization_id: z.string(),
  index_id: z.string(),
  erasure_id: z.string().optional(),
});
export type DeletionMessage = z.infer<typeof DeletionMessage>;

/** Queue of the deletions of a region. */
export interface DeletionQueue {
  /** @param erasureId Erasure to continue. Absent: the index is deleted. */
  send(index: Pick<IndexRecord, 'organizationId' | 'id' | 'region'>, erasureId?: string): Promise<void>;
}

export const deletionsSend = capability<DeletionQueue>(['deletions.send'], (runtime) => ({
  send: ({ organizationId, id, region }, erasureId) => {
    const erasure = erasureId === undefined ? {} : { erasure_id: erasureId };
    const message: DeletionMessage = { organization_id: organizationId, index_id: id, ...erasure };
    return sendMessage(runtime, 'deletions', region, message);
  },
}));
