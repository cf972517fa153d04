import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newToken } from '../../shared/credentials/token.ts';
import { startService } from '../support/shared-service.ts';
import { call, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

/** The documented error body, but for the request id, which must be one. */
const assertError = (
  answer: Awaited<ReturnType<typeof call>>,
  status: number,
  expected: { detail: string; code: string },
): void => {
  const { request_id, ...rest } = answer.body;
  assert.deepEqual({ status: answer.status, ...rest }, { status, ...expected });
  assert.match(request_id, /^req_[0-9a-z]{26}$/);
  assert.equal(answer.headers.get('x-request-id'), request_id);
};

test('an index of another organization is not found, like an unknown one', async () => {
  const [ours, theirs] = [await newOrganization(baseUrl), await newOrganization(baseUrl)];
  const foreign = (await call(theirs.key, 'POST', '/v1/indexes', { name: 'theirs' })).body.id;
  for (const id of ['idx_00000000000000000000000000', foreign, 'idx%20..']) {
    assertError(await call(ours.key, 'GET', `/v1/indexes/${id}`), 404, {
      detail: 'Index not found',
      code: 'not_found',
    });
  }
});

test('a missing, a malformed, an unknown and a revoked key get different errors', async () => {
  const { key, session } = await newOrganization(baseUrl);
  const invalid = { detail: 'Invalid or missing credentials', code: 'unauthenticated' };
  const missing = { ...invalid, detail: 'Send the header Authorization: Bearer, and a key or token' };
  assertError(await call({ baseUrl, bearer: null }, 'GET', '/v1/indexes'), 401, missing);
  assertError(await call({ baseUrl, bearer: 'nonsense' }, 'GET', '/v1/indexes'), 401, invalid);
  const bearing = (bearer: string) => call({ baseUrl, bearer }, 'GET', '/v1/indexes');
  const said = (detail: string) => ({ ...invalid, detail });
  const unknown = newToken('api_key', Buffer.alloc(32, 7));
  assertError(await bearing(unknown), 401, invalid);
  const mistyped = said('The API key is mistyped or truncated: its checksum does not match');
  for (const bearer of [unknown.slice(0, -1), unknown.replace(/.$/, '_'), `svc_live_${'a'.repeat(49)}`])
    assertError(await bearing(bearer), 401, mistyped);
  assertError(
    await bearing(newToken('client_secret', Buffer.alloc(32, 7))),
    401,
    said('This is a client secret. Exchange it for an access token with POST /v1/oauth/token.'),
  );
  assertError(
    await bearing('eyJhbGciOiJSUzI1NiJ9.e30.c2ln'),
    401,
    said('This looks like an ID token. Exchange it for a session token with POST /v1/auth/bootstrap.'),
  );
  assertError(
    await call(key, 'POST', '/v1/auth/bootstrap'),
    401,
    said('This needs an ID token of the identity provider, not the API key'),
  );
  const [listed] = (await call(session, 'GET', '/v1/api-keys')).body;
  assert.equal((await call(session, 'DELETE', `/v1/api-keys/${listed.id}`)).status, 204);
  assertError(await call(key, 'GET', '/v1/indexes'), 401, {
    detail: 'This API key has been revoked',
    code: 'key_revoked',
  });
});

test('a body that is not JSON, is empty or has another type is refused with the position', async () => {
  const { key } = await newOrganization(baseUrl);
  const broken = await call(key, 'POST', '/v1/indexes', '{"name": ');
  assert.equal(broken.status, 422);
  assert.deepEqual(
    broken.body.detail.map(({ msg, type }: { msg: string; type: string }) => ({ msg, type })),
    [{ msg: 'JSON decode error at line 1 column 10', type: 'json_invalid' }],
  );
  const empty = await call(key, 'POST', '/v1/indexes', '');
  assert.deepEqual(
    [empty.status, empty.body],
    [422, { detail: [{ loc: ['body'], msg: 'Field required', type: 'missing' }] }],
  );
  const text = await call(key, 'POST', '/v1/indexes', 'name=x', { 'content-type': 'text/plain' });
  assert.deepEqual([text.status, text.body.code], [415, 'unsupported_media_type']);
});

test('every problem of a body is reported at once in the wording of pydantic', async () => {
  const { key } = await newOrganization(baseUrl);
  const answer = await call(key, 'POST', '/v1/indexes', {
    dimensions: '1536',
    distance_metric: 'manhattan',
    non_filterable_metadata_keys: [1],
    unknown: true,
  });
  assert.equal(answer.status, 422);
  assert.deepEqual(answer.body, {
    detail: [
      { loc: ['body', 'name'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'dimensions'], msg: 'Input should be a valid integer', type: 'int_type' },
      { loc: ['body', 'distance_metric'], msg: "Input should be 'cosine' or 'euclidean'", type: 'enum' },
      { loc: ['body', 'non_filterable_metadata_keys', 0], msg: 'Input should be a valid string', type: 'string_type' },
    ],
  });
  for (const [dimensions, type] of [
    [0, 'greater_than_equal'],
    [4097, 'less_than_equal'],
    [1.5, 'int_from_float'],
    [true, 'int_type'],
    [null, 'int_type'],
  ] as const) {
    const { body } = await call(key, 'POST', '/v1/indexes', { name: 'x', dimensions });
    assert.deepEqual(
      body.detail.map((problem: { loc: unknown; type: string }) => [problem.loc, problem.type]),
      [[['body', 'dimensions'], type]],
    );
  }
});

test('immutable fields cannot be changed, members lack the permissions of owners, and paths and methods are exact', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = (await call(key, 'POST', '/v1/indexes', { name: 'a' })).body;
  const change = await call(key, 'PATCH', `/v1/indexes/${index.id}`, { name: 'b', dimensions: 3 });
  assert.deepEqual([change.status, change.body.detail[0].loc], [422, ['body', 'dimensions']]);
  assertError(await call(key, 'GET', '/v1/organization/webhooks/endpoints'), 403, {
    detail:
      'This needs the session token of an owner, not an API key or access token: exchange an ID token of the identity provider for one with POST /v1/auth/bootstrap',
    code: 'owner_required',
  });
  assertError(await call(key, 'GET', '/v1/auth/sessions'), 403, {
    detail:
      'This needs a session token, not an API key or access token: exchange an ID token of the identity provider for one with POST /v1/auth/bootstrap',
    code: 'forbidden',
  });
  assertError(await call(key, 'GET', '/v1/nothing'), 404, { detail: 'Path not found', code: 'not_found' });
  const method = await call(key, 'PUT', '/v1/indexes');
  assert.deepEqual(
    [method.status, method.body.code, method.headers.get('allow')?.split(', ').toSorted()],
    [405, 'method_not_allowed', ['GET', 'POST']],
  );
});

