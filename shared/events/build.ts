import { derivedId } from '../kernel/ids.ts';
import { compactEnvelope } from './compact.ts';
import { type EventData, eventData, type EventType } from './event-data.ts';

/** An event that is ready to be stored together with the change it tells of. */
export interface NewEvent {
  readonly id: string;
  readonly type: EventType;
  /** RFC 3339 UTC. */
  readonly createdAt: string;
  readonly organizationId: string;
  readonly indexId: string | null;
  readonly jobId: string | null;
  /** The envelope as JSON, as it will be signed and sent. */
  readonly body: string;
}

/** Whose event it is and when it happened. */
interface Origin {
  readonly organizationId: string;
  readonly at: Date;
}

interface Subject {
  readonly indexId: string | null;
  readonly jobId: string | null;
}

const build = <Type extends EventType>(
  type: Type,
  origin: Origin,
  subject: Subject,
  data: EventData<Type>,
): NewEvent => {
  const { organizationId, at } = origin;
  const createdAt = at.toISOString();
  const envelope = { type, created_at: createdAt, organization_id: organizationId, data: eventData[type].parse(data) };
  const body = JSON.stringify(compactEnvelope(envelope));
  return {
    // The body is part of the name, so that two changes of one index within a millisecond are two events.
    id: derivedId('evt', at, subject.jobId ?? subject.indexId ?? organizationId, type, body),
    type,
    createdAt,
    organizationId,
    ...subject,
    body,
  };
};

const ofIndex = (index: { readonly id: string }): Subject => ({ indexId: index.id, jobId: null });
const ofJob = (job: { readonly id: string; readonly index_id: string }): Subject => ({
  indexId: job.index_id,
  jobId: job.id,
});

/** The index is ready: its dense and sparse sides take writes. Slot `created`. */
export const indexCreated = (event: Origin & EventData<'index.created'>): NewEvent =>
  build('index.created', event, ofIndex(event.index), event);

/** The index has a new name. Slot `updated`. */
export const indexUpdated = (event: Origin & EventData<'index.updated'>): NewEvent =>
  build('index.updated', event, ofIndex(event.index), event);

/** The job is planned and its processing begins. Slot `started`. */
export const fileStarted = (event: Origin & EventData<'file.processing.started'>): NewEvent =>
  build('file.processing.started', event, ofJob(event.job), event);

/** Every task of the job is done. `sparse_text` may be of any length: what is too long is cut and marked. Slot `terminal`. */
export const fileCompleted = (event: Origin & EventData<'file.processing.completed'>): NewEvent =>
  build('file.processing.completed', event, ofJob(event.job), event);

/** The job failed for good. `error` must name no internals. Slot `terminal`. */
export const fileFailed = (event: Origin & EventData<'file.processing.failed'>): NewEvent =>
  build('file.processing.failed', event, ofJob(event.job), event);

/** Deliveries to a webhook endpoint have ended until an owner resumes it. Slot `disabled`. */
export const endpointDisabled = (event: Origin & EventData<'webhook.endpoint.disabled'>): NewEvent =>
  build('webhook.endpoint.disabled', event, { indexId: null, jobId: null }, event);
