import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Endpoint } from './endpoint.ts';
import { spansSegments } from './path-parameters.ts';

/** Endpoint of a request, and the request with the parameters of the endpoint's path. */
interface RouteMatch {
  readonly route: Endpoint;
  readonly event: APIGatewayProxyEventV2;
}

const patternOf = ({ path }: Endpoint): RegExp => {
  const segments = path.split('/').map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    return name === undefined ? RegExp.escape(segment) : `(?<${name}>${spansSegments(name) ? '.+' : '[^/]+'})`;
  });
  return new RegExp(`^${segments.join('/')}$`, 's');
};

/**
 * Returns a function that finds the endpoint of a request below a prefix. Slashes that are repeated or at the end of the path
 * do not count, and a stage or base path may precede the prefix.
 */
export const routeMatcher = (
  prefix: string,
  routes: readonly Endpoint[],
): ((event: APIGatewayProxyEventV2) => RouteMatch | null) => {
  const known = routes.map((route) => ({ route, pattern: patternOf(route) }));
  return (event) => {
    const { rawPath, requestContext } = event;
    const start = rawPath.indexOf(prefix);
    const segments = rawPath.slice(start).split('/');
    const path = `/${segments.filter((segment) => segment !== '').join('/')}`;
    for (const { route, pattern } of known) {
      const found = route.method === requestContext.http.method ? pattern.exec(path) : null;
      if (found === null) continue;
      const pathParameters = { ...found.groups };
      return { route, event: { ...event, rawPath: `${rawPath.slice(0, start)}${path}`, pathParameters } };
    }
    return null;
  };
};
