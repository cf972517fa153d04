import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { IndexRecord } from './record.ts';

/**
 * Maintenance of an index. `due`: what its commits have made necessary. `paused`: what is worth its cost once writes have
 * paused. `purge`: removed content leaves its files too.
 */
const Work = z.enum(['due', 'paused', 'purge']);
export type MaintenanceWork = z.infer<typeof Work>;

/** Requests the maintenance of an index. */
export const BuildMessage = z.object({ organization_id: z.string(), index_id: z.string(), work: Work });
export type BuildMessage = z.infer<typeof BuildMessage>;

/** Queue of the builders of a region. */
export interface BuildQueue {
  request(index: Pick<IndexRecord, 'organizationId' | 'id' | 'region'>, work?: MaintenanceWork): Promise<void>;
}

const openBuildQueue = (runtime: Runtime): BuildQueue => ({
  request: ({ organizationId, id, region }, work = 'due') => {
    const message: BuildMessage = { organization_id: organizationId, index_id: id, work };
    return sendMessage(runtime, 'builds', region, message);
  },
});

export const buildsSend = capability<BuildQueue>(['builds.send'], openBuildQueue);
