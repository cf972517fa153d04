import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createWebhookEndpoint } from '../../functions/webhooks/create.ts';
import { deleteWebhookEndpoint } from '../../functions/webhooks/delete.ts';
import { listWebhookEndpoints } from '../../functions/webhooks/list.ts';
import { updateWebhookEndpoint } from '../../functions/webhooks/update.ts';
import { type IdempotencyContext, seededIdempotencyContext } from '../../shared/http/idempotency.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { plans } from '../../shared/kernel/plans.ts';
import { createEndpoint, signingSecrets, webhooksWrite } from '../../shared/webhooks/index.ts';
import { answerOf, call, person } from '../support/call.ts';
import { changeLimits } from '../support/plan-limits.ts';
import { Cloud, type Fault } from '../support/emulated-cloud.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const strict = { ...cloud.runtime, config: { ...cloud.runtime.config, allowLocalWebhooks: false } };
const newOwner = () => person(newId('org', new Date()), 'owner');

type Shown = Readonly<Record<string, unknown>>;
const shown = (answer: { body: unknown }): Shown => answer.body as Shown;
const problems = (answer: { body: unknown }) =>
  (answer.body as { detail: { loc: unknown[]; type: string }[] }).detail.map(({ loc, type }) => [loc.join('.'), type]);

test('an owner creates, lists, updates, pauses and deletes webhook endpoints, and the secret is returned once', async () => {
  const owner = newOwner();
  const body = { url: 'https://example.com/hook', event_types: ['index.created'], description: 'ours' };
  const created = await call(strict, createWebhookEndpoint, owner, { body });
  assert.equal(created.status, 201);
  const { secret, ...endpoint } = shown(created);
  assert.match(String(secret), /^whsec_/);
  assert.match(String(endpoint['id']), /^we_[0-9a-z]{26}$/);
  const { created_at, updated_at, id, ...rest } = endpoint;
  assert.equal(created_at, updated_at);
  assert.deepEqual(rest, { ...body, enabled: true, disabled_reason: null, failing_since: null });

  const path = { endpoint_id: String(id) };
  cloud.advance(5);
  const change = { url: 'https://example.org/', event_types: null, description: null, enabled: false };
  const changed = await call(strict, updateWebhookEndpoint, owner, { path, body: change });
  assert.equal(changed.status, 200);
  const expected = {
    ...endpoint,
    ...change,
    disabled_reason: 'paused',
    updated_at: cloud.runtime.clock.now().toISOString(),
  };
  assert.deepEqual(shown(changed), expected);
  assert.deepEqual((await call(strict, listWebhookEndpoints, owner)).body, [expected]);
  const resumed = await call(strict, updateWebhookEndpoint, owner, { path, body: { enabled: true } });
  assert.deepEqual(shown(resumed), { ...expected, enabled: true, disabled_reason: null });

  const twice = { event_types: ['index.updated', 'index.created', 'index.updated'] };
  const named = await call(strict, updateWebhookEndpoint, owner, { path, body: twice });
  assert.deepEqual(shown(named)['event_types'], ['index.updated', 'index.created']);
  const another = await call(strict, createWebhookEndpoint, owner, { body: { ...body, ...twice } });
  assert.deepEqual(shown(another)['event_types'], ['index.updated', 'index.created']);

  const other = newOwner();
  for (const stranger of [other, newOwner()]) {
    assert.equal((await call(strict, updateWebhookEndpoint, stranger, { path, body: { enabled: false } })).status, 404);
    assert.equal((await call(strict, deleteWebhookEndpoint, stranger, { path })).status, 404);
    assert.deepEqual((await call(strict, listWebhookEndpoints, stranger)).body, []);
  }
  assert.deepEqual(await call(strict, deleteWebhookEndpoint, owner, { path }), { status: 204, body: null });
  assert.equal((await call(strict, deleteWebhookEndpoint, owner, { path })).status, 404);
});

test('only an owner manages webhook endpoints', async () => {
  const organizationId = newId('org', new Date());
  const key = { ...person(organizationId, 'owner'), kind: 'api_key', role: null } as const;
  for (const caller of [person(organizationId, 'member'), key]) {
    for (const endpoint of [
      createWebhookEndpoint,
      listWebhookEndpoints,
      updateWebhookEndpoint,
      deleteWebhookEndpoint,
    ]) {
      const answer = await call(strict, endpoint, caller, {
        path: { endpoint_id: newId('we', new Date()) },
        body: { url: 'https://example.com' },
      });
      assert.deepEqual([answer.status, shown(answer)['code']], [403, 'owner_required']);
    }
  }
});

