import { endpoint } from '../../shared/http/endpoint.ts';
import { resourceMetadataPath } from '../../shared/http/resource-metadata.ts';
import { ProtectedResource, protectedResource } from './steps/protected-resource.ts';

export const getIndexMcpMetadata = endpoint({
  id: 'get-index-mcp-metadata',
  method: 'GET',
  path: `${resourceMetadataPath}/v1/indexes/{index_id}/mcp`,
  tag: 'MCP',
  summary: 'Get the metadata of the MCP server of an index as a protected resource',
  description: 'Metadata of RFC 9728, like those of `POST /v1/mcp`. They are the same whether the index exists or not.',
  auth: { needs: 'none' },
  uses: {},
  status: 200,
  response: ProtectedResource,
  handle: ({ origin, path }) => Promise.resolve(protectedResource(origin, `/v1/indexes/${path.index_id}/mcp`)),
});
