import type { TraceStep } from '../pipeline/steps.ts';
import { truncateEnvelope, envelopeLimitBytes } from './truncate-envelope.ts';
import type { EventReader, EventRecord } from './repository.ts';
import type { Envelope } from './event-data.ts';
import type { EventHistory, EventHistoryQuery } from './schemas.ts';

/** Source of the processing traces of file tasks. */
export interface TaskTraces {
  traces(
    organizationId: string,
    jobId: string,
  ): Promise<readonly { readonly id: string; readonly trace: readonly TraceStep[] }[]>;
}

interface HistoryDeps {
  readonly events: Pick<EventReader, 'page' | 'body'>;
  readonly files: TaskTraces;
}

/** Limits of one page. The response of a Lambda function is limited to 6 MB, in which JSON is escaped once more. */
const payloadShareBytes = 1_600_000;
const telemetryShareSteps = 4_000;

interface Entry {
  readonly event: EventRecord;
  readonly payload: Envelope;
}

const entryOf = (event: EventRecord, body: string | null, limitBytes: number): Entry => {
  const { type, createdAt: created_at, organizationId: organization_id } = event;
  // The cast is safe because only `build.ts` writes bodies.
  const payload = body === null ? { type, created_at, organization_id, data: {} } : (JSON.parse(body) as unknown);
  return { event, payload: truncateEnvelope(payload as Envelope, limitBytes) };
};

const toTraces = (entries: readonly Entry[]): EventHistory['traces'] =>
  entries.flatMap(({ event, payload: { data } }) =>
    event.jobId !== null && 'processing' in data
      ? { event_id: event.id, job_id: event.jobId, processing: data.processing }
      : [],
  );

/** Returns the first `maxSteps` steps of all tasks of a job, in order of their start. */
const telemetryOf = async (
  files: TaskTraces,
  organizationId: string,
  { event_id, job_id }: { readonly event_id: string; readonly job_id: string },
  maxSteps: number,
): Promise<EventHistory['telemetry']> => {
  const tasks = await files.traces(organizationId, job_id);
  return tasks
    .flatMap(({ id, trace }) =>
      trace.map((step) => ({ event_id, job_id, task_id: id, ...step, attributes: { ...step.attributes } })),
    )
    .toSorted((left, right) => left.started_at.localeCompare(right.started_at))
    .slice(0, maxSteps);
};

/** Returns one page of an organization's events, newest first, with their processing data. */
export const listEventHistory = async (
  { events, files }: HistoryDeps,
  organizationId: string,
  { limit, offset, event_type, status }: EventHistoryQuery,
): Promise<EventHistory> => {
  const page = await events.page(organizationId, { type: event_type, status }, { limit, offset });
  const bodies = await Promise.all(page.events.map(({ id }) => events.body(organizationId, id)));
  const limitBytes = Math.min(envelopeLimitBytes, Math.floor(payloadShareBytes / Math.max(1, page.events.length)));
  const entries = page.events.map((event, at) => entryOf(event, bodies[at] ?? null, limitBytes));
  const traces = toTraces(entries);
  const maxSteps = Math.floor(telemetryShareSteps / Math.max(1, traces.length));
  const telemetry = await Promise.all(traces.map((trace) => telemetryOf(files, organizationId, trace, maxSteps)));
  return {
    events: entries.map(({ event, payload }) => ({
      id: event.id,
      event_type: event.type,
      status: event.status,
      created_at: event.createdAt,
      index_id: event.indexId,
      job_id: event.jobId,
      payload: { ...payload, data: { ...payload.data } },
    })),
    total: page.total,
    limit,
    offset,
    traces,
    telemetry: telemetry.flat(),
  };
};
