import * as z from 'zod';
import { AuditRecordResponse, exampleAuditRecord } from '../audit/index.ts';
import { exampleId, exampleTime } from '../http/examples.ts';
import { ErrorReason, Processing } from '../pipeline/processing.ts';

/** Types of events that a webhook endpoint can receive. */
export const eventTypes = [
  'index.created',
  'index.updated',
  'index.capacity_warning',
  'index.erased',
  'index.rebuild.completed',
  'index.rebuild.failed',
  'file.processing.started',
  'file.processing.completed',
  'file.processing.failed',
  'file.expired',
  'export.completed',
  'export.failed',
  'webhook.endpoint.disabled',
  'audit.recorded',
] as const;

export const EventType = z.enum(eventTypes).meta({ id: 'EventType', description: 'Type of an event.' });
export type EventType = z.infer<typeof EventType>;

/**
 * Types that an endpoint receives only if it names them. A record repeats what other events report, and contains addresses
 * of people.
 */
export const namedEventTypes: readonly EventType[] = ['audit.recorded'];

const exampleIndex = { id: exampleId('idx'), name: 'handbook', region: 'us-east-1' };

const exampleJob = { id: exampleId('job'), index_id: exampleId('idx'), filename: 'handbook.pdf' };

const exampleProcessing = {
  job_id: exampleId('job'),
  ocr_credits: 0,
  audio_credits: 0,
  audio_seconds: 0,
  serverless_invocations: 3,
  end_to_end_latency_ms: 4_210,
  path: [
    { phase: 'content.extract', duration_ms: 180, attributes: { pages: 12, ocr_credits: 0 } },
    { phase: 'multimodal.credits', duration_ms: 1, attributes: { total_credits: 0 } },
    { phase: 'embedding.generate', duration_ms: 3_650, attributes: { vectors: 42 } },
    { phase: 'index.write', duration_ms: 95, attributes: { batches: 1 } },
  ],
};

const Index = z.object({
  id: z.string().describe('Id of the index.'),
  name: z.string().describe('Name of the index.'),
  region: z.string().describe('Region that stores the index.'),
});

const Job = z.object({
  id: z.string().describe('Id of the file job.'),
  index_id: z.string().describe('Id of the index.'),
  filename: z.string().describe('Name of the file.'),
});

const exampleRebuild = { id: exampleId('reb'), index_id: exampleId('idx') };

const Rebuild = z.object({
  id: z.string().describe('Id of the rebuild.'),
  index_id: z.string().describe('Id of the index.'),
});

const exampleErasure = { id: exampleId('era'), index_id: exampleId('idx') };

const Erasure = z.object({
  id: z.string().describe('Id of the erasure.'),
  index_id: z.string().describe('Id of the index.'),
});

const exampleExport = { id: exampleId('exp'), index_id: exampleId('idx') };

const Export = z.object({
  id: z.string().describe('Id of the export.'),
  index_id: z.string().describe('Id of the index.'),
});

export const IndexCapacity = z
  .object({
    vector_numbers: z.int().describe('Numbers of all vectors: rows times dimensions.'),
    max_vector_numbers: z.int().describe('Numbers from which the index takes no more content.'),
    content_bytes: z.int().describe('Bytes of vectors and texts.'),
    max_content_bytes: z.int().describe('Bytes from which the index takes no more content.'),
    ratio: z.number().describe('Larger share of the two maximums. From 1 on, the index is full.'),
  })
  .meta({ id: 'IndexCapacity', description: 'Size of an index, and the maximum that one index takes.' });

export const exampleCapacity = {
  vector_numbers: 368_640_000,
  max_vector_numbers: 460_800_000,
  content_bytes: 1_520_640_000,
  max_content_bytes: 2_147_483_648,
  ratio: 0.8,
};

