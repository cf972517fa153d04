import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Webhook } from 'svix';
import type { Clock } from '../../../shared/kernel/clock.ts';
import { listening } from '../../support/emulated-cloud.ts';

interface StubEndpoint {
  readonly uid: string;
  readonly secret: string;
  url: string;
  disabled: boolean;
  eventTypes: readonly string[] | null;
  channels: readonly string[] | null;
}

interface StubMessage {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly payload: unknown;
  readonly channels: readonly string[];
  readonly timestamp: Date;
}

interface StubAttempt {
  readonly id: string;
  readonly timestamp: Date;
  readonly responseStatusCode: number;
  readonly response: string;
  readonly triggerType: 0 | 1;
  readonly nextAttempt: Date | null;
}

/** Delivery of one message to one endpoint. */
interface StubTask {
  readonly message: StubMessage;
  readonly endpoint: StubEndpoint;
  readonly attempts: StubAttempt[];
  /** Number of scheduled attempts so far. */
  scheduled: number;
  /** Whether the next attempt was requested by an operator. It is not retried. */
  manual: boolean;
  dueMs: number | null;
}

interface StubApplication {
  readonly endpoints: Map<string, StubEndpoint>;
  readonly messages: StubMessage[];
  readonly tasks: StubTask[];
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

type Body = Readonly<Record<string, unknown>>;

const delaysSeconds = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
const statusTexts = ['success', 'pending', 'fail', 'sending'] as const;
const nameOf = /^[a-zA-Z0-9\-_.]{1,256}$/;
const notFound: Answer = { status: 404, body: { code: 'not_found', detail: 'Entity not found' } };
const conflict: Answer = { status: 409, body: { code: 'conflict', detail: 'Conflict' } };
const payloadsKeptMs = 90 * 86_400_000;
const missingPayload: Answer = { status: 400, body: { code: 'missing_payload', detail: 'Payload is missing' } };
const unprocessable = (msg: string): Answer => ({
  status: 422,
  body: { detail: [{ loc: ['body'], msg, type: 'value_error' }] },
});

const listensTo = ({ eventTypes, channels }: StubEndpoint, message: StubMessage): boolean =>
  (eventTypes === null || eventTypes.includes(message.eventType)) &&
  (channels === null || channels.some((one) => message.channels.includes(one)));

/** Returns the Svix representation of a delivery, by its latest attempt. */
const progressOf = (attempt: StubAttempt) => {
  const done = attempt.responseStatusCode < 300 ? 0 : 2;
  const status = attempt.nextAttempt === null ? done : 3;
  return { status, statusText: statusTexts[status], nextAttempt: attempt.nextAttempt?.toISOString() ?? null };
};

/** Serializes JSON like a database that stores JSON instead of text. */
const reordered = (value: object): object =>
  Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => right.localeCompare(left)));

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

/** Stub of the Svix REST API, as far as the service and its operators use it. It makes due attempts on request. */
export class SvixStub {
  readonly key = 'testsk_stub';
  readonly requests: string[] = [];
  /** Handling of created messages: stored and sent, or stored and dropped with an error. */
  creates: 'queued' | 'stored only' = 'queued';
  down = false;
  /** Status with which it refuses the API key; null if it accepts the key. */
  refusesKey: 401 | 403 | null = null;
  /** Number of requests that are refused with 429. */
  refused = 0;
  /** Id of an endpoint at which Svix fails. */
  failingEndpoint = '';
  /** Number of messages that must arrive before the first one is answered. */
  together = 1;
  private readonly held: (() => void)[] = [];
  private readonly applications = new Map<string, StubApplication>();
  private readonly answered = new Map<string, Answer>();
  private readonly server: Server;
  private readonly clock: Clock;
  private made = 0;

  constructor(clock: Clock) {
    this.clock = clock;
    this.server = createServer((request, response) => {
      const serve = async (): Promise<void> => {
        const text = await bodyOf(request);
        if (request.method === 'POST' && request.url?.endsWith('/msg') === true) await this.wait();
        const { status, body } = this.answer(request, text);
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(status === 204 ? undefined : JSON.stringify(body));
      };
      serve().catch((error: unknown) => response.writeHead(500).end(String(error)));
    });
  }

