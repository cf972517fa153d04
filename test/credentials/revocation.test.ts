import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { listApiKeys } from '../../functions/api-keys/list.ts';
import { issueAccessToken } from '../../functions/oauth/issue-token.ts';
import {
  authenticationUses,
  authenticator,
  credentialsWrite,
  newToken,
  oauthClientsWrite,
} from '../../shared/credentials/index.ts';
import { openTable } from '../../shared/db/table.ts';
import { handleEndpoint } from '../../shared/http/handle.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { plans } from '../../shared/kernel/plans.ts';
import { call, person } from '../support/call.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { putOrganization } from '../support/organization.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const { runtime } = cloud;
const { keys, clients } = makeDeps({ keys: credentialsWrite, clients: oauthClientsWrite }, runtime);
const authenticate = authenticator(makeDeps(authenticationUses, runtime), runtime.clock);
const now = (): string => runtime.clock.now().toISOString();

const newOrganization = async (): Promise<string> => {
  const id = newId('org', runtime.clock.now());
  await putOrganization(runtime, id);
  return id;
};

const described = (organizationId: string, prefix: 'key' | 'oc') => ({
  id: newId(prefix, runtime.clock.now()),
  organizationId,
  name: 'test',
  prefix: 'svc_',
  indexIds: null,
  bounds: null,
  limits: null,
  revokedAt: null,
  createdAt: now(),
  creators: [],
});

const newClient = (organizationId: string) => ({
  client: { ...described(organizationId, 'oc'), scopes: ['read', 'write'] as const },
  secret: newToken('client_secret', randomBytes(32)),
});

const newKey = (organizationId: string) => ({
  key: { ...described(organizationId, 'key'), permissions: ['read'] as const, expiresAt: null },
  token: newToken('api_key', randomBytes(32)),
});

