import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { ConnectionAddress } from './record.ts';

/** Requests a sync of a connection. Its record decides whether anything is due. */
export const SyncMessage = z.object({
  organization_id: z.string(),
  index_id: z.string(),
  connection_id: z.string(),
});
export type SyncMessage = z.infer<typeof SyncMessage>;

/** Returns the address of the connection that a message names. */
export const connectionAddressIn = (message: SyncMessage): ConnectionAddress => ({
  organizationId: message.organization_id,
  indexId: message.index_id,
  connectionId: message.connection_id,
});

export interface SyncQueue {
  /** @param delaySeconds At most 900. Later syncs are started by the schedule. */
  send(address: ConnectionAddress, delaySeconds?: number): Promise<void>;
}

/** Ids of a connection for messages and log lines. */
export const syncMessageOf = ({ organizationId, indexId, connectionId }: ConnectionAddress): SyncMessage => ({
  organization_id: organizationId,
  index_id: indexId,
  connection_id: connectionId,
});

const openSyncQueue = (runtime: Runtime): SyncQueue => ({
  send: (address, delaySeconds = 0) =>
    sendMessage(runtime, 'sync', runtime.config.homeRegion, syncMessageOf(address), { delaySeconds }),
});

export const syncSend = capability<SyncQueue>(['sync.send'], openSyncQueue);