test('a key has only its own permissions on its own indexes', async () => {
  const { key } = await newOrganization(baseUrl);
  const [a, b] = [
    (await call(key, 'POST', '/v1/indexes', { name: 'a' })).body,
    (await call(key, 'POST', '/v1/indexes', { name: 'b' })).body,
  ];
  const made = await call(key, 'POST', '/v1/api-keys', { name: 'narrow', permissions: ['read'], index_ids: [a.id] });
  const narrow = { baseUrl, bearer: made.body.token };
  assert.deepEqual(
    (await call(narrow, 'GET', '/v1/indexes')).body.map(({ id }: { id: string }) => id),
    [a.id],
  );
  assert.deepEqual((await call(narrow, 'GET', `/v1/indexes/${b.id}`)).body.code, 'index_not_allowed');
  assert.deepEqual((await call(narrow, 'DELETE', `/v1/indexes/${a.id}`)).body.code, 'write_permission_required');
  assert.deepEqual(
    (await call(narrow, 'POST', '/v1/api-keys', { name: 'more' })).body.code,
    'write_permission_required',
  );
  const other = await newOrganization(baseUrl);
  const crossed = await call(key, 'GET', '/v1/indexes', undefined, { 'x-service-organization-id': other.id });
  assert.deepEqual([crossed.status, crossed.body.code], [403, 'organization_not_allowed']);
  assert.equal(crossed.headers.get('ratelimit-limit'), null);
});
