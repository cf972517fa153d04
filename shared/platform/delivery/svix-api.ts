import * as z from 'zod';
import type { Runtime } from '../../kernel/capability.ts';
import { inParallel } from '../../kernel/in-parallel.ts';
import { openSvixRequest, type SvixRequest } from './svix-request.ts';

/** Webhook endpoint as Svix stores it. */
export interface SvixEndpoint {
  readonly id: string;
  /** Address of the header relay for this endpoint. */
  readonly url: string;
  /** Secret with which Svix signs its requests to the relay. Svix keeps the first value that it is given. */
  readonly secret: string;
  /** The endpoint receives the messages of these channels. */
  readonly channels: readonly string[];
  readonly disabled: boolean;
}

export interface SvixMessage {
  /** Svix accepts one message of an id a day. It returns the first response to a repeat within hours. */
  readonly id: string;
  readonly type: string;
  readonly payload: object;
  /** Endpoints of one of these channels receive the message. */
  readonly channels: readonly string[];
}

/**
 * Outcome of the creation of a message. `queued`: Svix sends it. `known`: Svix has the message, but may never send it.
 * `no_application`: Svix has no application for the organization.
 */
export type SvixCreation = 'queued' | 'known' | 'no_application';

/** One delivery attempt as Svix recorded it, oldest first. */
export interface SvixAttempt {
  readonly at: Date;
  readonly statusCode: number;
  readonly durationMs: number;
  /** Response body of the relay. */
  readonly responseBody: string;
  /** Whether an operator requested it in Svix. */
  readonly manual: boolean;
}

/** Delivery of one message to one endpoint. */
export interface SvixDelivery {
  readonly id: string;
  /** Id that this service gave the message. */
  readonly messageId: string;
  readonly type: string;
  readonly status: 'delivered' | 'pending' | 'failed' | 'dropped';
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly attempts: readonly SvixAttempt[];
}

/** Client of Svix. Organizations are applications there. Endpoints, messages and organizations keep their ids. */
export interface SvixApi {
  /** Creates the application of an organization, unless it exists. */
  saveApplication(organizationId: string): Promise<void>;
  /** Creates or updates an endpoint of an application. */
  saveEndpoint(organizationId: string, endpoint: SvixEndpoint): Promise<void>;
  /** Deletes an endpoint, if Svix has it. */
  removeEndpoint(organizationId: string, endpointId: string): Promise<void>;
  createMessage(organizationId: string, message: SvixMessage): Promise<SvixCreation>;
  /** Returns the ids of the endpoints to which a message was attempted. */
  destinations(organizationId: string, messageId: string): Promise<ReadonlySet<string>>;
  /** Returns one page of the deliveries to an endpoint, newest first; none if Svix does not know the endpoint. */
  deliveries(
    organizationId: string,
    endpointId: string,
    window: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly deliveries: readonly SvixDelivery[]; readonly next: string | null }>;
}

const maxPageSize = 50;
/** Limit of concurrent requests to Svix. */
export const maxConcurrentRequests = 10;

const Timestamp = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), done: z.boolean(), iterator: z.string().nullish() });

const Destinations = pageOf(z.object({ id: z.string(), uid: z.string().nullish() }));

const Messages = pageOf(
  z.object({
    id: z.string(),
    eventId: z.string().nullish(),
    eventType: z.string(),
    status: z.int(),
    nextAttempt: Timestamp.nullish(),
    timestamp: Timestamp,
  }),
);

const Attempts = pageOf(
  z.object({
    timestamp: Timestamp,
    responseStatusCode: z.int(),
    responseDurationMs: z.int(),
    response: z.string(),
    triggerType: z.int(),
  }),
);

/** Statuses by their number in Svix: 0, success; 1, pending; 2, failed; 3, sending; 4, cancelled. */
const statuses: readonly SvixDelivery['status'][] = ['delivered', 'pending', 'failed', 'pending', 'dropped'];
const manualTrigger = 1;
const creations: Readonly<Partial<Record<number, SvixCreation>>> = { 404: 'no_application', 409: 'known' };

const pathOf = (...parts: readonly string[]): string => `app/${parts.map(encodeURIComponent).join('/')}`;

