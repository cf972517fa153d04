import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type AppError, notFound } from '../kernel/errors.ts';
import { type IdPrefix, idPattern } from '../kernel/ids.ts';

interface PathParameter {
  /** Matches every value that the parameter can hold; any other value names nothing. */
  readonly pattern: RegExp;
  /** Names the resource in a 404. */
  readonly resource: string;
  readonly description: string;
}

const idOf = (prefix: IdPrefix, resource: string, noun: string): PathParameter => ({
  pattern: idPattern(prefix),
  resource,
  description: `Id of ${noun}: \`${prefix}_\` and 26 lower-case letters and digits.`,
});

/** Every parameter that a path may have. */
const parameters = {
  index_id: idOf('idx', 'Index', 'an index'),
  job_id: idOf('job', 'File job', 'a file job'),
  crawl_id: idOf('crawl', 'Crawl job', 'a crawl job'),
  connection_id: idOf('conn', 'Connector', 'a connector'),
  key_id: idOf('key', 'API key', 'an API key'),
  client_id: idOf('oc', 'OAuth client', 'an OAuth client'),
  invitation_id: idOf('inv', 'Invitation', 'an invitation'),
  user_id: idOf('usr', 'Member', 'a user'),
  endpoint_id: idOf('we', 'Webhook endpoint', 'a webhook endpoint'),
  event_id: idOf('evt', 'Event', 'an event'),
  provider: {
    pattern: /^[a-z_]{1,64}$/,
    resource: 'Provider',
    description: 'Provider of a connector: `slack`, `notion`, `google_drive`, `gmail` or `google_calendar`.',
  },
} as const satisfies Readonly<Record<string, PathParameter>>;

export type PathParameterName = keyof typeof parameters;

const parameterOf = (name: string): PathParameter | undefined =>
  (parameters as Readonly<Record<string, PathParameter>>)[name];

/** Description of a path parameter, for the API description. */
export const describePathParameter = (name: string): string | undefined => parameterOf(name)?.description;

const braces = /\{([^}]+)\}/g;

/** Names of the parameters of a path template, in order. */
export const parameterNames = (template: string): readonly string[] =>
  [...template.matchAll(braces)].map(([, name = '']) => name);

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
    const parameter = parameterOf(name);
    if (parameter?.pattern.test(pathParameters[name] ?? '') !== true) return notFound(parameter?.resource ?? 'Path');
  }
  const expected = template.replace(braces, (_, name: string) => pathParameters[name] ?? '');
  return decodedOnce(rawPath).endsWith(expected) ? null : notFound('Path');
};
