import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { type Prepared, type Sample, samples, statusOf } from './samples.ts';
import { allEndpoints, bodySchemaOf, operationOf, pathParameters, undocumented } from './support/document.ts';
import { junkFor, requiredOf } from './support/junk.ts';
import { absentId, asAbsent, isId, toWire, withoutProof } from './support/request.ts';
import { openContractService, type WireAnswer } from './support/service.ts';
import { type Body, type Caller, newAuthorizationFixture, unknownKey } from './support/fixture.ts';

const service = await openContractService();
after(() => service.close());
const fixture = await newAuthorizationFixture(service, service.inProcess);
const { callers, own, away, foreign } = fixture;

const parsed = ({ text }: WireAnswer): Body => JSON.parse(text);

/** Sends a prepared request and checks the response against the API description. */
const sent = async (
  endpoint: Endpoint,
  prepared: Prepared,
  bearer: string | null,
  headers: Readonly<Record<string, string>> = {},
  send = fixture.send,
): Promise<WireAnswer> => {
  const answer = await send(toWire(endpoint, prepared, bearer, headers));
  assert.equal(undocumented(endpoint, answer), null);
  return answer;
};

const assertRefused = (answer: WireAnswer, status: number, code: string, what: string): void => {
  assert.deepEqual([answer.status, parsed(answer).code], [status, code], `${what}: ${answer.text}`);
  assert.equal(parsed(answer).request_id, answer.headers['x-request-id'], what);
};

const open = ({ auth }: Endpoint): boolean =>
  auth.needs === 'none' || auth.needs === 'identity' || auth.needs === 'client';

/** Returns a caller with every required access. */
const owner = callers.owner;

/** Callers that each required access refuses, with the error code. */
const lacking: Readonly<Record<Endpoint['auth']['needs'], readonly (readonly [Caller, string])[]>> = {
  none: [],
  identity: [],
  client: [],
  read: [[callers['write key'], 'forbidden']],
  write: [[callers['read key'], 'write_permission_required']],
  manage: [
    [callers['read key'], 'write_permission_required'],
    [callers['restricted key'], 'write_permission_required'],
    [callers.member, 'owner_required'],
  ],
  session: [
    [callers['write key'], 'forbidden'],
    [callers['OAuth token'], 'forbidden'],
  ],
  owner: [
    [callers['write key'], 'owner_required'],
    [callers['OAuth token'], 'owner_required'],
    [callers.member, 'owner_required'],
  ],
};

const testCredentials = async (endpoint: Endpoint, prepared: Prepared): Promise<void> => {
  const request = withoutProof(prepared);
  for (const [what, bearer] of [
    ['no credential', null],
    ['a malformed credential', 'nonsense'],
    ['an unknown credential', unknownKey()],
  ] as const) {
    const answer = await sent(endpoint, request, bearer);
    assertRefused(answer, 401, 'unauthenticated', what);
    const challenge = bearer === null ? 'Bearer' : 'Bearer error="invalid_token"';
    const metadata = /,? scope="read write", resource_metadata="[^"]+"$/;
    const header = answer.headers['www-authenticate'] ?? '';
    if (endpoint.isProtectedResource === true) assert.match(header, metadata, what);
    assert.equal(header.replace(metadata, ''), challenge, what);
  }
};

const testPermissions = async (endpoint: Endpoint, request: Prepared): Promise<void> => {
  for (const [caller, code] of lacking[endpoint.auth.needs]) {
    const answer = await sent(endpoint, request, caller.bearer, { 'x-service-organization-id': own.organizationId });
    assertRefused(answer, 403, code, `${caller.kind} ${caller.role ?? ''}`);
    const lacksPermission = code === 'write_permission_required' || endpoint.auth.needs === 'read';
    const scope = code === 'write_permission_required' ? 'write' : 'read';
    const challenge = lacksPermission ? `Bearer error="insufficient_scope", scope="${scope}"` : undefined;
    const header = answer.headers['www-authenticate']?.replace(/, resource_metadata="[^"]+"$/, '');
    assert.equal(header, challenge, code);
  }
};

const testRestriction = async (endpoint: Endpoint, sample: Sample): Promise<void> => {
  if (!pathParameters(endpoint).includes('index_id')) return;
  const restricted = callers['restricted key'];
  assertRefused(
    await sent(endpoint, await sample.prepare(away, owner), restricted.bearer),
    403,
    'index_not_allowed',
    'another index of the organization',
  );
  const theirs = await sample.prepare(foreign, callers['other owner']);
  for (const nowhere of [theirs, asAbsent(theirs)])
    assertRefused(await sent(endpoint, nowhere, restricted.bearer), 404, 'not_found', 'no index of the organization');
};

