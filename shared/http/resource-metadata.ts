import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { originOf } from './own-origin.ts';
import type { HttpResult } from './response.ts';

/** Path of the metadata of a protected resource, before the path of that resource. Source: RFC 9728, 3.1. */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';

/** Adds the grantable scopes to the challenge of a 401, and the URL of the metadata to any challenge. Source: RFC 9728, 5.1. */
export const withResourceMetadata = (
  result: HttpResult,
  event: Pick<APIGatewayProxyEventV2, 'rawPath' | 'requestContext'>,
): HttpResult => {
  const challenge = result.headers['www-authenticate'];
  if (challenge === undefined) return result;
  const url = `${originOf(event)}${resourceMetadataPath}${event.rawPath}`;
  const separator = challenge.includes('=') ? ',' : '';
  // The person decides on the consent page which of the scopes are granted.
  const scoped = result.statusCode === 401 ? `${challenge}${separator} scope="read write"` : challenge;
  const headers = { ...result.headers, 'www-authenticate': `${scoped}, resource_metadata="${url}"` };
  return { ...result, headers };
};
