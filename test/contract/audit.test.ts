import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createHash, randomBytes } from 'node:crypto';
import { type Endpoint, needsPrincipal } from '../../shared/http/endpoint.ts';
import { FakeServer } from '../connectors/fake-server.ts';
import { type Prepared, samples, statusOf } from './samples.ts';
import { servedEndpoints } from './support/document.ts';
import { ask, type Body, newAuthorizationFixture, newKey, newPerson, type Tenant } from './support/fixture.ts';
import { toWire } from './support/request.ts';
import { openContractService, type WireAnswer } from './support/service.ts';

/** Answers as the Parameter Store with an application of the deployment at a provider, and as that provider. */
const provider: FakeServer = new FakeServer(({ headers, url }) => {
  const client = JSON.stringify({ client_id: 'client-of-the-audit', client_secret: 'client-secret-of-the-audit' });
  if (headers['x-amz-target'] !== undefined) return { status: 200, body: { Parameter: { Value: client } } };
  if (url.pathname === '/client.json') return { status: 200, body: application() };
  return { status: 200, body: { access_token: 'token-of-the-account', workspace_name: 'Wiki' } };
});
await provider.start();
after(() => provider.stop());
const service = await openContractService({
  AWS_ENDPOINT_URL_SSM: provider.url,
  STRATA_CONNECTOR_ADDRESSES: `notion=${provider.url}`,
  STRATA_CONNECTOR_CALLBACK_URL: 'https://strata.example.com/v1/connectors/callback',
});
after(() => service.close());
const application = () => ({
  client_id: `${provider.url}/client.json`,
  client_name: 'Agent of the audit',
  redirect_uris: [`${provider.url}/callback`],
});
const { callers, own, foreign } = await newAuthorizationFixture(service, service.inProcess);
const send = service.overHttp;
const owner = callers.owner;

/** Requests that no audit record belongs to, by the reason. A later endpoint that changes something is not among them. */
const unaudited: Readonly<Record<string, readonly RegExp[]>> = {
  'rows and files are usage': [
    /^(upsert|update|delete)-vectors/,
    /^(create|delete|cancel|replace|retry)-file$/,
    /^openai-(attach|detach|create|delete|update|cancel)-(store-)?(file|batch|file-batch)/,
    /^openai-(create|cancel|complete)-upload$|^openai-add-part$/,
  ],
  'what people say about hits is data of the log of searches': [/^add-search-feedback$/],
  'a search or another read that has a body': [
    /-search$|^search-batch$|^measure-recall$/,
    /^(fetch|count)-vectors$|^list-metadata-values$|^describe-metadata$/,
  ],
  'it calls other endpoints, which have records': [/^(index-)?mcp$/, /^openai-.*store$/],
  'an access token of a client or grant that has a record': [/^issue-access-token$/],
};

test('every endpoint that changes something has an audit or a reason to have none', () => {
  const excused = Object.values(unaudited).flat();
  const isExcused = ({ id }: Endpoint): boolean => excused.some((pattern) => pattern.test(id));
  const changing = servedEndpoints.filter(({ method }) => method !== 'GET');
  assert.deepEqual(
    changing.filter((endpoint) => endpoint.audit === undefined && !isExcused(endpoint)).map(({ id }) => id),
    [],
  );
  assert.deepEqual(
    servedEndpoints.filter((endpoint) => endpoint.audit !== undefined && isExcused(endpoint)).map(({ id }) => id),
    [],
  );
  const useless = excused.filter((pattern) => !changing.some(({ id }) => pattern.test(id)));
  assert.deepEqual(useless, []);
});

const logOf = (bearer: string | null, query = ''): Promise<Body> =>
  ask(send, bearer, 'GET', `/v1/organization/audit?limit=1000${query}`);

/** Returns all strings below fields that contain a secret. */
const secretsIn = (value: unknown, isSecret = false): readonly string[] => {
  if (typeof value === 'string') return isSecret ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    secretsIn(each, isSecret || /token|secret|credentials|redirect_to|authorize_url/.test(name)),
  );
};

const sent: string[] = [];

