import * as z from 'zod';
import { capability } from '../kernel/capability.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { IndexRecord } from './record.ts';

/** Message for the worker that deletes what belongs to a closed index. */
export const DeletionMessage = z.object({ organization_id: z.string(), index_id: z.string() });
export type DeletionMessage = z.infer<typeof DeletionMessage>;

/** Queue of the deletions of indexes in a region. */
export interface DeletionQueue {
  send(index: Pick<IndexRecord, 'organizationId' | 'id' | 'region'>): Promise<void>;
}

export const deletionsSend = capability<DeletionQueue>(['deletions.send'], (runtime) => ({
  send: ({ organizationId, id, region }) => {
    const message: DeletionMessage = { organization_id: organizationId, index_id: id };
    return sendMessage(runtime, 'deletions', region, message);
  },
}));
