import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { aliasUses } from '../../../shared/aliases/index.ts';
import { fieldsOf } from '../../../shared/http/body.ts';
import type { EndpointResponse, OwnRate } from '../../../shared/http/endpoint.ts';
import { capability, type Deps } from '../../../shared/kernel/capability.ts';
import { isObject, type Json, type JsonObject } from '../../../shared/kernel/json.ts';
import type { Logger } from '../../../shared/kernel/log.ts';
import { type Session, sessionOf } from '../../../shared/operations/index.ts';
import { openServer } from './open-server.ts';
import { operationUses } from './operations.ts';
import type { ToolContext } from './tool.ts';
import { tools } from './tools.ts';

/** One JSON-RPC request or notification. Batches are refused, so that the work of a request is bounded. */
export const McpMessage = z
  .looseObject({
    jsonrpc: z.literal('2.0').describe('Always `2.0`.'),
    method: z.string().min(1).max(128).describe('Method of the protocol, such as `tools/call`.'),
  })
  .meta({
    id: 'McpMessage',
    description: 'A request or notification of the Model Context Protocol.',
    examples: [
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: { query: 'green tea' } } },
    ],
  });

/** Maximum size of a request: that of a text of `add_text` in any script. */
export const maxMcpBodyBytes = 1024 * 1024;

const logUse = capability<Logger>([], ({ log }) => log);

export const mcpUses = { ...operationUses, ...aliasUses, log: logUse };

const toolNameIn = (body: string): string | null => {
  const { method, params } = fieldsOf(body);
  if (method !== 'tools/call' || !isObject(params)) return null;
  return typeof params['name'] === 'string' ? params['name'] : null;
};

/** Returns the rate limit of a message: that of the endpoint behind the called tool. */
export const mcpRate = (body: string): OwnRate | undefined => {
  const name = toolNameIn(body);
  const rate = name !== null && Object.hasOwn(tools, name) ? tools[name]?.endpoint.rate : undefined;
  return typeof rate === 'string' ? rate : undefined;
};

/** Clients send null for a parameter that they leave out, which the schemas of the protocol refuse. */
const withoutNulls = (values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** Returns the message without null as its parameters, or as one of them. */
const withoutNullParams = ({ params, ...message }: z.output<typeof McpMessage>): JsonObject => ({
  ...(message as JsonObject),
  ...(params == null ? {} : { params: isObject(params) ? withoutNulls(params) : (params as Json) }),
});

const passedHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

interface McpCall extends Pick<ToolContext, 'origin'>, Session {
  readonly body: z.output<typeof McpMessage>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly deps: Deps<typeof mcpUses>;
}

const toRequest = ({ origin, headers, body }: McpCall): Request =>
  new Request(origin, {
    method: 'POST',
    headers: {
      // Both types are accepted on behalf of the client, and the response is JSON.
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...Object.fromEntries(
        passedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
      ),
    },
    body: JSON.stringify(withoutNullParams(body)),
  });

/** Serves a request of the 2025 revisions without a session. */
const serveLegacy = async (request: Request, context: ToolContext, log: Logger): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await openServer(context, log).connect(transport);
  return transport.handleRequest(request);
};

/**
 * Serves one message of the Model Context Protocol without a session.
 * @param indexId The only index that the server serves; null for all indexes of the organization.
 */
export const serveMcp = async (call: McpCall, indexId: string | null): Promise<EndpointResponse<string>> => {
  const { origin, deps, body } = call;
  const { log, aliases, ...operations } = deps;
  // The server announces no changes, so a stream of them would end with the function.
  if (body.method === 'subscriptions/listen')
    return { status: 404, body: JSON.stringify({ jsonrpc: '2.0', id: body['id'] ?? null, error: methodNotFound }) };
  const context: ToolContext = { operations, aliases, session: sessionOf(call), origin, indexId };
  const request = toRequest(call);
  const response = (await isLegacyRequest(request))
    ? await serveLegacy(request, context, log)
    : await createMcpHandler(() => openServer(context, log), { legacy: 'reject' }).fetch(request);
  return { status: response.status, body: await response.text() };
};

// Source: JSON-RPC 2.0, 5.1
const methodNotFound = { code: -32601, message: 'Method not found' };
