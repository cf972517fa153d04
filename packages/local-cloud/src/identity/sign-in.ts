import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { EmailAddress } from '../../../../shared/http/email-address.ts';
import type { Clock } from '../../../../shared/kernel/clock.ts';
import { readBody } from '../endpoint/read-body.ts';
import { localAudience, localOwner, type IdentityProvider, type Person } from './identity-provider.ts';

/** Response of a page or redirect of the provider. */
export interface SignInReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const codeSeconds = 60;
const bodyLimitBytes = 16 * 1024;
const cookieName = 'strata_local_person';

/** Query of an authorization request. Source: RFC 6749, 4.1.1, and RFC 7636, 4.3. */
const AuthorizationRequest = z.object({
  response_type: z.literal('code'),
  client_id: z.literal(localAudience),
  redirect_uri: z.url(),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal('S256'),
  state: z.string().max(500).default(''),
  nonce: z.string().max(500).default(''),
  prompt: z.string().default(''),
});
type AuthorizationRequest = z.output<typeof AuthorizationRequest>;

const TokenRequest = z.object({
  grant_type: z.literal('authorization_code'),
  client_id: z.literal(localAudience),
  redirect_uri: z.string(),
  code: z.string(),
  code_verifier: z.string().min(43).max(128),
});

const SignInForm = z.object({ email: EmailAddress, name: z.string().trim().min(1).max(200) });

interface Grant {
  readonly person: Person;
  readonly request: AuthorizationRequest;
  readonly untilMs: number;
}

