import * as z from 'zod';

const Step = z.object({
  phase: z.string(),
  duration_ms: z.number().int(),
  attributes: z.record(z.string(), z.json()),
});

/** What processing a job took; the same object in events, history and the processing endpoint. */
export const Processing = z.object({
  job_id: z.string(),
  ocr_credits: z.number().int(),
  audio_credits: z.number().int(),
  audio_seconds: z.number().int(),
  serverless_invocations: z.number().int(),
  end_to_end_latency_ms: z.number().int(),
  path: z.array(Step),
});
export type Processing = z.infer<typeof Processing>;

export const ErrorReason = z.enum(['processing_failed', 'multimodal_credit_limit_reached']);
export type ErrorReason = z.infer<typeof ErrorReason>;
