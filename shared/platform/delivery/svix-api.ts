import * as z from 'zod';
import type { Runtime } from '../../kernel/capability.ts';
import { inParallel } from '../../kernel/in-parallel.ts';
import { openSvixRequest, type SvixRequest } from './svix-request.ts';

/** An endpoint as Svix keeps it: where it sends, and to what it listens. */
export interface SvixEndpoint {
  readonly id: string;
  /** Address of the header relay for this endpoint. */
  readonly url: string;
  /** What Svix signs with; the relay alone knows it. Holds from the first time on. */
  readonly secret: string;
  /** It gets the messages that have one of them. */
  readonly channels: readonly string[];
  readonly disabled: boolean;
}

export interface SvixMessage {
  /** Svix takes one message of an id a day, and answers a repeat within hours as it did before. */
  readonly id: string;
  readonly type: string;
  readonly payload: object;
  /** Endpoints that listen to one of them get the message. */
  readonly channels: readonly string[];
}

/**
 * What became of a message: Svix sends it to whoever listens; it says that it has it, which does not mean that it sends it;
 * or it has no application for it.
 */
export type SvixCreation = 'queued' | 'known' | 'homeless';

/** One attempt as Svix noted it, oldest first. */
export interface SvixAttempt {
  readonly at: Date;
  readonly statusCode: number;
  readonly durationMs: number;
  /** What the relay answered. */
  readonly answer: string;
  /** Whether an operator asked for it at Svix. */
  readonly manual: boolean;
}

/** One message on its way to one endpoint. */
export interface SvixDelivery {
  readonly id: string;
  /** The id under which Svix was given the message. */
  readonly messageId: string;
  readonly type: string;
  readonly status: 'delivered' | 'pending' | 'failed' | 'dropped';
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly attempts: readonly SvixAttempt[];
}

/** What is asked of Svix. Organizations are its applications; endpoints, messages and organizations go by our ids. */
export interface SvixApi {
  /** Makes the application of an organization, unless it is there. */
  saveApplication(organizationId: string): Promise<void>;
  /** Makes or changes an endpoint of an application. */
  saveEndpoint(organizationId: string, endpoint: SvixEndpoint): Promise<void>;
  /** Takes an endpoint out; nothing where Svix does not have it. */
  removeEndpoint(organizationId: string, endpointId: string): Promise<void>;
  createMessage(organizationId: string, message: SvixMessage): Promise<SvixCreation>;
  /** The endpoints at which a message was attempted. */
  destinations(organizationId: string, messageId: string): Promise<ReadonlySet<string>>;
  /** One page of what was sent to an endpoint, newest first; nothing for an endpoint that Svix has never heard of. */
  deliveries(
    organizationId: string,
    endpointId: string,
    window: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly deliveries: readonly SvixDelivery[]; readonly next: string | null }>;
}

const mostOfPage = 50;
/** Requests to Svix side by side. */
export const abreast = 10;

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), done: z.boolean(), iterator: z.string().nullish() });

const Destinations = pageOf(z.object({ id: z.string(), uid: z.string().nullish() }));

const Messages = pageOf(
  z.object({
    id: z.string(),
    eventId: z.string().nullish(),
    eventType: z.string(),
    status: z.int(),
    nextAttempt: moment.nullish(),
    timestamp: moment,
  }),
);

const Attempts = pageOf(
  z.object({
    timestamp: moment,
    responseStatusCode: z.int(),
    responseDurationMs: z.int(),
    response: z.string(),
    triggerType: z.int(),
  }),
);

/** What Svix calls 0, success; 1, pending; 2, failed; 3, sending; 4, cancelled. */
const statuses: readonly SvixDelivery['status'][] = ['delivered', 'pending', 'failed', 'pending', 'dropped'];
const manualTrigger = 1;
const creations: Readonly<Partial<Record<number, SvixCreation>>> = { 404: 'homeless', 409: 'known' };

const pathOf = (...parts: readonly string[]): string => `app/${parts.map(encodeURIComponent).join('/')}`;

const saveEndpoint = async (request: SvixRequest, organizationId: string, endpoint: SvixEndpoint): Promise<void> => {
  const { id: uid, secret, ...wanted } = endpoint;
  // Another filter would keep from the endpoint what is meant for it alone.
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
  const query = { endpoint_id: endpointId, limit: String(mostOfPage), with_content: 'true' };
  const { body } = await request('GET', pathOf(organizationId, 'attempt', 'msg', messageId), { query });
  return Attempts.parse(body)
    .data.map((attempt) => ({
      at: attempt.timestamp,
      statusCode: attempt.responseStatusCode,
      durationMs: attempt.responseDurationMs,
      answer: attempt.response,
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
    limit: String(Math.min(limit, mostOfPage)),
    with_content: 'false',
    expanded_statuses: 'true',
    ...(after === null ? {} : { iterator: after }),
  };
  const path = pathOf(organizationId, 'endpoint', endpointId, 'msg');
  const { status, body } = await request('GET', path, { query, accepts: [404] });
  if (status === 404) return { deliveries: [], next: null };
  const page = Messages.parse(body);
  const deliveries = await inParallel(page.data, abreast, async (message) => ({
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

/** Svix under the key that lies in the Parameter Store as `svix-api-key`. */
export const openSvixApi = (runtime: Runtime): SvixApi => {
  const request = openSvixRequest(runtime);
  return {
    saveApplication: async (organizationId) => {
      const body = { name: organizationId, uid: organizationId };
      // Of two that make it at the same moment one is told that it is there.
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
