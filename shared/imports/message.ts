import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { ImportAddress } from './record.ts';

/** One import to copy, or to go on with. */
export const ImportMessage = z.object({
  organization_id: z.string(),
  index_id: z.string(),
  job_id: z.string(),
  /** How often all attempts at it have failed in a row. */
  failures: z.number().int().default(0),
});

/** Hands imports to the workers of a region. */
export interface ImportQueue {
  /** @param after Failures so far, and seconds until the message may be received, at most 900. */
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
