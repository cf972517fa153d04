import * as z from 'zod';
import { capability } from '../kernel/capability.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { RebuildAddress } from './record.ts';

/** Rebuild to continue, by its status. A duplicate does nothing. */
export const RebuildMessage = z.object({ organization_id: z.string(), index_id: z.string(), rebuild_id: z.string() });
type RebuildMessage = z.infer<typeof RebuildMessage>;

/** Sends rebuilds to the workers of a region. */
export interface RebuildQueue {
  send(region: string, address: RebuildAddress): Promise<void>;
}

export const rebuildsSend = capability<RebuildQueue>(['rebuilds.send'], (runtime) => ({
  send: (region, { organizationId, indexId, rebuildId }) =>
    sendMessage(runtime, 'rebuilds', region, {
      organization_id: organizationId,
      index_id: indexId,
      rebuild_id: rebuildId,
    }),
}));

/** Returns the address of the rebuild that a message names. */
export const rebuildAddressIn = (message: RebuildMessage): RebuildAddress => ({
  organizationId: message.organization_id,
  indexId: message.index_id,
  rebuildId: message.rebuild_id,
});
