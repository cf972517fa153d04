import assert from 'node:assert/strict';
import { hkdfSync, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createApiKey } from '../../functions/api-keys/create.ts';
import { createFile } from '../../functions/files/create.ts';
import { createIndex } from '../../functions/indexes/create.ts';
import { createInvitation } from '../../functions/invitations/create.ts';
import { createOauthClient } from '../../functions/oauth/create-client.ts';
import { createWebhookEndpoint } from '../../functions/webhooks/create.ts';
import { auditRead } from '../../shared/audit/index.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { openTable } from '../../shared/db/table.ts';
import { idempotencyUse } from '../../shared/idempotency/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { unseal } from '../../shared/kernel/seal.ts';
import type { TableName } from '../../shared/kernel/names.ts';
import { usageWrite } from '../../shared/usage/index.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { answerOf, person } from '../support/call.ts';
import { assertIdempotentCreation } from '../support/idempotent-creation.ts';
import { putOrganization } from '../support/organization.ts';
import { putReadyIndex } from '../support/ready-index.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

/** Maximum concurrent repeats, for responses with a secret or side effects elsewhere. */
const some = 10;
const many = process.env['FAULT_STEP'] === undefined ? 30 : 100;

/** Stride of the requests at which a run dies. `npm run test:faults` uses all of them, and more repeats. */
const step = Number(process.env['FAULT_STEP'] ?? 43);

const owner = (): Principal => person(newId('org', cloud.runtime.clock.now()), 'owner');

interface Post {
  readonly caller: Principal;
  readonly key: string;
  readonly body: unknown;
  readonly path?: Readonly<Record<string, string>>;
}

const post = (endpoint: Endpoint, { caller, key, body, path }: Post) =>
  answerOf(cloud.runtime, endpoint, caller, { path, body, idempotencyKey: key });

const itemsUnder = async (table: TableName, pk: string, prefix: string): Promise<number> =>
  openTable(cloud.runtime, table).count(pk, { prefix });

interface Scenario {
  readonly endpoint: Endpoint;
  /** Concurrent requests after the one that died. */
  readonly repeats: number;
  readonly body: unknown;
  /** Creates the preconditions and returns the path parameters. */
  readonly arrange: (caller: Principal) => Promise<Readonly<Record<string, string>>>;
  /** Counts the resources afterwards. */
  readonly count: (caller: Principal, path: Readonly<Record<string, string>>) => Promise<number>;
}

const noPath = () => Promise.resolve({});

/** Counts the log messages that create an index. */
const creations = async (indexId: string): Promise<number> =>
  (await cloud.bodies('log')).filter((body) => (body as { index_id: string }).index_id === indexId).length;

const scenarios: readonly Scenario[] = [
  {
    endpoint: createApiKey,
    repeats: many,
    body: { name: 'once' },
    arrange: noPath,
    count: ({ organizationId }) => itemsUnder('credentials', `ORG#${organizationId}`, 'KEY#'),
  },
  {
    endpoint: createWebhookEndpoint,
    repeats: some,
    body: { url: 'https://example.com/hook' },
    arrange: noPath,
    count: ({ organizationId }) => itemsUnder('webhooks', `ORG#${organizationId}`, 'we_'),
  },
  {
    endpoint: createOauthClient,
    repeats: some,
    body: { name: 'once' },
    arrange: noPath,
    count: ({ organizationId }) => itemsUnder('credentials', `ORG#${organizationId}`, 'CLIENT#'),
  },
  {
    endpoint: createInvitation,
    repeats: some,
    body: { email: 'guest@example.com' },
    arrange: async ({ organizationId }) => {
      await putOrganization(cloud.runtime, organizationId, {
        members: new Set(['usr_test']),
        owners: new Set(['usr_test']),
        members_revision: 1,
      });
      return {};
    },
    count: ({ organizationId }) => itemsUnder('organizations', `ORG#${organizationId}`, 'INVITE#'),
  },
  {
    endpoint: createIndex,
    repeats: some,
    body: { name: 'once' },
    arrange: noPath,
    count: async ({ organizationId }) => {
      const { items } = await openTable(cloud.runtime, 'indexes').query(`ORG#${organizationId}`, { prefix: 'idx_' });
      assert.equal(await creations(items[0]?.sk ?? ''), 1, 'the log contains its creation once');
      return items.length;
    },
  },
  {
    endpoint: createFile,
    repeats: some,
    body: { filename: 'a.txt', content_type: 'text/plain' },
    arrange: async (caller) => ({ index_id: await putReadyIndex(cloud.runtime, caller.organizationId) }),
    count: async ({ organizationId }, path) => {
      const usage = makeDeps({ usage: usageWrite }, cloud.runtime).usage;
      const jobs = await itemsUnder('files', `INDEX#${organizationId}#${path['index_id'] ?? ''}`, 'job_');
      const month = cloud.runtime.clock.now().toISOString().slice(0, 7);
      assert.equal(await usage.fileJobs(organizationId, month), jobs, 'each job is taken from the allowance once');
      return jobs;
    },
  },
];

