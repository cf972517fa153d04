import * as z from 'zod';
import { exampleId } from '../http/examples.ts';

const Step = z
  .object({
    phase: z.string().describe('Name of the phase, such as `content.extract`.'),
    duration_ms: z.number().int().describe('Milliseconds that the phase took.'),
    attributes: z.record(z.string(), z.json()).describe('Figures of the phase, such as pages or vectors.'),
  })
  .meta({ id: 'ProcessingStep', description: 'One timed phase of processing.' });

/** Resources that processing a job took. Events, the history and the processing endpoint have the same object. */
export const Processing = z
  .object({
    job_id: z.string().describe('Id of the file job.'),
    ocr_credits: z.number().int().describe('Page images that OCR has read.'),
    audio_credits: z.number().int().describe('Started minutes of audio that were transcribed.'),
    audio_seconds: z.number().int().describe('Seconds of audio that were transcribed.'),
    serverless_invocations: z
      .number()
      .int()
      .describe('Distinct runs of functions that worked on the job, retries included.'),
    end_to_end_latency_ms: z
      .number()
      .int()
      .describe('Milliseconds from the arrival of the file to the end of the job, or to now.'),
    path: z.array(Step).describe('The phases of all tasks, in their order.'),
  })
  .meta({
    id: 'Processing',
    description: 'Resources that processing a file took.',
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

export const ErrorReason = z.enum(['processing_failed', 'multimodal_credit_limit_reached']).meta({
  id: 'FileErrorCode',
  description:
    'Reason of a failed job: the file could not be processed, or the monthly credits for OCR or transcription are used up.',
});
export type ErrorReason = z.infer<typeof ErrorReason>;
