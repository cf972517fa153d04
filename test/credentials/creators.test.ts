import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApiKey } from '../../functions/api-keys/create.ts';
import { listApiKeys } from '../../functions/api-keys/list.ts';
import { revokeApiKey } from '../../functions/api-keys/revoke.ts';
import { removeMember } from '../../functions/members/remove.ts';
import { updateMember } from '../../functions/members/update.ts';
import { createOauthClient } from '../../functions/oauth/create-client.ts';
import { listOauthClients } from '../../functions/oauth/list-clients.ts';
import { revokeOauthClient } from '../../functions/oauth/revoke-client.ts';
import {
  authenticationUses,
  authenticator,
  authorizationUses,
  authorizer,
  issueAccessToken,
  issueAccessTokenUses,
} from '../../shared/credentials/index.ts';
import { openTable } from '../../shared/db/table.ts';
import { freshIdempotencyContext } from '../../shared/http/idempotency.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { call, callOk, person } from '../support/call.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { putOrganization } from '../support/organization.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const { runtime } = cloud;
const authenticate = authenticator(makeDeps(authenticationUses, runtime), runtime.clock);
const authorize = authorizer(makeDeps(authorizationUses, runtime));

const callerOf = async (bearer: string): Promise<Principal> =>
  (await authenticate({ bearer, organizationId: null }, ['requests'])).caller;

/** Returns the error code of a bearer value; null if it is valid. */
const refusalOf = (bearer: string): Promise<string | null> =>
  callerOf(bearer).then(
    () => null,
    (error: unknown) => (error as { readonly code: string }).code,
  );

/** Returns an owner of a new organization with two owners. */
const newOwner = async (): Promise<Principal> => {
  const organizationId = newId('org', runtime.clock.now());
  const [id, other] = [newId('usr', runtime.clock.now()), newId('usr', runtime.clock.now())];
  const people = new Set([id, other]);
  await putOrganization(runtime, organizationId, { members: people, owners: people, members_revision: 0 });
  const members = openTable(runtime, 'organizations');
  await members.put({
    pk: `ORG#${organizationId}`,
    sk: `MEMBER#${id}`,
    email: 'a@example.com',
    joined_at: runtime.clock.now().toISOString(),
  });
  return { ...person(organizationId, 'owner'), subjectId: id };
};

interface Key {
  readonly id: string;
  readonly token: string;
}

const newKey = async (creator: Principal, name = 'k'): Promise<Key> => {
  // Ids of one millisecond are not ordered.
  cloud.advance(0.001);
  return (await callOk(runtime, createApiKey, creator, { body: { name } })) as unknown as Key;
};

const newClient = async (creator: Principal) => {
  cloud.advance(0.001);
  const { client_id: id, client_secret: secret } = await callOk(runtime, createOauthClient, creator, {
    body: { name: 'c' },
  });
  return { id: String(id), secret: String(secret) };
};

const tokenOf = async ({ id, secret }: { readonly id: string; readonly secret: string }): Promise<string> => {
  const deps = makeDeps(issueAccessTokenUses, runtime);
  const request = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const issued = await issueAccessToken(
    { deps, idempotency: freshIdempotencyContext(runtime.clock), authorization: null },
    request,
  );
  return issued.token;
};

type Listed = readonly { readonly id: string; readonly revoked_at: string | null; readonly created_by: string }[];

const listOf = async (endpoint: typeof listApiKeys, caller: Principal): Promise<Listed> =>
  (await call(runtime, endpoint, caller)).body as Listed;

test('revoking an OAuth client revokes every credential in the chains that its access tokens started', async () => {
  const owner = await newOwner();
  const client = await newClient(owner);
  const byToken = await callerOf(await tokenOf(client));
  const key = await newKey(byToken);
  const second = await newKey(await callerOf(key.token));
  const third = await newClient(await callerOf(second.token));
  const token = await tokenOf(third);
  for (const bearer of [key.token, second.token, token]) assert.equal(await refusalOf(bearer), null);
  const listed = await listOf(listApiKeys, owner);
  assert.deepEqual(
    listed.map(({ id, created_by: by }) => [id, by]),
    [
      [second.id, key.id],
      [key.id, client.id],
    ],
  );

  assert.equal((await call(runtime, revokeOauthClient, owner, { path: { client_id: client.id } })).status, 204);
  for (const bearer of [key.token, second.token, token]) assert.equal(await refusalOf(bearer), 'key_revoked');
  await assert.rejects(tokenOf(third), { code: 'unauthenticated' });
  const ended = [...(await listOf(listApiKeys, owner)), ...(await listOf(listOauthClients, owner))];
  assert.deepEqual(
    ended.map(({ revoked_at: at }) => at !== null),
    [true, true, true, true],
  );
});

