import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { ImportAddress } from './record.ts';

/** Import to copy or to continue. */
export const ImportMessage = z.object({
  organization_id: z.string(),
  index_id: z.string(),
  job_id: z.string(),
  /** Number of consecutive times that all attempts have failed. */
  failures: z.number().int(),
});

/** Sends imports to the workers of a region. */
export interface ImportQueue {
  /** @param after Failures so far, and seconds until the message becomes visible, at most 900. */
  send(
    region: string,
    address: ImportAddress,
    after?: { readonly failures: number; readonly delaySeconds: number },
  ): Promise<void>;
}

const openImportQueue = (runtime: Runtime): ImportQueue => ({
  send: (region, { organizationId, indexId, jobId }, { failures, delaySeconds } = { failures: 0, delaySeconds: 0 }) => {
    const message = { organization_id: organizationId, index_id: indexId, job_id: jobId, failures };
    return sendMessage(runtime, 'imports', region, message, { delaySeconds });
  },
});

export const importsSend = capability<ImportQueue>(['imports.send'], openImportQueue);
