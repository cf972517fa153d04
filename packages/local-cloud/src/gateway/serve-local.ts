import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { EmailAddress } from '../../../../shared/http/email-address.ts';
import { isLocalName } from '../data/local-name.ts';
import { readBody } from '../endpoint/read-body.ts';
import type { RequestCounts } from '../endpoint/request-counts.ts';
import type { FunctionHost } from '../host/host-contracts.ts';
import type { Authorizer } from '../iam/authorizer.ts';
import type { InvocationLedger } from '../host/invocation-ledger.ts';
import { residentBytes } from '../host/process-usage.ts';
import { identityKeysPath, identityPath, type IdentityProvider } from '../identity/identity-provider.ts';
import type { SignIn, SignInReply } from '../identity/sign-in.ts';
import type { QueueStore } from '../queues/queue-types.ts';
import { VectorFault, type VectorFaults } from '../s3-vectors/vector-faults.ts';
import { ObjectStoreFault } from '../shape/object-store-faults.ts';
import type { LocalShape } from '../shape/open-shape.ts';
import type { RequestTrace } from '../shape/request-trace.ts';
import { sendAnswer } from './serve-api.ts';

const bodyLimitBytes = 64 * 1024;

const person = z.object({ email: EmailAddress, name: z.string().min(1).max(200) });

/** Address of the AWS endpoint and names of the deployment, for an operator's commands. */
export interface OperatorAccess {
  readonly endpointUrl: string;
  readonly homeRegion: string;
  readonly deployment: string;
  /** File with the operator's access key, which only the owner of the data may read. */
  readonly credentialsFile: string;
}

/** Components behind the local endpoints below `/_local/`. */
export interface LocalParts {
  readonly identity: IdentityProvider;
  readonly signIn: SignIn;
  readonly host: FunctionHost;
  readonly ledger: InvocationLedger;
  readonly requests: Pick<RequestCounts, 'counts'>;
  readonly authorizer: Pick<Authorizer, 'callerOf' | 'denials'>;
  readonly queues: QueueStore;
  readonly aws: OperatorAccess;
  readonly vectors: { readonly faults: VectorFaults };
  readonly backup: {
    /** Secret of the operator's access key, which the owner of the data can read. */
    readonly operatorSecret: string;
    /** Copies the data to a new folder. @throws Error in one line. */
    readonly copyData: (target: string) => Promise<void>;
  };
  /** Present only with `--aws-shape`. */
  readonly shape: LocalShape | undefined;
  /** Present only with `--aws-shape` or `--trace`. */
  readonly trace: RequestTrace | undefined;
}

interface Reply {
  readonly status: number;
  readonly value: unknown;
}

const ok = (value: unknown): Reply => ({ status: 200, value });

const idToken = async ({ identity }: LocalParts, request: IncomingMessage): Promise<Reply> => {
  try {
    const parsed = person.parse(JSON.parse((await readBody(request, bodyLimitBytes)).toString()));
    return ok({ id_token: await identity.idToken(parsed) });
  } catch {
    return { status: 400, value: { message: 'The body must be JSON with a valid "email" and a "name"' } };
  }
};

const health = ({ host, queues, aws }: LocalParts): Reply => {
  const processes = host.processes();
  const main = residentBytes(process.pid);
  // Functions share processes.
  const byPid = new Map(processes.map(({ pid, residentBytes: bytes }) => [pid, bytes]));
  const functions = [...byPid.values()].reduce((sum, bytes) => sum + bytes, 0);
  return ok({
    aws: {
      endpoint_url: aws.endpointUrl,
      home_region: aws.homeRegion,
      deployment: aws.deployment,
      credentials_file: aws.credentialsFile,
    },
    main_pid: process.pid,
    memory: { main_bytes: main, functions_bytes: functions, total_bytes: main + functions },
    processes: processes.map(({ pid, function: id, region, busy, residentBytes: bytes }) => ({
      pid,
      function: id,
      region,
      busy,
      resident_bytes: bytes,
    })),
    queues: queues.definitions.map((queue) => {
      const { visible, inFlight, delayed } = queues.depth(queue);
      return { name: queue.name, region: queue.region, visible, in_flight: inFlight, delayed };
    }),
  });
};

/** Returns calls, requests and runs since the last call of this path, and the number of those that have not ended. */
const traceSince = (trace: RequestTrace, { authorizer, host, queues }: LocalParts): Reply => {
  const { calls, requests, runs } = trace.take();
  return ok({
    open_requests: trace.open(),
    running: host.processes().flatMap(({ busy, function: id }) => (busy ? [id] : [])),
    messages: queues.definitions.reduce((sum, queue) => {
      const { visible, inFlight } = queues.depth(queue);
      return sum + visible + inFlight;
    }, 0),
    calls: calls.map(({ route, startMs, eventMs, outcomeMs, endMs }) => ({
      route,
      start_ms: startMs,
      event_ms: eventMs,
      outcome_ms: outcomeMs,
      end_ms: endMs,
    })),
    runs: runs.map(({ function: id, cold, startMs, endMs, handler }) => ({
      function: id,
      cold,
      start_ms: startMs,
      end_ms: endMs,
      handler_start_ms: handler?.startMs ?? null,
      handler_end_ms: handler?.endMs ?? null,
    })),
    requests: requests.map(({ accessKeyId, startMs, endMs, requestBytes, responseBytes, ...request }) => ({
      ...request,
      caller: authorizer.callerOf(accessKeyId)?.principal.name.split('/').at(-1) ?? '',
      start_ms: startMs,
      end_ms: endMs,
      request_bytes: requestBytes,
      response_bytes: responseBytes,
    })),
  });
};

