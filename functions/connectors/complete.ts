import {
  confirmConsent,
  confirmConsentUses,
  ConnectorChange,
  ConnectorConfirmation,
  toAcknowledgement,
} from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const completeConnector = endpoint({
  id: 'complete-connector',
  method: 'POST',
  path: '/v1/indexes/{index_id}/connectors/{provider}/complete',
  tag: 'Connectors',
  summary: 'Confirm a consent',
  description:
    'Creates the connector of a consent, with the code that the page after the consent shows. Only the credential that called `authorize`, or any session of the same user, can complete it. The code is valid once, for 15 minutes. The connector then waits for a scope, or continues with its existing one.',
  auth: { needs: 'write' },
  audit: {
    action: 'connector.connected',
    before: ({ path }) => ({ name: path.provider }),
    after: ({ connection_id: id }) => ({ id: id ?? null }),
  },
  errorCodes: ['bad_request', 'conflict'],
  feature: 'connectors',
  uses: confirmConsentUses,
  body: ConnectorConfirmation,
  status: 200,
  response: ConnectorChange,
  handle: async ({ caller, deps, path, body, clock }) => {
    const { index_id: indexId, provider } = path;
    const consent = { indexId, provider, code: body.confirmation_code };
    return toAcknowledgement(await confirmConsent(deps, caller, consent, clock.now()));
  },
});
