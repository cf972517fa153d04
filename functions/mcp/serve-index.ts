import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, prefetchIndex } from '../../shared/indexes/index.ts';
import { jsonRpcErrorFormat } from './steps/json-rpc-error.ts';
import { maxMcpBodyBytes, McpMessage, mcpRate, mcpUses, serveMcp } from './steps/serve-mcp.ts';

export const indexMcp = endpoint({
  id: 'index-mcp',
  method: 'POST',
  path: '/v1/indexes/{index_id}/mcp',
  tag: 'MCP',
  summary: 'Serve agents by the Model Context Protocol, for one index',
  description: 'Serves one message like `POST /v1/mcp`. The tools work on this index only, so they need no `index_id`.',
  auth: { needs: 'read', servesBound: true },
  rate: mcpRate,
  errorCodes: ['bad_request'],
  isProtectedResource: true,
  errorFormat: jsonRpcErrorFormat,
  uses: { ...mcpUses, indexes: indexesRead },
  ignoresUnknownFields: true,
  body: McpMessage,
  maxBodyBytes: maxMcpBodyBytes,
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 200,
  alternative: { status: 202, description: 'The message is a notification.' },
  produces: 'application/json',
  prefetch: prefetchIndex,
  handle: async (call) => {
    const { id } = await call.prefetched;
    return serveMcp(call, id);
  },
});
