import {
  ConnectorConsent,
  ConnectorConsentCreate,
  consentSeconds,
  startConsent,
  startConsentUses,
} from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const authorizeConnector = endpoint({
  id: 'authorize-connector',
  method: 'POST',
  path: '/v1/indexes/{index_id}/connectors/{provider}/authorize',
  tag: 'Connectors',
  summary: 'Ask for consent to a provider',
  description:
    'Gives the address at which a person lets the service read `slack`, `notion`, `google_drive`, `gmail` or `google_calendar` in their name, within 15 minutes. The provider sends them back to a page with a code; the connector comes into being when the caller sends the code to `complete`, and then waits for a scope; with a `connection_id` that connector is opened anew instead, as with new credentials. A 409 where that one reads another provider, or whoever runs the service has no application at the provider.',
  auth: { needs: 'write' },
  errorCodes: ['conflict'],
  feature: 'connectors',
  idempotent: true,
  uses: startConsentUses,
  body: ConnectorConsentCreate,
  status: 201,
  response: ConnectorConsent,
  handle: async (call) => {
    const { index_id: indexId, provider } = call.path;
    const { authorizeUrl, connectionId } = await startConsent(call, indexId, provider, call.body);
    return { connection_id: connectionId, authorize_url: authorizeUrl, expires_in_seconds: consentSeconds };
  },
});
