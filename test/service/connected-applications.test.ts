import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { startService } from '../support/shared-service.ts';
import { type ApiAnswer, call, type Caller, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();
const nobody: Caller = { baseUrl, bearer: null };
const redirectUri = 'http://127.0.0.1:33418/callback';
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

type Document = Readonly<Record<string, unknown>>;

/** Serves the metadata documents of applications, by their paths. */
const documents = new Map<string, (url: string, response: ServerResponse) => void>();
const server = createServer((request: IncomingMessage, response) => {
  const { port } = server.address() as AddressInfo;
  const serve = documents.get(request.url ?? '');
  if (serve === undefined) response.writeHead(404).end();
  else serve(`http://127.0.0.1:${port}${request.url}`, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());

const newDocument = (serve: (url: string, response: ServerResponse) => void): string => {
  const path = `/${randomBytes(6).toString('hex')}/client.json`;
  documents.set(path, serve);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
};

/** Returns the client id of a new application. */
const newApplication = (changes: Document = {}): string =>
  newDocument((client_id, response) => {
    const document = { client_id, client_name: 'Test Agent', redirect_uris: ['http://127.0.0.1/callback'], ...changes };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });

/** Application with the request that it made. */
interface Request {
  readonly verifier: string;
  readonly query: Readonly<Record<string, string>>;
}

const newRequest = (changes: Readonly<Record<string, string>> = {}): Request => {
  const verifier = randomBytes(32).toString('base64url');
  const query = {
    response_type: 'code',
    client_id: newApplication(),
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${baseUrl}/v1/mcp`,
    scope: 'read write',
    state: 'a b&c',
    ...changes,
  };
  return { verifier, query };
};

const openPage = (query: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${baseUrl}/v1/oauth/authorize?${new URLSearchParams(query).toString()}`, { redirect: 'manual' });

/** Reads a request as the page does after the person has signed in. */
const review = (session: Caller, { query }: Pick<Request, 'query'>): Promise<ApiAnswer> =>
  call(session, 'GET', `/v1/oauth/authorize/request?${new URLSearchParams(query).toString()}`);

const allow = (session: Caller, { query }: Request, changes: Document = {}): Promise<ApiAnswer> =>
  call(session, 'POST', '/v1/oauth/authorize', { ...query, permissions: ['read'], ...changes });

/** Returns the code that the application gets. */
const codeOf = async (session: Caller, request: Request, changes: Document = {}): Promise<string> => {
  const { status, body } = await allow(session, request, changes);
  assert.equal(status, 200, JSON.stringify(body));
  const target = new URL(body.redirect_to);
  assert.equal(target.origin + target.pathname, redirectUri);
  assert.deepEqual([target.searchParams.get('state'), target.searchParams.get('iss')], ['a b&c', baseUrl]);
  return target.searchParams.get('code') ?? '';
};

const sendForm = (path: string, form: Readonly<Record<string, string>>): Promise<ApiAnswer> =>
  call(nobody, 'POST', path, new URLSearchParams(form).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });

const exchange = ({ query, verifier }: Request, code: string, changes: Readonly<Record<string, string>> = {}) =>
  sendForm('/v1/oauth/token', {
    grant_type: 'authorization_code',
    client_id: query['client_id'] ?? '',
    redirect_uri: query['redirect_uri'] ?? '',
    code,
    code_verifier: verifier,
    resource: query['resource'] ?? '',
    ...changes,
  });

const refresh = ({ query }: Request, refreshToken: string, changes: Readonly<Record<string, string>> = {}) =>
  sendForm('/v1/oauth/token', {
    grant_type: 'refresh_token',
    client_id: query['client_id'] ?? '',
    refresh_token: refreshToken,
    ...changes,
  });

/** Connects an application. Returns its tokens. */
const connect = async (session: Caller, request: Request, changes: Document = {}): Promise<ApiAnswer['body']> => {
  const { status, body } = await exchange(request, await codeOf(session, request, changes));
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

const toolsOf = ({ access_token: bearer }: { readonly access_token: string }, path = '/v1/mcp') =>
  call({ baseUrl, bearer }, 'POST', path, listTools);

const namesIn = ({ body }: ApiAnswer): readonly string[] =>
  body.result.tools.map(({ name }: { readonly name: string }) => name);

const assertRefused = async (answer: Promise<ApiAnswer>, error: string): Promise<void> => {
  const { status, body } = await answer;
  assert.deepEqual([status, body.error], [400, error], JSON.stringify(body));
};

/** Finds the authorization server from a 401, as clients do. */
const discover = async (metadataUrl: string): Promise<ApiAnswer['body']> => {
  const resource = (await call(nobody, 'GET', metadataUrl.slice(baseUrl.length))).body;
  const [issuer] = resource.authorization_servers;
  const { body } = await call({ baseUrl: issuer, bearer: null }, 'GET', '/.well-known/oauth-authorization-server');
  assert.equal(body.issuer, issuer);
  assert.deepEqual(body.code_challenge_methods_supported, ['S256']);
  assert.equal(body.client_id_metadata_document_supported, true);
  return { ...body, resource: resource.resource };
};

test('an application finds the service from a 401, asks a person and uses, renews and revokes its access', async () => {
  const { id, session } = await newOrganization(baseUrl);
  const refused = await call(nobody, 'POST', '/v1/mcp', listTools);
  const url = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? '';
  const found = await discover(url);
  // API Gateway renames the header, so a client without it derives the URL from the path.
  assert.deepEqual(await discover(`${baseUrl}/.well-known/oauth-protected-resource/v1/mcp`), found);
  assert.equal(found.authorization_endpoint, `${baseUrl}/v1/oauth/authorize`);
  assert.equal(found.token_endpoint, `${baseUrl}/v1/oauth/token`);

  const request = newRequest({ resource: found.resource });
  const page = await openPage(request.query);
  const html = await page.text();
  assert.equal(page.status, 200, html);
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /script-src 'self' 'nonce-[^']+'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.equal(page.headers.get('cache-control'), 'no-store');
  const settings = JSON.parse(/<script id="settings"[^>]*>([^<]+)<\/script>/.exec(html)?.[1] ?? '');
  assert.deepEqual(settings.authorization, request.query);
  const {
    client_name: name,
    redirect_host: host,
    refusal_url: refusalUrl,
    scopes,
  } = (await review(session, request)).body;
  assert.deepEqual([name, host, scopes], ['Test Agent', '127.0.0.1:33418', ['read', 'write']]);
  assert.equal(new URL(refusalUrl).searchParams.get('error'), 'access_denied');

  const tokens = await connect(session, request, { permissions: ['read', 'write'] });
  assert.match(tokens.access_token, /^svc_at_[0-9A-Za-z]{49}$/);
  assert.match(tokens.refresh_token, /^svc_rt_[0-9A-Za-z]{49}$/);
  assert.deepEqual([tokens.token_type, tokens.expires_in, tokens.scope], ['Bearer', 3600, 'read write']);
  assert.ok(namesIn(await toolsOf(tokens)).includes('add_text'));

  const sessions = (await call(session, 'GET', '/v1/auth/sessions')).body;
  assert.deepEqual(sessions[0].application, 'Test Agent');
  const other = { 'x-service-organization-id': (await newOrganization(baseUrl)).id };
  const crossed = await call({ baseUrl, bearer: tokens.access_token }, 'POST', '/v1/mcp', listTools, other);
  assert.deepEqual([crossed.status, crossed.body.code], [403, 'organization_not_allowed'], id);

  const renewed = (await refresh(request, tokens.refresh_token)).body;
  assert.equal((await toolsOf(renewed)).status, 200);
  assert.equal((await sendForm('/v1/oauth/revoke', { token: renewed.refresh_token })).status, 200);
  assert.equal((await toolsOf(renewed)).status, 401);
  await assertRefused(refresh(request, renewed.refresh_token), 'invalid_grant');
});

/** Application of the official SDK, with what it keeps between the steps. */
class Application implements OAuthClientProvider {
  readonly redirectUrl = redirectUri;
  readonly clientMetadata = { client_name: 'Test Agent', redirect_uris: [redirectUri] };
  readonly #id = newApplication();
  authorizationUrl: URL | undefined;
  #verifier = '';
  #tokens: StoredOAuthTokens | undefined;
  #discovered: OAuthDiscoveryState | undefined;

  clientInformation() {
    return { client_id: this.#id };
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.authorizationUrl = url;
  }
  codeVerifier() {
    return this.#verifier;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  discoveryState() {
    return this.#discovered;
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovered = state;
  }
}

/** Sends a request as through API Gateway, which renames the header of the challenge. */
const throughGateway = async (url: string | URL, init?: RequestInit): Promise<Response> => {
  const response = await fetch(url, init);
  const headers = new Headers(response.headers);
  const challenge = headers.get('www-authenticate');
  if (challenge === null) return response;
  headers.delete('www-authenticate');
  headers.set('x-amzn-remapped-www-authenticate', challenge);
  return new Response(response.body, { status: response.status, headers });
};

for (const [name, send] of [
  ['with', fetch],
  ['without', throughGateway],
] as const)
  test(`the official client ${name} the header WWW-Authenticate connects, calls a tool, and renews and loses its access`, async () => {
    const { session, key } = await newOrganization(baseUrl);
    const index = (await call(key, 'POST', '/v1/indexes', { name: 'letters' })).body.id;
    const application = new Application();
    const open = () =>
      new StreamableHTTPClientTransport(new URL('/v1/mcp', baseUrl), { authProvider: application, fetch: send });
    const newClient = () => new Client({ name: 'test', version: '1.0.0' });
    const transport = open();
    await assert.rejects(newClient().connect(transport), UnauthorizedError);
    const asked = application.authorizationUrl ?? assert.fail();
    const query = Object.fromEntries(asked.searchParams);
    assert.deepEqual(
      [asked.origin + asked.pathname, query['resource'], query['scope']],
      [`${baseUrl}/v1/oauth/authorize`, `${baseUrl}/v1/mcp`, 'read write'],
    );
    const consented = await call(session, 'POST', '/v1/oauth/authorize', { ...query, permissions: ['read'] });
    assert.equal(consented.status, 200, JSON.stringify(consented.body));
    await transport.finishAuth(new URL(consented.body.redirect_to).searchParams);

    const client = newClient();
    after(() => client.close());
    await client.connect(open());
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.filter(({ annotations }) => annotations?.readOnlyHint !== true),
      [],
    );
    const { structuredContent } = await client.callTool({ name: 'list_indexes', arguments: {} });
    assert.match(JSON.stringify(structuredContent), new RegExp(index));

    const first = application.tokens() ?? assert.fail();
    assert.equal(first.scope, 'read');
    // An expired token and an unknown one look the same to the client.
    application.saveTokens({ ...first, access_token: `svc_at_${'0'.repeat(49)}` });
    assert.equal((await client.callTool({ name: 'list_indexes', arguments: {} })).isError, undefined);
    const second = application.tokens() ?? assert.fail();
    assert.notEqual(second.access_token, first.access_token);
    assert.notEqual(second.refresh_token, first.refresh_token);

    assert.equal((await sendForm('/v1/oauth/revoke', { token: second.access_token })).status, 200);
    application.authorizationUrl = undefined;
    await assert.rejects(client.callTool({ name: 'list_indexes', arguments: {} }));
    assert.equal((await toolsOf(second)).status, 401);
  });

test('a code is refused with another verifier, redirect URI, client or resource, and ends the grant if it is used twice', async () => {
  const { session } = await newOrganization(baseUrl);
  const request = newRequest();
  const code = await codeOf(session, request);
  const wrongVerifier = randomBytes(32).toString('base64url');
  await assertRefused(exchange(request, code, { code_verifier: wrongVerifier }), 'invalid_grant');
  await assertRefused(exchange(request, code, { redirect_uri: 'http://127.0.0.1:1/callback' }), 'invalid_grant');
  await assertRefused(exchange(request, code, { client_id: newApplication() }), 'invalid_grant');
  await assertRefused(exchange(request, code, { resource: baseUrl }), 'invalid_target');
  await assertRefused(exchange(request, code, { client_secret: 'x' }), 'unauthorized_client');
  await assertRefused(exchange(request, code, { code_verifier: '' }), 'invalid_request');
  await assertRefused(exchange(request, `svc_code_${'0'.repeat(49)}`), 'invalid_grant');
  const tokens = (await exchange(request, code)).body;
  assert.equal((await toolsOf(tokens)).status, 200);
  await assertRefused(exchange(request, code), 'invalid_grant');
  const ended = await toolsOf(tokens);
  assert.deepEqual([ended.status, ended.body.code], [401, 'key_revoked']);
  await assertRefused(refresh(request, tokens.refresh_token), 'invalid_grant');
});

test('of concurrent exchanges of one code at most one gets tokens', async () => {
  const { session } = await newOrganization(baseUrl);
  const request = newRequest();
  const code = await codeOf(session, request);
  const answers = await Promise.all(Array.from({ length: 4 }, () => exchange(request, code)));
  assert.ok(answers.filter(({ status }) => status === 200).length <= 1);
});

test('a refresh token that is used again at once returns the same tokens, also to concurrent requests', async () => {
  const { session } = await newOrganization(baseUrl);
  const request = newRequest();
  const first = await connect(session, request);
  await assertRefused(refresh(request, first.refresh_token, { client_id: newApplication() }), 'invalid_grant');
  const answers = await Promise.all(Array.from({ length: 12 }, () => refresh(request, first.refresh_token)));
  const [second] = answers;
  for (const { status, body } of [...answers, await refresh(request, first.refresh_token)])
    assert.deepEqual([status, body], [200, second?.body]);
  assert.notEqual(second?.body.refresh_token, first.refresh_token);
  assert.equal((await toolsOf(second?.body)).status, 200);
  const third = (await refresh(request, second?.body.refresh_token)).body;
  assert.equal((await toolsOf(third)).status, 200);
});

test('an access token is refused outside of its resource, and for the management of credentials', async () => {
  const { session, key } = await newOrganization(baseUrl);
  const [index, another] = await Promise.all(
    ['a', 'b'].map(async (name): Promise<string> => (await call(key, 'POST', '/v1/indexes', { name })).body.id),
  );
  const ofServer = await connect(session, newRequest());
  assert.equal((await toolsOf(ofServer)).status, 200);
  const elsewhere = await toolsOf(ofServer, `/v1/indexes/${index}/mcp`);
  assert.deepEqual([elsewhere.status, elsewhere.body.code], [401, 'unauthenticated']);
  assert.equal((await call({ baseUrl, bearer: ofServer.access_token }, 'GET', '/v1/indexes')).status, 401);

  const resource = `${baseUrl}/v1/indexes/${index}/mcp`;
  const ofIndex = await connect(session, newRequest({ resource }));
  assert.equal((await toolsOf(ofIndex, `/v1/indexes/${index}/mcp`)).status, 200);
  assert.equal((await toolsOf(ofIndex, `/v1/indexes/${another}/mcp`)).status, 401);
  const widened = await allow(session, newRequest({ resource }), { index_ids: [another] });
  assert.deepEqual([widened.status, widened.body.code], [403, 'index_not_allowed']);

  const granted = { permissions: ['read', 'write'], index_ids: [index] };
  const { access_token: bearer } = await connect(session, newRequest({ resource: baseUrl }), granted);
  const ofService = { baseUrl, bearer };
  const listed = (await call(ofService, 'GET', '/v1/indexes')).body;
  assert.deepEqual(
    listed.map((shown: { readonly id: string }) => shown.id),
    [index],
  );
  assert.equal((await call(ofService, 'GET', `/v1/indexes/${another}`)).body.code, 'index_not_allowed');
  assert.equal((await call(ofService, 'POST', '/v1/api-keys', { name: 'k' })).body.code, 'forbidden');
  const lists = ['/v1/auth/sessions', '/v1/api-keys', '/v1/oauth/clients'];
  for (const path of [...lists, '/v1/organization/members', '/v1/organization/invitations'])
    assert.equal((await call(ofService, 'GET', path)).body.code, 'forbidden', path);
  const readable = await connect(session, newRequest({ resource: baseUrl }));
  const write = await call({ baseUrl, bearer: readable.access_token }, 'POST', '/v1/indexes', { name: 'c' });
  assert.equal(write.body.code, 'write_permission_required');
});

test('access ends with the session in which it was granted', async () => {
  const { session } = await newOrganization(baseUrl);
  const request = newRequest();
  const tokens = await connect(session, request);
  assert.equal((await call(session, 'DELETE', '/v1/auth/session')).status, 204);
  assert.deepEqual((await toolsOf(tokens)).body.code, 'key_revoked');
  await assertRefused(refresh(request, tokens.refresh_token), 'invalid_grant');
});

test('access ends with the membership, and stays ended if the person becomes a member again', async () => {
  const host = await newOrganization(baseUrl);
  const email = `${randomBytes(8).toString('hex')}@example.com`;
  const idToken = (await call(nobody, 'POST', '/_local/id-token', { email, name: 'Member' })).body.id_token;
  const opened = (await call({ baseUrl, bearer: idToken }, 'POST', '/v1/auth/bootstrap')).body;
  const member: Caller = { baseUrl, bearer: opened.session_token };
  const join = async (): Promise<void> => {
    const invited = await call(host.session, 'POST', '/v1/organization/invitations', { email, role: 'member' });
    const accepted = { invitation_id: invited.body.id };
    assert.equal((await call(member, 'POST', '/v1/organization/invitations/accept', accepted)).status, 200);
  };
  await join();
  const request = newRequest();
  const answer = await call(
    member,
    'POST',
    '/v1/oauth/authorize',
    { ...request.query, permissions: ['read'] },
    { 'x-service-organization-id': host.id },
  );
  const code = new URL(answer.body.redirect_to).searchParams.get('code') ?? '';
  const tokens = (await exchange(request, code)).body;
  assert.equal((await toolsOf(tokens)).status, 200);
  const removed = await call(host.session, 'DELETE', `/v1/organization/members/${opened.user.id}`);
  assert.equal(removed.status, 204);
  assert.equal((await toolsOf(tokens)).body.code, 'key_revoked');
  await assertRefused(refresh(request, tokens.refresh_token), 'invalid_grant');
  await join();
  assert.equal((await toolsOf(tokens)).body.code, 'key_revoked');
});

test('a request of an unknown application, or with a redirect URI that is not registered, is a page and no redirect', async () => {
  const redirects = (redirect_uris: readonly string[], redirect_uri: string): Readonly<Record<string, string>> => ({
    client_id: newApplication({ redirect_uris }),
    redirect_uri,
  });
  const moved = newDocument((_url, response) => response.writeHead(302, { location: newApplication() }).end());
  const large = newDocument((_url, response) => response.writeHead(200).end(`"${'x'.repeat(20_000)}"`));
  const cases: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['no URL', { client_id: 'oc_0123456789abcdefghjkmnpqrs' }],
    ['a private address', { client_id: 'https://10.0.0.1/client.json' }],
    ['plain HTTP', { client_id: 'http://example.com/client.json' }],
    ['no path', { client_id: 'https://example.com/' }],
    ['no document', { client_id: `${newApplication()}x` }],
    ['a redirect', { client_id: moved }],
    ['a large document', { client_id: large }],
    ['another id', { client_id: newApplication({ client_id: 'https://example.com/client.json' }) }],
    ['a secret', { client_id: newApplication({ client_secret: 'x' }) }],
    ['a signed request', { client_id: newApplication({ token_endpoint_auth_method: 'private_key_jwt' }) }],
    ['another path', { redirect_uri: 'http://127.0.0.1:33418/callback/' }],
    ['another host', { redirect_uri: 'http://localhost:33418/callback' }],
    ['a port of https', redirects(['https://app.example/cb'], 'https://app.example:8443/cb')],
    ['a script', redirects(['javascript://x/%0aalert(1)'], 'javascript://x/%0aalert(1)')],
    ['plain HTTP of another host', redirects(['http://app.example/cb'], 'http://app.example/cb')],
  ];
  for (const [name, changes] of cases) {
    const request = newRequest(changes);
    const { session } = await sessionOnce();
    const answer = await review(session, request);
    assert.deepEqual([name, answer.status, answer.body.code], [name, 400, 'bad_request']);
    assert.match(answer.body.detail, /^The application cannot be connected/);
    assert.equal((await allow(session, request)).status, 400, name);
  }
});

test('before a person has signed in, nothing is read from an application, and no error redirects to it', async () => {
  let reads = 0;
  const client_id = newDocument((_url, response) => {
    reads += 1;
    response.writeHead(404).end();
  });
  const faulty = [{}, { response_type: 'x' }, { resource: 'https://example.com' }];
  for (const changes of faulty) {
    const { query } = newRequest({ client_id, redirect_uri: 'https://app.example/cb', ...changes });
    const page = await openPage(query);
    assert.deepEqual([page.status, page.headers.get('location')], [200, null]);
    const refused = await call(nobody, 'GET', `/v1/oauth/authorize/request?${new URLSearchParams(query).toString()}`);
    assert.equal(refused.status, 401);
  }
  assert.equal(reads, 0);
  const { session } = await sessionOnce();
  const { query } = newRequest({ client_id });
  // A failure is kept too, by each process of the function.
  for (let times = 0; times < 20; times += 1) assert.equal((await review(session, { query })).status, 400);
  assert.ok(reads > 0 && reads < 20, String(reads));
});

test('the name of an application cannot hide or reorder the sentence around it', async () => {
  const { session } = await sessionOnce();
  const request = newRequest({ client_id: newApplication({ client_name: '\u202eStrata\u0000 admin\nconsole' }) });
  assert.equal((await review(session, request)).body.client_name, 'Strata  admin console');
});

const sessionOnce = ((): (() => ReturnType<typeof newOrganization>) => {
  let opened: ReturnType<typeof newOrganization> | undefined;
  return () => (opened ??= newOrganization(baseUrl));
})();

test('any other invalid request is a problem, whose URL returns an error, the state and the issuer to the application', async () => {
  const cases: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge: '' }],
    ['invalid_target', { resource: 'https://example.com/v1/mcp' }],
    ['invalid_target', { resource: `${baseUrl}/v1/indexes` }],
    ['invalid_scope', { scope: 'admin' }],
  ];
  const { session } = await sessionOnce();
  for (const [error, changes] of cases) {
    const request = newRequest(changes);
    const { status, body } = await review(session, request);
    assert.deepEqual([status, typeof body.problem, body.scopes], [200, 'string', []], error);
    const target = new URL(body.refusal_url);
    assert.equal(target.origin + target.pathname, redirectUri);
    const { searchParams: sent } = target;
    assert.deepEqual([sent.get('error'), sent.get('state'), sent.get('iss')], [error, 'a b&c', baseUrl]);
    assert.equal((await allow(session, request)).status, 400, error);
  }
  const readOnly = newRequest({ scope: 'read offline_access' });
  assert.equal((await allow(session, readOnly, { permissions: ['read', 'write'] })).status, 400);
  assert.equal((await allow(session, readOnly, { permissions: ['write'] })).status, 400);
});
