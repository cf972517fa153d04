import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { IndexRecord } from './record.ts';

/** Requests the maintenance of an index. `purge`: removed content leaves its files too. */
export const BuildMessage = z.object({ organization_id: z.string(), index_id: z.string(), purge: z.boolean() });
export type BuildMessage = z.infer<typeof BuildMessage>;

/** Queue of the builders of a region. */
export interface BuildQueue {
  request(index: Pick<IndexRecord, 'organizationId' | 'id' | 'region'>, purge?: boolean): Promise<void>;
}

const openBuildQueue = (runtime: Runtime): BuildQueue => ({
  request: ({ organizationId, id, region }, purge = false) => {
    const message: BuildMessage = { organization_id: organizationId, index_id: id, purge };
    return sendMessage(runtime, 'builds', region, message);
  },
});

export const buildsSend = capability<BuildQueue>(['builds.send'], openBuildQueue);