/** Asserts that resources of another organization return the same as missing ones, for each parameter and for all. */
const testForeign = async (endpoint: Endpoint, sample: Sample): Promise<void> => {
  if (pathParameters(endpoint).length === 0) return;
  const ours = await sample.prepare(own, owner);
  const theirs = (await sample.prepare(foreign, callers['other owner'])).path ?? {};
  // A parameter that is not an id is the same for every organization.
  const names = pathParameters(endpoint).filter((name) => isId(theirs[name] ?? ''));
  if (names.length === 0) return;
  const bare = (answer: WireAnswer): string => answer.text.replaceAll(parsed(answer).request_id as string, '');
  for (const changed of [...names.map((name) => [name]), names]) {
    const pathWith = (id: (name: string) => string): Prepared => ({
      ...ours,
      path: { ...ours.path, ...Object.fromEntries(changed.map((name) => [name, id(name)])) },
    });
    const there = await sent(
      endpoint,
      pathWith((name) => theirs[name] ?? ''),
      owner.bearer,
    );
    const nowhere = await sent(
      endpoint,
      pathWith((name) => absentId(theirs[name] ?? '')),
      owner.bearer,
    );
    assertRefused(there, 404, 'not_found', `foreign ${changed.join(', ')}`);
    assertRefused(nowhere, 404, 'not_found', `absent ${changed.join(', ')}`);
    assert.equal(bare(there), bare(nowhere));
    const names = ({ headers }: WireAnswer): readonly string[] => Object.keys(headers).toSorted();
    assert.deepEqual(names(there), names(nowhere));
  }
};

const locsOf = (answer: WireAnswer): readonly string[] =>
  parsed(answer).detail.map(({ loc }: { loc: unknown }) => JSON.stringify(loc));

/** Whether an invalid body is an error of another protocol. */
const hasOwnErrors = ({ errorFormat }: Endpoint): boolean => errorFormat?.statuses.includes(400) === true;

const testJunk = async (endpoint: Endpoint, sample: Sample): Promise<void> => {
  const request = await sample.prepare(own, owner);
  const contentType = bodySchemaOf(endpoint)?.type ?? 'application/json';
  const bearer = request.bearer ?? owner.bearer;
  const junk = junkFor(endpoint, sample);
  if (junk !== null && contentType === 'application/json' && hasOwnErrors(endpoint)) {
    for (const [body, code] of [
      [junk.body, -32_600],
      ['7', -32_600],
      ['{"a":', -32_700],
    ]) {
      const answer = await sent(endpoint, { ...request, body }, bearer);
      assert.deepEqual([answer.status, parsed(answer).error.code], [400, code], answer.text);
    }
  } else if (junk !== null && contentType === 'application/json') {
    const answer = await sent(endpoint, { ...request, body: junk.body }, bearer);
    assert.equal(answer.status, 422, answer.text);
    const told = locsOf(answer);
    for (const loc of junk.locs.map((place) => JSON.stringify(place).slice(0, -1)))
      assert.ok(
        told.some((place) => place.startsWith(loc)),
        `no problem at ${loc}] in ${answer.text}`,
      );
    const required = requiredOf(endpoint);
    if (required.length > 0) {
      const empty = await sent(endpoint, { ...request, body: {} }, bearer);
      assert.deepEqual(
        parsed(empty).detail.filter(({ type }: { type: string }) => type === 'missing'),
        required.map((name) => ({ loc: ['body', name], msg: 'Field required', type: 'missing' })),
      );
    }
    for (const [body, type] of [
      ['{"a":', 'json_invalid'],
      ['7', 'model_attributes_type'],
    ] as const) {
      const answered = await sent(endpoint, { ...request, body }, bearer);
      assert.deepEqual([answered.status, locsOf(answered).length], [422, 1], `${type}: ${answered.text}`);
    }
  }
  if (endpoint.id.startsWith('list-')) {
    const answer = await sent(endpoint, { ...request, query: 'filters=1' }, bearer);
    assert.deepEqual([answer.status, locsOf(answer)], [422, ['["query","filters"]']], answer.text);
  }
  const limits = (operationOf(endpoint).parameters ?? []).filter(
    ({ in: place, schema }) => place === 'query' && schema['type'] === 'integer',
  );
  if (limits.length === 0) return;
  const query = limits.map(({ name }) => `${name}=junk`).join('&');
  const answer = await sent(endpoint, { ...request, query }, bearer);
  assert.deepEqual(
    [answer.status, locsOf(answer)],
    [422, limits.map(({ name }) => JSON.stringify(['query', name]))],
    answer.text,
  );
};

