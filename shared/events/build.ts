import { derivedId } from '../kernel/ids.ts';
import { truncateEnvelope } from './truncate-envelope.ts';
import { type EventData, eventData, type EventType } from './event-data.ts';

/** Event that is ready to be stored together with the change that it reports. */
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

/** Organization and time of an event. */
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
  const body = JSON.stringify(truncateEnvelope(envelope));
  return {
    // The id depends on the body, so two changes of one index within a millisecond are two events.
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

const ofPartOfIndex = ({ index_id }: { readonly index_id: string }): Subject => ({ indexId: index_id, jobId: null });

/** Returns the event of an index that is ready for writes. Slot `created`. */
export const indexCreated = (event: Origin & EventData<'index.created'>): NewEvent =>
  build('index.created', event, ofIndex(event.index), event);

/** Returns the event of an index that was renamed. Slot `updated`. */
export const indexUpdated = (event: Origin & EventData<'index.updated'>): NewEvent =>
  build('index.updated', event, ofIndex(event.index), event);

/** Returns the event of an index that is nearly full. Slot `capacity`. */
export const indexCapacityWarning = (event: Origin & EventData<'index.capacity_warning'>): NewEvent =>
  build('index.capacity_warning', event, ofIndex(event.index), event);

/** Returns the event of a job that is planned and whose processing begins. Slot `started`. */
export const fileStarted = (event: Origin & EventData<'file.processing.started'>): NewEvent =>
  build('file.processing.started', event, ofJob(event.job), event);

/** Returns the event of a job whose tasks are all done. A `sparse_text` that is too long is truncated. Slot `terminal`. */
export const fileCompleted = (event: Origin & EventData<'file.processing.completed'>): NewEvent =>
  build('file.processing.completed', event, ofJob(event.job), event);

/** Returns the event of a job that failed. `error` must not reveal internals. Slot `terminal`. */
export const fileFailed = (event: Origin & EventData<'file.processing.failed'>): NewEvent =>
  build('file.processing.failed', event, ofJob(event.job), event);

/** Returns the event of a job that has expired and is removed. Slot `updated`. */
export const fileExpired = (event: Origin & EventData<'file.expired'>): NewEvent =>
  build('file.expired', event, ofJob(event.job), event);

/** Returns the event of a rebuild whose successor has taken over. Slot `terminal`. */
export const rebuildCompleted = (event: Origin & EventData<'index.rebuild.completed'>): NewEvent =>
  build('index.rebuild.completed', event, ofPartOfIndex(event.rebuild), event);

/** Returns the event of a rebuild that failed. `error` must not reveal internals. Slot `terminal`. */
export const rebuildFailed = (event: Origin & EventData<'index.rebuild.failed'>): NewEvent =>
  build('index.rebuild.failed', event, ofPartOfIndex(event.rebuild), event);

/** Returns the event of an erasure that has ended. Slot `terminal`. */
export const indexErased = (event: Origin & EventData<'index.erased'>): NewEvent =>
  build('index.erased', event, ofPartOfIndex(event.erasure), event);

/** Returns the event of an export whose files can be downloaded. Slot `terminal`. */
export const exportCompleted = (event: Origin & EventData<'export.completed'>): NewEvent =>
  build('export.completed', event, ofPartOfIndex(event.export), event);

/** Returns the event of an export that failed. `error` must not reveal internals. Slot `terminal`. */
export const exportFailed = (event: Origin & EventData<'export.failed'>): NewEvent =>
  build('export.failed', event, ofPartOfIndex(event.export), event);

/** Returns the event of a record of the audit log. It is stored in no slot. */
export const auditRecorded = (event: Origin & EventData<'audit.recorded'>): NewEvent =>
  build('audit.recorded', event, { indexId: event.record.index_id, jobId: null }, event);

/** Returns the event of a webhook endpoint that the service disabled. Slot `disabled`. */
export const endpointDisabled = (event: Origin & EventData<'webhook.endpoint.disabled'>): NewEvent =>
  build('webhook.endpoint.disabled', event, { indexId: null, jobId: null }, event);