/** Outcomes of the changes that the audit log contains. */
const outcomes = async ({ organizationId }: Principal) => {
  const { audit } = makeDeps({ audit: auditRead }, cloud.runtime);
  const { records } = await audit.page(organizationId, {}, { limit: 10, after: null });
  return records.map(({ outcome }) => outcome);
};

describe('a request with an Idempotency-Key', { concurrency: false }, () => {
  for (const { endpoint, repeats, body, arrange, count } of scenarios) {
    it(`creates one resource and returns ${repeats} equal responses after a run died at any request: ${endpoint.id}`, async (t) => {
      const check = async (...made: Parameters<typeof count>) => {
        assert.equal(await count(...made), 1);
        if (endpoint.audit !== undefined) assert.deepEqual(await outcomes(made[0]), ['succeeded']);
      };
      const points = await assertIdempotentCreation({
        cloud,
        endpoint,
        body,
        repeats,
        step,
        newCaller: owner,
        arrange,
        check,
      });
      t.diagnostic(`${points} crash points`);
    });
  }

  it('returns the stored response even if the request would be refused now', async () => {
    const attempt = {
      caller: owner(),
      key: randomUUID(),
      body: { name: 'brief', expires_at: new Date(cloud.runtime.clock.now().getTime() + 60_000).toISOString() },
    };
    const first = await post(createApiKey, attempt);
    assert.equal(first.statusCode, 201);
    cloud.advance(3600);
    const again = await post(createApiKey, attempt);
    assert.deepEqual([again.statusCode, again.body], [201, first.body]);
    assert.equal((await post(createApiKey, { ...attempt, key: randomUUID() })).statusCode, 422);
  });

  it('releases its key after a 422', async () => {
    const expiring = (seconds: number) => ({
      name: 'brief',
      expires_at: new Date(cloud.runtime.clock.now().getTime() + seconds * 1000).toISOString(),
    });
    const attempt = { caller: owner(), key: randomUUID() };
    assert.equal((await post(createApiKey, { ...attempt, body: expiring(-60) })).statusCode, 422);
    const mended = { ...attempt, body: expiring(60) };
    const made = await post(createApiKey, mended);
    assert.equal(made.statusCode, 201, made.body);
    assert.deepEqual((await post(createApiKey, mended)).body, made.body);
    assert.equal((await post(createApiKey, { ...attempt, body: expiring(-60) })).statusCode, 409);
  });

  it('does not release a key that another run or another request uses', async () => {
    const { idempotency } = makeDeps({ idempotency: idempotencyUse }, cloud.runtime);
    const request = { caller: owner(), endpointId: 'test', key: randomUUID(), request: 'one' };
    const other = { ...request, request: 'other' };
    const begin = async (asked: typeof request) => {
      const begun = await idempotency.begin(asked);
      assert.ok('idempotency' in begun);
      return begun;
    };
    const first = await begin(request);
    await first.release();
    const next = await begin(other);
    await first.release();
    const second = await begin(other);
    assert.equal(second.idempotency.id('key'), next.idempotency.id('key'));
    await next.release();
    await second.release();
    await assert.rejects(idempotency.begin(request), { code: 'idempotency_conflict' });
    const response = { statusCode: 201, body: '{}' };
    await second.store(response);
    assert.deepEqual(await idempotency.begin(other), response);
  });

  it('returns 409 for another body, expires after a day, and stores neither key nor response in plain text', async () => {
    const caller = owner();
    const key = 'order-4711';
    const first = await post(createApiKey, { caller, key, body: { name: 'one' } });
    const { token } = JSON.parse(first.body) as { token: string };
    const other = await post(createApiKey, { caller, key, body: { name: 'two' } });
    assert.deepEqual([other.statusCode, JSON.parse(other.body).code], [409, 'idempotency_conflict']);
    const [stored] = (await openTable(cloud.runtime, 'idempotency').query(`ORG#${caller.organizationId}`)).items;
    assert.ok(stored !== undefined);
    assert.ok(!JSON.stringify(stored).includes(token) && !JSON.stringify(stored).includes(key));
    // The caller's key alone, which others may guess, does not decrypt it.
    const secret = Buffer.from(
      hkdfSync('sha256', key, Buffer.from(stored['salt'] as string, 'base64'), 'idempotency', 32),
    );
    for (const name of ['answer', 'seed'] as const)
      assert.throws(() => unseal((stored[name] as string).slice('sealed1:'.length), secret, stored.sk));
    cloud.advance(24 * 3600 + 1);
    const later = await post(createApiKey, { caller, key, body: { name: 'two' } });
    assert.equal(later.statusCode, 201);
    assert.notEqual(JSON.parse(later.body).token, token);
  });
});
