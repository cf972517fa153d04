import {
  ConnectorResponse,
  createConnectorUses,
  createCustomApi,
  CustomApiCreate,
  reachProblems,
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
    'Describes where its list is, how pages follow each other and where the parts of an item are, as JSON Pointers. All of it is in scope. The description is kept encrypted with its credentials and appears in no answer.',
  auth: { needs: 'write' },
  errorCodes: ['conflict'],
  feature: 'connectors',
  idempotent: true,
  uses: createConnectorUses,
  body: CustomApiCreate,
  status: 201,
  response: ConnectorResponse,
  problems: ({ body, deps }) => reachProblems(body.base_url, deps.allowLocal),
  handle: async (call) => toConnectorResponse(await createCustomApi(call, call.path.index_id, call.body)),
});
