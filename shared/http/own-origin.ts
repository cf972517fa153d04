import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** Loopback names with a port, which only a service on one machine has. API Gateway serves TLS alone. */
const loopback = /^(?:localhost|(?:[\w-]+\.)+localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/**
 * Returns the origin at which a request addressed the service. The gateway refuses names that are not the service's own.
 */
export const originOf = ({ requestContext: { domainName } }: Pick<APIGatewayProxyEventV2, 'requestContext'>): string =>
  `${loopback.test(domainName) ? 'http' : 'https'}://${domainName}`;
