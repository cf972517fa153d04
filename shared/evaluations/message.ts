import * as z from 'zod';
import { capability } from '../kernel/capability.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { EvaluationAddress } from './record.ts';

/** Evaluation to begin or to continue. A duplicate does nothing. */
export const EvaluationMessage = z.object({
  organization_id: z.string(),
  index_id: z.string(),
  evaluation_id: z.string(),
});
type EvaluationMessage = z.infer<typeof EvaluationMessage>;

/** Sends evaluations to the workers of a region. */
export interface EvaluationQueue {
  send(region: string, address: EvaluationAddress): Promise<void>;
}

export const evaluationsSend = capability<EvaluationQueue>(['evaluations.send'], (runtime) => ({
  send: (region, { organizationId, indexId, evaluationId }) =>
    sendMessage(runtime, 'evaluations', region, {
      organization_id: organizationId,
      index_id: indexId,
      evaluation_id: evaluationId,
    }),
}));

/** Returns the address of the evaluation that a message names. */
export const evaluationAddressIn = (message: EvaluationMessage): EvaluationAddress => ({
  organizationId: message.organization_id,
  indexId: message.index_id,
  evaluationId: message.evaluation_id,
});