const BackupRequest = z.object({ directory: z.string().refine(isAbsolute, 'must be absolute') });

/** Copies the data for a caller who can read the operator's secret. Other users of the machine cannot. */
const copyData = async ({ backup }: LocalParts, request: IncomingMessage): Promise<Reply> => {
  const [expected, sent] = [`Bearer ${backup.operatorSecret}`, request.headers.authorization ?? ''].map((text) =>
    createHash('sha256').update(text).digest(),
  );
  if (expected === undefined || sent === undefined || !timingSafeEqual(expected, sent))
    return { status: 403, value: { message: 'Forbidden' } };
  const body = (await readBody(request, bodyLimitBytes)).toString();
  try {
    await backup.copyData(BackupRequest.parse(JSON.parse(body)).directory);
    return ok({});
  } catch (error) {
    return { status: 409, value: { message: error instanceof Error ? error.message : String(error) } };
  }
};

const notFound: Reply = { status: 404, value: { message: 'Not Found' } };

const beginFault = async ({ faults }: LocalShape, request: IncomingMessage): Promise<Reply> => {
  try {
    faults.begin(ObjectStoreFault.nullable().parse(JSON.parse((await readBody(request, bodyLimitBytes)).toString())));
    return ok({});
  } catch {
    return { status: 400, value: { message: 'The body must be null, or JSON with an "address" and an "effect"' } };
  }
};

const beginVectorFaults = async ({ vectors: { faults } }: LocalParts, request: IncomingMessage): Promise<Reply> => {
  try {
    faults.begin(VectorFault.parse(JSON.parse((await readBody(request, bodyLimitBytes)).toString())));
    return ok({});
  } catch {
    return {
      status: 400,
      value: { message: 'The body must be JSON with the shares "throttled" and "lost", and a "seed"' },
    };
  }
};

const shapeReplyTo = async (
  parts: LocalParts,
  shape: LocalShape,
  request: IncomingMessage,
  { pathname }: URL,
): Promise<Reply> => {
  switch (`${request.method} ${pathname}`) {
    case 'POST /_local/object-store-fault':
      return await beginFault(shape, request);
    case 'POST /_local/end-idle':
      return ok({ ended: parts.host.endIdle() });
    case 'POST /_local/drop-connections':
      shape.dropConnections();
      return ok({});
    default:
      return notFound;
  }
};

const replyTo = async (parts: LocalParts, request: IncomingMessage, url: URL): Promise<Reply> => {
  if (!isLocalName(request.headers.host)) {
    return { status: 403, value: { message: 'Forbidden' } };
  }
  switch (`${request.method} ${url.pathname}`) {
    case 'POST /_local/id-token':
      return await idToken(parts, request);
    case `GET ${identityPath}/.well-known/openid-configuration`:
      return ok(parts.identity.configuration);
    case `GET ${identityKeysPath}`:
      return ok(parts.identity.keys);
    case 'GET /_local/invocations':
      return ok({ functions: parts.ledger.counts(url.searchParams.get('job_id')) });
    case 'GET /_local/requests':
      return ok({ requests: parts.requests.counts(), denials: parts.authorizer.denials() });
    case 'POST /_local/vector-faults':
      return await beginVectorFaults(parts, request);
    case 'GET /_local/health':
      return health(parts);
    case 'POST /_local/backup':
      return await copyData(parts, request);
    case 'POST /_local/trace':
      return parts.trace === undefined ? notFound : traceSince(parts.trace, parts);
    default:
      return parts.shape === undefined ? notFound : shapeReplyTo(parts, parts.shape, request, url);
  }
};

/** Returns the page or redirect of the sign-in flow; null for any other address. */
const signInReplyTo = async (
  { signIn }: LocalParts,
  request: IncomingMessage,
  url: URL,
): Promise<SignInReply | null> => {
  if (!isLocalName(request.headers.host)) return null;
  switch (`${request.method} ${url.pathname}`) {
    case `GET ${identityPath}/authorize`:
    case `POST ${identityPath}/authorize`:
      return await signIn.authorize(request, url);
    case `POST ${identityPath}/token`:
      return await signIn.token(request);
    case `GET ${identityPath}/logout`:
      return signIn.signOut(url);
    default:
      return null;
  }
};

/** Responds to a request below `/_local/`. */
export const serveLocal =
  (parts: LocalParts) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const page = await signInReplyTo(parts, request, url);
    if (page !== null) {
      const headers = { ...page.headers, 'cache-control': 'no-store' };
      sendAnswer(request, response, { status: page.status, headers, body: Buffer.from(page.body) });
      return;
    }
    const { status, value } = await replyTo(parts, request, url);
    sendAnswer(request, response, {
      status,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: Buffer.from(JSON.stringify(value)),
    });
  };
