import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { listEvents } from '../../functions/events/list.ts';
import { replayEvents } from '../../functions/events/replay-range.ts';
import { replayOneEvent } from '../../functions/events/replay.ts';
import { relay } from '../../functions/workers/relay/worker.ts';
import { sweep } from '../../functions/workers/sweep/schedule.ts';
import { createWebhookEndpoint } from '../../functions/webhooks/create.ts';
import { listWebhookDeliveries } from '../../functions/webhooks/list-deliveries.ts';
import { listWebhookEndpoints } from '../../functions/webhooks/list.ts';
import { rotateWebhookSecret } from '../../functions/webhooks/rotate-secret.ts';
import { testWebhookEndpoint } from '../../functions/webhooks/send-test.ts';
import { updateWebhookEndpoint } from '../../functions/webhooks/update.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { seededIdempotencyContext } from '../../shared/http/idempotency.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { plans } from '../../shared/kernel/plans.ts';
import { replayRange, replaysWrite, rotateSecret, signingSecrets, webhooksWrite } from '../../shared/webhooks/index.ts';
import { call, person } from '../support/call.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { driveOf, newOrganization } from '../events/support/drive.ts';
import { createEndpointFor } from '../events/support/endpoints.ts';
import { Receiver, verifyWithStock } from '../events/support/receiver.ts';

const cloud = new Cloud();
const { emit, attempt, later, deliveriesOf, eventsOf } = driveOf(cloud);
const receivers: Receiver[] = [];
before(() => cloud.start());
after(async () => {
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await cloud.stop();
});

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
type Shown = any;

const ask = async (
  endpoint: Endpoint,
  organizationId: string,
  request: Parameters<typeof call>[3] = {},
  role: 'owner' | 'member' = 'owner',
): Promise<{ status: number; body: Shown }> =>
  await call(cloud.runtime, endpoint, person(organizationId, role), request);

/** Endpoint of an organization with its receiver. */
const newEndpoint = async (organizationId: string, fields: object = {}, receiver = new Receiver()) => {
  receivers.push(receiver);
  const { id, secret } = await createEndpointFor(cloud.runtime, organizationId, {
    url: await receiver.start(),
    ...fields,
  });
  return { id, secret, receiver, path: { endpoint_id: id } };
};

/** Returns the body that the standard verifier accepts at the time of the cloud; null if it refuses the request. */
const verified = (
  { mock }: TestContext,
  secret: string,
  request: Parameters<typeof verifyWithStock>[1] | undefined,
): Shown => {
  assert.ok(request !== undefined);
  mock.timers.enable({ apis: ['Date'], now: cloud.runtime.clock.now() });
  try {
    return verifyWithStock(secret, request);
  } catch {
    return null;
  } finally {
    mock.timers.reset();
  }
};

test('a webhook endpoint without a URL is refused with one problem', async () => {
  const { status, body } = await ask(createWebhookEndpoint, newOrganization(), { body: { url: '' } });
  assert.deepEqual([status, body.detail.map(({ type }: Shown) => type)], [422, ['string_too_short']]);
});

