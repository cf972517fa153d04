import * as z from 'zod';

const Processing = z.object({ serverless_invocations: z.number() });

/** Of an event, what has to agree with the job. */
export const Envelope = z.object({
  type: z.string(),
  data: z.object({
    index: z.object({ id: z.string() }).optional(),
    job: z.object({ id: z.string(), vectors_written: z.number().optional(), error: z.string().optional() }).optional(),
    processing: Processing.optional(),
  }),
});
export type Envelope = z.infer<typeof Envelope>;

export const LocalHealth = z.object({
  memory: z.object({ main_bytes: z.number(), functions_bytes: z.number(), total_bytes: z.number() }),
  processes: z.array(z.object({ pid: z.int(), function: z.string(), busy: z.boolean() })),
});
export type LocalHealth = z.infer<typeof LocalHealth>;

export const LocalInvocations = z.object({ functions: z.record(z.string(), z.number()) });
