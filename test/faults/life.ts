import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { dynamoClient } from '../../shared/platform/aws/dynamo-client.ts';
import { s3Client } from '../../shared/platform/aws/s3-client.ts';
import { sqsClient } from '../../shared/platform/aws/sqs-client.ts';

/**
 * What becomes of one call of a port. `dies …`: the run ends there and does nothing more, as when its machine is gone; the
 * others leave it alive with an error: the request never arrived, its reply was lost, or it was refused under load.
 */
export type Verdict = 'goes on' | 'not applied' | 'reply lost' | 'throttled' | 'dies before' | 'dies after';

/** Calls that change nothing, so that it makes no difference whether a run dies before or after them. */
export const isRead = (call: string): boolean =>
  /^(GetItem|BatchGetItem|Query|S3\.GET|S3\.HEAD|extractor)\b/.test(call);

const applied: ReadonlySet<Verdict> = new Set(['goes on', 'reply lost', 'dies after']);

/** Whether a call changes something. */
export const hasEffect = (call: string, verdict: Verdict): boolean => !isRead(call) && applied.has(verdict);

/** One run of a function: all that it asks of the world goes through `ask`, which may keep it waiting. */
export interface Life {
  readonly name: string;
  /** Milliseconds by which its clock is ahead of the clocks of other runs. */
  readonly skewMs: number;
  /** Asked before each call; `done` is called once the call has had its effect. */
  readonly ask: (call: string) => Promise<{ readonly verdict: Verdict; readonly done: () => void }>;
  /** Called once the life ends by a verdict. */
  readonly die: () => void;
}

const lives = new AsyncLocalStorage<Life>();

/** Runs `act` as a life. */
export const live = <Result>(life: Life, act: () => Promise<Result>): Promise<Result> => lives.run(life, act);

/** Runs `act` immediately before the first call of that name. */
export const liveBefore = <Result>(
  name: string,
  act: () => Promise<unknown>,
  run: () => Promise<Result>,
): Promise<Result> => {
  let happened = false;
  const ask = async (call: string) => {
    const first = call === name && !happened;
    happened ||= first;
    if (first) await act();
    return { verdict: 'goes on', done: () => undefined } as const;
  };
  return live({ name: 'test', skewMs: 0, ask, die: () => undefined }, run);
};

/** How far the clock of the run that asks is ahead. */
export const skewMs = (): number => lives.getStore()?.skewMs ?? 0;

const never = (): Promise<never> => new Promise<never>(() => undefined);

/** Ends the life that calls it. */
export const dieHere = (): Promise<never> => {
  lives.getStore()?.die();
  return never();
};

const connectionLost = (call: string): Error =>
  Object.assign(new Error(`connection lost: ${call}`), { code: 'ECONNRESET' });

interface Call<Result> {
  /** In words that are the same in each repetition. */
  readonly name: string;
  readonly act: () => Promise<Result>;
  /** How the other side refuses the call under load; by default the connection is lost. */
  readonly refuse?: () => Promise<Result>;
  /** Takes a reply that the caller never sees; by default nothing is done with it. */
  readonly discard?: (result: Result) => void;
}

/** Makes one call of a port as the life in which it is made may. */
export const through = async <Result>({
  name,
  act,
  refuse,
  discard = () => undefined,
}: Call<Result>): Promise<Result> => {
  const life = lives.getStore();
  if (life === undefined) return act();
  const { verdict, done } = await life.ask(name);
  try {
    switch (verdict) {
      case 'goes on':
        return await act();
      case 'not applied':
        throw connectionLost(name);
      case 'throttled':
        if (refuse === undefined) throw connectionLost(name);
        return await refuse();
      case 'dies before':
        break;
      case 'reply lost':
        discard(await act());
        throw connectionLost(name);
      case 'dies after':
        discard(await act());
        break;
    }
  } finally {
    done();
  }
  life.die();
  return never();
};

/** Sends each method of a port through the life that calls it. */
export const portThrough = <Port extends object>(name: string, port: Port): Port =>
  new Proxy(port, {
    get: (target, key, receiver) => {
      const value: unknown = Reflect.get(target, key, receiver);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) =>
        through({ name: `${name}.${String(key)}`, act: () => Reflect.apply(value, target, given) as Promise<unknown> });
    },
  });

interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What a request asks for, in words that are the same in each repetition. */
const describe = ({ method, path, headers, body }: Request): string => {
  const target = headers['x-amz-target'];
  // Names of kept vectors say of which organization they are.
  if (target === undefined)
    return `S3.${method} ${path.includes('/embeddings/') ? 'embeddings' : (path.split('/').at(-1) ?? '')}`;
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array);
  const { TableName, QueueUrl } = JSON.parse(text) as { TableName?: string; QueueUrl?: string };
  return `${target.split('.')[1]} ${TableName ?? QueueUrl?.split('/').at(-1) ?? ''}`;
};

/** Refusals under load, as the services send them. */
const refusals = {
  DynamoDB: {
    statusCode: 400,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: '{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"slower"}',
  },
  SQS: {
    statusCode: 400,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: '{"__type":"com.amazonaws.sqs#RequestThrottled","message":"slower"}',
  },
  S3: {
    statusCode: 503,
    headers: { 'content-type': 'application/xml' },
    body: '<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code><Message>slower</Message></Error>',
  },
};

interface Answer {
  readonly response: { readonly body?: unknown };
}

/** Reads a reply that no caller needs, because the connection is free again only after that. */
const discard = ({ response: { body } }: Answer): void => {
  if (body instanceof Readable) body.resume();
};

/** What sends a request on its way, and gives the answer as it came. */
type Send = (request: Request) => Promise<Answer>;

/** The same, but through the life that makes the request. */
const supervised =
  (service: keyof typeof refusals, send: Send): Send =>
  (request) => {
    const { body, ...refusal } = refusals[service];
    const refuse = () => Promise.resolve({ response: { ...refusal, body: Readable.from([Buffer.from(body)]) } });
    return through({ name: describe(request), act: () => send(request), refuse, discard });
  };

type Next = (given: { readonly request: unknown }) => Promise<Answer>;

/** What the middleware stacks of both clients have in common, as far as it is used. */
interface Stack {
  add(middleware: (next: Next) => Next, options: object): void;
}

/** Sends every request of the AWS clients through the life that makes it. */
export const superviseClients = (region: string): void => {
  const { handler } = dynamoClient(region);
  const handle = handler.handle.bind(handler) as unknown as Send;
  Object.assign(handler, { handle: supervised('DynamoDB', handle) });
  for (const [service, client] of [
    ['SQS', sqsClient(region)],
    ['S3', s3Client(region)],
  ] as const) {
    const middleware =
      (next: Next): Next =>
      (given) =>
        supervised(service, (request) => next({ ...given, request }))(given.request as Request);
    // The stacks differ in the types of inputs and outputs alone, at which this does not look.
    const stack = client.middlewareStack as unknown as Stack;
    stack.add(middleware, { name: 'lives', step: 'deserialize', priority: 'low', override: true });
  }
};

const longestPauseMs = 100;

/** Shortens the pauses of lives that wait for others to nothing, because the scheduler decides when others continue. */
export const skipPauses = (): void => {
  const wait = globalThis.setTimeout;
  const skip = (act: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
    wait(act, lives.getStore() !== undefined && (ms ?? 0) <= longestPauseMs ? 0 : ms, ...given);
  globalThis.setTimeout = Object.assign(skip, wait);
};
