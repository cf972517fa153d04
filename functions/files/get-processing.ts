import * as z from 'zod';
import {
  FileJobResponse,
  FileTaskResponse,
  filesRead,
  requireCitedJob,
  toJobResponse,
  toProcessing,
  toTaskResponse,
} from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { exampleTime } from '../../shared/http/examples.ts';
import { indexesRead } from '../../shared/indexes/index.ts';
import { Processing } from '../../shared/pipeline/processing.ts';

const TraceStep = z
  .object({
    attempt: z.number().int().describe('Number of the attempt, from 1.'),
    phase: z.string().describe('Name of the phase, such as `content.extract`.'),
    started_at: z.iso.datetime().describe('When the phase began.'),
    duration_ms: z.number().int().describe('Milliseconds that the phase took.'),
    attributes: z.record(z.string(), z.json()).describe('Figures of the phase, such as pages or vectors.'),
  })
  .meta({
    id: 'TraceStep',
    description: 'One timed phase of one attempt.',
    examples: [
      { attempt: 1, phase: 'content.extract', started_at: exampleTime, duration_ms: 310, attributes: { pages: 42 } },
    ],
  });

const ProcessingDetail = z
  .object({
    job: FileJobResponse.describe('The job.'),
    processing: Processing.describe('Usage of the job so far.'),
    tasks: z
      .array(
        FileTaskResponse.extend({
          trace: z.array(TraceStep).describe('Timed phases of all attempts, in their order.'),
          ocr_credits: z.number().int().describe('Page images whose text was recognized.'),
          audio_credits: z.number().int().describe('Started minutes of audio that were transcribed.'),
          audio_seconds: z.number().int().describe('Seconds of audio that were transcribed.'),
          embedding_tokens: z.number().int().describe('Tokens of text that were turned into vectors.'),
          serverless_invocations: z.number().int().describe('Function invocations, retries included.'),
        }).meta({ id: 'FileTaskDetail', description: 'A task with its usage.' }),
      )
      .describe('The tasks of the job.'),
  })
  .meta({ id: 'ProcessingDetail', description: 'A file job with its tasks and their usage.' });

export const getFileProcessing = endpoint({
  id: 'get-file-processing',
  method: 'GET',
  path: '/v1/indexes/{index_id}/files/{job_id}/processing',
  tag: 'Files',
  summary: 'Get the processing detail of a file job',
  description:
    'Returns the job, `processing` and trace data that webhook events contain. For a running job: its usage so far.',
  auth: { needs: 'read', servesBound: true },
  uses: { indexes: indexesRead, files: filesRead },
  status: 200,
  response: ProcessingDetail,
  handle: async ({ caller, deps, path, clock }) => {
    const job = await requireCitedJob(deps, {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      jobId: path.job_id,
    });
    const tasks = await deps.files.tasks(caller.organizationId, job.id);
    const processing = job.processing ?? toProcessing(job, tasks, clock.now().toISOString());
    return {
      job: toJobResponse(job, tasks),
      processing,
      tasks: tasks.map((task) => ({
        ...toTaskResponse(task),
        trace: task.trace.map((step) => ({
          ...step,
          attributes: { ...step.attributes } as z.input<typeof TraceStep>['attributes'],
        })),
        ocr_credits: task.credits.ocr,
        audio_credits: task.credits.audio,
        audio_seconds: task.credits.audioSeconds,
        embedding_tokens: task.tokens,
        serverless_invocations: task.invocations.size,
      })),
    };
  },
});
