import { endpoint } from '../../shared/http/endpoint.ts';
import { resourceMetadataPath } from '../../shared/http/resource-metadata.ts';
import { ProtectedResource, protectedResource } from './steps/protected-resource.ts';

export const getRootMetadata = endpoint({
  id: 'get-root-metadata',
  method: 'GET',
  path: resourceMetadataPath,
  tag: 'MCP',
  summary: 'Get the metadata of the service as a protected resource',
  description: 'Metadata of RFC 9728, from which OAuth clients learn how to get a token for the service.',
  auth: { needs: 'none' },
  uses: {},
  status: 200,
  response: ProtectedResource,
  handle: ({ origin }) => Promise.resolve(protectedResource(origin, '')),
});
