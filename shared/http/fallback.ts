import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Clock } from '../kernel/clock.ts';
import { AppError, notFound } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { errorResponse, type HttpResult } from './response.ts';
import { transportHeaders } from './security-headers.ts';

/** Route of the API. */
export interface Route {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
}

const matcher = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`);

const home = '/docs';

/** Returns the redirect target of a path: the documentation for the root, and the path without a trailing slash. */
const redirectTarget = (path: string, isKnown: (path: string) => boolean): string | null => {
  if (path === '/') return home;
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : null;
  return trimmed !== null && isKnown(trimmed) ? trimmed : null;
};

/** Returns a 308, which keeps method and body of the request. */
const redirect = (path: string, query: string, requestId: string): HttpResult => {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return {
    statusCode: 308,
    headers: { location: query === '' ? encoded : `${encoded}?${query}`, 'x-request-id': requestId },
    body: '',
  };
};

/** Handles requests without a route: returns a redirect, a 405 with `Allow` if the path has other methods, or a 404. */
export const handleFallback = (routes: readonly Route[], clock: Clock) => {
  const known = routes.map(({ method, path }) => ({ method, pattern: matcher(path) }));
  const methodsOf = (path: string): readonly string[] =>
    known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  const respond = (event: APIGatewayProxyEventV2): HttpResult => {
    const requestId = newId('req', clock.now());
    const target = redirectTarget(event.rawPath, (path) => methodsOf(path).length > 0);
    if (target !== null) return redirect(target, event.rawQueryString, requestId);
    const allowed = methodsOf(event.rawPath);
    const error =
      allowed.length === 0
        ? notFound('Path')
        : new AppError('method_not_allowed', 'This path does not support this method', {
            headers: { allow: allowed.join(', ') },
          });
    return errorResponse(error, requestId);
  };
  return (event: APIGatewayProxyEventV2): HttpResult => {
    const result = respond(event);
    return { ...result, headers: { ...transportHeaders(event), ...result.headers } };
  };
};
