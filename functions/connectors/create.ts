import {
  ConnectorCreate,
  connectorProblems,
  ConnectorResponse,
  createConnector as create,
  createConnectorUses,
  toConnectorResponse,
} from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const createConnector = endpoint({
  id: 'create-connector',
  method: 'POST',
  path: '/v1/indexes/{index_id}/connectors',
  tag: 'Connectors',
  summary: 'Connect a provider',
  description:
    'Reads its `scope`; without one, nothing until a scope is set. Credentials are stored encrypted and are never returned.',
  auth: { needs: 'write' },
  audit: {
    action: 'connector.created',
    before: ({ body }) => ({ name: body.name }),
    after: ({ id }) => ({ id }),
    details: ['provider', 'sync_interval_minutes'],
  },
  errorCodes: ['conflict'],
  feature: 'connectors',
  idempotent: true,
  uses: createConnectorUses,
  body: ConnectorCreate,
  status: 201,
  response: ConnectorResponse,
  problems: ({ body, deps }) => connectorProblems(body, deps.allowLocal),
  handle: async (call) => toConnectorResponse(await create(call, call.path.index_id, call.body)),
});
