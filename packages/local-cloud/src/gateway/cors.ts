import type { IncomingMessage } from 'node:http';
import type { CorsDefinition } from './api-definition.ts';

type Headers = Readonly<Record<string, string>>;

const allowedOrigin = ({ allowOrigins }: CorsDefinition, origin: string): string | null =>
  allowOrigins.includes('*') ? '*' : allowOrigins.includes(origin) ? origin : null;

const originHeaders = (cors: CorsDefinition, request: IncomingMessage): Headers => {
  const origin = request.headers.origin === undefined ? null : allowedOrigin(cors, request.headers.origin);
  return origin === null
    ? {}
    : {
        'access-control-allow-origin': origin,
        ...(cors.allowCredentials ? { 'access-control-allow-credentials': 'true' } : {}),
      };
};

/** Headers that the API adds to a response for a page of another origin. */
export const corsHeaders = (cors: CorsDefinition | null, request: IncomingMessage): Headers => {
  const headers = cors === null ? {} : originHeaders(cors, request);
  return cors === null || Object.keys(headers).length === 0 || cors.exposeHeaders.length === 0
    ? headers
    : { ...headers, 'access-control-expose-headers': cors.exposeHeaders.join(',') };
};

/**
 * Returns the headers of the API's own response to a CORS preflight request; null for any other request.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
 */
export const preflightHeaders = (cors: CorsDefinition | null, request: IncomingMessage): Headers | null => {
  const asked = request.headers['access-control-request-method'];
  if (cors === null || request.method !== 'OPTIONS' || request.headers.origin === undefined || asked === undefined) {
    return null;
  }
  const headers = originHeaders(cors, request);
  return Object.keys(headers).length === 0
    ? {}
    : {
        ...headers,
        'access-control-allow-methods': cors.allowMethods.join(','),
        'access-control-allow-headers': cors.allowHeaders.join(','),
        ...(cors.maxAgeSeconds === null ? {} : { 'access-control-max-age': String(cors.maxAgeSeconds) }),
      };
};
