import {
  ConnectorResponse,
  createConnectorUses,
  createCustomApi,
  CustomApiCreate,
  endpointProblems,
  toConnectorResponse,
} from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const createCustomApiConnector = endpoint({
  id: 'create-custom-api-connector',
  method: 'POST',
  path: '/v1/indexes/{index_id}/connectors/custom-api',
  tag: 'Connectors',
  summary: 'Connect an API of your own',
  description:
    'Describes the list, its pagination and the fields of an item, as JSON Pointers. All items are in scope. The description is stored encrypted with its credentials and is never returned.',
  auth: { needs: 'write' },
  audit: {
    action: 'connector.created',
    before: ({ body }) => ({ name: body.name }),
    after: ({ id }) => ({ id }),
    details: ['sync_interval_minutes'],
  },
  errorCodes: ['conflict'],
  feature: 'connectors',
  idempotent: true,
  uses: createConnectorUses,
  body: CustomApiCreate,
  status: 201,
  response: ConnectorResponse,
  problems: ({ body, deps }) => endpointProblems(body, deps.allowLocal),
  handle: async (call) => toConnectorResponse(await createCustomApi(call, call.path.index_id, call.body)),
});