/** Sends a request as the owner, and collects what is secret in it and in its response. */
const request = async (endpoint: Endpoint, prepared: Prepared, headers = {}, by = send): Promise<WireAnswer> => {
  const bearer = needsPrincipal(endpoint.auth.needs) ? owner.bearer : null;
  const answer = await by(toWire(endpoint, prepared, bearer, { 'user-agent': 'audit-walk/1', ...headers }));
  const secrets = [prepared.bearer, owner.bearer, ...secretsIn(prepared.body)].filter((secret) => secret != null);
  sent.push(...secrets);
  if (answer.text.startsWith('{')) sent.push(...secretsIn(JSON.parse(answer.text)).filter((text) => text.length > 8));
  return answer;
};

const recordsOf = async (answer: WireAnswer, bearer = owner.bearer): Promise<Body> =>
  (await logOf(bearer)).filter(({ request_id }: Body) => request_id === answer.headers['x-request-id']);

/** An invitation is accepted in the organization that it is of. */
const isElsewhere = ({ id }: Endpoint): boolean => id === 'accept-invitation';

for (const endpoint of servedEndpoints.filter(({ audit }) => audit !== undefined)) {
  const sample = samples[endpoint.id];
  assert.ok(sample !== undefined, endpoint.id);
  test(`${endpoint.id} leaves one record without a secret, and none if it is refused or repeated`, async () => {
    const headers = endpoint.idempotent === true ? { 'idempotency-key': crypto.randomUUID() } : {};
    const prepared = await sample.prepare(own, owner);
    const answer = await request(endpoint, prepared, headers);
    // An unknown token is a success that changes nothing.
    const changesNothing =
      sample.lacks !== undefined ||
      sample.isAlternative === true ||
      endpoint.id === 'revoke-token' ||
      isElsewhere(endpoint);
    assert.equal(answer.status, statusOf(endpoint, sample), answer.text);
    const records: Body = await recordsOf(answer);
    assert.equal(records.length, changesNothing ? 0 : 1);
    for (const record of records) {
      assert.equal(record.action, endpoint.audit?.action);
      assert.equal(record.outcome, 'succeeded');
      assert.deepEqual([record.actor.id, record.actor.email], [own.owner.userId, own.owner.email]);
      assert.match(record.source_ip, /^(::ffff:)?127\.0\.0\.1$|^::1$/);
      assert.equal(record.user_agent, 'audit-walk/1');
      assert.equal(record.resource.type, endpoint.audit?.action.split('.')[0]);
      const named = Object.values(prepared.path ?? {});
      if (record.resource.id !== null && /_[0-9a-z]{26}$/.test(record.resource.id) && named.length > 0)
        assert.ok(named.includes(record.resource.id) || answer.text.includes(record.resource.id), record.resource.id);
      assert.equal(record.index_id, prepared.path?.['index_id'] ?? null);
    }
    if (endpoint.idempotent !== true) return;
    const repeated = await request(endpoint, prepared, headers);
    assert.deepEqual((await recordsOf(repeated)).length, 0);
  });
}

const endpointOf = (id: string): Endpoint => servedEndpoints.find((endpoint) => endpoint.id === id) ?? assert.fail(id);

/** Sends a request that succeeds. Returns its response, and the actions and resources of its records. */
const succeed = async (id: string, prepared: Prepared, by = send) => {
  const answer = await request(endpointOf(id), prepared, {}, by);
  assert.ok(answer.status < 300, answer.text);
  const records: Body = await recordsOf(answer);
  assert.ok(
    records.every(({ outcome, user_agent: agent }: Body) => outcome === 'succeeded' && agent === 'audit-walk/1'),
  );
  return { answer, records: records.map(({ action, resource }: Body) => [action, resource.id, resource.name]) };
};

test('the consent to a connector leaves a record of its beginning and one of the connection', async () => {
  const path = { index_id: own.indexId, provider: 'notion' };
  const started = await succeed('authorize-connector', { path, body: { name: 'wiki' } }, service.inProcess);
  const { connection_id: id, authorize_url: url } = JSON.parse(started.answer.text);
  assert.deepEqual(started.records, [['connector.consent_started', id, 'notion']]);
  const state = new URL(url).searchParams.get('state') ?? '';
  const query = new URLSearchParams({ state, code: 'code-of-the-account' }).toString();
  const returned = await succeed('return-from-consent', { query }, service.inProcess);
  assert.deepEqual(returned.records, []);
  const [, code = ''] = /<p><code>([\w-]+)<\/code><\/p>/.exec(returned.answer.text) ?? [];
  sent.push(state, code, 'code-of-the-account', 'token-of-the-account', 'client-secret-of-the-audit');
  const completed = await succeed('complete-connector', { path, body: { confirmation_code: code } }, service.inProcess);
  assert.deepEqual(completed.records, [['connector.connected', id, 'notion']]);
});

