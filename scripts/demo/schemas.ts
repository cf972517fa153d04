import * as z from 'zod';

/** Just what the demo reads of each answer. */
export const Created = z.object({ id: z.string() });

export const WebhookEndpoint = z.object({ id: z.string(), secret: z.string() });

export const Upload = z.object({
  id: z.string(),
  upload_url: z.string(),
  upload_headers: z.record(z.string(), z.string()),
});
export type Upload = z.infer<typeof Upload>;

const Task = z.object({
  ordinal: z.number(),
  status: z.string(),
  page_start: z.number().nullable(),
  page_end: z.number().nullable(),
  chunks_written: z.number(),
  vectors_written: z.number(),
  error: z.string().nullable(),
});

export const Tasks = z.array(Task);
export type Tasks = z.infer<typeof Tasks>;

const Step = z.object({
  phase: z.string(),
  duration_ms: z.number(),
  attributes: z.record(z.string(), z.unknown()),
});

const Processing = z.object({
  serverless_invocations: z.number(),
  end_to_end_latency_ms: z.number(),
  path: z.array(Step),
});

export const JobDetail = z.object({
  job: z.object({
    id: z.string(),
    status: z.string(),
    tasks_total: z.number(),
    tasks_completed: z.number(),
    chunks_written: z.number(),
    vectors_written: z.number(),
    error: z.string().nullable(),
  }),
  processing: Processing,
  tasks: z.array(Task.extend({ trace: z.array(Step), embedding_tokens: z.number() })),
});
export type JobDetail = z.infer<typeof JobDetail>;

const SourceFile = z
  .object({ filename: z.string().nullable(), page_start: z.number().nullable(), page_end: z.number().nullable() })
  .nullable();

export const StoredRow = z.object({
  id: z.string(),
  text: z.string().nullable(),
  metadata: z.object({ heading_path: z.array(z.string()).optional() }),
  file: SourceFile,
});
export type StoredRow = z.infer<typeof StoredRow>;

const Hit = StoredRow.extend({ score: z.number() });
export type Hit = z.infer<typeof Hit>;

export const Answer = z.object({ results: z.array(Hit), took_ms: z.number() });

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
  processes: z.array(z.object({ busy: z.boolean() })),
});
export type LocalHealth = z.infer<typeof LocalHealth>;

export const LocalInvocations = z.object({ functions: z.record(z.string(), z.number()) });
