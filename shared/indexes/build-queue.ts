import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { IndexRecord } from './record.ts';

/** Message for the builder of vector indexes. */
export const BuildMessage = z.discriminatedUnion('op', [
  z.object({ op: z.literal('build'), organization_id: z.string(), index_id: z.string(), build_id: z.string() }),
  /** Checks later whether writes to an index have paused, because maintenance would help it. `version`: result of the last maintenance. */
  z.object({ op: z.literal('look'), organization_id: z.string(), index_id: z.string(), version: z.number().int() }),
]);
export type BuildMessage = z.infer<typeof BuildMessage>;

type Address = Pick<IndexRecord, 'organizationId' | 'id' | 'region'>;

/** Queue of the builders of vector indexes in a region. */
export interface BuildQueue {
  build(index: Address, buildId: string): Promise<void>;
  checkLater(index: Address, version: number): Promise<void>;
}

/** Seconds without a write after which an index counts as quiet. */
export const quietSeconds = 10;

const openBuildQueue = (runtime: Runtime): BuildQueue => {
  const send = (region: string, message: BuildMessage, delaySeconds: number): Promise<void> =>
    sendMessage(runtime, 'builds', region, message, { delaySeconds });
  return {
    build: ({ organizationId, id, region }, buildId) =>
      send(region, { op: 'build', organization_id: organizationId, index_id: id, build_id: buildId }, 0),
    checkLater: ({ organizationId, id, region }, version) =>
      send(region, { op: 'look', organization_id: organizationId, index_id: id, version }, quietSeconds),
  };
};

export const buildsSend = capability<BuildQueue>(['builds.send'], openBuildQueue);