test('for a day after a rotation, deliveries verify with the new secret and every replaced one', async (t) => {
  const organizationId = newOrganization();
  const { receiver, secret: first, path } = await newEndpoint(organizationId);
  const rotate = async () => (await ask(rotateWebhookSecret, organizationId, { path })).body;
  /** Returns the secrets that the standard verifier accepts for the next event, at the time of the cloud. */
  const accepted = async (secrets: readonly string[]) => {
    await emit(organizationId);
    await attempt();
    return secrets.map((secret) => verified(t, secret, receiver.received.at(-1)) !== null);
  };
  assert.deepEqual(await accepted([first]), [true]);
  const rotated = await rotate();
  const second: string = rotated.secret;
  assert.match(second, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const dayLater = new Date(cloud.runtime.clock.now().getTime() + 86_400_000).toISOString();
  assert.equal(rotated.previous_secret_expires_at, dayLater);
  assert.deepEqual(await accepted([first, second]), [true, true]);
  cloud.advance(43_200);
  const third: string = (await rotate()).secret;
  assert.deepEqual(await accepted([first, second, third]), [true, true, true]);
  cloud.advance(43_201);
  assert.deepEqual(await accepted([first, second, third]), [false, true, true]);
  cloud.advance(43_201);
  assert.deepEqual(await accepted([first, second, third]), [false, false, true]);

  for (let more = 0; more < 4; more += 1) assert.notEqual((await rotate()).secret, undefined);
  assert.equal((await rotate()).code, 'conflict');
  const listed = await ask(listWebhookEndpoints, organizationId);
  assert.ok(!JSON.stringify(listed.body).includes('whsec_'));
  assert.equal((await ask(rotateWebhookSecret, newOrganization(), { path })).status, 404);
});

test('a rotation with one Idempotency-Key creates one secret, also for a hundred concurrent repeats', async () => {
  const organizationId = newOrganization();
  const { id } = await newEndpoint(organizationId);
  const deps = makeDeps({ webhooks: webhooksWrite, secrets: signingSecrets }, cloud.runtime);
  const { webhooks } = deps;
  const idempotency = (seed: number) => seededIdempotencyContext(cloud.runtime.clock.now(), Buffer.alloc(32, seed));
  const first = idempotency(1);
  const answers = await Promise.all(Array.from({ length: 100 }, () => rotateSecret(deps, organizationId, id, first)));
  assert.equal(new Set(answers.map(({ secret }) => secret)).size, 1);
  assert.equal((await webhooks.get(organizationId, id))?.previousSecrets.length, 1);
  cloud.advance(1);
  const second = await rotateSecret(deps, organizationId, id, idempotency(2));
  await assert.rejects(rotateSecret(deps, organizationId, id, first), { code: 'conflict' });
  assert.equal((await webhooks.get(organizationId, id))?.storedSecret, second.storedSecret);
});

test('two consecutive rotations are both valid, even if the clock of the second is minutes behind', async () => {
  const organizationId = newOrganization();
  const { id, secret } = await newEndpoint(organizationId);
  const deps = makeDeps({ webhooks: webhooksWrite, secrets: signingSecrets }, cloud.runtime);
  const rotate = (seed: number, minutesAhead: number) => {
    const at = new Date(cloud.runtime.clock.now().getTime() + minutesAhead * 60_000);
    return rotateSecret(deps, organizationId, id, seededIdempotencyContext(at, Buffer.alloc(32, seed)));
  };
  const [first, second] = [await rotate(1, 10), await rotate(2, -10)];
  const kept = await deps.webhooks.get(organizationId, id);
  assert.ok(kept !== null);
  const open = (stored: string) => deps.secrets.open(kept, stored);
  assert.equal(await open(kept.storedSecret), second.secret);
  const previous = await Promise.all(kept.previousSecrets.map(({ secret: stored }) => open(stored)));
  assert.deepEqual(previous, [first.secret, secret]);
});

test('a test message is sent to one endpoint of any subscription, retried and logged, but is not in the history', async (t) => {
  const organizationId = newOrganization();
  const answer = new Receiver((response, nth) => response.writeHead(nth === 1 ? 500 : 200).end());
  const { id, path, secret, receiver } = await newEndpoint(organizationId, { event_types: ['index.updated'] }, answer);
  const other = await newEndpoint(organizationId);
  const sent = await ask(testWebhookEndpoint, organizationId, { path });
  assert.deepEqual([sent.status, sent.body.status, sent.body.trigger], [202, 'pending', 'test']);
  await attempt();
  await later(10);
  assert.deepEqual([receiver.received.length, other.receiver.received.length], [2, 0]);
  const [first, second] = receiver.received;
  assert.ok(first !== undefined && second !== undefined);
  assert.deepEqual([first.body, first.headers['hook-id']], [second.body, sent.body.event_id]);
  const { created_at, ...envelope } = verified(t, secret, first);
  assert.equal(created_at, sent.body.created_at);
  assert.deepEqual(envelope, { type: 'webhook.test', organization_id: organizationId, data: { endpoint: { id } } });
  assert.deepEqual(await eventsOf(organizationId), []);
  const log = await ask(listWebhookDeliveries, organizationId, { path });
  assert.equal(log.body[0].id, sent.body.id);
  assert.deepEqual(
    log.body[0].attempts.map(({ status_code }: Shown) => status_code),
    [500, 200],
  );
  assert.equal((await ask(testWebhookEndpoint, newOrganization(), { path })).status, 404);
  await ask(updateWebhookEndpoint, organizationId, { path, body: { enabled: false } });
  assert.deepEqual((await ask(testWebhookEndpoint, organizationId, { path })).body.code, 'conflict');
});

test('the delivery log lists each attempt, paginated and newest delivery first', async () => {
  const organizationId = newOrganization();
  const answer = new Receiver((response, nth) => response.writeHead(nth === 1 ? 503 : 204).end());
  const { path } = await newEndpoint(organizationId, {}, answer);
  const ids: string[] = [];
  for (let nth = 0; nth < 5; nth += 1) {
    cloud.advance(1);
    ids.unshift(await emit(organizationId));
    await attempt();
  }
  const page = await ask(listWebhookDeliveries, organizationId, { path, query: { limit: '3' } });
  assert.deepEqual(
    page.body.map(({ event_id }: Shown) => event_id),
    ids.slice(0, 3),
  );
  const whole = (await ask(listWebhookDeliveries, organizationId, { path })).body;
  assert.equal(whole.length, 5);
  const { id, created_at, attempts, next_attempt_at, ...oldest } = whole[4];
  assert.match(id, /^dlv_/);
  assert.deepEqual(oldest, { event_id: ids[4], event_type: 'index.created', trigger: 'event', status: 'pending' });
  assert.ok(next_attempt_at > created_at);
  const [{ duration_ms, at, ...first }] = attempts;
  assert.deepEqual(first, { attempt: 1, status_code: 503, error: null });
  assert.ok(Number.isInteger(duration_ms) && at >= created_at);
  assert.deepEqual([whole[0].status, whole[0].next_attempt_at], ['delivered', null]);
  assert.equal((await ask(listWebhookDeliveries, newOrganization(), { path })).status, 404);
  assert.equal((await ask(listWebhookDeliveries, organizationId, { path }, 'member')).status, 403);
});

test('a replay keeps id and body, has a new timestamp, and is sent to the requested endpoints', async (t) => {
  const organizationId = newOrganization();
  const [all, updates, paused] = [
    await newEndpoint(organizationId),
    await newEndpoint(organizationId, { event_types: ['index.updated'] }),
    await newEndpoint(organizationId),
  ];
  await ask(updateWebhookEndpoint, organizationId, { path: paused.path, body: { enabled: false } });
  const event_id = await emit(organizationId);
  await attempt();
  cloud.advance(100);
  const replay = (body: object, by = organizationId) => ask(replayOneEvent, by, { path: { event_id }, body });
  assert.deepEqual(await replay({}), { status: 202, body: { events: 1, endpoints: 1 } });
  await attempt();
  assert.deepEqual(await replay({ endpoint_id: updates.id }), { status: 202, body: { events: 1, endpoints: 1 } });
  await attempt();
  const counts = [all, updates, paused].map(({ receiver }) => receiver.received.length);
  assert.deepEqual(counts, [2, 1, 0]);
  const [first, second] = all.receiver.received;
  assert.deepEqual([second?.headers['hook-id'], second?.body], [first?.headers['hook-id'], first?.body]);
  assert.equal(Number(second?.headers['hook-timestamp']) - Number(first?.headers['hook-timestamp']), 100);
  assert.notEqual(verified(t, all.secret, second), null);
  assert.equal((await replay({ endpoint_id: paused.id })).body.code, 'conflict');
  assert.equal((await replay({ endpoint_id: 'we_nowhere' })).status, 404);
  assert.equal((await replay({}, newOrganization())).status, 404);
  assert.equal((await ask(replayOneEvent, organizationId, { path: { event_id }, body: {} }, 'member')).status, 403);
  const { body: history } = await ask(listEvents, organizationId);
  assert.equal(history.total, 1);
  for (const { path } of [all, updates])
    await ask(updateWebhookEndpoint, organizationId, { path, body: { enabled: false } });
  assert.deepEqual((await replay({})).body, { events: 0, endpoints: 0 });
  // DynamoDB deletes the event later.
  cloud.advance(plans.developer.limits.event_retention_days * 86_400);
  assert.equal((await replay({})).status, 404);
});

/** Returns the messages that run steps of replays. Others relay records of the audit log. */
const replays = async () => (await cloud.bodies('relay')).filter((body) => Object.hasOwn(body as object, 'replay_id'));

test('a range is replayed completely and once despite lost and repeated messages', async () => {
  const organizationId = newOrganization();
  const [all, updates] = [
    await newEndpoint(organizationId, { event_types: ['index.created', 'index.updated'] }),
    await newEndpoint(organizationId, { event_types: ['index.updated'] }),
  ];
  const times: string[] = [];
  const ids: string[] = [];
  for (let nth = 0; nth < 66; nth += 1) {
    cloud.advance(1);
    times.push(cloud.runtime.clock.now().toISOString());
    ids.push(await emit(organizationId, nth % 2 === 0 ? 'index.created' : 'index.updated'));
  }
  await attempt();
  await later(3);
  assert.deepEqual([all.receiver.received.length, updates.receiver.received.length], [66, 33]);
  for (const { receiver } of [all, updates]) receiver.received.length = 0;

  // From the third event to before the last but one: 62 events in three steps.
  const body = { from: times[3], to: times[65] };
  assert.deepEqual(await ask(replayEvents, organizationId, { body }), {
    status: 202,
    body: { events: 62, endpoints: 2 },
  });
  const [message] = await replays();
  const deps = makeDeps(relay.uses, cloud.runtime);
  const step = () => relay.handle({ deliveries: [{ message, messageId: 'm', attempt: 1 }], deps, run: cloud.run() });
  await Promise.all([step(), step(), step()]);
  await cloud.purge('relay');
  cloud.advance(61);
  await cloud.tick(sweep);
  await cloud.drain(relay);
  await relay.onExhausted({ message, deps, run: cloud.run() });
  await step();
  await attempt();
  await later(3);
  const received = (endpoint: typeof all) =>
    endpoint.receiver.received.map(({ headers }) => String(headers['hook-id'])).toSorted();
  assert.deepEqual(received(all), ids.slice(3, 65).toSorted());
  assert.deepEqual(received(updates), ids.filter((_, nth) => nth >= 3 && nth < 65 && nth % 2 === 1).toSorted());
  assert.equal((await deliveriesOf(organizationId, all.id)).length, 66 + 62);

  const narrowed = { ...body, event_types: ['index.updated'], endpoint_id: all.id };
  const accepted = await ask(replayEvents, organizationId, { body: narrowed });
  assert.deepEqual(accepted.body, { events: 31, endpoints: 1 });
  const ofUpdates = await ask(replayEvents, organizationId, { body: { ...body, endpoint_id: updates.id } });
  assert.deepEqual(ofUpdates.body, { events: 31, endpoints: 1 });
  await cloud.purge('relay');
  const unwanted = { ...body, event_types: ['index.created'], endpoint_id: updates.id };
  assert.deepEqual((await ask(replayEvents, organizationId, { body: unwanted })).body, { events: 0, endpoints: 1 });
  assert.deepEqual(await replays(), [], 'nothing is sent again, so nothing is begun');
  const foreign = await ask(replayEvents, newOrganization(), { body });
  assert.deepEqual(foreign.body, { events: 0, endpoints: 0 });
  assert.equal((await ask(replayEvents, organizationId, { body: { ...body, endpoint_id: 'we_0' } })).status, 404);
  assert.equal((await ask(replayEvents, organizationId, { body: { from: body.to, to: body.from } })).status, 422);
  const otherForm = { from: String(body.from).replace('T', ' '), to: String(body.to).toLowerCase() };
  assert.deepEqual((await ask(replayEvents, organizationId, { body: { ...unwanted, ...otherForm } })).status, 202);
  assert.equal((await ask(replayEvents, organizationId, { body: { from: 'yesterday' } })).body.detail.length, 2);
  const backwards = { from: body.to, to: body.from, event_types: [], endpoint_id: 7 };
  const places = (await ask(replayEvents, organizationId, { body: backwards })).body.detail.map(
    ({ loc }: Shown) => loc[1],
  );
  assert.deepEqual(places.toSorted(), ['endpoint_id', 'event_types', 'to']);
});

test('a replay of more than 10,000 events is refused before anything is sent', async () => {
  const { webhooks, replays } = makeDeps({ webhooks: webhooksWrite, replays: replaysWrite }, cloud.runtime);
  const many = async function* (): AsyncIterable<never> {
    for (let nth = 0; nth <= 10_000; nth += 1) yield {} as never;
  };
  const body = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', event_types: null };
  const idempotency = seededIdempotencyContext(cloud.runtime.clock.now(), Buffer.alloc(32));
  await assert.rejects(
    replayRange({ webhooks, replays, events: { between: many } }, newOrganization(), body, idempotency),
    { name: 'ValidationFailure' },
  );
});
