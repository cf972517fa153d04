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

/** The names of a connection, as messages and lines of the log have them. */
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
