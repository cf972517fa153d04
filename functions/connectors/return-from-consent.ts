import * as z from 'zod';
import { consentPage, consentRefusalPage, receiveConsent, receiveConsentUses } from '../../shared/connectors/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

/** Query with which a provider redirects back (RFC 6749, section 4.1.2). */
const Consent = z.object({
  state: z.string().min(1).max(512).describe('State of the consent, as the service gave it to the provider.'),
  code: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('Authorization code of the provider; absent if the person refused.'),
  error: z.string().max(255).optional().describe('Error code of the provider; absent if there is a code.'),
});

export const returnFromConsent = endpoint({
  id: 'return-from-consent',
  method: 'GET',
  path: '/v1/connectors/callback',
  tag: 'Connectors',
  summary: 'Return from a consent',
  description:
    'Redirect target of a provider after a consent. It creates no connector: the page shows the organization, the index, the account and a code for `complete`. The state is valid once, for 15 minutes. If the provider is busy, a 503 says when to load the same address again. A client that accepts `text/html` gets errors as a page too.',
  auth: { needs: 'none' },
  errorCodes: ['bad_request', 'not_found', 'conflict', 'unavailable'],
  uses: receiveConsentUses,
  query: Consent,
  returnsSecret: true,
  status: 200,
  produces: 'text/html; charset=utf-8',
  errorPage: consentRefusalPage,
  handle: async ({ deps, query, clock }) => {
    const code = query.error === undefined ? (query.code ?? null) : null;
    const received = await receiveConsent(deps, { state: query.state, code }, clock.now());
    return { body: consentPage(received) };
  },
});