  start(): Promise<string> {
    return listening(this.server);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Deletes everything, as in another environment of Svix. */
  forgetAll(): void {
    this.applications.clear();
  }

  endpointOf(organizationId: string, endpointId: string): Readonly<StubEndpoint> | undefined {
    return this.applications.get(organizationId)?.endpoints.get(endpointId);
  }

  /** Makes attempts until none is due. */
  async pump(): Promise<void> {
    const nowMs = this.clock.now().getTime();
    const due = [...this.applications.values()].flatMap(({ tasks }) =>
      tasks.filter(({ dueMs }) => dueMs !== null && dueMs <= nowMs),
    );
    for (const task of due) await this.attempt(task);
  }

  private async attempt(task: StubTask): Promise<void> {
    const { message, endpoint } = task;
    const { manual } = task;
    Object.assign(task, { dueMs: null, manual: false });
    if (endpoint.disabled || (!manual && !listensTo(endpoint, message))) return;
    const at = new Date();
    const body = JSON.stringify(message.payload);
    const headers = {
      'content-type': 'application/json',
      'svix-id': message.id,
      'svix-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'svix-signature': new Webhook(endpoint.secret).sign(message.id, at, body),
    };
    const answer = await fetch(endpoint.url, { method: 'POST', headers, body, redirect: 'manual' });
    const [response, control] = [await answer.text(), answer.headers.get('webhook-delivery')];
    const timestamp = this.clock.now();
    const id = `atmpt_${(this.made += 1)}`;
    if (control === 'disable') endpoint.disabled = true;
    if (!manual) task.scheduled += 1;
    const delay = manual || answer.ok || endpoint.disabled ? undefined : delaysSeconds[task.scheduled];
    const nextAttempt = delay === undefined ? null : new Date(timestamp.getTime() + delay * 1_000);
    const triggerType = manual ? 1 : 0;
    task.attempts.push({ id, timestamp, responseStatusCode: answer.status, response, triggerType, nextAttempt });
    task.dueMs = nextAttempt?.getTime() ?? null;
  }

  private async wait(): Promise<void> {
    const released = new Promise<void>((resolve) => this.held.push(resolve));
    if (this.held.length >= this.together) for (const release of this.held.splice(0)) release();
    await released;
  }

  private answer(request: IncomingMessage, text: string): Answer {
    const url = new URL(request.url ?? '', 'http://stub');
    const line = `${request.method} ${url.pathname}`;
    this.requests.push(line);
    if (this.refused > 0) {
      this.refused -= 1;
      return { status: 429, body: { code: 'rate_limited', detail: 'Too many requests' } };
    }
    if (this.down) return { status: 503, body: 'unavailable' };
    if (this.refusesKey !== null || request.headers.authorization !== `Bearer ${this.key}`)
      return { status: this.refusesKey ?? 401, body: { code: 'authentication_failed', detail: 'Invalid token' } };
    const key = request.headers['idempotency-key'];
    const known = typeof key === 'string' ? this.answered.get(`${line} ${key}`) : undefined;
    if (known !== undefined) return known;
    const answer = this.route(request.method ?? '', url, (text === '' ? {} : JSON.parse(text)) as Body);
    if (typeof key === 'string' && answer.status < 300) this.answered.set(`${line} ${key}`, answer);
    return answer;
  }

  private route(method: string, url: URL, body: Body): Answer {
    const line = `${method} ${url.pathname}`;
    const [, uid = '', rest = ''] = /^\w+ \/api\/v1\/app\/([^/]+)(?:\/(.+))?$/.exec(line) ?? [];
    if (method === 'PUT' && uid !== '' && rest === '') return this.saveApplication(uid, body);
    const application = this.applications.get(uid);
    if (application === undefined) return notFound;
    const routes: readonly (readonly [RegExp, (id: string, other: string) => Answer])[] = [
      [/^POST endpoint$/, () => this.addEndpoint(application, body)],
      [/^PUT endpoint\/([^/]+)$/, (id) => this.changeEndpoint(application, id, body)],
      [
        /^DELETE endpoint\/([^/]+)$/,
        (id) => (application.endpoints.delete(id) ? { status: 204, body: null } : notFound),
      ],
      [/^GET endpoint\/([^/]+)\/msg$/, (id) => this.attempted(application, id, url.searchParams)],
      [/^POST msg$/, () => this.addMessage(application, body)],
      [/^GET msg\/([^/]+)\/endpoint$/, (id) => this.destinations(application, id)],
      [/^POST msg\/([^/]+)\/endpoint\/([^/]+)\/resend$/, (id, other) => this.resend(application, id, other)],
      [
        /^GET attempt\/msg\/([^/]+)$/,
        (id) => this.attempts(application, id, url.searchParams.get('endpoint_id') ?? ''),
      ],
    ];
    for (const [pattern, handle] of routes) {
      const [matched, id = '', other = ''] = pattern.exec(`${method} ${rest}`) ?? [];
      if (matched !== undefined) return handle(id, other);
    }
    return notFound;
  }

  private get at(): string {
    return this.clock.now().toISOString();
  }

  private saveApplication(uid: string, body: Body): Answer {
    if (typeof body['name'] !== 'string') return unprocessable('name is required');
    const known = this.applications.get(uid) ?? { endpoints: new Map(), messages: [], tasks: [] };
    this.applications.set(uid, known);
    return {
      status: 200,
      body: { id: `app_${uid}`, uid, name: body['name'], metadata: {}, createdAt: this.at, updatedAt: this.at },
    };
  }

  private presented({ uid, url, disabled, eventTypes, channels }: StubEndpoint) {
    const times = { createdAt: this.at, updatedAt: this.at };
    return {
      id: `ep_${uid}`,
      uid,
      url,
      disabled,
      eventTypes,
      channels,
      description: '',
      metadata: {},
      version: 1,
      ...times,
    };
  }

  private channelProblem(channels: unknown, most: number): Answer | null {
    const all = (channels ?? []) as string[];
    if (all.length > most) return unprocessable(`Channels must have at most ${most} items`);
    return all.every((channel) => nameOf.test(channel)) ? null : unprocessable('String must match the pattern');
  }

  private problemOf({ url, channels }: Body): Answer | null {
    if (typeof url !== 'string' || !URL.canParse(url)) return unprocessable('url is required');
    return this.channelProblem(channels, 10);
  }

  private fieldsOf(body: Body) {
    return {
      url: String(body['url']),
      disabled: body['disabled'] === true,
      eventTypes: (body['eventTypes'] ?? null) as string[] | null,
      channels: (body['channels'] ?? null) as string[] | null,
    };
  }

  private addEndpoint({ endpoints }: StubApplication, body: Body): Answer {
    const problem = this.problemOf(body);
    if (problem !== null) return problem;
    const uid = String(body['uid']);
    if (uid === this.failingEndpoint) return { status: 500, body: 'failed' };
    if (endpoints.has(uid)) return conflict;
    const endpoint = { uid, secret: String(body['secret']), ...this.fieldsOf(body) };
    endpoints.set(uid, endpoint);
    return { status: 201, body: this.presented(endpoint) };
  }

  private changeEndpoint({ endpoints }: StubApplication, uid: string, body: Body): Answer {
    const problem = this.problemOf(body);
    if (problem !== null) return problem;
    const endpoint = endpoints.get(uid);
    if (endpoint === undefined) return notFound;
    Object.assign(endpoint, this.fieldsOf(body));
    return { status: 200, body: this.presented(endpoint) };
  }

  private messageOut({ id, eventId, eventType, channels, timestamp }: StubMessage) {
    return { id, eventId, eventType, channels, timestamp: timestamp.toISOString(), payload: {} };
  }

  private addMessage(application: StubApplication, body: Body): Answer {
    const [eventId, eventType] = [String(body['eventId']), String(body['eventType'])];
    const problem = this.channelProblem(body['channels'], 5);
    if (problem !== null) return problem;
    if (![eventId, eventType].every((name) => nameOf.test(name))) return unprocessable('String must match the pattern');
    const nowMs = this.clock.now().getTime();
    const isRecent = ({ eventId: known, timestamp }: StubMessage): boolean =>
      known === eventId && nowMs - timestamp.getTime() < 86_400_000;
    if (application.messages.some(isRecent)) return conflict;
    const message = {
      id: `msg_${(this.made += 1)}`,
      eventId,
      eventType,
      payload: reordered(body['payload'] as object),
      channels: (body['channels'] ?? []) as string[],
      timestamp: this.clock.now(),
    };
    application.messages.push(message);
    if (this.creates === 'stored only') return { status: 500, body: 'the queue is full' };
    for (const endpoint of application.endpoints.values()) {
      if (!endpoint.disabled && listensTo(endpoint, message)) this.enqueue(application, message, endpoint, false);
    }
    return { status: 202, body: this.messageOut(message) };
  }

  private enqueue({ tasks }: StubApplication, message: StubMessage, endpoint: StubEndpoint, manual: boolean): void {
    const known = tasks.find((task) => task.message === message && task.endpoint === endpoint);
    const next = { manual, dueMs: this.clock.now().getTime() };
    if (known === undefined) tasks.push({ message, endpoint, attempts: [], scheduled: 0, ...next });
    else Object.assign(known, next);
  }

  private find({ messages }: StubApplication, id: string): StubMessage | undefined {
    return messages.findLast((message) => message.id === id || message.eventId === id);
  }

  private destinations(application: StubApplication, id: string): Answer {
    const message = this.find(application, id);
    if (message === undefined) return notFound;
    const data = application.tasks
      .filter((task) => task.message === message)
      .flatMap(({ endpoint, attempts }) =>
        attempts.slice(-1).map((latest) => ({ ...this.presented(endpoint), ...progressOf(latest) })),
      );
    return { status: 200, body: { data, done: true, iterator: null, prevIterator: null } };
  }

  private resend(application: StubApplication, id: string, endpointId: string): Answer {
    const [message, endpoint] = [this.find(application, id), application.endpoints.get(endpointId)];
    if (message === undefined || endpoint === undefined) return notFound;
    if (this.clock.now().getTime() - message.timestamp.getTime() > payloadsKeptMs) return missingPayload;
    this.enqueue(application, message, endpoint, true);
    return { status: 202, body: {} };
  }

  private attempted(application: StubApplication, endpointId: string, query: URLSearchParams): Answer {
    if (!application.endpoints.has(endpointId)) return notFound;
    const limit = Number(query.get('limit') ?? 50);
    const after = query.get('iterator');
    const all = application.tasks
      .filter(({ endpoint, attempts }) => endpoint.uid === endpointId && attempts.length > 0)
      .toReversed();
    const from = after === null ? 0 : all.findIndex(({ message }) => message.id === after) + 1;
    const data = all
      .slice(from, from + limit)
      .flatMap(({ message, attempts }) =>
        attempts.slice(-1).map((latest) => ({ ...this.messageOut(message), ...progressOf(latest) })),
      );
    const done = from + limit >= all.length;
    return { status: 200, body: { data, done, iterator: data.at(-1)?.id ?? null, prevIterator: null } };
  }

  private attempts({ tasks }: StubApplication, id: string, endpointId: string): Answer {
    const task = tasks.find(({ message, endpoint }) => message.id === id && endpoint.uid === endpointId);
    const data = (task?.attempts ?? []).toReversed().map((attempt) => ({
      ...attempt,
      nextAttempt: undefined,
      timestamp: attempt.timestamp.toISOString(),
      responseDurationMs: 1,
      status: attempt.responseStatusCode < 300 ? 0 : 2,
      statusText: attempt.responseStatusCode < 300 ? 'success' : 'fail',
      msgId: id,
      endpointId: `ep_${endpointId}`,
      url: task?.endpoint.url,
    }));
    return { status: 200, body: { data, done: true, iterator: null, prevIterator: null } };
  }
}
