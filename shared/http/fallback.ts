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

/** Answers what no route takes: 405 with `Allow` where the path exists under another method, else 404. */
export const handleFallback = (routes: readonly Route[], clock: Clock) => {
  const known = routes.map(({ method, path }) => ({ method, pattern: matcher(path) }));
  return (event: APIGatewayProxyEventV2): HttpResult => {
    const allowed = known.filter(({ pattern }) => pattern.test(event.rawPath)).map(({ method }) => method);
    const error =
      allowed.length === 0
        ? notFound('Path')
        : new AppError('method_not_allowed', 'This path does not take this method', {
            headers: { allow: allowed.join(', ') },
          });
    return errorAnswer(error, newId('req', clock.now()));
  };
};
