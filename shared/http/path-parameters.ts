import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type AppError, notFound } from '../kernel/errors.ts';
import {
  goldenSetPattern,
  type IdPrefix,
  idPattern,
  indexNamePattern,
  sourceCredentialsPattern,
} from '../kernel/ids.ts';

interface PathParameter {
  /** Matches every valid value of the parameter. Any other value is a 404. */
  readonly pattern: RegExp;
  /** Name of the resource in a 404. */
  readonly resource: string;
  /** Whether values may contain slashes. Only paths of `routes` of an endpoint can have such a parameter. */
  readonly spansSegments?: true;
}

const idOf = (prefix: IdPrefix, resource: string): PathParameter => ({ pattern: idPattern(prefix), resource });

/** Parameters of paths. */
const parameters = {
  // The id, or an alias that `Host.resolvePath` replaces by the id.
  index_id: { pattern: indexNamePattern, resource: 'Index' },
  // Wider than `aliasPattern`: the request that creates an alias explains what a name may contain.
  name: { pattern: /^[\w.~-]{1,128}$/, resource: 'Alias' },
  job_id: idOf('job', 'File job'),
  crawl_id: idOf('crawl', 'Crawl job'),
  schedule_id: idOf('sched', 'Schedule'),
  export_id: idOf('exp', 'Export'),
  erasure_id: idOf('era', 'Erasure'),
  rebuild_id: idOf('reb', 'Rebuild'),
  evaluation_id: idOf('eval', 'Evaluation'),
  golden_set: { pattern: goldenSetPattern, resource: 'Golden set' },
  source_credentials: { pattern: sourceCredentialsPattern, resource: 'Source credentials' },
  search_id: { pattern: /^srch_[0-9a-z]{52}$/, resource: 'Search' },
  connection_id: idOf('conn', 'Connector'),
  key_id: idOf('key', 'API key'),
  client_id: idOf('oc', 'OAuth client'),
  session_id: idOf('sess', 'Session'),
  invitation_id: idOf('inv', 'Invitation'),
  user_id: idOf('usr', 'Member'),
  endpoint_id: idOf('we', 'Webhook endpoint'),
  event_id: idOf('evt', 'Event'),
  picture: { pattern: /^[1-9]\d{0,5}\.png$/, resource: 'Page' },
  file: { pattern: /^\w[\w-]*(?:\.[\w-]+)*$/, resource: 'File' },
  provider: { pattern: /^[a-z_]{1,64}$/, resource: 'Provider' },
  file_id: { pattern: new RegExp(`${idPattern('file').source}|${idPattern('job').source}`), resource: 'File' },
  batch_id: idOf('vsfb', 'File batch'),
  upload_id: idOf('upload', 'Upload'),
  model_id: { pattern: /^[\w.:+@/-]{1,256}$/, resource: 'Model', spansSegments: true },
} as const satisfies Readonly<Record<string, PathParameter>>;

export type PathParameterName = keyof typeof parameters;

/** Whether values of a parameter may contain slashes. */
export const spansSegments = (name: string): boolean =>
  Object.entries<PathParameter>(parameters).some(([known, parameter]) => known === name && parameter.spansSegments);

const braces = /\{([^}]+)\}/g;

/** Returns the names of the parameters of a path template, in order. */
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
 * Returns the 404 of a request whose path does not match the template of its endpoint; null if it does.
 *
 * Gateways decode, split and forward paths differently. API Gateway ends a path at an encoded `?` before it searches the
 * route, so a deletion of a file could delete its index. The path must therefore equal the template with its parameters,
 * after an optional stage or base path, and each parameter must match its pattern.
 */
export const pathError = (
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
