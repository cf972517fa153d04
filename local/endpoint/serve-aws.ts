import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import { isLocalName } from '../data/local-name.ts';
import type { AnsweringService, AwsAnswer, AwsRequest, BodyService, RawService } from './aws-request.ts';
import { readCredentialScope } from './credential-scope.ts';
import { BodyTooLarge, readBody } from './read-body.ts';
import type { RequestCounts } from './request-counts.ts';

/** The services behind the one endpoint. `s3` also gets what nobody signed: it knows how to refuse it. */
export interface AwsServices {
  readonly s3: RawService;
  readonly dynamodb: (region: string) => BodyService | null;
  readonly sqs: AnsweringService;
  readonly lambda: AnsweringService;
  readonly ssm: AnsweringService;
  readonly counts: Pick<RequestCounts, 'note'>;
}

const bodyLimitBytes = 64 * 1024 * 1024;
const tableBodyLimitBytes = 16 * 1024 * 1024;

const jsonError = (status: number, code: string, message: string): AwsAnswer => ({
  status,
  headers: { 'content-type': 'application/json', 'x-amzn-errortype': code },
  body: JSON.stringify({ __type: code, code, message }),
});

/** What nothing here answers must never look like success, and must never go on to the real cloud. */
const notImplemented = (what: string): AwsAnswer => jsonError(501, 'NotImplemented', `The local cloud has no ${what}.`);

/**
 * Whether a web page asks: browsers name its origin, or its name stands where this machine's should. S3 checks every
 * signature and is made for pages as well; the others take any signature, so nothing else keeps pages out.
 */
const isFromPage = ({ headers: { host, origin } }: IncomingMessage): boolean =>
  origin !== undefined || !isLocalName(host);

const send = (response: ServerResponse, { status, headers, body }: AwsAnswer): void => {
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

const answerFrom = async (service: AnsweringService, request: AwsRequest): Promise<AwsAnswer> => {
  try {
    return (await service(request)) ?? notImplemented(`operation ${operationName(request)} of ${request.service}`);
  } catch (error) {
    if (error instanceof BodyTooLarge) {
      return jsonError(413, 'RequestEntityTooLargeException', error.message);
    }
    throw error;
  }
};

const describe = (
  request: IncomingMessage,
  response: ServerResponse,
  scope: { readonly service: string; readonly region: string },
): AwsRequest => {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return {
    ...scope,
    method: request.method ?? 'GET',
    path: request.url?.split('?')[0] ?? '/',
    headers: request.headers,
    signal: gone.signal,
    body: () => readBody(request, bodyLimitBytes),
  };
};

const serveTables = async (
  tables: BodyService,
  counts: AwsServices['counts'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  try {
    const body = await readBody(request, tableBodyLimitBytes);
    counts.note('dynamodb', request, body);
    tables(request, response, body);
  } catch (error) {
    if (!(error instanceof BodyTooLarge)) {
      throw error;
    }
    response.writeHead(413, { connection: 'close' }).end();
  }
};

const dispatch = async (
  services: AwsServices,
  request: IncomingMessage,
  response: ServerResponse,
  waits: boolean,
): Promise<void> => {
  const scope = readCredentialScope(request.headers.authorization, request.url ?? '/');
  if (scope === null || scope.service === 's3') {
    services.counts.note('s3', request);
    await services.s3(request, response, waits);
    return;
  }
  if (isFromPage(request)) {
    send(response, jsonError(403, 'AccessDeniedException', 'The local cloud answers no web pages.'));
    return;
  }
  if (waits) {
    response.writeContinue();
  }
  const tables = scope.service === 'dynamodb' ? services.dynamodb(scope.region) : null;
  if (tables !== null) {
    await serveTables(tables, services.counts, request, response);
    return;
  }
  services.counts.note(scope.service, request);
  const described = describe(request, response, scope);
  if (scope.service === 'sqs' || scope.service === 'lambda' || scope.service === 'ssm') {
    send(response, await answerFrom(services[scope.service], described));
    return;
  }
  send(response, notImplemented(`service ${scope.service} in ${scope.region}`));
};

/**
 * The one address that every function takes for AWS. A request goes to the service and region that it is signed for;
 * anything else is a 501. `services` may come later than the first request, which then waits for them.
 */
export const createAwsServer = (services: Promise<AwsServices>, onError: (error: unknown) => void): Server => {
  const listener =
    (waits: boolean) =>
    (request: IncomingMessage, response: ServerResponse): void => {
      services
        .then((ready) => dispatch(ready, request, response, waits))
        .catch((error: unknown) => {
          // A request whose body has been read is destroyed as well, and its caller waits for the answer.
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
