import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getAlias } from '../../functions/aliases/get.ts';
import { listAliases } from '../../functions/aliases/list.ts';
import { putAlias } from '../../functions/aliases/put.ts';
import { createApiKey } from '../../functions/api-keys/create.ts';
import { listApiKeys } from '../../functions/api-keys/list.ts';
import { createFile } from '../../functions/files/create.ts';
import { createInvitation } from '../../functions/invitations/create.ts';
import { listInvitations } from '../../functions/invitations/list.ts';
import { listMembers } from '../../functions/members/list.ts';
import { createOauthClient } from '../../functions/oauth/create-client.ts';
import { listOauthClients } from '../../functions/oauth/list-clients.ts';
import { getOrganizationUsage } from '../../functions/organization/get-usage.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { openOrganizations } from '../../shared/organizations/index.ts';
import { monthOf, usageWrite } from '../../shared/usage/index.ts';
import { answerOf, call, callOk, machine, person } from '../support/call.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { putReadyIndex } from '../support/ready-index.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const { runtime } = cloud;
const { usage } = makeDeps({ usage: usageWrite }, runtime);

const newOwner = async (): Promise<Principal> => {
  const email = `${newId('usr', runtime.clock.now())}@example.com`;
  const identity = { issuer: 'i', subject: email, email, name: '' };
  const { user, memberships } = await openOrganizations(runtime).signIn(identity);
  return { ...person(memberships[0]?.organizationId ?? '', 'owner'), subjectId: user.id };
};

const idsIn = async (...asked: Parameters<typeof call>): Promise<readonly string[]> => {
  const { status, body } = await call(...asked);
  assert.equal(status, 200);
  return (body as readonly { readonly id: string }[]).map(({ id }) => id);
};

test('a credential that is restricted to indexes lists only itself and no members', async () => {
  const owner = await newOwner();
  const { organizationId } = owner;
  const own = await putReadyIndex(runtime, organizationId);
  const body = { name: 'restricted', index_ids: [own] };
  const key = await callOk(runtime, createApiKey, owner, { body });
  const client = await callOk(runtime, createOauthClient, owner, { body });
  await callOk(runtime, createApiKey, owner, { body: { name: 'other' } });
  await callOk(runtime, createApiKey, owner, { body: { name: 'of the same index', index_ids: [own] } });
  await callOk(runtime, createOauthClient, owner, { body: { name: 'other' } });
  await callOk(runtime, createInvitation, owner, { body: { email: 'invited@example.com' } });

  const byKey: Principal = { ...machine(organizationId), subjectId: String(key['id']), indexIds: [own] };
  const byToken: Principal = { ...byKey, kind: 'access_token', subjectId: String(client['id']) };
  for (const [caller, keys, clients] of [
    [byKey, [key['id']], []],
    [byToken, [], [client['id']]],
  ] as const) {
    assert.deepEqual(await idsIn(runtime, listApiKeys, caller), keys);
    assert.deepEqual(await idsIn(runtime, listOauthClients, caller), clients);
    assert.deepEqual(await idsIn(runtime, listMembers, caller), []);
    assert.deepEqual(await idsIn(runtime, listInvitations, caller), []);
  }
  assert.equal((await idsIn(runtime, listApiKeys, owner)).length, 3);
  assert.equal((await idsIn(runtime, listMembers, owner)).length, 1);
  assert.equal((await idsIn(runtime, listInvitations, machine(organizationId))).length, 1);
});

test('a credential that is restricted to indexes gets the usage of these indexes only', async () => {
  const owner = await newOwner();
  const { organizationId } = owner;
  const [own, away] = [await putReadyIndex(runtime, organizationId), await putReadyIndex(runtime, organizationId)];
  const upload = { filename: 'a.txt', content_type: 'text/plain' };
  for (const [index, times] of [
    [own, 2],
    [away, 3],
  ] as const)
    for (let time = 0; time < times; time += 1) {
      await usage.countSearch(organizationId, index, 'sparse', 0);
      await callOk(runtime, createFile, owner, { path: { index_id: index }, body: upload });
    }
  const usageOf = async (caller: Principal, query?: Readonly<Record<string, string>>) => {
    const { indexes, searches, file_jobs: jobs } = await callOk(runtime, getOrganizationUsage, caller, { query });
    return { indexes, sparse: (searches as { readonly sparse: number }).sparse, jobs };
  };
  const restricted: Principal = { ...machine(organizationId), indexIds: [own] };
  assert.deepEqual(await usageOf(owner), { indexes: 2, sparse: 5, jobs: 5 });
  assert.deepEqual(await usageOf(restricted), { indexes: 1, sparse: 2, jobs: 2 });
  const before = await usageOf(restricted, { month: '2020-01' });
  assert.deepEqual(before, { indexes: 0, sparse: 0, jobs: 0 });
});

test('a file job counts once in the usage of its index if its reservation is repeated', async () => {
  const organizationId = newId('org', runtime.clock.now());
  const at = runtime.clock.now();
  const job = { id: newId('job', at), indexId: newId('idx', at), at, isStored: () => Promise.resolve(false) };
  const reserve = () => usage.reserveFileJob(organizationId, 'developer', job);
  for (const kind of ['not applied', 'reply lost'] as const)
    for (let request = 1; request <= 2; request += 1) {
      cloud.faults.arm({ request, kind });
      await reserve().catch(() => undefined);
    }
  cloud.faults.arm(null);
  await reserve();
  const month = monthOf(at.toISOString());
  assert.deepEqual(
    [await usage.fileJobs(organizationId, month), await usage.indexFileJobs(organizationId, month, job.indexId)],
    [1, 1],
  );
});

test('aliases of other indexes are hidden from a restricted credential, and no cursor names them', async () => {
  const owner = await newOwner();
  const { organizationId } = owner;
  const [own, other] = [await putReadyIndex(runtime, organizationId), await putReadyIndex(runtime, organizationId)];
  const names = ['a-other', 'b-own', 'c-other', 'd-own', 'e-other'];
  for (const name of names) {
    const body = { index_id: name.endsWith('own') ? own : other };
    await callOk(runtime, putAlias, owner, { path: { name }, body });
  }
  const restricted: Principal = { ...machine(organizationId), indexIds: [own] };
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: '1', ...(cursor === undefined ? {} : { cursor }) };
    const { body, headers } = await answerOf(runtime, listAliases, restricted, { query });
    seen.push(...(JSON.parse(body) as readonly { readonly name: string }[]).map(({ name }) => name));
    cursor = headers['x-next-cursor'];
    if (cursor !== undefined) assert.equal(Buffer.from(cursor, 'base64url').toString(), seen.at(-1));
  } while (cursor !== undefined);
  assert.deepEqual(seen, ['b-own', 'd-own']);
  const refusalOf = async (name: string) => {
    const { status, body } = await call(runtime, getAlias, restricted, { path: { name } });
    return [status, (body as Record<string, unknown>)['code'], (body as Record<string, unknown>)['detail']];
  };
  assert.deepEqual(await refusalOf('a-other'), await refusalOf('unknown'));
  assert.equal((await call(runtime, getAlias, restricted, { path: { name: 'b-own' } })).status, 200);
});
