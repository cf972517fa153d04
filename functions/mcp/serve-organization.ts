import { endpoint } from '../../shared/http/endpoint.ts';
import { jsonRpcErrorFormat } from './steps/json-rpc-error.ts';
import { maxMcpBodyBytes, McpMessage, mcpRate, mcpUses, serveMcp } from './steps/serve-mcp.ts';

export const mcp = endpoint({
  id: 'mcp',
  method: 'POST',
  path: '/v1/mcp',
  tag: 'MCP',
  summary: 'Serve agents by the Model Context Protocol',
  description:
    'Serves one message of MCP 2026-07-28 or of the 2025 revisions, without sessions or streams. The tools search and read the indexes that the credential can use and, with the write permission, add and delete documents. A call counts as the search or write that it does. The response to a notification is a 202.',
  auth: { needs: 'read', servesBound: true },
  rate: mcpRate,
  errorCodes: ['bad_request', 'not_found'],
  isProtectedResource: true,
  errorFormat: jsonRpcErrorFormat,
  uses: mcpUses,
  ignoresUnknownFields: true,
  body: McpMessage,
  maxBodyBytes: maxMcpBodyBytes,
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 200,
  alternative: { status: 202, description: 'The message is a notification.' },
  produces: 'application/json',
  handle: (call) => serveMcp(call, null),
});
