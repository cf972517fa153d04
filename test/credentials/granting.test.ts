import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApiKey } from '../../functions/api-keys/create.ts';
import { listApiKeys } from '../../functions/api-keys/list.ts';
import { branchIndex } from '../../functions/indexes/branch.ts';
import { getIndex } from '../../functions/indexes/get.ts';
import { listInvitations } from '../../functions/invitations/list.ts';
import { createOauthClient } from '../../functions/oauth/create-client.ts';
import { listOauthClients } from '../../functions/oauth/list-clients.ts';
import { authenticationUses, authenticator } from '../../shared/credentials/index.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { call, callOk, machine, person } from '../support/call.ts';
import { putOrganization } from '../support/organization.ts';
import { changeLimits } from '../support/plan-limits.ts';
import { putReadyIndex } from '../support/ready-index.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const { runtime } = cloud;

const newOwner = () => person(newId('org', runtime.clock.now()), 'owner');

test('an API key expiry beyond the year 9999 is refused', async () => {
  const owner = newOwner();
  const create = (expiresAt: string) =>
    call(runtime, createApiKey, owner, { body: { name: 'k', expires_at: expiresAt } });
  assert.equal((await create('9999-12-31T23:59:59-01:00')).status, 422);
  assert.deepEqual((await call(runtime, listApiKeys, owner)).body, []);
  assert.equal((await create('9999-12-31T23:59:59.999Z')).status, 201);
});

test('an API key expiry is accepted in every form of RFC 3339 and returned in UTC', async () => {
  const owner = newOwner();
  const shown = async (expiresAt: string): Promise<unknown> => {
    const body = await callOk(runtime, createApiKey, owner, { body: { name: 'k', expires_at: expiresAt } });
    return (body as { readonly expires_at: unknown }).expires_at;
  };
  for (const form of ['t00:00:00z', 'T00:00Z', ' 00:00:00Z', ' 00:00:00.0009z', 't02:00+02:00', 'T00:00:00-00:00'])
    assert.equal(await shown(`2030-01-01${form}`), '2030-01-01T00:00:00.000Z', form);
});

test('a credential lists each index of its restriction once', async () => {
  const owner = newOwner();
  const a = await putReadyIndex(runtime, owner.organizationId);
  const b = await putReadyIndex(runtime, owner.organizationId);
  const body = { name: 'k', index_ids: [b, a, b] };
  for (const [create, list] of [
    [createApiKey, listApiKeys],
    [createOauthClient, listOauthClients],
  ] as const) {
    const made = await callOk(runtime, create, owner, { body });
    const [listed] = (await call(runtime, list, owner)).body as readonly unknown[];
    for (const shown of [made, listed]) assert.partialDeepStrictEqual(shown, { index_ids: [b, a] });
  }
});

test('an expired API key does not count against the plan limit', async (t) => {
  const owner = newOwner();
  const create = (name: string, expiresAt: string | null) =>
    call(runtime, createApiKey, owner, { body: { name, expires_at: expiresAt } });
  changeLimits(t)({ api_keys: 3 });
  const brief = new Date(runtime.clock.now().getTime() + 60_000).toISOString();
  for (const [name, expiresAt] of [
    ['lasting', null],
    ['latest', '9999-12-31T23:59:59.999Z'],
    ['brief', brief],
  ] as const)
    assert.equal((await create(name, expiresAt)).status, 201);
  cloud.advance(59.999);
  const refused = await create('early', null);
  const { code, current } = refused.body as { readonly code: string; readonly current: number };
  assert.deepEqual([refused.status, code, current], [402, 'plan_limit_reached', 3]);
  cloud.advance(0.001);
  assert.equal((await create('in its place', null)).status, 201);
  assert.equal((await create('one more', null)).status, 402);
});

test('an expiring API key cannot create a credential that outlives it', async () => {
  const hours = (count: number) => new Date(runtime.clock.now().getTime() + count * 3_600_000).toISOString();
  const caller = { ...machine(newId('org', runtime.clock.now())), expiresAt: hours(1) };
  const codeOf = async (...asked: Parameters<typeof call>) => {
    const { status, body } = await call(...asked);
    return status === 201 ? null : (body as { readonly code: string }).code;
  };
  const create = (expiresAt: string | null | undefined, by: Principal = caller) =>
    codeOf(runtime, createApiKey, by, { body: { name: 'k', expires_at: expiresAt } });
  for (const expiresAt of [undefined, null, hours(1.001)]) assert.equal(await create(expiresAt), 'forbidden');
  for (const expiresAt of [hours(0.5), hours(1), hours(1).replace('Z', '+00:00')])
    assert.equal(await create(expiresAt), null);
  assert.equal(await codeOf(runtime, createOauthClient, caller, { body: { name: 'c' } }), 'forbidden');

  const lasting = machine(caller.organizationId);
  assert.equal(await create(null, lasting), null);
  assert.equal(await codeOf(runtime, createOauthClient, lasting, { body: { name: 'c' } }), null);
});

test('the principal of an API key contains the expiry of the key', async () => {
  const organizationId = newId('org', runtime.clock.now());
  await putOrganization(runtime, organizationId);
  const expiresAt = new Date(runtime.clock.now().getTime() + 60_000).toISOString();
  const body = { name: 'k', expires_at: expiresAt };
  const { token } = await callOk(runtime, createApiKey, person(organizationId, 'owner'), { body });
  const authenticate = authenticator(makeDeps(authenticationUses, runtime), runtime.clock);
  const { caller } = await authenticate({ bearer: String(token), organizationId: null }, ['requests']);
  assert.equal(caller.expiresAt, expiresAt);
});

test('a credential with read permission lists API keys, OAuth clients and invitations', async () => {
  const { organizationId } = newOwner();
  const key = machine(organizationId);
  for (const endpoint of [listApiKeys, listOauthClients, listInvitations]) {
    const statusFor = async (caller: Principal) => (await call(runtime, endpoint, caller)).status;
    assert.equal(await statusFor(person(organizationId, 'member')), 200);
    assert.equal(await statusFor({ ...key, permissions: ['read'] }), 200);
    assert.equal(await statusFor({ ...key, indexIds: [newId('idx', runtime.clock.now())] }), 200);
    assert.equal(await statusFor({ ...key, permissions: ['write'] }), 403);
  }
});

test('a restricted API key gets 403 for other indexes of its organization and 404 for those of others', async () => {
  const key = machine(newId('org', runtime.clock.now()));
  const own = await putReadyIndex(runtime, key.organizationId);
  const restricted = { ...key, plan: 'scale', indexIds: [own] } as const;
  const ask = async (endpoint: typeof getIndex, indexId: string) => {
    const { status, body } = await call(runtime, endpoint, restricted, { path: { index_id: indexId }, body: {} });
    const { code, detail } = body as { readonly code?: string; readonly detail?: unknown };
    return { status, code, detail };
  };
  const away = await putReadyIndex(runtime, key.organizationId);
  const deleted = await putReadyIndex(runtime, key.organizationId, { status: 'deleting' });
  const foreign = await putReadyIndex(runtime, newId('org', runtime.clock.now()));
  assert.equal((await ask(getIndex, own)).status, 200);
  assert.equal((await ask(branchIndex, own)).code, 'index_not_allowed');
  for (const endpoint of [getIndex, branchIndex]) {
    assert.equal((await ask(endpoint, away)).code, 'index_not_allowed');
    for (const id of [deleted, foreign, newId('idx', runtime.clock.now()), 'x'])
      assert.deepEqual(await ask(endpoint, id), { status: 404, code: 'not_found', detail: 'Index not found' });
  }
});
