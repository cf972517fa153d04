import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { decodeJwt, importJWK, SignJWT } from 'jose';
import { openSettings } from '#local-cloud';
import { startService } from '../support/shared-service.ts';
import { type ApiAnswer, call, type Caller } from './support/organization.ts';

const { baseUrl, dataDirectory } = await startService();

const project = join(import.meta.dirname, '..', '..');
const invitations = '/v1/organization/invitations';
const members = '/v1/organization/members';
const oneWeekMs = 7 * 24 * 3_600_000;

interface Person {
  readonly id: string;
  readonly email: string;
  /** Acts for the organization that the person owns. */
  readonly session: Caller;
  readonly organizationId: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  readonly opened: any;
}

const signIn = async (email = `${randomBytes(8).toString('hex')}@example.com`): Promise<Person> => {
  const token = await call({ baseUrl, bearer: null }, 'POST', '/_local/id-token', { email, name: 'Ada' });
  const { status, body } = await call({ baseUrl, bearer: token.body.id_token }, 'POST', '/v1/auth/bootstrap');
  assert.equal(status, 200, JSON.stringify(body));
  return {
    id: body.user.id,
    email: email.toLowerCase(),
    session: { baseUrl, bearer: body.session_token },
    organizationId: body.organizations[0].organization_id,
    opened: body,
  };
};

const acting = (organizationId: string) => ({ 'x-service-organization-id': organizationId });
const once = () => ({ 'idempotency-key': randomBytes(8).toString('hex') });
const accept = (person: Person, id: string, headers = {}) =>
  call(person.session, 'POST', `${invitations}/accept`, { invitation_id: id }, headers);

/** A new member of the organization of `owner`. */
const joinAs = async (owner: Person, role: 'owner' | 'member'): Promise<Person> => {
  const person = await signIn();
  const invited = await call(owner.session, 'POST', invitations, { email: person.email, role });
  assert.equal((await accept(person, invited.body.id)).status, 200);
  return person;
};

/** An answer without what differs between any two requests. */
const essence = ({ status, body }: ApiAnswer) => {
  const { request_id: _, ...rest } = body;
  return { status, rest };
};

const statusOf = ({ status, body }: ApiAnswer) => [status, body.code];

