import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type AppError, notFound } from '../kernel/errors.ts';
import { type IdPrefix, idPattern } from '../kernel/ids.ts';

interface PathParameter {
  /** Matches every value that the parameter can hold; any other value names nothing. */
  readonly pattern: RegExp;
  /** Names the resource in a 404. */
  readonly resource: string;
}

const idOf = (prefix: IdPrefix, resource: string): PathParameter => ({ pattern: idPattern(prefix), resource });

/** Every parameter that a path may have. */
const parameters = {
  index_id: idOf('idx', 'Index'),
  job_id: idOf('job', 'File job'),
  crawl_id: idOf('crawl', 'Crawl job'),
  connection_id: idOf('conn', 'Connector'),
  key_id: idOf('key', 'API key'),
  client_id: idOf('oc', 'OAuth client'),
  session_id: idOf('sess', 'Session'),
  invitation_id: idOf('inv', 'Invitation'),
  user_id: idOf('usr', 'Member'),
  endpoint_id: idOf('we', 'Webhook endpoint'),
  event_id: idOf('evt', 'Event'),
  file: { pattern: /^\w[\w-]*(?:\.[\w-]+)*$/, resource: 'File' },
  provider: { pattern: /^[a-z_]{1,64}$/, resource: 'Provider' },
} as const satisfies Readonly<Record<string, PathParameter>>;

export type PathParameterName = keyof typeof parameters;

const braces = /\{([^}]+)\}/g;

/** Names of the parameters of a path template, in order. */
export const parameterNames = (template: string): readonly PathParameterName[] =>
  // A test checks that no path has another name.
  [...template.matchAll(braces)].map(([, name = '']) => name as PathParameterName);

const decodedOnce = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/**
 * Returns the 404 of a request whose path does not name exactly one resource of its endpoint; null if it does.
 *
 * Gateways differ in how they decode a path, split it and pass it on. API Gateway ends a path at an encoded `?` before it
 * looks for the route, so that a request for a file would delete its index. The path must therefore be the template with
 * the parameters in place, behind at most a stage or base path, and each parameter must have its form.
 */
export const pathRefusal = (
  template: string,
  { rawPath, pathParameters = {} }: Pick<APIGatewayProxyEventV2, 'rawPath' | 'pathParameters'>,
): AppError | null => {
  for (const name of parameterNames(template)) {
    const { pattern, resource } = parameters[name];
    if (!pattern.test(pathParameters[name] ?? '')) return notFound(resource);
  }
  const expected = template.replace(braces, (_, name: string) => pathParameters[name] ?? '');
  return decodedOnce(rawPath).endsWith(expected) ? null : notFound('Path');
};