test('the access of an application leaves a record of its grant and one of its end', async () => {
  const { client_id, client_name, redirect_uris } = application();
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const asked = { client_id, redirect_uri: redirect_uris[0] ?? '', resource: service.baseUrl };
  const { answer, records } = await succeed('authorize-application', {
    body: {
      ...asked,
      response_type: 'code',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      scope: 'read write',
      state: 'state',
      permissions: ['read'],
    },
  });
  const [[action, grantId, name]] = records;
  assert.deepEqual([records.length, action, name], [1, 'grant.created', client_name]);
  const code = new URL(JSON.parse(answer.text).redirect_to).searchParams.get('code') ?? '';
  const contentType = 'application/x-www-form-urlencoded';
  const form = new URLSearchParams({ ...asked, grant_type: 'authorization_code', code, code_verifier: verifier });
  const issued = await succeed('issue-access-token', { body: form.toString(), contentType });
  assert.deepEqual(issued.records, []);
  const { access_token: token, refresh_token: refresh } = JSON.parse(issued.answer.text);
  sent.push(code, verifier, token, refresh);
  const ended = await succeed('revoke-token', { body: `token=${refresh}`, contentType });
  assert.deepEqual(ended.records, [['grant.revoked', grantId, client_name]]);
});

test('the audit log contains no secret of any request', async () => {
  const text = JSON.stringify([await logOf(owner.bearer), await logOf(callers['other owner'].bearer)]);
  const secrets = [...new Set(sent)];
  assert.ok(secrets.length >= 8, String(secrets.length));
  assert.deepEqual(
    secrets.filter((secret) => text.includes(secret)),
    [],
  );
});

test('a refused change leaves no record', async () => {
  const before = (await logOf(owner.bearer)).length;
  const url = '/v1/api-keys/key_00000000000000000000000000';
  const answer = await send({ method: 'DELETE', url, headers: { authorization: `Bearer ${owner.bearer}` } });
  assert.equal(answer.status, 404);
  assert.equal((await logOf(owner.bearer)).length, before);
});

const named = async (tenant: Tenant, query: string): Promise<readonly string[]> =>
  (await logOf(tenant.owner.bearer, query)).map(({ action }: Body) => action);

test('records of a deleted resource keep its name and are found by actor, resource, action and time', async () => {
  const { id, token } = await newKey(own, { name: 'short-lived', permissions: ['read', 'write'] });
  const created = await ask(send, token, 'POST', '/v1/api-keys', { name: 'made by a key' });
  await ask(send, owner.bearer, 'DELETE', `/v1/api-keys/${id}`);
  const records: Body = await logOf(owner.bearer, `&resource_id=${id}`);
  assert.deepEqual(
    records.map(({ action, resource }: Body) => [action, resource]),
    [
      ['api_key.revoked', { type: 'api_key', id, name: 'short-lived' }],
      ['api_key.created', { type: 'api_key', id, name: 'short-lived' }],
    ],
  );
  assert.deepEqual(records[1].details, { permissions: ['read', 'write'] });
  const [byKey] = await logOf(owner.bearer, `&actor=${id}`);
  assert.deepEqual([byKey.actor.kind, byKey.resource.id], ['api_key', created.id]);
  const byUser: Body = await logOf(owner.bearer, `&actor=${own.owner.userId}&action=api_key.created`);
  assert.ok(byUser.some(({ resource }: Body) => resource.id === created.id));
  const byEmail: Body = await logOf(owner.bearer, `&actor=${own.owner.email}&resource_id=${id}`);
  assert.equal(byEmail.length, 2);
  const [revoked, first] = records;
  assert.deepEqual(await named(own, `&resource_id=${id}&from=${revoked.at}`), ['api_key.revoked']);
  assert.deepEqual(await named(own, `&resource_id=${id}&to=${revoked.at}`), ['api_key.created']);
  assert.deepEqual(await named(own, `&resource_id=${id}&from=2020-01-01T00:00:00Z&to=${first.at}`), []);
  const ofIndex: Body = await logOf(owner.bearer, `&resource_id=${own.indexId}&action=export.created`);
  assert.ok(ofIndex.length > 0);
});

