import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Clock } from '../kernel/clock.ts';
import { AppError, notFound } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { errorAnswer, type HttpResult } from './answer.ts';

/** One route of the API. */
export interface Route {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
}

const matcher = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`);

const home = '/docs';

/** Where a path leads that only lacks its last form: the root to the documentation, a trailing slash to the path without it. */
const redirectTarget = (path: string, isKnown: (path: string) => boolean): string | null => {
  if (path === '/') return home;
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : null;
  return trimmed !== null && isKnown(trimmed) ? trimmed : null;
};

/** A 308 keeps method and body, so that a client may follow it with any request. */
const redirect = (path: string, query: string, requestId: string): HttpResult => {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return {
    statusCode: 308,
    headers: { location: query === '' ? encoded : `${encoded}?${query}`, 'x-request-id': requestId },
    body: '',
  };
};

/** Answers what no route takes: a redirect, a 405 with `Allow` if the path has other methods, else a 404. */
export const handleFallback = (routes: readonly Route[], clock: Clock) => {
  const known = routes.map(({ method, path }) => ({ method, pattern: matcher(path) }));
  const methodsOf = (path: string): readonly string[] =>
    known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  return (event: APIGatewayProxyEventV2): HttpResult => {
    const requestId = newId('req', clock.now());
    const target = redirectTarget(event.rawPath, (path) => methodsOf(path).length > 0);
    if (target !== null) return redirect(target, event.rawQueryString, requestId);
    const allowed = methodsOf(event.rawPath);
    const error =
      allowed.length === 0
        ? notFound('Path')
        : new AppError('method_not_allowed', 'This path does not take this method', {
            headers: { allow: allowed.join(', ') },
          });
    return errorAnswer(error, requestId);
  };
};
