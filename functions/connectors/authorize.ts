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
  summary: 'Start a consent',
  description:
    'Returns the URL at which a person grants access to `slack`, `notion`, `google_drive`, `gmail`, `google_calendar`, `sharepoint` or `one_drive`, within 15 minutes. The provider redirects them to a page with a code. Sending the code to `complete` creates the connector, which then waits for a scope. With a `connection_id`, that connector gets the new credentials instead. A 409 if that connector reads another provider, or if the deployment has no application at the provider.',
  auth: { needs: 'write' },
  audit: {
    action: 'connector.consent_started',
    before: ({ path }) => ({ name: path.provider }),
    after: ({ connection_id: id }) => ({ id }),
  },
  errorCodes: ['conflict'],
  feature: 'connectors',
  idempotent: true,
  uses: startConsentUses,
  body: ConnectorConsentCreate,
  returnsSecret: true,
  status: 201,
  response: ConnectorConsent,
  handle: async (call) => {
    const { index_id: indexId, provider } = call.path;
    const { authorizeUrl, connectionId } = await startConsent(call, indexId, provider, call.body);
    return { connection_id: connectionId, authorize_url: authorizeUrl, expires_in_seconds: consentSeconds };
  },
});
