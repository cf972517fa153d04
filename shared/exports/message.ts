import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { ExportAddress } from './record.ts';

/** Export to begin, to continue or to delete, by its status. A duplicate does nothing. */
export const ExportMessage = z.object({ organization_id: z.string(), index_id: z.string(), export_id: z.string() });
type ExportMessage = z.infer<typeof ExportMessage>;

/** Sends exports to the workers of a region. */
export interface ExportQueue {
  send(region: string, address: ExportAddress): Promise<void>;
}

const openExportQueue = (runtime: Runtime): ExportQueue => ({
  send: (region, { organizationId, indexId, exportId }) =>
    sendMessage(runtime, 'exports', region, {
      organization_id: organizationId,
      index_id: indexId,
      export_id: exportId,
    }),
});

export const exportsSend = capability<ExportQueue>(['exports.send'], openExportQueue);

/** Returns the address of the export that a message names. */
export const exportAddressIn = (message: ExportMessage): ExportAddress => ({
  organizationId: message.organization_id,
  indexId: message.index_id,
  exportId: message.export_id,
});