/** Returns the response of the token endpoint to a client. */
const exchange = async (client: { readonly id: string }, secret: string) => {
  const unused = () => Promise.reject(new Error('the token endpoint authenticates by itself'));
  const handler = handleEndpoint(issueAccessToken, {
    runtime,
    authenticate: unused,
    idempotency: null,
    audit: null,
    authorize: unused,
    resolvePath: unused,
  });
  const event = {
    rawPath: issueAccessToken.path,
    requestContext: { requestId: 'gateway' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `grant_type=client_credentials&client_id=${client.id}&client_secret=${secret}`,
    isBase64Encoded: false,
  };
  // The adapter reads no other field of the event and none of the context.
  const { statusCode, headers, body } = await handler(event as unknown as APIGatewayProxyEventV2, {} as Context);
  return { status: statusCode, headers, body: JSON.parse(body) as Readonly<Record<string, unknown>> };
};

const tokenOf = async (client: { readonly id: string }, secret: string): Promise<string> =>
  String((await exchange(client, secret)).body['access_token']);

/** Returns the error code, or the kind of the caller. */
const standing = async (bearer: string): Promise<string> => {
  try {
    const { caller } = await authenticate({ bearer, organizationId: null }, ['requests']);
    return caller.kind;
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
};

test('an access token is valid for exactly one hour and returns token_expired for a day afterwards', async () => {
  const { client, secret } = newClient(await newOrganization());
  await clients.add(client, secret);
  const token = await tokenOf(client, secret);
  assert.deepEqual((await authenticate({ bearer: token, organizationId: null }, ['requests'])).caller, {
    organizationId: client.organizationId,
    plan: 'developer',
    kind: 'access_token',
    subjectId: client.id,
    creators: [],
    permissions: ['read', 'write'],
    indexIds: null,
    bounds: null,
    limits: null,
    expiresAt: null,
    role: null,
    creatorRole: null,
    credentialHash: createHash('sha256').update(token).digest('hex'),
    email: null,
  });
  cloud.advance(3599.999);
  assert.equal(await standing(token), 'access_token');
  cloud.advance(0.001);
  assert.equal(await standing(token), 'token_expired');
  const hash = createHash('sha256').update(token).digest('hex');
  const kept = await openTable(runtime, 'credentials').get({ pk: `HASH#${hash}`, sk: 'CREDENTIAL' });
  assert.equal(kept?.['expires_at_epoch'], Math.ceil(runtime.clock.now().getTime() / 1000) + 86_400);
  assert.equal(await standing(await tokenOf(client, secret)), 'access_token');
  await clients.revoke(client.organizationId, client.id, now());
  assert.equal(await standing(token), 'key_revoked');
});

test('a revocation that dies at any request is completed by its repeat', async () => {
  const organizationId = await newOrganization();
  for (const kind of ['not applied', 'reply lost'] as const) {
    for (let request = 1; request <= 4; request += 1) {
      const { client, secret } = newClient(organizationId);
      await clients.add(client, secret);
      const token = await tokenOf(client, secret);
      const revoke = () => clients.revoke(organizationId, client.id, now());
      cloud.faults.arm({ request, kind });
      await assert.rejects(revoke(), `${kind} at ${request}`);
      cloud.faults.arm(null);
      assert.equal(await revoke(), true);
      const { clients: listed } = await clients.list(organizationId, { limit: 1, after: null });
      assert.deepEqual([listed[0]?.id, listed[0]?.revokedAt], [client.id, now()]);
      assert.equal(await standing(token), 'key_revoked');
      await clients.add(client, secret);
      assert.equal((await exchange(client, secret)).status, 401);
      // Ids of one millisecond are not ordered.
      cloud.advance(0.001);
    }
  }
});

test('a client or an API key that was revoked stays revoked if its creation is repeated', async () => {
  const organizationId = await newOrganization();
  const { client, secret } = newClient(organizationId);
  cloud.faults.arm({ request: 2, kind: 'not applied' });
  await assert.rejects(clients.add(client, secret));
  cloud.faults.arm(null);
  assert.equal((await exchange(client, secret)).body['error'], 'invalid_client');
  assert.equal(await clients.revoke(organizationId, client.id, now()), true);
  await clients.add(client, secret);
  assert.equal((await exchange(client, secret)).body['error'], 'invalid_client');

  const { key, token } = newKey(organizationId);
  assert.equal(await keys.addKey(key, token, 'sealed', 1), 'added');
  const other = newKey(organizationId);
  assert.equal(await keys.addKey(other.key, other.token, 'sealed', 1), 1);
  assert.equal(await keys.revokeKey(organizationId, key.id, now()), true);
  assert.equal(await keys.addKey(key, token, 'sealed', 2), 'exists');
  assert.equal(await standing(token), 'key_revoked');
  // A revoked key makes room.
  assert.equal(await keys.addKey(other.key, other.token, 'sealed', 1), 'added');
});

test('an API key is listed and active, or neither, wherever its creation dies', async () => {
  for (const kind of ['not applied', 'reply lost'] as const) {
    const organizationId = await newOrganization();
    const first = newKey(organizationId);
    assert.equal(await keys.addKey(first.key, first.token, 'sealed', 2), 'added');
    const { key, token } = newKey(organizationId);
    cloud.faults.arm({ request: 1, kind });
    await assert.rejects(keys.addKey(key, token, 'sealed', 2));
    cloud.faults.arm(null);
    const isThere = kind === 'reply lost';
    assert.equal(await standing(token), isThere ? 'api_key' : 'unauthenticated');
    assert.equal(await keys.addKey(key, token, 'sealed', 2), isThere ? 'exists' : 'added');
    assert.equal(await keys.addKey(newKey(organizationId).key, 'other', 'sealed', 2), 2);
    assert.equal(await standing(token), 'api_key');
  }
});

test('recently valid credentials are read concurrently with the rate limit check and checked again', async () => {
  const organizationId = await newOrganization();
  const { key, token } = newKey(organizationId);
  assert.equal(await keys.addKey(key, token, 'sealed', 100), 'added');
  const counted = async (): Promise<unknown> => {
    const minute = Math.floor(runtime.clock.now().getTime() / 60_000);
    return (await openTable(runtime, 'usage').get({ pk: `RATE#${organizationId}#0`, sk: String(minute) }))?.[
      'requests'
    ];
  };
  const requests = async (): Promise<number> => {
    cloud.faults.arm(null);
    await authenticate({ bearer: token, organizationId: null }, ['requests']).then(({ end }) => end());
    return cloud.faults.count;
  };
  // Waits for the start of a minute, so the following requests count in one minute.
  cloud.advance(60.001 - ((runtime.clock.now().getTime() / 1000) % 60));
  // The first one also stores when the key was last used.
  assert.equal(await requests(), 4);
  assert.equal(await requests(), 2);
  assert.equal(await counted(), 2);
  assert.equal(await keys.revokeKey(organizationId, key.id, now()), true);
  assert.equal(await standing(token), 'key_revoked');
  assert.equal(await standing(token), 'key_revoked');
  assert.equal(await counted(), 3);
});

test('the list of keys says when a key was last used, which one write in each hour stores', async () => {
  const organizationId = await newOrganization();
  const { key, token } = newKey(organizationId);
  assert.equal(await keys.addKey(key, token, 'sealed', 100), 'added');
  const lastUse = async (): Promise<unknown> => {
    const { body } = await call(runtime, listApiKeys, person(organizationId, 'owner'));
    return (body as readonly { readonly last_used_at: string | null }[])[0]?.last_used_at;
  };
  /** Authenticates in a process, and returns the number of requests to the tables. */
  const use = async (process: typeof authenticate): Promise<number> => {
    cloud.faults.arm(null);
    const { end } = await process({ bearer: token, organizationId: null }, ['requests']);
    await end();
    return cloud.faults.count;
  };
  const other = authenticator(makeDeps(authenticationUses, runtime), runtime.clock);
  const toNextHour = (): void => cloud.advance(3_600.001 - ((runtime.clock.now().getTime() / 1000) % 3_600));
  assert.equal(await lastUse(), null);
  toNextHour();
  assert.deepEqual([await use(authenticate), await use(authenticate)], [4, 2]);
  const first = String(await lastUse());
  assert.equal(first.slice(0, 13), now().slice(0, 13));
  // The write of another process in the same hour changes nothing.
  assert.deepEqual([await use(other), await use(other), await lastUse()], [4, 2, first]);
  toNextHour();
  // A failed write does not fail the request, and the next request stores its use.
  cloud.faults.arm({ request: 4, kind: 'not applied' });
  await authenticate({ bearer: token, organizationId: null }, ['requests']).then(({ end }) => end());
  cloud.faults.arm(null);
  assert.equal(await lastUse(), first);
  await use(authenticate);
  assert.equal(String(await lastUse()).slice(0, 13), now().slice(0, 13));
});

test('an OAuth client gets no access token beyond the rate limit or without the plan feature', async () => {
  const organizationId = await newOrganization();
  const { client, secret } = newClient(organizationId);
  await clients.add(client, secret);
  const { features, rateLimits } = plans.developer;
  const minute = Math.floor(runtime.clock.now().getTime() / 60_000);
  const rate = { pk: `RATE#${organizationId}#0`, sk: String(minute) };
  await openTable(runtime, 'usage').update(rate, { set: { requests: rateLimits.requests } });
  const limited = await exchange(client, secret);
  assert.deepEqual([limited.status, limited.body['code']], [429, 'rate_limited']);
  assert.ok(Number(limited.headers['retry-after']) > 0);
  cloud.advance(60);
  assert.equal((await exchange(client, secret)).status, 200);
  Object.assign(features, { oauth_clients: false });
  const refused = await exchange(client, secret);
  Object.assign(features, { oauth_clients: true });
  assert.deepEqual([refused.status, refused.body['error']], [400, 'unauthorized_client']);
});