/** Asserts that an absent body counts as an empty object if it is optional in the description, and is refused otherwise. */
const testAbsentBody = async (endpoint: Endpoint, sample: Sample): Promise<void> => {
  const { requestBody } = operationOf(endpoint);
  if (requestBody === undefined || bodySchemaOf(endpoint)?.type !== 'application/json') return;
  const { body: _, ...request } = await sample.prepare(own, owner);
  const answer = await sent(endpoint, request, request.bearer ?? owner.bearer);
  if (requestBody.required === false) {
    assert.equal(answer.status, statusOf(endpoint, sample), answer.text);
    return;
  }
  if (hasOwnErrors(endpoint)) {
    assert.deepEqual([answer.status, parsed(answer).error.message], [400, 'body: Field required']);
    return;
  }
  const detail = [{ loc: ['body'], msg: 'Field required', type: 'missing' }];
  assert.deepEqual([answer.status, parsed(answer).detail], [422, detail]);
};

/** Asserts that a token endpoint returns errors of RFC 6749. */
const testClientProof = async (endpoint: Endpoint, request: Prepared): Promise<void> => {
  const bare = withoutProof(request);
  const wrong = Buffer.from('oc_00000000000000000000000000:wrong').toString('base64');
  const form = 'application/x-www-form-urlencoded';
  const cases: readonly (readonly [string, Prepared, number, string])[] = [
    ['no proof', bare, 401, 'invalid_client'],
    ['an unknown client', { ...bare, basic: wrong }, 401, 'invalid_client'],
    ['no grant', { ...request, body: 'scope=read' }, 400, 'invalid_request'],
    ['another grant', { ...request, body: 'grant_type=password' }, 400, 'unsupported_grant_type'],
    [
      'a repeated parameter',
      { ...request, body: 'grant_type=client_credentials&grant_type=x' },
      400,
      'invalid_request',
    ],
    ['an unknown scope', { ...request, body: 'grant_type=client_credentials&scope=root' }, 400, 'invalid_scope'],
    ['JSON', { ...request, body: {}, contentType: 'application/json' }, 400, 'invalid_request'],
  ];
  for (const [what, prepared, status, error] of cases) {
    const answer = await sent(endpoint, { contentType: form, ...prepared }, null);
    assert.deepEqual([answer.status, parsed(answer).error], [status, error], `${what}: ${answer.text}`);
  }
};

test('every endpoint has a sample, and every sample an endpoint', () => {
  assert.deepEqual(Object.keys(samples).toSorted(), allEndpoints.map(({ id }) => id).toSorted());
  for (const endpoint of allEndpoints)
    assert.equal(samples[endpoint.id]?.open !== undefined, open(endpoint), endpoint.id);
});

for (const endpoint of allEndpoints) {
  const sample = samples[endpoint.id];
  if (sample === undefined) continue;
  test(`${endpoint.method} ${endpoint.path}`, async () => {
    const request = await sample.prepare(own, owner);
    if (!open(endpoint)) {
      await testCredentials(endpoint, request);
      await testPermissions(endpoint, withoutProof(request));
      await testRestriction(endpoint, sample);
    } else if (endpoint.auth.needs === 'identity') {
      await testCredentials(endpoint, request);
    } else if (endpoint.auth.needs === 'client') {
      await testClientProof(endpoint, request);
    }
    if (!open(endpoint)) await testForeign(endpoint, sample);
    await testJunk(endpoint, sample);
    await testAbsentBody(endpoint, sample);
    // The bundle in its own process accepts valid credentials only.
    const { overHttp } = service;
    const asked = await sample.prepare(own, owner);
    const succeeded = await sent(endpoint, asked, owner.bearer, {}, overHttp);
    assert.equal(succeeded.status, statusOf(endpoint, sample), succeeded.text);
    if (open(endpoint)) return;
    const refused = await sent(endpoint, withoutProof(asked), unknownKey(), {}, overHttp);
    assertRefused(refused, 401, 'unauthenticated', 'an unknown credential over HTTP');
  });
}