const isOwner = (person: Person | null): boolean => person?.email === localOwner.email;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { display: grid; place-items: center; min-height: 100vh; margin: 0; }
main { width: min(22rem, calc(100vw - 2rem)); }
h1 { font-size: 1.25rem; }
label { display: block; margin: 1rem 0 .25rem; }
input, button { box-sizing: border-box; width: 100%; font: inherit; padding: .5rem .75rem; }
button { margin-top: 1.5rem; border: 0; border-radius: 4px; background: #1971c2; color: #fff; font-weight: 600; cursor: pointer; }
details { margin-top: 2rem; }
p[role=alert] { color: #c92a2a; }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

/**
 * Offers the owner of the service first: a person with another address gets an organization of their own, and would not
 * find what the API key of the start has created.
 */
const page = (person: Person | null, problem: string | null): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign in · Strata</title>
<style>${style}</style></head>
<body><main>
<h1>Sign in on this machine</h1>
<p>You are <strong>${escaped(localOwner.email)}</strong> here, the owner of the organization whose API key the start has printed.</p>
<form method="post">
<input type="hidden" name="email" value="${escaped(localOwner.email)}">
<input type="hidden" name="name" value="${escaped(localOwner.name)}">
<button type="submit">Sign in</button>
</form>
<details${person === null && problem === null ? '' : ' open'}><summary>Another person</summary>
<p>Any address is accepted without a password. A new one gets an organization of its own, which is empty.</p>
${problem === null ? '' : `<p role="alert">${escaped(problem)}</p>`}
<form method="post">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="email" required value="${escaped(person?.email ?? '')}">
<label for="name">Name</label>
<input id="name" name="name" autocomplete="name" required maxlength="200" value="${escaped(person?.name ?? '')}">
<button type="submit">Continue</button>
</form></details>
</main></body></html>`;

const html = (status: number, body: string): SignInReply => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  },
  body,
});

const json = (status: number, value: unknown): SignInReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

const redirect = (location: string, cookie?: string): SignInReply => ({
  status: 303,
  headers: { location, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) },
  body: '',
});

/** Person of the browser, by the cookie of an earlier sign-in. */
const signedIn = ({ headers }: IncomingMessage): Person | null => {
  const value = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1];
  if (value === undefined) return null;
  try {
    return SignInForm.parse(JSON.parse(Buffer.from(value, 'base64url').toString()));
  } catch {
    return null;
  }
};

const cookieOf = (person: Person | null, path: string): string => {
  const value = person === null ? '' : Buffer.from(JSON.stringify(person)).toString('base64url');
  return `${cookieName}=${value}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${person === null ? 0 : 86_400}`;
};

/** Authorization code flow with PKCE of the local identity provider. */
export interface SignIn {
  /** Shows the sign-in page, or redirects at once if the browser is signed in. */
  readonly authorize: (request: IncomingMessage, url: URL) => Promise<SignInReply>;
  /** Exchanges a code for an ID token. */
  readonly token: (request: IncomingMessage) => Promise<SignInReply>;
  /** Forgets the person of the browser, and redirects to `logout_uri`. */
  readonly signOut: (url: URL) => SignInReply;
}

/** Exchanges a code for an ID token. Source: RFC 6749, 4.1.3, and RFC 7636, 4.6. */
const exchange = async (
  grants: Map<string, Grant>,
  { identity, clock }: Pick<SignInOptions, 'identity' | 'clock'>,
  request: IncomingMessage,
): Promise<SignInReply> => {
  const fields = new URLSearchParams((await readBody(request, bodyLimitBytes)).toString());
  const parsed = TokenRequest.safeParse(Object.fromEntries(fields));
  if (!parsed.success) return json(400, { error: 'invalid_request' });
  const { code, code_verifier, redirect_uri } = parsed.data;
  const known = grants.get(code);
  grants.delete(code);
  const challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const isValid =
    known !== undefined &&
    known.untilMs >= clock.now().getTime() &&
    known.request.redirect_uri === redirect_uri &&
    known.request.code_challenge === challenge;
  if (!isValid) return json(400, { error: 'invalid_grant' });
  return json(200, {
    id_token: await identity.idToken(known.person, known.request.nonce),
    token_type: 'Bearer',
    expires_in: 3600,
  });
};

interface SignInOptions {
  readonly baseUrl: string;
  /** Path of the provider, to which its cookie is limited. */
  readonly path: string;
  readonly identity: Pick<IdentityProvider, 'idToken'>;
  readonly clock: Clock;
}

/** Opens the flow. Codes are valid once, for a minute, and only for pages of the service itself. */
export const openSignIn = (options: SignInOptions): SignIn => {
  const { baseUrl, path, clock } = options;
  const grants = new Map<string, Grant>();
  const nowMs = (): number => clock.now().getTime();
  const isOwn = (address: string): boolean =>
    URL.canParse(address) && new URL(address).origin === new URL(baseUrl).origin;

  const grant = (person: Person, request: AuthorizationRequest): SignInReply => {
    for (const [code, { untilMs }] of grants) if (untilMs < nowMs()) grants.delete(code);
    const code = randomBytes(32).toString('base64url');
    grants.set(code, { person, request, untilMs: nowMs() + codeSeconds * 1000 });
    const target = new URL(request.redirect_uri);
    target.searchParams.set('code', code);
    target.searchParams.set('state', request.state);
    return redirect(target.href, cookieOf(person, path));
  };
  return {
    authorize: async (request, url) => {
      const parsed = AuthorizationRequest.safeParse(Object.fromEntries(url.searchParams));
      if (!parsed.success || !isOwn(parsed.data.redirect_uri))
        return json(400, { error: 'invalid_request', error_description: 'The parameters are invalid' });
      const person = signedIn(request);
      if (request.method === 'GET') {
        if (person !== null && parsed.data.prompt !== 'login') return grant(person, parsed.data);
        return html(200, page(isOwner(person) ? null : person, null));
      }
      const fields = Object.fromEntries(new URLSearchParams((await readBody(request, bodyLimitBytes)).toString()));
      const form = SignInForm.safeParse(fields);
      if (form.success) return grant(form.data, parsed.data);
      const entered = { email: fields['email'] ?? '', name: fields['name'] ?? '' };
      return html(422, page(entered, 'Enter an e-mail address and a name.'));
    },
    token: (request) => exchange(grants, options, request),
    signOut: (url) => {
      const target = url.searchParams.get('logout_uri') ?? baseUrl;
      if (!isOwn(target)) return json(400, { error: 'invalid_request' });
      return redirect(target, cookieOf(null, path));
    },
  };
};
