import type { RouteDefinition } from './api-definition.ts';

/** A route together with the values of its path parameters. */
export interface RouteMatch {
  readonly route: RouteDefinition;
  /** The path of the request as the function is told of it. */
  readonly rawPath: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the route of a request by its address without the host; null when there is not even a `$default`. */
export type MatchRoute = (method: string, url: string) => RouteMatch | null;

interface Pattern {
  readonly route: RouteDefinition;
  readonly method: string;
  readonly segments: readonly string[];
  /** Ends in `{name+}`, which takes all that is left. */
  readonly greedy: boolean;
}

const parameterName = (segment: string): string | null => /^\{(.+?)\+?\}$/.exec(segment)?.[1] ?? null;

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

const beforeQuery = (url: string): string => url.split('?', 1)[0] ?? '';

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
      parameters[name] = decoded(value);
    }
  }
  return parameters;
};

/**
 * Prepares the routes of an API. As recorded of HTTP APIs, a path is decoded before its route is looked for, so that `%2F`
 * separates segments and `%3F` ends it, and what the function gets of it once more.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
 * https://github.com/hotsock/voker/blob/HEAD/vokerhttp/testdata/ingress-paths.json
 */
export const createMatcher = (routes: readonly RouteDefinition[]): MatchRoute => {
  const fallback = routes.find(({ key }) => key === '$default') ?? null;
  const patterns = routes
    .filter(({ key }) => key !== '$default')
    .map(patternOf)
    .toSorted((one, other) => specificity(one).localeCompare(specificity(other)));
  return (method, url) => {
    const path = beforeQuery(decoded(beforeQuery(url)));
    const rawPath = decoded(path);
    const segments = path.split('/').slice(1);
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
