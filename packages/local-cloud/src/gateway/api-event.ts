import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../../shared/kernel/clock.ts';
import { isLoopbackHost } from '../../../../shared/http/own-origin.ts';
import type { RouteMatch } from './match-route.ts';

const textTypes = /^(?:text\/|application\/(?:json|xml|javascript)\b|[^;]+\+(?:json|xml)\b)/i;

/** Passes a body as text if its type is textual and its bytes are valid UTF-8, else as base64. */
const bodyOf = (body: Buffer, contentType: string): { readonly body?: string; readonly isBase64Encoded: boolean } => {
  if (body.length === 0) {
    return { isBase64Encoded: false };
  }
  if (textTypes.test(contentType) && isUtf8(body)) {
    return { body: body.toString(), isBase64Encoded: false };
  }
  return { body: body.toString('base64'), isBase64Encoded: true };
};

const headersOf = (request: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(request.headersDistinct).map(([name, values]) => [
      name,
      values?.join(name === 'cookie' ? '; ' : ',') ?? '',
    ]),
  );

const queryOf = (rawQuery: string): Readonly<Record<string, string>> | undefined => {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    query[name] = Object.hasOwn(query, name) ? `${query[name]},${value}` : value;
  }
  return rawQuery === '' ? undefined : query;
};

/** `21/Nov/2025:04:05:06 +0000` */
const commonLogTime = (at: Date): string => {
  const [, day = '', month = '', year = '', time = ''] = at.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
};

/**
 * Builds the event that an HTTP API passes to a function, payload format 2.0.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export const apiEvent = (options: {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly match: RouteMatch;
  readonly apiId: string;
  readonly accountId: string;
  readonly clock: Clock;
}): { readonly requestId: string; readonly payload: string } => {
  const { request, match, clock } = options;
  const { url = '/' } = request;
  const question = url.indexOf('?');
  const rawQueryString = question < 0 ? '' : url.slice(question + 1);
  const headers = headersOf(request);
  // Another name, which a page could have resolved to this machine, is not a name of the service.
  const sent = headers['host'] ?? '';
  const host = isLoopbackHost(sent) ? sent : `localhost:${request.socket.localPort ?? ''}`;
  const requestId = randomUUID();
  const now = clock.now();
  const event = {
    version: '2.0',
    routeKey: match.route.key,
    rawPath: match.rawPath,
    rawQueryString,
    headers,
    queryStringParameters: queryOf(rawQueryString),
    pathParameters: Object.keys(match.parameters).length === 0 ? undefined : match.parameters,
    requestContext: {
      accountId: options.accountId,
      apiId: options.apiId,
      domainName: host,
      domainPrefix: host.split('.')[0],
      http: {
        method: request.method,
        path: match.rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? '',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: match.route.key,
      stage: '$default',
      time: commonLogTime(now),
      timeEpoch: now.getTime(),
    },
    ...bodyOf(options.body, headers['content-type'] ?? ''),
  };
  return { requestId, payload: JSON.stringify(event) };
};
