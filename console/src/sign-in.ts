import { type AuthorizationRequest, baseUrl, settings } from './settings.ts';

/** Authorization code flow with PKCE. Sources: RFC 6749, 4.1, and RFC 7636. */
const pendingKey = 'strata.sign-in';

interface Pending {
  readonly verifier: string;
  readonly state: string;
  /** Where the person was, such as `#/indexes`. */
  readonly place: string;
  /** Application for which the person signs in; absent for the console. */
  readonly authorization?: AuthorizationRequest | undefined;
}

/** Signed-in person. */
interface SignedIn {
  readonly idToken: string;
  readonly authorization: AuthorizationRequest | null;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** The only address that the identity provider knows, also for the page that asks for the access of an application. */
const callbackUrl = (): string => `${baseUrl}/console`;

/** Leaves for the sign-in page of the identity provider. It returns at once if the person is signed in there. */
export const beginSignIn = async ({
  asOther = false,
  authorization,
}: { readonly asOther?: boolean; readonly authorization?: AuthorizationRequest | undefined } = {}): Promise<never> => {
  const pending: Pending = { verifier: randomText(), state: randomText(), place: location.hash, authorization };
  // The verifier is worthless without the code, and lives as long as the tab.
  sessionStorage.setItem(pendingKey, JSON.stringify(pending));
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.verifier));
  const address = new URL(settings.authorizationEndpoint);
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: callbackUrl(),
    scope: 'openid email profile',
    state: pending.state,
    code_challenge: base64url(new Uint8Array(challenge)),
    code_challenge_method: 'S256',
    ...(asOther && { prompt: 'login' }),
  }).toString();
  location.assign(address);
  return new Promise(() => {});
};

/** Exchanges the code in the address for an ID token, and removes it from the address; null without a code. */
export const finishSignIn = async (): Promise<SignedIn | null> => {
  const query = new URLSearchParams(location.search);
  if (!query.has('code') && !query.has('error')) return null;
  const pending = JSON.parse(sessionStorage.getItem(pendingKey) ?? 'null') as Pending | null;
  sessionStorage.removeItem(pendingKey);
  history.replaceState(null, '', location.pathname + (pending?.place ?? ''));
  if (query.has('error')) throw new Error(query.get('error_description') ?? query.get('error') ?? '');
  if (pending === null || query.get('state') !== pending.state) return null;
  const response = await fetch(settings.tokenEndpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: settings.clientId,
      redirect_uri: callbackUrl(),
      code: query.get('code') ?? '',
      code_verifier: pending.verifier,
    }),
  });
  if (!response.ok) return null;
  const { id_token: idToken } = (await response.json()) as { readonly id_token: string };
  return { idToken, authorization: pending.authorization ?? null };
};

/** Leaves for the sign-out page of the identity provider, which returns to the console. */
export const signOutAtProvider = (): void => {
  if (settings.signOutEndpoint === null) location.reload();
  else {
    const address = new URL(settings.signOutEndpoint);
    address.search = new URLSearchParams({
      client_id: settings.clientId,
      logout_uri: callbackUrl(),
      post_logout_redirect_uri: callbackUrl(),
    }).toString();
    location.assign(address);
  }
};
