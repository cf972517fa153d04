import * as z from 'zod';
import { ConnectorChange, endConsent, endConsentUses, toAcknowledgement } from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

/** What providers send people back with (RFC 6749, section 4.1.2). */
const Consent = z.object({
  state: z.string().min(1).max(512),
  code: z.string().min(1).max(4096).optional(),
  error: z.string().max(255).optional().describe('Why there is no code, in the words of the provider.'),
});

export const completeConnector = endpoint({
  id: 'complete-connector',
  method: 'GET',
  path: '/v1/connectors/callback',
  tag: 'Connectors',
  summary: 'Return from a consent',
  description:
    'Where a provider sends a person back after they consented. The state opens it once, for 15 minutes; the connector then waits for a scope, or goes on with the one that it has. Where the provider is busy, a 503 tells when to load the same address again.',
  auth: { needs: 'none' },
  refuses: ['bad_request', 'not_found', 'conflict', 'unavailable'],
  uses: endConsentUses,
  query: Consent,
  status: 200,
  response: ConnectorChange,
  handle: async ({ deps, query, clock }) => {
    const code = query.error === undefined ? (query.code ?? null) : null;
    return toAcknowledgement(await endConsent(deps, { state: query.state, code }, clock.now()));
  },
});
