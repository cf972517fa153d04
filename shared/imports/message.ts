import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { ImportAddress } from './record.ts';

/** One import to copy, or to go on with. */
export const ImportMessage = z.object({ organization_id: z.string(), index_id: z.string(), job_id: z.string() });

/** Hands imports to the workers of a region. */
export interface ImportQueue {
  send(region: string, address: ImportAddress): Promise<void>;
}

const openImportQueue = (runtime: Runtime): ImportQueue => ({
  send: (region, { organizationId, indexId, jobId }) =>
    sendMessage(runtime, 'imports', region, { organization_id: organizationId, index_id: indexId, job_id: jobId }),
});

export const importsSend = capability<ImportQueue>(['imports.send'], openImportQueue);