test('pages of the audit log follow each other without a gap, newest first', async () => {
  const all: Body = await logOf(owner.bearer);
  const paged: Body[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const url = `/v1/organization/audit?limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const answer: WireAnswer = await send({ method: 'GET', url, headers: { authorization: `Bearer ${owner.bearer}` } });
    paged.push(...JSON.parse(answer.text));
    cursor = answer.headers['x-next-cursor'];
  }
  assert.deepEqual(paged, all);
  const ids: readonly string[] = all.map(({ id }: Body) => id);
  assert.deepEqual(ids, ids.toSorted().toReversed());
});

test('the audit log is shown to owners and unrestricted keys that can write, and to no other organization', async () => {
  const bound = await newKey(own, { permissions: ['read', 'write'], filter: { tenant: 'a' }, id_prefix: 'a-' });
  const refusals = {
    member: 'owner_required',
    'read key': 'write_permission_required',
    'restricted key': 'write_permission_required',
  } as const;
  for (const [name, code] of Object.entries(refusals)) {
    const { bearer } = callers[name as keyof typeof refusals];
    const headers = { authorization: `Bearer ${bearer}`, 'x-service-organization-id': own.organizationId };
    const answer = await send({ method: 'GET', url: '/v1/organization/audit', headers });
    assert.deepEqual([answer.status, JSON.parse(answer.text).code], [403, code], name);
  }
  const headers = { authorization: `Bearer ${bound.token}` };
  assert.equal((await send({ method: 'GET', url: '/v1/organization/audit', headers })).status, 403);
  assert.ok((await logOf(callers['write key'].bearer)).length > 0);
  const theirs: Body = await logOf(callers['other owner'].bearer);
  assert.ok(theirs.length > 0);
  assert.ok(theirs.every(({ actor }: Body) => actor.id === foreign.owner.userId));
});

test('an accepted invitation is a record of the organization that invited, and a sign-in one of each of its user', async () => {
  const host = await newPerson(service, send);
  const guest = await newPerson(service, send);
  const invited = await ask(send, host.bearer, 'POST', '/v1/organization/invitations', { email: guest.email });
  await ask(send, guest.bearer, 'POST', '/v1/organization/invitations/accept', { invitation_id: invited.id });
  const [accepted] = await logOf(host.bearer);
  assert.equal(accepted.action, 'invitation.accepted');
  assert.deepEqual(accepted.resource, { type: 'invitation', id: invited.id, name: guest.email });
  assert.deepEqual([accepted.actor.id, accepted.actor.email], [guest.userId, guest.email]);
  assert.ok((await logOf(guest.bearer)).every(({ action }: Body) => action === 'session.created'));
  await newPerson(service, send, guest.email);
  for (const person of [host, guest]) {
    const [opened] = await logOf(person.bearer);
    assert.deepEqual([opened.action, opened.actor.email], ['session.created', guest.email]);
    assert.match(opened.resource.id, /^sess_/);
  }
});

test('a change by way of another protocol is recorded with the client of its request', async () => {
  const headers = {
    authorization: `Bearer ${owner.bearer}`,
    'content-type': 'application/json',
    'user-agent': 'store',
  };
  const body = JSON.stringify({ name: 'a store' });
  const answer = await send({ method: 'POST', url: '/v1/openai/vector_stores', headers, body });
  assert.equal(answer.status, 200, answer.text);
  const [record, ...others]: Body = await recordsOf(answer);
  assert.deepEqual([record.action, record.resource.name, record.user_agent], ['index.created', 'a store', 'store']);
  assert.notEqual(record.source_ip, null);
  assert.deepEqual(others, []);
});

test('a filter of the audit log that is not valid is a 422 that names it', async () => {
  for (const [query, field] of [
    ['action=index.burned', 'action'],
    ['from=yesterday', 'from'],
    ['cursor=nonsense', 'cursor'],
    ['colour=red', 'colour'],
  ] as const) {
    const url = `/v1/organization/audit?${query}`;
    const answer = await send({ method: 'GET', url, headers: { authorization: `Bearer ${owner.bearer}` } });
    assert.equal(answer.status, 422, query);
    assert.deepEqual(JSON.parse(answer.text).detail[0].loc, ['query', field]);
  }
});
