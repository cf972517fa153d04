import * as z from 'zod';
import type { ErrorFormat } from '../../../shared/http/response.ts';
import { statusByCode, ValidationFailure } from '../../../shared/kernel/errors.ts';

// Source: JSON-RPC 2.0, 5.1
const [parseError, invalidRequest] = [-32_700, -32_600];

const JsonRpcId = z
  .union([z.string(), z.number(), z.null()])
  .meta({ id: 'JsonRpcId', description: 'Id that the sender gave a message.' });

const JsonRpcError = z
  .object({
    jsonrpc: z.literal('2.0').describe('Always `2.0`.'),
    id: JsonRpcId.describe('Id of the message; null if it cannot be read.'),
    error: z
      .object({
        code: z.int().describe('`-32700` if the body is not JSON, `-32600` if it is no message of the protocol.'),
        message: z.string().describe('Human-readable description of the error.'),
      })
      .meta({ id: 'JsonRpcProblem', description: 'What is wrong with the message.' }),
  })
  .meta({
    id: 'JsonRpcError',
    description: 'Error of a message that cannot be read. Source: JSON-RPC 2.0, 5.',
    examples: [{ jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Invalid JSON' } }],
  });

const response = (status: number, code: number, message: string) => ({
  status,
  body: { jsonrpc: '2.0', id: null, error: { code, message } } satisfies z.input<typeof JsonRpcError>,
  headers: {},
});

/** Error format of a message that cannot be read. Other errors, such as a 401 or a 429, keep the format of the API. */
export const jsonRpcErrorFormat: ErrorFormat = {
  statuses: [400, 413, 415],
  body: JsonRpcError,
  of: (refusal) => {
    if (refusal instanceof ValidationFailure) {
      const isJson = refusal.problems.every(({ type }) => type !== 'json_invalid');
      const problems = refusal.problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
      return response(400, isJson ? invalidRequest : parseError, problems.join('; '));
    }
    const { code, message } = refusal;
    return code === 'payload_too_large' || code === 'unsupported_media_type'
      ? response(statusByCode[code], invalidRequest, message)
      : null;
  },
};
