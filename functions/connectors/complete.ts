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
    'Connects what a person has consented to, by the code that the page after the consent shows. Only the credential that began the consent with `authorize` can do it, or any session of the user who did. The code is good once, for 15 minutes; the connector then waits for a scope, or goes on with the one that it has.',
  auth: { needs: 'write' },
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