test('every problem of a webhook endpoint body is reported, and local URLs are accepted only if they are allowed', async () => {
  const owner = newOwner();
  const create = (body: unknown, runtime = strict) => call(runtime, createWebhookEndpoint, owner, { body });
  const bad = await create({ url: 'http://example.com', event_types: ['index.deleted', 7], description: 1 });
  assert.equal(bad.status, 422);
  assert.deepEqual(
    problems(bad).map(([place]) => place),
    ['body.url', 'body.event_types.0', 'body.event_types.1', 'body.description'],
  );
  assert.deepEqual(problems(await create({})), [['body.url', 'missing']]);
  assert.deepEqual(problems(await create({ url: 7 })), [['body.url', 'string_type']]);
  assert.deepEqual(problems(await create({ url: 'https://example.com', event_types: [] })), [
    ['body.event_types', 'too_short'],
  ]);
  assert.deepEqual(problems(await create({ url: `https://example.com/${'x'.repeat(2_100)}` })), [
    ['body.url', 'string_too_long'],
  ]);
  for (const url of [
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://localhost/',
    'http://localhost:1/',
    'https://intranet/',
    'nonsense',
  ]) {
    assert.deepEqual(problems(await create({ url })), [['body.url', 'value_error']], url);
  }
  const local = { url: 'http://localhost:1/', event_types: [] };
  assert.deepEqual(problems(await create(local)), [
    ['body.event_types', 'too_short'],
    ['body.url', 'value_error'],
  ]);
  const update = { path: { endpoint_id: newId('we', new Date()) }, body: { ...local, enabled: 'no' } };
  assert.deepEqual(problems(await call(strict, updateWebhookEndpoint, owner, update)), [
    ['body.event_types', 'too_short'],
    ['body.enabled', 'bool_type'],
    ['body.url', 'value_error'],
  ]);
  assert.equal((await create({ url: 'http://localhost:1/' }, cloud.runtime)).status, 201);
  assert.equal((await create({ url: 'http://10.0.0.1/' }, cloud.runtime)).status, 422);
});

test('webhook endpoints are paginated, newest first, and an invalid cursor is refused', async () => {
  const owner = newOwner();
  const ids: unknown[] = [];
  for (let nth = 0; nth < 5; nth += 1) {
    cloud.advance(1);
    ids.unshift(
      shown(await call(strict, createWebhookEndpoint, owner, { body: { url: 'https://example.com' } }))['id'],
    );
  }
  const pages: unknown[][] = [];
  let cursor: string | undefined;
  do {
    const query: Record<string, string> = { limit: '2', ...(cursor === undefined ? {} : { cursor }) };
    const { headers, body } = await answerOf(strict, listWebhookEndpoints, owner, { query });
    pages.push((JSON.parse(body) as { id: string }[]).map(({ id }) => id));
    cursor = headers['x-next-cursor'];
  } while (cursor !== undefined);
  assert.deepEqual(pages, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  for (const limit of ['0', 'x', '1001']) {
    assert.equal((await call(strict, listWebhookEndpoints, owner, { query: { limit } })).status, 422, limit);
  }
});

test('the plan limits the number of webhook endpoints, also for concurrent requests', async () => {
  const owner = newOwner();
  const limit = plans.developer.limits.webhook_endpoints;
  const create = () => call(strict, createWebhookEndpoint, owner, { body: { url: 'https://example.com' } });
  const answers = await Promise.all(Array.from({ length: limit + 5 }, create));
  const told = (status: number) => answers.filter((answer) => answer.status === status).length;
  assert.deepEqual([told(201), told(402)], [limit, 5]);
  const refused = await create();
  assert.equal(refused.status, 402);
  const { code, limit: shownLimit, current } = shown(refused);
  assert.deepEqual([code, shownLimit, current], ['plan_limit_reached', limit, limit]);
  assert.equal(((await call(strict, listWebhookEndpoints, owner)).body as unknown[]).length, limit);
});

test('a creation of a webhook endpoint that dies at any request leaves the endpoint or nothing', async (context) => {
  changeLimits(context)({ webhook_endpoints: 1 });
  const deps = makeDeps({ webhooks: webhooksWrite, secrets: signingSecrets }, cloud.runtime);
  const newCreation = (seed: number) => seededIdempotencyContext(cloud.runtime.clock.now(), Buffer.alloc(32, seed));
  /** Returns the id of the created endpoint, or the error code. */
  const create = async (organizationId: string, idempotency: IdempotencyContext): Promise<string> => {
    const body = { url: 'https://example.com', event_types: null, description: null };
    try {
      return (await createEndpoint(deps, { organizationId, plan: 'developer' }, body, idempotency)).id;
    } catch (error) {
      return error instanceof AppError ? error.code : 'died';
    }
  };
  const scenario = async (fault: Fault | null): Promise<number> => {
    const { organizationId } = newOwner();
    const listed = async () => (await deps.webhooks.list(organizationId)).map(({ id }) => id);
    const story = JSON.stringify(fault);
    const idempotency = newCreation(1);
    cloud.faults.arm(fault);
    const first = await create(organizationId, idempotency);
    const requests = cloud.faults.count;
    cloud.faults.arm(null);
    const [seen] = await listed();
    if (first !== 'died') assert.equal(seen, first, story);
    cloud.advance(7_200);
    const second = await create(organizationId, newCreation(2));
    const repeated = await create(organizationId, idempotency);
    // A repeat of the first request gets its endpoint if it was created, else a plan limit error.
    const expected = seen === undefined ? [second, 'plan_limit_reached'] : ['plan_limit_reached', seen];
    assert.deepEqual([second, repeated], expected, story);
    assert.deepEqual(await listed(), [seen ?? second], story);
    return requests;
  };
  const requests = await scenario(null);
  assert.ok(requests >= 3);
  for (let request = 1; request <= requests; request += 1)
    for (const kind of ['not applied', 'reply lost'] as const) await scenario({ request, kind });
});
