import type { ErrorPage } from '../http/response.ts';
import type { ReceivedConsent } from './consent.ts';
import { connectorProviders } from './schemas.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title}</title>
</head>
<body>
${body}
</body>
</html>
`;

/** Error page of a consent. */
export const consentRefusalPage: ErrorPage = ({ detail, requestId, retryAfter }) =>
  page(
    'Nothing is connected',
    `<h1>Nothing is connected</h1>
<p>${escaped(detail)}.</p>
<p>${
      retryAfter === null
        ? 'Go back to the program or person that sent you here, and start again there.'
        : `Load this page again in ${escaped(retryAfter)} s.`
    }</p>
<p>Request: <code>${escaped(requestId)}</code></p>`,
  );

/** Confirmation page, which shows a person where their content would go. It changes nothing and loads nothing. */
export const consentPage = (consent: ReceivedConsent): string => {
  const provider = connectorProviders[consent.provider];
  const account = consent.account ?? `The account at ${provider} with which you consented`;
  return page(
    'Confirm the connector',
    `<h1>Nothing is connected yet</h1>
<p>The content of this account will be searchable for everyone with access to this index:</p>
<dl>
<dt>${provider} account</dt><dd>${escaped(account)}</dd>
<dt>Organization</dt><dd>${escaped(consent.organizationName)}</dd>
<dt>Index</dt><dd>${escaped(consent.indexName)}</dd>
<dt>Connector</dt><dd>${escaped(consent.connectorName)}</dd>
</dl>
<p>If you know this organization and want this, give the confirmation code to the program or person that sent you to ${provider}. It is valid once, for 15 minutes, and is not shown again:</p>
<p><code>${consent.confirmationCode}</code></p>
<p>If you do not, close this page and keep the code secret. Nothing will be connected. You can take back your consent at ${provider}.</p>`,
  );
};
