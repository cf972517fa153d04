import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { isLocalName } from '../data/local-name.ts';
import { AccessDenied, accessDeniedAnswer, invalidSignatureAnswer, unknownKeyAnswer } from '../iam/access-denied.ts';
import { hasSessionToken, type Authorizer } from '../iam/authorizer.ts';
import { hasValidSignature } from '../iam/signature.ts';
import { authorizeTableRequest } from '../tables/table-permissions.ts';
import type { AnsweringService, Authorize, AwsAnswer, AwsRequest, RawService } from './aws-request.ts';
import { type CredentialScope, readCredentialScope } from './credential-scope.ts';
import { BodyTooLarge, readBody } from './read-body.ts';
import type { Tables } from '../tables/open-tables.ts';
import type { RequestShaper } from '../shape/open-shape.ts';
import type { RequestTrace } from '../shape/request-trace.ts';
import type { RequestCounts } from './request-counts.ts';

/**
 * The services behind the one endpoint. `s3` also gets unsigned requests, which it refuses, and authorizes its
 * requests itself.
 */
export interface AwsServices {
  readonly authorizer: Pick<Authorizer, 'callerOf' | 'authorize'>;
  readonly accountId: string;
  readonly s3: RawService;
  readonly dynamodb: (region: string) => Pick<Tables, 'call'> | null;
  readonly sqs: AnsweringService;
  readonly lambda: AnsweringService;
  readonly ssm: AnsweringService;
  readonly s3vectors: AnsweringService;
  readonly counts: Pick<RequestCounts, 'note'>;
  /** Delays requests as AWS would. Default: no delay. */
  readonly shaper?: Pick<RequestShaper, 'arrive'> | undefined;
  /** Records requests. Default: none. */
  readonly trace?: Pick<RequestTrace, 'request'> | undefined;
}

const bodyLimitBytes = 64 * 1024 * 1024;
const tableBodyLimitBytes = 16 * 1024 * 1024;

const jsonError = (
  status: number,
  code: string,
  message: string,
  extra: Readonly<Record<string, string>> = {},
): AwsAnswer => ({
  status,
  headers: { 'content-type': 'application/json', 'x-amzn-errortype': code, ...extra },
  body: JSON.stringify({ __type: code, code, message }),
});

/** Response to a request that no local service handles. It must not look like success, or reach the real AWS. */
const notImplemented = (what: string): AwsAnswer => jsonError(501, 'NotImplemented', `The local cloud has no ${what}.`);

/**
 * Whether a request comes from a web page: it has an `Origin`, or a `Host` other than this machine. Only S3 serves pages,
 * and it verifies every signature. The other services are for functions and operators.
 */
const isFromPage = ({ headers: { host, origin } }: IncomingMessage): boolean =>
  origin !== undefined || !isLocalName(host);

const send = (response: ServerResponse, { status, headers, body, isLost = false }: AwsAnswer): void => {
  if (isLost) response.destroy();
  if (response.destroyed || response.headersSent) {
    return;
  }
  response.writeHead(status, {
    'x-amzn-requestid': randomUUID(),
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  });
  response.end(body);
};

const operationName = ({ headers, method, path }: AwsRequest): string =>
  headers['x-amz-target']?.toString().split('.').at(-1) ?? `${method} ${path}`;

/** A request with a valid signature and its body. */
interface VerifiedRequest {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly scope: CredentialScope;
  readonly authorize: Authorize;
}

/**
 * Reads the body of a request and checks who signed it.
 * @returns A response for a request without a valid signature.
 * @throws BodyTooLarge
 */
const verify = async (
  { authorizer }: AwsServices,
  request: IncomingMessage,
  scope: CredentialScope,
): Promise<VerifiedRequest | AwsAnswer> => {
  const { method = 'GET', url = '/', headers } = request;
  const caller = authorizer.callerOf(scope.accessKeyId);
  if (caller === undefined || !hasSessionToken(caller, headers['x-amz-security-token']?.toString()))
    return unknownKeyAnswer(scope.service);
  const body = await readBody(request, scope.service === 'dynamodb' ? tableBodyLimitBytes : bodyLimitBytes);
  if (!hasValidSignature({ method, url, headers, body }, caller.key.secretAccessKey, scope))
    return invalidSignatureAnswer(scope.service);
  const authorize: Authorize = (action, resource, context) => authorizer.authorize(caller, action, resource, context);
  return { request, body, scope, authorize };
};

