import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { originOf } from './own-origin.ts';
import type { HttpResult } from './response.ts';

/** Path of the metadata of a protected resource, before the path of that resource. Source: RFC 9728, 3.1. */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';

/** Adds the URL of the metadata to the challenge of a 401. Source: RFC 9728, 5.1. */
export const withResourceMetadata = (
  result: HttpResult,
  event: Pick<APIGatewayProxyEventV2, 'rawPath' | 'requestContext'>,
): HttpResult => {
  const challenge = result.headers['www-authenticate'];
  if (result.statusCode !== 401 || challenge === undefined) return result;
  const url = `${originOf(event)}${resourceMetadataPath}${event.rawPath}`;
  const separator = challenge.includes('=') ? ',' : '';
  const headers = { ...result.headers, 'www-authenticate': `${challenge}${separator} resource_metadata="${url}"` };
  return { ...result, headers };
};
