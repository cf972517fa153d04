import type { RouteDefinition } from './api-definition.ts';

/** A route with the values of its path parameters. */
export interface RouteMatch {
  readonly route: RouteDefinition;
  /** The path that the function receives, decoded. */
  readonly rawPath: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the route of a request by its address without the host; null if there is not even a `$default`. */
export type MatchRoute = (method: string, url: string) => RouteMatch | null;

interface Pattern {
  readonly route: RouteDefinition;
  readonly method: string;
  readonly segments: readonly string[];
  /** Whether it ends in `{name+}`, which matches the rest of the path. */
  readonly greedy: boolean;
}

const parameterName = (segment: string): string | null => /^\{(.+?)\+?\}$/.exec(segment)?.[1] ?? null;

/** Decodes the escapes of a segment once. Escapes that are not valid UTF-8 stay as they are. */
const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const patternOf = (route: RouteDefinition): Pattern => {
  const [method = '', path = ''] = route.key.split(' ');
  const segments = path.split('/').slice(1);
  return { route, method, segments, greedy: segments.at(-1)?.endsWith('+}') ?? false };
};

/** More specific first: whole paths before greedy ones, literal segments before parameters, a method before `ANY`. */
const specificity = ({ segments, greedy, method }: Pattern): string =>
  [
    greedy ? '1' : '0',
    ...segments.map((segment) => (parameterName(segment) === null ? '0' : '1')),
    method === 'ANY' ? '1' : '0',
  ].join('');

const matchSegments = (
  { segments, greedy }: Pattern,
  path: readonly string[],
): Readonly<Record<string, string>> | null => {
  if (greedy ? path.length < segments.length : path.length !== segments.length) {
    return null;
  }
  const parameters: Record<string, string> = {};
  for (const [position, segment] of segments.entries()) {
    const name = parameterName(segment);
    const last = greedy && position === segments.length - 1;
    const value = last ? path.slice(position).join('/') : (path[position] ?? '');
    if (name === null ? segment !== value : value === '') {
      return null;
    }
    if (name !== null) {
      parameters[name] = value;
    }
  }
  return parameters;
};

/**
 * Prepares the routes of an API. The query begins at the first `?` as sent, the path is split at each `/` as sent, and
 * only then is each segment decoded, once: no escape ends a segment or the path.
 *
 * API Gateway decodes the whole path first, and ends it at an encoded `?`. Functions therefore check path parameters:
 * `shared/http/path-parameters.ts`.
 * https://github.com/hotsock/voker/blob/HEAD/vokerhttp/testdata/ingress-paths.json
 */
export const createMatcher = (routes: readonly RouteDefinition[]): MatchRoute => {
  const fallback = routes.find(({ key }) => key === '$default') ?? null;
  const patterns = routes
    .filter(({ key }) => key !== '$default')
    .map(patternOf)
    .toSorted((one, other) => specificity(one).localeCompare(specificity(other)));
  return (method, url) => {
    const [path = ''] = url.split('?', 1);
    const segments = path.split('/').slice(1).map(decoded);
    const rawPath = `/${segments.join('/')}`;
    for (const pattern of patterns) {
      const parameters =
        pattern.method === method || pattern.method === 'ANY' ? matchSegments(pattern, segments) : null;
      if (parameters !== null) {
        return { route: pattern.route, rawPath, parameters };
      }
    }
    return fallback === null ? null : { route: fallback, rawPath, parameters: {} };
  };
};