const setPlan = async (...args: readonly string[]): Promise<{ code: number; out: string; err: string }> => {
  try {
    const command = ['run', '--silent', 'set-plan', '--', ...args];
    const { stdout, stderr } = await promisify(execFile)('npm', command, { cwd: project });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
};

test('an invited user finds the invitation, joins once, works in both organizations and loses access at once when removed', async () => {
  const [ada, bob] = [await signIn(), await signIn(`Bob.${randomBytes(6).toString('hex')}@Example.com`)];
  const invited = await call(ada.session, 'POST', invitations, { email: bob.email.toUpperCase() });
  assert.equal(invited.status, 201);
  const { id, created_at, expires_at, ...rest } = invited.body;
  assert.match(id, /^inv_[0-9a-z]{26}$/);
  assert.deepEqual(rest, { email: bob.email, role: 'member', accepted_at: null });
  assert.equal(Date.parse(expires_at) - Date.parse(created_at), oneWeekMs);
  const again = await signIn(bob.email);
  assert.deepEqual(again.opened.pending_invitations, [
    { ...invited.body, organization_name: ada.opened.organizations[0].organization_name },
  ]);
  assert.deepEqual([again.id, again.opened.organizations.length], [bob.id, 1]);

  // The session acts for an organization of its own all the while.
  const accepted = await accept(bob, id, acting(bob.organizationId));
  assert.deepEqual(
    [accepted.status, accepted.body],
    [200, { status: 'accepted', organization_id: ada.organizationId, role: 'member' }],
  );
  assert.deepEqual(statusOf(await accept(bob, id)), [409, 'conflict']);
  const workspaces = (await call(bob.session, 'GET', '/v1/organizations')).body;
  assert.deepEqual(
    workspaces.map((each: { organization_id: string; role: string }) => [each.organization_id, each.role]),
    [
      [bob.organizationId, 'owner'],
      [ada.organizationId, 'member'],
    ],
  );
  assert.equal((await call(bob.session, 'GET', '/v1/organization')).body.organization_id, bob.organizationId);
  const switched = acting(ada.organizationId);
  assert.equal((await call(bob.session, 'POST', '/v1/indexes', { name: 'shared' }, switched)).status, 201);
  assert.deepEqual((await call(ada.session, 'GET', '/v1/indexes')).body[0].name, 'shared');
  const people = (await call(bob.session, 'GET', members, undefined, switched)).body;
  assert.deepEqual(
    people.map(({ user_id, email, role }: Record<string, string>) => ({ user_id, email, role })),
    [
      { user_id: ada.id, email: ada.email, role: 'owner' },
      { user_id: bob.id, email: bob.email, role: 'member' },
    ],
  );
  const listed = (await call(bob.session, 'GET', invitations, undefined, switched)).body;
  assert.deepEqual(listed, [{ ...invited.body, accepted_at: people[1].joined_at }]);

  for (const [method, path, body] of [
    ['POST', invitations, { email: 'x@example.com' }],
    ['DELETE', `${invitations}/${id}`, undefined],
    ['PATCH', `${members}/${ada.id}`, { role: 'member' }],
    ['DELETE', `${members}/${ada.id}`, undefined],
    ['POST', '/v1/onboarding/complete', { organization_name: 'a', use_case: 'b', expected_vectors: 'c' }],
  ] as const) {
    assert.deepEqual(statusOf(await call(bob.session, method, path, body, switched)), [403, 'owner_required'], path);
  }
  const promoted = await call(ada.session, 'PATCH', `${members}/${bob.id}`, { role: 'owner' });
  assert.deepEqual([promoted.status, promoted.body], [200, { ...people[1], role: 'owner' }]);
  const owned = '/v1/organization/webhooks/endpoints';
  assert.equal((await call(bob.session, 'GET', owned, undefined, switched)).status, 200);

  assert.equal((await call(ada.session, 'DELETE', `${members}/${bob.id}`)).status, 204);
  assert.deepEqual(statusOf(await call(bob.session, 'GET', '/v1/indexes', undefined, switched)), [
    403,
    'organization_not_allowed',
  ]);
  assert.equal((await call(bob.session, 'GET', '/v1/organizations')).body.length, 1);
  assert.deepEqual(statusOf(await accept(bob, id)), [409, 'conflict']);
  assert.deepEqual(statusOf(await call(ada.session, 'DELETE', `${members}/${bob.id}`)), [404, 'not_found']);

  const back = await call(ada.session, 'POST', invitations, { email: bob.email, role: 'owner' });
  assert.notEqual(back.body.id, id);
  assert.deepEqual((await accept(bob, back.body.id)).body.role, 'owner');
});

/** A session of the subject of `token`, whom the provider now knows by another address and name. */
const signInAnew = async (
  token: string,
  claims: { readonly email: string; readonly name: string; readonly sub?: string },
) => {
  const settings = openSettings(dataDirectory).read();
  const key = await importJWK(settings.identityKey ?? {}, 'ES256');
  const changed = await new SignJWT({ ...decodeJwt(token), ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'local' })
    .sign(key);
  const { body } = await call({ baseUrl, bearer: changed }, 'POST', '/v1/auth/bootstrap');
  return { opened: body, session: { baseUrl, bearer: body.session_token } };
};

test('a changed address and name at the identity provider are updated with the next sign-in', async () => {
  const [ada, bob] = [await signIn(), await signIn()];
  const invited = await call(ada.session, 'POST', invitations, { email: bob.email, role: 'owner' });
  assert.equal((await accept(bob, invited.body.id)).status, 200);
  const former = bob.email;
  const email = `bob.${randomBytes(6).toString('hex')}@example.com`;
  const waiting = (await call(ada.session, 'POST', invitations, { email })).body;
  const [eve, mallory] = [await signIn(), await signIn()];
  const toFormer = (await call(eve.session, 'POST', invitations, { email: former })).body;
  const toPresent = (await call(mallory.session, 'POST', invitations, { email })).body;

  const { id_token: token } = (
    await call({ baseUrl, bearer: null }, 'POST', '/_local/id-token', { email: former, name: 'Ada' })
  ).body;
  const moved = await signInAnew(token, { email: email.toUpperCase(), name: 'Bob' });
  assert.deepEqual(moved.opened.user, { id: bob.id, email, name: 'Bob' });
  // One to an organization of theirs cannot be accepted, whatever its address.
  assert.deepEqual(
    moved.opened.pending_invitations.map(({ id }: { id: string }) => id),
    [toPresent.id],
  );
  const headers = acting(ada.organizationId);
  const emails = async (session: Caller, chosen = {}) =>
    (await call(session, 'GET', members, undefined, chosen)).body.map((each: { email: string }) => each.email);
  assert.deepEqual(await emails(ada.session), [ada.email, email]);
  assert.deepEqual(await emails(moved.session), [email]);
  assert.deepEqual(await emails(bob.session, headers), [ada.email, email]);

  // An invitation is for its address; a session has the one that it was opened with.
  const acceptAs = (session: Caller, id: string) =>
    call(session, 'POST', `${invitations}/accept`, { invitation_id: id });
  assert.deepEqual(statusOf(await acceptAs(moved.session, toFormer.id)), [404, 'not_found']);
  assert.deepEqual(statusOf(await acceptAs(bob.session, toPresent.id)), [404, 'not_found']);
  assert.deepEqual(statusOf(await acceptAs(moved.session, waiting.id)), [409, 'conflict']);
  assert.equal((await acceptAs(moved.session, toPresent.id)).status, 200);
  assert.deepEqual(await emails(mallory.session), [mallory.email, email]);

  // The former address now belongs to another person, and the present one to a member.
  assert.deepEqual(statusOf(await call(mallory.session, 'POST', invitations, { email })), [409, 'conflict']);
  const other = await call(ada.session, 'POST', invitations, { email: former });
  assert.equal(other.status, 201);
  assert.deepEqual((await signInAnew(token, { email, name: '' })).opened.user, { id: bob.id, email, name: 'Bob' });
});

test('an ID token with an invalid subject opens no session', async () => {
  const { id_token: token } = (
    await call({ baseUrl, bearer: null }, 'POST', '/_local/id-token', { email: 'x@example.com', name: 'X' })
  ).body;
  const { opened } = await signInAnew(token, { email: 'x@example.com', name: 'X', sub: 's'.repeat(3_000) });
  assert.equal(opened.code, 'unauthenticated');
});

test('an organization keeps an owner while owners are demoted and removed concurrently', async () => {
  const ada = await signIn();
  const alone = await call(ada.session, 'PATCH', `${members}/${ada.id}`, { role: 'member' });
  assert.deepEqual(statusOf(alone), [409, 'conflict']);
  assert.deepEqual(statusOf(await call(ada.session, 'DELETE', `${members}/${ada.id}`)), [409, 'conflict']);
  for (let round = 0; round < 4; round += 1) {
    const first = await signIn();
    const headers = acting(first.organizationId);
    const owners = [first, await joinAs(first, 'owner'), await joinAs(first, 'owner')];
    const answers = await Promise.all(
      owners.map(({ id, session }, at) =>
        at === round
          ? call(session, 'DELETE', `${members}/${id}`, undefined, headers)
          : call(session, 'PATCH', `${members}/${id}`, { role: 'member' }, headers),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => (status === 204 ? 200 : status)).toSorted((a, b) => a - b),
      [200, 200, 409],
    );
    const last = owners[answers.findIndex(({ status }) => status === 409)] ?? first;
    const people = (await call(last.session, 'GET', members, undefined, headers)).body;
    assert.deepEqual(
      people.flatMap(({ user_id, role }: Record<string, string>) => (role === 'owner' ? [user_id] : [])),
      [last.id],
    );
  }
});

test('resources of other organizations are as absent as those that never existed', async () => {
  const [ada, eve, bob] = [await signIn(), await signIn(), await signIn()];
  const { id } = (await call(ada.session, 'POST', invitations, { email: bob.email })).body;
  const nobody = id.replace(/.{10}$/, '0000000000');
  const pairs: readonly (readonly [string, (id: string) => string, object | undefined, string, string])[] = [
    ['DELETE', (id) => `${invitations}/${id}`, undefined, id, nobody],
    ['PATCH', (id) => `${members}/${id}`, { role: 'member' }, ada.id, ada.id.replace(/.{10}$/, '0000000000')],
    ['DELETE', (id) => `${members}/${id}`, undefined, ada.id, ada.id.replace(/.{10}$/, '0000000000')],
  ];
  for (const [method, path, body, foreign, absent] of pairs) {
    const answer = essence(await call(eve.session, method, path(foreign), body));
    assert.equal(answer.status, 404);
    assert.deepEqual(answer, essence(await call(eve.session, method, path(absent), body)));
  }
  assert.deepEqual(essence(await accept(eve, id)), essence(await accept(eve, nobody)));
  assert.deepEqual(statusOf(await accept(eve, id)), [404, 'not_found']);
  const key = { baseUrl, bearer: (await call(bob.session, 'POST', '/v1/api-keys', { name: 'k' })).body.token };
  assert.deepEqual(statusOf(await call(key, 'POST', `${invitations}/accept`, { invitation_id: id })), [
    403,
    'forbidden',
  ]);
  const own = (await call(key, 'GET', '/v1/organizations')).body;
  assert.deepEqual([own.length, own[0].organization_id, own[0].role], [1, bob.organizationId, 'member']);

  assert.equal((await call(ada.session, 'DELETE', `${invitations}/${id}`)).status, 204);
  assert.deepEqual(essence(await call(ada.session, 'DELETE', `${invitations}/${id}`)).status, 404);
  assert.deepEqual(essence(await accept(bob, id)), essence(await accept(bob, nobody)));
  assert.deepEqual((await call(ada.session, 'GET', invitations)).body, []);
  assert.deepEqual((await signIn(bob.email)).opened.pending_invitations, []);
});

test('repeated and concurrent invitations and acceptances make one invitation and one member', async () => {
  const [ada, bob] = [await signIn(), await signIn()];
  const invitation = { email: bob.email, role: 'owner' };
  const headers = once();
  const made = await Promise.all(
    Array.from({ length: 12 }, () => call(ada.session, 'POST', invitations, invitation, headers)),
  );
  assert.deepEqual(
    new Set(made.map(({ status, body }) => JSON.stringify([status, body]))).size,
    1,
    JSON.stringify(made),
  );
  const renewed = await Promise.all(
    ['member', 'member', 'owner'].map((role) => call(ada.session, 'POST', invitations, { ...invitation, role })),
  );
  assert.deepEqual(
    new Set(renewed.map(({ status, body }) => `${status} ${body.id}`)),
    new Set([`201 ${made[0]?.body.id}`]),
  );
  const [open, ...others] = (await call(ada.session, 'GET', invitations)).body;
  assert.deepEqual([open.id, others.length], [made[0]?.body.id, 0]);
  const acceptance = once();
  const accepted = await Promise.all(Array.from({ length: 12 }, () => accept(bob, open.id, acceptance)));
  assert.deepEqual(
    accepted.map(({ status, body }) => [status, body]),
    accepted.map(() => [200, { status: 'accepted', organization_id: ada.organizationId, role: open.role }]),
  );
  assert.deepEqual(statusOf(await accept(bob, open.id)), [409, 'conflict']);
  assert.equal((await call(ada.session, 'GET', members)).body.length, 2);
  assert.deepEqual(statusOf(await call(ada.session, 'POST', invitations, invitation)), [409, 'conflict']);
  assert.deepEqual(statusOf(await call(ada.session, 'DELETE', `${invitations}/${open.id}`)), [409, 'conflict']);

  const sent = await call(ada.session, 'POST', invitations, { email: 'not an address', role: 'boss' });
  assert.deepEqual(
    [sent.status, sent.body.detail.map(({ loc, type }: { loc: unknown; type: string }) => [loc, type])],
    [
      422,
      [
        [['body', 'email'], 'value_error'],
        [['body', 'role'], 'enum'],
      ],
    ],
  );
});

test('seats of the plan are never exceeded, and the operator’s command raises them at once', async () => {
  const ada = await signIn();
  const invited = await Promise.all(
    Array.from({ length: 9 }, (_, at) => call(ada.session, 'POST', invitations, { email: `p${at}@example.com` })),
  );
  const made = invited.filter(({ status }) => status === 201).length;
  assert.ok(made <= 4, String(made));
  assert.ok(invited.every(({ status, body }) => status === 201 || body.code === 'plan_limit_reached'));
  for (let at = made; at < 4; at += 1) {
    const filled = await call(ada.session, 'POST', invitations, { email: `q${at}@example.com` });
    assert.equal(filled.status, 201);
  }
  const refused = await call(ada.session, 'POST', invitations, { email: 'sixth@example.com' });
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.limit, refused.body.current],
    [402, 'plan_limit_reached', 5, 5],
  );

  const where = ['--local', baseUrl, '--organization', ada.organizationId];
  const changed = await setPlan(...where, '--plan', 'scale');
  assert.deepEqual([changed.code, changed.err], [0, '']);
  assert.match(changed.out, new RegExp(`${ada.organizationId}.*before +developer.*after +scale`, 's'));
  assert.equal((await call(ada.session, 'POST', invitations, { email: 'sixth@example.com' })).status, 201);
  const plans = (await call({ baseUrl, bearer: null }, 'GET', '/v1/plans')).body;
  const detail = (await call(ada.session, 'GET', '/v1/organization')).body;
  const { limits, features, rate_limits } = plans.find(({ id }: { id: string }) => id === 'scale');
  assert.deepEqual(
    [detail.plan, detail.limits, detail.features, detail.rate_limits],
    ['scale', limits, features, rate_limits],
  );
  assert.deepEqual(
    plans.map((plan: { id: string; price_usd_per_month: number | null }) => [plan.id, plan.price_usd_per_month]),
    [
      ['developer', 0],
      ['scale', 99],
      ['enterprise', null],
    ],
  );
  assert.ok(Object.values(plans[0].unit_prices).every((price) => typeof price === 'number' && price > 0));

  const oneLine = /^[^\n]+\n$/;
  for (const args of [
    ['--local', baseUrl, '--organization', 'org_none', '--plan', 'scale'],
    [...where, '--plan', 'gold'],
    ['--local', 'http://127.0.0.1:1', '--organization', ada.organizationId, '--plan', 'scale'],
  ]) {
    const failed = await setPlan(...args);
    assert.deepEqual([failed.code, failed.out], [1, '']);
    assert.match(failed.err, oneLine);
  }
});

