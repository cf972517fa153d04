import { endpoint } from '../../shared/http/endpoint.ts';
import { resourceMetadataPath } from '../../shared/http/resource-metadata.ts';
import { ProtectedResource, protectedResource } from './steps/protected-resource.ts';

export const getMcpMetadata = endpoint({
  id: 'get-mcp-metadata',
  method: 'GET',
  path: `${resourceMetadataPath}/v1/mcp`,
  tag: 'MCP',
  summary: 'Get the metadata of the MCP server as a protected resource',
  description: 'Metadata of RFC 9728, from which OAuth clients learn how to get a token for `POST /v1/mcp`.',
  auth: { needs: 'none' },
  uses: {},
  status: 200,
  response: ProtectedResource,
  handle: ({ origin }) => Promise.resolve(protectedResource(origin, '/v1/mcp')),
});