const describe = ({ request, body, scope, authorize }: VerifiedRequest, response: ServerResponse): AwsRequest => {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return {
    service: scope.service,
    region: scope.region,
    method: request.method ?? 'GET',
    path: request.url?.split('?')[0] ?? '/',
    query: new URLSearchParams(request.url?.split('?', 2)[1] ?? ''),
    headers: request.headers,
    signal: gone.signal,
    body,
    authorize,
  };
};

/** Returns the response to a verified request. @throws AccessDenied */
const serve = async (
  services: AwsServices,
  verified: VerifiedRequest,
  response: ServerResponse,
): Promise<AwsAnswer> => {
  const { request, body, authorize } = verified;
  const { service, region } = verified.scope;
  const tables = service === 'dynamodb' ? services.dynamodb(region) : null;
  services.counts.note(service, request, body);
  if (tables !== null) {
    const target = request.headers['x-amz-target']?.toString() ?? '';
    authorizeTableRequest(authorize, { target, region, accountId: services.accountId, body });
    const operation = target.split('.').at(-1) ?? '';
    return (await tables.call(operation, body.toString())) ?? notImplemented(`operation ${operation} of dynamodb`);
  }
  if (service !== 'sqs' && service !== 'lambda' && service !== 'ssm' && service !== 's3vectors')
    return notImplemented(`service ${service} in ${region}`);
  const described = describe(verified, response);
  const answer = await services[service](described);
  return answer ?? notImplemented(`operation ${operationName(described)} of ${service}`);
};

const answerSigned = async (
  services: AwsServices,
  request: IncomingMessage,
  response: ServerResponse,
  scope: CredentialScope,
): Promise<void> => {
  try {
    const verified = await verify(services, request, scope);
    send(response, 'status' in verified ? verified : await serve(services, verified, response));
  } catch (error) {
    if (error instanceof BodyTooLarge)
      send(response, jsonError(413, 'RequestEntityTooLargeException', error.message, { connection: 'close' }));
    else if (error instanceof AccessDenied) send(response, accessDeniedAnswer(scope.service, error));
    else throw error;
  }
};

const dispatch = async (
  services: AwsServices,
  request: IncomingMessage,
  response: ServerResponse,
  waits: boolean,
): Promise<void> => {
  const scope = readCredentialScope(request.headers.authorization, request.url ?? '/');
  services.trace?.request(scope?.service ?? 's3', scope?.accessKeyId ?? '', request, response);
  const isPassed = await services.shaper?.arrive(scope?.service ?? 's3', scope?.accessKeyId ?? '', request, response);
  if (isPassed === false) return;
  if (scope === null || scope.service === 's3') {
    services.counts.note('s3', request);
    await services.s3(request, response, waits);
    return;
  }
  if (isFromPage(request)) {
    send(response, jsonError(403, 'AccessDeniedException', 'The local cloud answers no web pages.'));
    return;
  }
  if (waits) response.writeContinue();
  await answerSigned(services, request, response, scope);
};

/**
 * Creates the endpoint that functions use as AWS. A request goes to the service and region that it is signed for; any
 * other request gets a 501. Requests before `services` has resolved wait for it.
 */
export const createAwsServer = (services: Promise<AwsServices>, onError: (error: unknown) => void): Server => {
  const listener =
    (waits: boolean) =>
    (request: IncomingMessage, response: ServerResponse): void => {
      services
        .then((ready) => dispatch(ready, request, response, waits))
        .catch((error: unknown) => {
          // A request whose body has been read is destroyed as well, and its caller waits for the response.
          if (!request.destroyed || request.complete) {
            onError(error);
            send(response, jsonError(500, 'InternalFailure', 'The local cloud failed; its log says why.'));
          }
        });
    };
  return createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, listener(false)).on(
    'checkContinue',
    listener(true),
  );
};
