import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { AppError } from '../kernel/errors.ts';

/** Loopback names with a port, which only a service on one machine has. API Gateway serves TLS alone. */
const loopbackForm = /^(?:localhost|(?:[\w-]+\.)+localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/** Whether a `Host` names a service on one machine. */
export const isLoopbackHost = (host: string): boolean => loopbackForm.test(host);

/**
 * Returns the origin at which a request addressed the service. The gateway refuses names that are not the service's own.
 */
export const originOf = ({ requestContext: { domainName } }: Pick<APIGatewayProxyEventV2, 'requestContext'>): string =>
  `${isLoopbackHost(domainName) ? 'http' : 'https'}://${domainName}`;

/** Origins of pages on the person's own machine, such as inspectors of MCP servers. */
const localPage = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Throws 403 for a request of a page that is neither of the service nor of the person's own machine. Such a request could be
 * the result of DNS rebinding. Source: MCP 2026-07-28, "Streamable HTTP".
 */
export const requireTrustedOrigin = (event: Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>): void => {
  const { origin } = event.headers;
  if (origin !== undefined && origin !== originOf(event) && !localPage.test(origin))
    throw new AppError('forbidden', `Requests from pages of ${origin} are not accepted`);
};