test('onboarding names the organization, can be repeated, and refuses a region that is not deployed', async () => {
  const ada = await signIn();
  const path = '/v1/onboarding/complete';
  const answers = { organization_name: 'Acme', use_case: 'manuals', expected_vectors: '1M-10M' };
  const completed = await call(ada.session, 'POST', path, answers);
  assert.equal(completed.status, 200);
  assert.partialDeepStrictEqual(completed.body, {
    organization_id: ada.organizationId,
    organization_name: 'Acme',
    onboarded: true,
    role: 'owner',
    plan: 'developer',
  });
  assert.deepEqual((await call(ada.session, 'POST', path, answers)).body, completed.body);
  assert.deepEqual((await call(ada.session, 'GET', '/v1/organization')).body, completed.body);
  assert.equal((await call(ada.session, 'POST', '/v1/indexes', { name: 'i' })).body.cloud_region, 'us-east-1');
  const wrong = await call(ada.session, 'POST', path, { ...answers, default_region: 'mars-north-1' });
  assert.deepEqual(
    [wrong.status, wrong.body.detail],
    [422, [{ loc: ['body', 'default_region'], msg: "Input should be 'us-east-1'", type: 'enum' }]],
  );
  const empty = await call(ada.session, 'POST', path, { organization_name: '', default_region: 7 });
  assert.deepEqual(
    empty.body.detail.map(({ loc, type }: { loc: string[]; type: string }) => [loc.at(-1), type]),
    [
      ['organization_name', 'string_too_short'],
      ['use_case', 'missing'],
      ['expected_vectors', 'missing'],
      ['default_region', 'string_type'],
    ],
  );
});
