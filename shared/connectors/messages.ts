import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { ConnectionAddress } from './record.ts';

/** Asks for a look at a connection: whether there is anything to do, its record says. */
export const SyncMessage = z.object({
  organization_id: z.string(),
  index_id: z.string(),
  connection_id: z.string(),
});
export type SyncMessage = z.infer<typeof SyncMessage>;

/** The connection that a message is about. */
export const connectionAddressIn = (message: SyncMessage): ConnectionAddress => ({
  organizationId: message.organization_id,
  indexId: message.index_id,
  connectionId: message.connection_id,
});

export interface SyncQueue {
  /** @param delaySeconds At most 900; later than that the schedule finds the connection. */
  send(address: ConnectionAddress, delaySeconds?: number): Promise<void>;
}

const openSyncQueue = (runtime: Runtime): SyncQueue => ({
  send: async ({ organizationId, indexId, connectionId }, delaySeconds = 0) => {
    const message: SyncMessage = { organization_id: organizationId, index_id: indexId, connection_id: connectionId };
    await sendMessage(runtime, 'sync', runtime.config.homeRegion, message, { delaySeconds });
  },
});

export const syncSend = capability<SyncQueue>(['sync.send'], openSyncQueue);
