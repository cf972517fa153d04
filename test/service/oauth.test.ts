import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createClient, createUserToken, StrataError } from '#client';
import { startService } from '../support/shared-service.ts';
import { mintUserToken } from '../support/user-token.ts';
import { type ApiAnswer, call, type Caller, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

const form = 'application/x-www-form-urlencoded';
const grant = 'grant_type=client_credentials';

const newClient = async (caller: Caller, body: object = {}): Promise<ApiAnswer['body']> => {
  const answer = await call(caller, 'POST', '/v1/oauth/clients', { name: 'robot', ...body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
};

const basic = ({ client_id, client_secret }: Client): string =>
  `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;

/** What the token endpoint says to a form. */
const ask = (body: string, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
  call({ baseUrl, bearer: null }, 'POST', '/v1/oauth/token', body, { 'content-type': form, ...headers });

const tokenOf = async (client: Client, scope?: string): Promise<Caller> => {
  const answer = await ask(scope === undefined ? grant : `${grant}&scope=${scope}`, { authorization: basic(client) });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return { baseUrl, bearer: answer.body.access_token };
};

const codeOf = async (answer: Promise<ApiAnswer>): Promise<readonly [number, string]> => {
  const { status, body } = await answer;
  return [status, body.code];
};

test('a client gets a token by Basic or by the form, and the token acts for its organization', async () => {
  const { id, key, session } = await newOrganization(baseUrl);
  const created = await newClient(session);
  assert.deepEqual(Object.keys(created).toSorted(), [
    'client_id',
    'client_secret',
    'created_at',
    'filter',
    'id',
    'id_prefix',
    'in_flight',
    'index_ids',
    'monthly_limits',
    'name',
    'rate_limits',
    'scopes',
  ]);
  assert.match(created.client_id, /^oc_[0-9a-z]{26}$/);
  assert.match(created.client_secret, /^svc_secret_[0-9A-Za-z]{49}$/);
  assert.deepEqual([created.id, created.scopes, created.index_ids], [created.client_id, ['read', 'write'], null]);
  const index = (await call(key, 'POST', '/v1/indexes', { name: 'ours' })).body.id;
  const { client_id, client_secret } = created;
  const answers = [
    await ask(grant, { authorization: basic(created) }),
    await ask(`${grant}&client_id=${client_id}&scope=`, { authorization: basic(created) }),
    await ask(`${grant}&client_id=${client_id}&client_secret=${client_secret}&extra=ignored`, {
      'content-type': `${form}; charset=UTF-8`,
    }),
    // An underscore may travel as %5F, since id and secret are encoded as in a form.
    await ask(grant, {
      authorization: basic({
        client_id: client_id.replaceAll('_', '%5F'),
        client_secret: client_secret.replaceAll('_', '%5f'),
      }),
    }),
  ];
  for (const { status, headers, body } of answers) {
    assert.equal(status, 200, JSON.stringify(body));
    const { access_token, ...rest } = body;
    assert.match(access_token, /^svc_at_[0-9A-Za-z]{49}$/);
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope: 'read write' });
    assert.deepEqual([headers.get('cache-control'), headers.get('pragma')], ['no-store', 'no-cache']);
    assert.ok(Number(headers.get('ratelimit-remaining')) > 0);
    const own = { 'x-service-organization-id': id };
    const listed = await call({ baseUrl, bearer: access_token }, 'GET', '/v1/indexes', undefined, own);
    assert.deepEqual(
      listed.body.map((shown: { id: string }) => shown.id),
      [index],
    );
  }
  assert.equal(new Set(answers.map(({ body }) => body.access_token)).size, answers.length);
  const other = { 'x-service-organization-id': (await newOrganization(baseUrl)).id };
  const crossed = call(await tokenOf(created), 'GET', '/v1/indexes', undefined, other);
  assert.deepEqual(await codeOf(crossed), [403, 'organization_not_allowed']);
  for (const selected of [other['x-service-organization-id'], 'x'.repeat(3000)]) {
    const asked = call(session, 'GET', '/v1/indexes', undefined, { 'x-service-organization-id': selected });
    assert.deepEqual(await codeOf(asked), [403, 'organization_not_allowed']);
  }
  const nothing = { 'x-service-organization-id': '' };
  assert.equal((await call(session, 'GET', '/v1/indexes', undefined, nothing)).status, 200);
});

test('every refusal of the token endpoint is one of RFC 6749', async () => {
  const { session } = await newOrganization(baseUrl);
  const client = await newClient(session);
  const stranger = await newClient((await newOrganization(baseUrl)).session);
  const authorization = basic(client);
  const inForm = `client_id=${client.client_id}&client_secret=${client.client_secret}`;
  const wrong = (parts: Partial<Client>) => ({ authorization: basic({ ...client, ...parts }) });
  const cases: readonly (readonly [string, number, string, string, Record<string, string>?])[] = [
    ['no grant type', 400, 'invalid_request', 'scope=read', { authorization }],
    ['an empty grant type', 400, 'invalid_request', 'grant_type=', { authorization }],
    ['no body', 400, 'invalid_request', '', { authorization }],
    ['JSON', 400, 'invalid_request', '{}', { authorization, 'content-type': 'application/json' }],
    ['a repeated parameter', 400, 'invalid_request', `${grant}&${grant}`, { authorization }],
    ['an unknown repeated parameter', 400, 'invalid_request', `${grant}&a=1&a=2`, { authorization }],
    ['Basic and form', 400, 'invalid_request', `${grant}&${inForm}`, { authorization }],
    ['two client ids', 400, 'invalid_request', `${grant}&client_id=${stranger.client_id}`, { authorization }],
    ['another grant', 400, 'unsupported_grant_type', 'grant_type=password&username=a&password=b', { authorization }],
    ['an unknown scope', 400, 'invalid_scope', `${grant}&scope=read+admin`, { authorization }],
    ['scopes apart by two spaces', 400, 'invalid_scope', `${grant}&scope=read++write`, { authorization }],
    ['no client', 401, 'invalid_client', grant],
    ['no secret', 401, 'invalid_client', `${grant}&client_id=${client.client_id}`],
    ['a wrong secret in the form', 401, 'invalid_client', `${grant}&client_id=${client.client_id}&client_secret=x`],
    ['a wrong secret', 401, 'invalid_client', grant, wrong({ client_secret: stranger.client_secret })],
    ['an unknown client', 401, 'invalid_client', grant, wrong({ client_id: `oc_${'0'.repeat(26)}` })],
    ['a client of another form', 401, 'invalid_client', grant, wrong({ client_id: 'x'.repeat(3000) })],
    ['an id that does not decode', 401, 'invalid_client', grant, wrong({ client_id: '%zz' })],
    ['Basic without a colon', 401, 'invalid_client', grant, { authorization: 'Basic b2M=' }],
    ['another scheme', 401, 'invalid_client', grant, { authorization: `Bearer ${client.client_secret}` }],
  ];
  for (const [what, status, error, body, headers] of cases) {
    const answer = await ask(body, headers);
    assert.deepEqual([what, answer.status, answer.body.error], [what, status, error]);
    assert.deepEqual(Object.keys(answer.body).toSorted(), ['error', 'error_description'], what);
    assert.match(answer.body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/, what);
    assert.equal(answer.headers.get('cache-control'), 'no-store', what);
    assert.match(answer.headers.get('x-request-id') ?? '', /^req_/, what);
    const counted = error === 'unsupported_grant_type' || error === 'invalid_scope';
    assert.equal(answer.headers.has('ratelimit-remaining'), counted, what);
    const challenge = answer.headers.get('www-authenticate');
    if (status === 401) assert.match(challenge ?? '', /^Basic realm=/, what);
    else assert.equal(challenge, null, what);
  }
  const [unknown, secret] = await Promise.all([
    ask(grant, wrong({ client_id: `oc_${'0'.repeat(26)}` })),
    ask(grant, wrong({ client_secret: stranger.client_secret })),
  ]);
  assert.deepEqual(unknown.body, secret.body);
});

test('the typed client gets a token, or throws the reason of the refusal', async () => {
  const { key, session } = await newOrganization(baseUrl);
  await call(key, 'POST', '/v1/indexes', { name: 'ours' });
  const { client_id, client_secret } = await newClient(session);
  const anybody = createClient({ baseUrl, token: null });
  const tokenFor = (secret: string) =>
    anybody.post('/v1/oauth/token', {
      headers: { 'content-type': form },
      body: { grant_type: 'client_credentials', client_id, client_secret: secret, scope: 'read' },
    });
  const { access_token, scope } = await tokenFor(client_secret);
  assert.equal(scope, 'read');
  const listed = await createClient({ baseUrl, token: access_token }).get('/v1/indexes');
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['ours'],
  );
  const refused = await tokenFor(`${client_secret}x`).catch((error: unknown) => error);
  assert.ok(refused instanceof StrataError);
  assert.deepEqual([refused.status, refused.code], [401, 'invalid_client']);
  assert.equal(refused.detail, 'Client authentication failed');
});

test('a token has no more permissions than its scope, its client and the creator of the client', async () => {
  const { key, session } = await newOrganization(baseUrl);
  const [a, b] = [
    (await call(key, 'POST', '/v1/indexes', { name: 'a', dimensions: 2 })).body.id,
    (await call(key, 'POST', '/v1/indexes', { name: 'b', dimensions: 2 })).body.id,
  ];
  const client = await newClient(session);
  const search = `/v1/indexes/${a}/search/dense`;

  const reader = await tokenOf(client, 'read');
  assert.equal((await call(reader, 'POST', search, { vector: [1, 0] })).status, 200);
  const write = 'write_permission_required';
  assert.deepEqual(await codeOf(call(reader, 'DELETE', `/v1/indexes/${a}`)), [403, write]);
  assert.deepEqual(await codeOf(call(reader, 'POST', '/v1/oauth/clients', { name: 'more' })), [403, write]);
  assert.equal((await call(reader, 'GET', '/v1/oauth/clients')).status, 200);

  const writer = await tokenOf(client, 'write');
  assert.deepEqual(await codeOf(call(writer, 'POST', search, { vector: [1, 0] })), [403, 'forbidden']);
  assert.deepEqual(await codeOf(call(writer, 'GET', '/v1/indexes')), [403, 'forbidden']);
  assert.equal((await call(writer, 'PATCH', `/v1/indexes/${a}`, { name: 'renamed' })).status, 200);
  assert.deepEqual((await newClient(writer)).scopes, ['write']);
  assert.deepEqual(await codeOf(call(writer, 'POST', '/v1/api-keys', { name: 'more' })), [403, 'forbidden']);
  assert.equal((await call(writer, 'POST', '/v1/api-keys', { name: 'same', permissions: ['write'] })).status, 201);

  const both = await tokenOf(client, 'write%20read');
  assert.deepEqual((await newClient(both)).scopes, ['read', 'write']);
  assert.deepEqual(await codeOf(call(both, 'GET', '/v1/organization/webhooks/events')), [403, 'forbidden']);
  assert.deepEqual(await codeOf(call(both, 'GET', '/v1/organization/webhooks/endpoints')), [403, 'owner_required']);

  const narrow = await tokenOf(await newClient(key, { index_ids: [a] }));
  const visible = await call(narrow, 'GET', '/v1/indexes');
  assert.deepEqual(
    visible.body.map(({ id }: { id: string }) => id),
    [a],
  );
  const restricted = [403, 'index_not_allowed'];
  assert.deepEqual(await codeOf(call(narrow, 'GET', `/v1/indexes/${b}`)), restricted);
  assert.deepEqual(await codeOf(call(narrow, 'POST', '/v1/indexes', { name: 'c' })), restricted);
  assert.deepEqual(await codeOf(call(narrow, 'POST', `/v1/indexes/${a}/branches`, { name: 'c' })), restricted);
  assert.deepEqual(await codeOf(call(narrow, 'POST', '/v1/oauth/clients', { name: 'wide' })), [403, write]);
  assert.deepEqual(await codeOf(call({ baseUrl, bearer: client.client_secret }, 'GET', '/v1/indexes')), [
    401,
    'unauthenticated',
  ]);
});

test('a revoked client and its tokens are refused at once, and only its organization can revoke it', async () => {
  const { key, session } = await newOrganization(baseUrl);
  const other = await newOrganization(baseUrl);
  const [doomed, kept] = [await newClient(session), await newClient(session, { name: 'kept' })];
  const [first, second, spared] = [await tokenOf(doomed), await tokenOf(doomed, 'read'), await tokenOf(kept)];
  const path = `/v1/oauth/clients/${doomed.client_id}`;

  const { request_id: _, ...foreign } = (await call(other.key, 'DELETE', path)).body;
  assert.deepEqual(foreign, { detail: 'OAuth client not found', code: 'not_found' });
  for (const id of [`oc_${'0'.repeat(26)}`, 'x'.repeat(2000)]) {
    const { request_id, ...absent } = (await call(key, 'DELETE', `/v1/oauth/clients/${id}`)).body;
    assert.deepEqual([typeof request_id, absent], ['string', foreign]);
  }
  assert.equal((await call(first, 'GET', '/v1/indexes')).status, 200);

  // A token may revoke its own client, and is then refused itself.
  assert.equal((await call(first, 'DELETE', path)).status, 204);
  for (const token of [first, second])
    assert.deepEqual(await codeOf(call(token, 'GET', '/v1/indexes')), [401, 'key_revoked']);
  assert.equal((await ask(grant, { authorization: basic(doomed) })).body.error, 'invalid_client');
  assert.equal((await call(spared, 'GET', '/v1/indexes')).status, 200);

  const shown = async () => (await call(session, 'GET', '/v1/oauth/clients')).body;
  const list = await shown();
  assert.deepEqual(
    list.map(({ id }: { id: string }) => id),
    [kept.client_id, doomed.client_id],
  );
  assert.equal(list[0].revoked_at, null);
  assert.match(list[1].revoked_at, /^\d{4}-.*Z$/);
  assert.equal((await call(key, 'DELETE', path)).status, 204);
  assert.deepEqual(await shown(), list);
});

test('one Idempotency-Key creates one client, and no list contains a secret', async () => {
  const { key, session } = await newOrganization(baseUrl);
  const headers = { 'idempotency-key': 'robot-1' };
  const create = (name: string) => call(key, 'POST', '/v1/oauth/clients', { name }, headers);
  const answers = await Promise.all(Array.from({ length: 20 }, () => create('robot')));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  const bodies = new Set(answers.map(({ body }) => JSON.stringify(body)));
  assert.equal(bodies.size, 1);
  assert.deepEqual(await codeOf(create('another')), [409, 'idempotency_conflict']);
  const client = answers[0]?.body;
  await tokenOf(client);

  const later = await newClient(session, { name: 'later' });
  const listed = await call(session, 'GET', '/v1/oauth/clients');
  assert.deepEqual(listed.body, [
    {
      id: later.id,
      name: 'later',
      created_by: listed.body[0]?.created_by,
      prefix: later.client_secret.slice(0, 16),
      scopes: ['read', 'write'],
      index_ids: null,
      filter: null,
      id_prefix: null,
      rate_limits: null,
      in_flight: null,
      monthly_limits: null,
      revoked_at: null,
      created_at: later.created_at,
    },
    {
      id: client.id,
      name: 'robot',
      created_by: listed.body[1]?.created_by,
      prefix: client.client_secret.slice(0, 16),
      scopes: ['read', 'write'],
      index_ids: null,
      filter: null,
      id_prefix: null,
      rate_limits: null,
      in_flight: null,
      monthly_limits: null,
      revoked_at: null,
      created_at: client.created_at,
    },
  ]);
  assert.match(String(listed.body[0]?.created_by), /^usr_/);
  assert.match(String(listed.body[1]?.created_by), /^key_/);
  const page = await call(session, 'GET', '/v1/oauth/clients?limit=1');
  assert.deepEqual(page.body, listed.body.slice(0, 1));
  const cursor = page.headers.get('x-next-cursor');
  const next = await call(session, 'GET', `/v1/oauth/clients?limit=1&cursor=${cursor}`);
  assert.deepEqual(next.body, listed.body.slice(1));
  const strange = Buffer.from('no id of ours').toString('base64url');
  assert.equal((await call(session, 'GET', `/v1/oauth/clients?cursor=${strange}`)).status, 422);
});

test('a client is created only for existing indexes, and every problem is reported at once', async () => {
  const { key } = await newOrganization(baseUrl);
  const foreign = (await call((await newOrganization(baseUrl)).key, 'POST', '/v1/indexes', { name: 'theirs' })).body.id;
  const own = (await call(key, 'POST', '/v1/indexes', { name: 'ours' })).body.id;
  const problems = async (path: string, body: object) => {
    const answer = await call(key, 'POST', path, body);
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
    return answer.body.detail.map(({ loc, type }: { loc: unknown[]; type: string }) => [loc.join('.'), type]);
  };
  for (const path of ['/v1/oauth/clients', '/v1/api-keys']) {
    assert.deepEqual(await problems(path, { name: 'x', index_ids: [foreign, own, 'y'.repeat(3000)] }), [
      ['body.index_ids.0', 'value_error'],
      ['body.index_ids.2', 'value_error'],
    ]);
    assert.deepEqual(await problems(path, { name: '', index_ids: [] }), [
      ['body.name', 'string_too_short'],
      ['body.index_ids', 'too_short'],
    ]);
    assert.deepEqual(await problems(path, { index_ids: [1] }), [
      ['body.name', 'missing'],
      ['body.index_ids.0', 'string_type'],
    ]);
  }
});

test('a token of an end user searches the rows of its filter until its key ends, and does nothing else', async () => {
  const { session } = await newOrganization(baseUrl);
  const { id } = (await call(session, 'POST', '/v1/indexes', { name: 'users', dimensions: 2 })).body;
  const other = (await call(session, 'POST', '/v1/indexes', { name: 'other', dimensions: 2 })).body.id;
  const rows = ['a', 'b', 'c'].map((tenant, at) => ({
    id: `${tenant}:1`,
    vector: [1, at],
    metadata: { tenant, user: tenant === 'a' ? 'ann' : 'ben' },
  }));
  await call(session, 'POST', `/v1/indexes/${id}/vectors`, rows);
  const key = { name: 'k', index_ids: [id], permissions: ['read'], filter: { tenant: { $in: ['a', 'b'] } } };
  const made = (await call(session, 'POST', '/v1/api-keys', key)).body;
  const minted = { key: made.token as string, keyId: made.id as string, indexIds: [id], filter: { user: 'ben' } };
  const as = (bearer: string): Caller => ({ baseUrl, bearer });
  const search = (bearer: string, index: string = id) =>
    call(as(bearer), 'POST', `/v1/indexes/${index}/search/dense`, { vector: [1, 1], facets: [{ key: 'tenant' }] });

  const token = await createUserToken(minted);
  const { status, body } = await search(token);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    body.results.map((row: { readonly id: string }) => row.id),
    ['b:1'],
  );
  assert.deepEqual(body.facets[0].values, [{ value: 'b', count: 1 }]);
  const all = await createUserToken({ ...minted, filter: null });
  assert.equal((await search(all)).body.results.length, 2);

  const refused = [
    ['GET', `/v1/indexes/${id}/vectors`],
    ['POST', `/v1/indexes/${id}/vectors/count`],
    ['POST', `/v1/indexes/${id}/recall`],
    ['POST', `/v1/indexes/${id}/mcp`],
    ['GET', '/v1/api-keys'],
    ['GET', '/v1/indexes'],
    ['GET', '/v1/openai/files'],
    ['DELETE', `/v1/indexes/${id}`],
    ['POST', '/v1/api-keys'],
  ] as const;
  for (const [method, path] of refused) assert.equal((await call(as(token), method, path)).status, 401, path);
  assert.equal((await search(token, other)).status, 403);

  const [signed = '', mac = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(signed.slice('svc_ut_'.length), 'base64url').toString());
  const wider = Buffer.from(JSON.stringify({ ...claims, filter: null })).toString('base64url');
  const foreign = (await call(session, 'POST', '/v1/api-keys', { ...key, name: 'other' })).body;
  const forged = [
    `svc_ut_${wider}.${mac}`,
    `${signed}.${'A'.repeat(43)}`,
    await createUserToken({ ...minted, key: foreign.token }),
    await createUserToken({ ...minted, keyId: foreign.id }),
    await createUserToken({ ...minted, indexIds: [id, other] }),
    // A stored hash of the key mints no token.
    await createUserToken({ ...minted, key: createHash('sha256').update(minted.key).digest('hex') }),
  ];
  for (const bearer of forged) {
    const answer = await search(bearer);
    assert.deepEqual([answer.status, answer.body.code], [401, 'unauthenticated']);
  }
  const now = Math.floor(Date.now() / 1000);
  const day = 86_400;
  for (const [iat, exp, code] of [
    [now - 60, now + 60, undefined],
    [now - 60, now, 'token_expired'],
    [now - 2 * day, now - day, 'token_expired'],
    // A token of more than a day, one from the future, and one that ends before it begins.
    [now - 60, now + day, 'unauthenticated'],
    [now + 120, now + 180, 'unauthenticated'],
    [now - 60, now - 120, 'unauthenticated'],
  ] as const) {
    const answer = await search(mintUserToken(minted.key, { ...claims, iat, exp }));
    assert.deepEqual(
      [answer.status, answer.body.code],
      [code === undefined ? 200 : 401, code],
      `${iat - now} ${exp - now}`,
    );
  }
  await assert.rejects(createUserToken({ ...minted, expiresInSeconds: 86_401 }), TypeError);
  await assert.rejects(createUserToken({ ...minted, filter: { user: undefined } }), TypeError);

  assert.equal((await call(session, 'DELETE', `/v1/api-keys/${made.id}`)).status, 204);
  const ended = await search(token);
  assert.deepEqual([ended.status, ended.body.code], [401, 'key_revoked']);
});