test('an API key outlives the access token that created it while the OAuth client is valid', async () => {
  const client = await newClient(await newOwner());
  const token = await tokenOf(client);
  const { token: key } = await newKey(await callerOf(token));
  cloud.advance(3_601);
  assert.equal(await refusalOf(token), 'token_expired');
  assert.equal(await refusalOf(key), null);
});

test('created credentials are refused even if a revocation died before it reached them', async () => {
  const owner = await newOwner();
  for (const kind of ['not applied', 'reply lost'] as const) {
    for (let request = 6; request <= 10; request += 1) {
      const key = await newKey(owner);
      const child = await newKey(await callerOf(key.token));
      const revoke = () => call(runtime, revokeApiKey, owner, { path: { key_id: key.id } });
      cloud.faults.arm({ request, kind });
      const { status } = await revoke();
      cloud.faults.arm(null);
      if (status === 204) break;
      // The request that marks the listed key as revoked is the sixth.
      if (request > 6 || kind === 'reply lost')
        assert.equal(await refusalOf(child.token), 'key_revoked', `${kind} at ${request}`);
      assert.equal((await revoke()).status, 204);
      assert.equal(await refusalOf(child.token), 'key_revoked');
      const found = (await listOf(listApiKeys, owner)).find(({ id }) => id === child.id);
      assert.notEqual(found?.revoked_at, null);
    }
  }
});

test('an API key that is created during the revocation of its creator is refused', async () => {
  const owner = await newOwner();
  const key = await newKey(owner);
  const caller = await callerOf(key.token);
  assert.equal((await call(runtime, revokeApiKey, owner, { path: { key_id: key.id } })).status, 204);
  const late = await newKey(caller);
  assert.equal(await refusalOf(late.token), 'key_revoked');
});

test('the API keys and OAuth clients of a removed member stay revoked after the user joins again', async () => {
  const owner = await newOwner();
  const { organizationId, subjectId: userId } = owner;
  const other = { ...owner, subjectId: newId('usr', runtime.clock.now()) };
  const key = await newKey(owner);
  const token = await tokenOf(await newClient(owner));
  const remove = () => call(runtime, removeMember, other, { path: { user_id: userId } });

  // The removal dies after its decision. Authentication refuses by the record of the organization.
  const organization = openTable(runtime, 'organizations');
  const record = { pk: `ORG#${organizationId}`, sk: 'ORGANIZATION' };
  await organization.update(record, { exclude: { members: [userId], owners: [userId] }, add: { members_revision: 1 } });
  for (const bearer of [key.token, token]) assert.equal(await refusalOf(bearer), 'key_revoked');

  // The repeat finds no member and completes the revocation.
  assert.equal((await remove()).status, 404);
  await organization.update(record, { include: { members: [userId], owners: [userId] }, add: { members_revision: 1 } });
  for (const bearer of [key.token, token]) assert.equal(await refusalOf(bearer), 'key_revoked');

  const anew = await newKey(owner);
  assert.equal(await refusalOf(anew.token), null);
  assert.equal((await remove()).status, 204);
  assert.equal(await refusalOf(anew.token), 'key_revoked');
});

test('an API key of a former owner cannot manage credentials', async () => {
  const owner = await newOwner();
  const other = { ...owner, subjectId: newId('usr', runtime.clock.now()) };
  const { token } = await newKey(owner);
  await authorize(createApiKey, await callerOf(token), {});
  const path = { user_id: owner.subjectId };
  assert.equal((await call(runtime, updateMember, other, { path, body: { role: 'member' } })).status, 200);
  const caller = await callerOf(token);
  await assert.rejects(authorize(createApiKey, caller, {}), { code: 'owner_required' });
  await authorize(listApiKeys, caller, {});
});

test('a chain of creating credentials has a maximum length and authentication reads it in one batch', async () => {
  const owner = await newOwner();
  let key = await newKey(owner);
  for (let link = 1; link <= 8; link += 1) key = await newKey(await callerOf(key.token));
  const last = await callerOf(key.token);
  assert.equal((await call(runtime, createApiKey, last, { body: { name: 'k' } })).status, 403);
  cloud.faults.arm(null);
  await callerOf(key.token);
  // Reads of the key, of its creators, and of the organization together with the rate limit.
  assert.ok(cloud.faults.count <= 4, `${cloud.faults.count} requests`);
});