const saveEndpoint = async (request: SvixRequest, organizationId: string, endpoint: SvixEndpoint): Promise<void> => {
  const { id: uid, secret, ...wanted } = endpoint;
  // A filter by event type would drop messages that are addressed to this endpoint alone.
  const body = { ...wanted, uid, eventTypes: null };
  const path = pathOf(organizationId, 'endpoint');
  const { status } = await request('POST', path, { body: { ...body, secret }, accepts: [409] });
  if (status === 409) await request('PUT', pathOf(organizationId, 'endpoint', uid), { body });
};

const attemptsOf = async (
  request: SvixRequest,
  organizationId: string,
  endpointId: string,
  messageId: string,
): Promise<readonly SvixAttempt[]> => {
  const query = { endpoint_id: endpointId, limit: String(maxPageSize), with_content: 'true' };
  const { body } = await request('GET', pathOf(organizationId, 'attempt', 'msg', messageId), { query });
  return Attempts.parse(body)
    .data.map((attempt) => ({
      at: attempt.timestamp,
      statusCode: attempt.responseStatusCode,
      durationMs: attempt.responseDurationMs,
      responseBody: attempt.response,
      manual: attempt.triggerType === manualTrigger,
    }))
    .toSorted((left, right) => left.at.getTime() - right.at.getTime());
};

const listDeliveries = async (
  request: SvixRequest,
  organizationId: string,
  endpointId: string,
  { limit, after }: { readonly limit: number; readonly after: string | null },
): ReturnType<SvixApi['deliveries']> => {
  const query = {
    limit: String(Math.min(limit, maxPageSize)),
    with_content: 'false',
    expanded_statuses: 'true',
    ...(after === null ? {} : { iterator: after }),
  };
  const path = pathOf(organizationId, 'endpoint', endpointId, 'msg');
  const { status, body } = await request('GET', path, { query, accepts: [404] });
  if (status === 404) return { deliveries: [], next: null };
  const page = Messages.parse(body);
  const deliveries = await inParallel(page.data, maxConcurrentRequests, async (message) => ({
    id: message.id,
    messageId: message.eventId ?? message.id,
    type: message.eventType,
    status: statuses[message.status] ?? 'pending',
    nextAttemptAt: message.nextAttempt ?? null,
    createdAt: message.timestamp,
    attempts: await attemptsOf(request, organizationId, endpointId, message.id),
  }));
  return { deliveries, next: page.done ? null : (page.iterator ?? null) };
};

const destinationsOf = async (
  request: SvixRequest,
  organizationId: string,
  messageId: string,
): Promise<ReadonlySet<string>> => {
  const ids = new Set<string>();
  for (let query = {}; ;) {
    const path = pathOf(organizationId, 'msg', messageId, 'endpoint');
    const { status, body } = await request('GET', path, { query, accepts: [404] });
    if (status === 404) return ids;
    const page = Destinations.parse(body);
    for (const { id, uid } of page.data) ids.add(uid ?? id);
    if (page.done) return ids;
    query = { iterator: page.iterator ?? '' };
  }
};

/** Opens a client of Svix with the API key in the Parameter Store, `svix-api-key`. */
export const openSvixApi = (runtime: Runtime): SvixApi => {
  const request = openSvixRequest(runtime);
  return {
    saveApplication: async (organizationId) => {
      const body = { name: organizationId, uid: organizationId };
      // Of two concurrent requests, Svix answers one with a 409.
      await request('PUT', pathOf(organizationId), { body, accepts: [409] });
    },
    saveEndpoint: (organizationId, endpoint) => saveEndpoint(request, organizationId, endpoint),
    removeEndpoint: async (organizationId, endpointId) => {
      await request('DELETE', pathOf(organizationId, 'endpoint', endpointId), { accepts: [404] });
    },
    createMessage: async (organizationId, { id, type, payload, channels }) => {
      const body = { eventId: id, eventType: type, payload, channels };
      const path = pathOf(organizationId, 'msg');
      const { status } = await request('POST', path, { body, key: id, accepts: [404, 409] });
      return creations[status] ?? 'queued';
    },
    destinations: (organizationId, messageId) => destinationsOf(request, organizationId, messageId),
    deliveries: (organizationId, endpointId, window) => listDeliveries(request, organizationId, endpointId, window),
  };
};
