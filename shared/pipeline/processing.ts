import * as z from 'zod';
import { exampleId } from '../http/examples.ts';

const Step = z.object({
  phase: z.string(),
  duration_ms: z.number().int(),
  attributes: z.record(z.string(), z.json()),
});

/** What processing a job took; the same object in events, history and the processing endpoint. */
export const Processing = z
  .object({
    job_id: z.string(),
    ocr_credits: z.number().int(),
    audio_credits: z.number().int(),
    audio_seconds: z.number().int(),
    serverless_invocations: z.number().int(),
    end_to_end_latency_ms: z.number().int(),
    path: z.array(Step),
  })
  .meta({
    id: 'Processing',
    examples: [
      {
        job_id: exampleId('job'),
        ocr_credits: 0,
        audio_credits: 0,
        audio_seconds: 0,
        serverless_invocations: 3,
        end_to_end_latency_ms: 4_210,
        path: [{ phase: 'content.extract', duration_ms: 310, attributes: { pages: 42, ocr_credits: 0 } }],
      },
    ],
  });
export type Processing = z.infer<typeof Processing>;

export const ErrorReason = z.enum(['processing_failed', 'multimodal_credit_limit_reached']);
export type ErrorReason = z.infer<typeof ErrorReason>;