/** Schema of the `data` of each event type, with its documentation and example. */
export const eventData = {
  'index.created': z
    .object({
      index: Index.extend({ dimensions: z.int().describe('Number of dimensions of each vector.') })
        .meta({ id: 'CreatedIndex', description: 'An index that was created.' })
        .describe('The index.'),
    })
    .meta({
      id: 'IndexCreatedEventData',
      description:
        'An index is ready for writes, dense and sparse. `name` is the name at its creation. Region and dimensions never ' +
        'change.',
      examples: [{ index: { ...exampleIndex, dimensions: 1536 } }],
    }),
  'index.updated': z
    .object({
      index: Index.meta({ id: 'UpdatedIndex', description: 'An index that was renamed.' }).describe('The index.'),
    })
    .meta({
      id: 'IndexUpdatedEventData',
      description: 'An index was renamed. Nothing else has changed.',
      examples: [{ index: { ...exampleIndex, name: 'handbook-2030' } }],
    }),
  'index.capacity_warning': z
    .object({
      index: Index.meta({ id: 'NearlyFullIndex', description: 'An index that is nearly full.' }).describe('The index.'),
      capacity: IndexCapacity.describe('Size of the index.'),
    })
    .meta({
      id: 'IndexCapacityWarningEventData',
      description: 'An index has passed 80 % of its maximum size. Sent each time that its content passes it.',
      examples: [{ index: exampleIndex, capacity: exampleCapacity }],
    }),
  'index.erased': z
    .object({
      erasure: Erasure.meta({ id: 'EndedErasure', description: 'An erasure whose receipt is signed.' }).describe(
        'The erasure.',
      ),
    })
    .meta({
      id: 'IndexErasedEventData',
      description: 'Nothing is left of the rows and files of an erasure, and its receipt is signed.',
      examples: [{ erasure: exampleErasure }],
    }),
  'index.rebuild.completed': z
    .object({
      rebuild: Rebuild.extend({
        vectors: z.int().describe('Rows of the index after the takeover.'),
        left_out: z.int().describe('Rows that stayed out, because they could not be embedded or stored.'),
        rollback_until: z.iso.datetime().describe('Time until which the takeover can be undone.'),
      })
        .meta({ id: 'CompletedRebuild', description: 'A rebuild that has taken over.' })
        .describe('The rebuild.'),
    })
    .meta({
      id: 'IndexRebuildCompletedEventData',
      description: 'The successor of a rebuild has become the content of its index. No file was processed again.',
      examples: [{ rebuild: { ...exampleRebuild, vectors: 42_000, left_out: 0, rollback_until: exampleTime } }],
    }),
  'index.rebuild.failed': z
    .object({
      rebuild: Rebuild.extend({ error: z.string().describe('Human-readable reason of the failure.') })
        .meta({ id: 'FailedRebuild', description: 'A rebuild that failed.' })
        .describe('The rebuild.'),
    })
    .meta({
      id: 'IndexRebuildFailedEventData',
      description: 'A rebuild failed. The index is as it was.',
      examples: [{ rebuild: { ...exampleRebuild, error: 'The index has been deleted' } }],
    }),
  'file.processing.started': z
    .object({
      job: Job.extend({ region: z.string().describe('Region that processes the file.') })
        .meta({ id: 'StartedFileJob', description: 'A file job that starts.' })
        .describe('The job.'),
    })
    .meta({
      id: 'FileProcessingStartedEventData',
      description: 'A file is planned and its processing starts. Sent once per job, however many tasks it has.',
      examples: [{ job: { ...exampleJob, region: 'us-east-1' } }],
    }),
  'file.processing.completed': z
    .object({
      job: Job.extend({
        status: z
          .enum(['completed', 'completed_with_warnings'])
          .meta({ id: 'CompletedFileStatus', description: 'How a file job completed.' })
          .describe('How the job completed.'),
        vectors_written: z.int().describe('Vectors that the job wrote to the index.'),
        sparse_text: z.string().describe('Beginning of the text of the file.'),
        sparse_text_truncated: z.boolean().describe('Whether the file has more text than `sparse_text`.'),
      })
        .meta({ id: 'CompletedFileJob', description: 'A file job that completed.' })
        .describe('The job.'),
      processing: Processing.describe('Duration and cost of the processing.'),
    })
    .meta({
      id: 'FileProcessingCompletedEventData',
      description:
        'Every task of the job is done. `status` is `completed`, or `completed_with_warnings` if nothing could be extracted.',
      examples: [
        {
          job: {
            ...exampleJob,
            status: 'completed',
            vectors_written: 42,
            sparse_text: 'Chapter 1. How to begin …',
            sparse_text_truncated: true,
          },
          processing: exampleProcessing,
        },
      ],
    }),
  'file.processing.failed': z
    .object({
      job: Job.extend({
        error: z.string().describe('Human-readable reason of the failure.'),
        error_code: ErrorReason.describe('Machine-readable reason of the failure.'),
      })
        .meta({ id: 'FailedFileJob', description: 'A file job that failed.' })
        .describe('The job.'),
      processing: Processing.describe('Duration and cost of the processing.'),
    })
    .meta({
      id: 'FileProcessingFailedEventData',
      description:
        'The job failed after all retries. `error_code` is `processing_failed` or ' +
        '`multimodal_credit_limit_reached`.',
      examples: [
        {
          job: {
            ...exampleJob,
            filename: 'locked.pdf',
            error: 'The PDF is protected by a password',
            error_code: 'processing_failed',
          },
          processing: { ...exampleProcessing, serverless_invocations: 1, end_to_end_latency_ms: 1_007, path: [] },
        },
      ],
    }),
  'file.expired': z
    .object({
      job: Job.extend({ expired_at: z.iso.datetime().describe('Time from which no read returns its rows.') })
        .meta({ id: 'ExpiredFileJob', description: 'A file job that has expired.' })
        .describe('The job.'),
    })
    .meta({
      id: 'FileExpiredEventData',
      description: 'A file has expired. The file, its job and its rows are removed, as if it had been deleted.',
      examples: [{ job: { ...exampleJob, expired_at: exampleTime } }],
    }),
  'export.completed': z
    .object({
      export: Export.extend({
        rows: z.int().describe('Rows of the export.'),
        size_bytes: z.int().describe('Bytes of its files.'),
        expires_at: z.iso.datetime().describe('Time at which the files are deleted.'),
      })
        .meta({ id: 'CompletedExport', description: 'An export that completed.' })
        .describe('The export.'),
    })
    .meta({
      id: 'ExportCompletedEventData',
      description: 'All files of an export can be downloaded. `GET` of the export returns their URLs.',
      examples: [{ export: { ...exampleExport, rows: 42_000, size_bytes: 61_000_000, expires_at: exampleTime } }],
    }),
  'export.failed': z
    .object({
      export: Export.extend({ error: z.string().describe('Human-readable reason of the failure.') })
        .meta({ id: 'FailedExport', description: 'An export that failed.' })
        .describe('The export.'),
    })
    .meta({
      id: 'ExportFailedEventData',
      description: 'An export failed and has no files. Another one can be started.',
      examples: [{ export: { ...exampleExport, error: 'The index has been deleted' } }],
    }),
  'webhook.endpoint.disabled': z
    .object({
      endpoint: z
        .object({
          id: z.string().describe('Id of the endpoint.'),
          reason: z
            .enum(['gone', 'failing'])
            .meta({ id: 'EndpointDisabledReason', description: 'Why the service disabled an endpoint.' })
            .describe('Why the endpoint was disabled.'),
        })
        .meta({ id: 'DisabledEndpoint', description: 'A webhook endpoint that was disabled.' })
        .describe('The endpoint.'),
    })
    .meta({
      id: 'WebhookEndpointDisabledEventData',
      description:
        'The service disabled a webhook endpoint of the organization. It receives nothing until an owner resumes it. ' +
        '`reason` is `gone` (its receiver returned 410) or `failing` (five days without a success). The event does not ' +
        'contain the URL, which may contain secrets.',
      examples: [{ endpoint: { id: exampleId('we'), reason: 'failing' } }],
    }),
  'audit.recorded': z.object({ record: AuditRecordResponse.describe('The record.') }).meta({
    id: 'AuditRecordedEventData',
    description:
      'A change was recorded in the audit log. An endpoint receives it only if `event_types` names it, since the record ' +
      'contains e-mail and IP addresses of people.',
    examples: [{ record: exampleAuditRecord }],
  }),
} as const satisfies Record<EventType, z.ZodType>;

export type EventData<Type extends EventType> = z.input<(typeof eventData)[Type]>;

/** Body of a webhook request. */
export interface Envelope {
  readonly type: EventType;
  /** RFC 3339 UTC. */
  readonly created_at: string;
  readonly organization_id: string;
  readonly data: EventData<EventType>;
}
