import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import { replayEvents } from '../../functions/events/replay-range.ts';
import { replayOneEvent } from '../../functions/events/replay.ts';
import { deleteWebhookEndpoint } from '../../functions/webhooks/delete.ts';
import { listWebhookDeliveries } from '../../functions/webhooks/list-deliveries.ts';
import { rotateWebhookSecret } from '../../functions/webhooks/rotate-secret.ts';
import { testWebhookEndpoint } from '../../functions/webhooks/send-test.ts';
import { updateWebhookEndpoint } from '../../functions/webhooks/update.ts';
import { listWebhookEndpoints } from '../../functions/webhooks/list.ts';
import { relay } from '../../functions/workers/relay/worker.ts';
import { openTable } from '../../shared/db/table.ts';
import { eventsRead } from '../../shared/events/index.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { signatureHeaders } from '../../shared/platform/delivery/webhook-signature.ts';
import { deliveryProvider } from '../../shared/webhooks/index.ts';
import { call, person } from '../support/call.ts';
import { putOrganization } from '../support/organization.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { driveOf, newOrganization } from '../events/support/drive.ts';
import { createEndpointFor } from '../events/support/endpoints.ts';
import { builtInHarness, type ProviderHarness, type SvixHarness, svixHarness } from '../events/support/providers.ts';
import { Receiver, type Received, verifyWithStock } from '../events/support/receiver.ts';

const cloud = new Cloud();
const { record, eventsOf } = driveOf(cloud);
const receivers: Receiver[] = [];
const harnesses = new Map<string, ProviderHarness>();
let svix: SvixHarness;

before(async () => {
  await cloud.start();
  svix = await svixHarness(cloud);
  harnesses.set('built in', await builtInHarness(cloud)).set('svix', svix);
});

after(async () => {
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  for (const harness of harnesses.values()) await harness.stop();
  await cloud.stop();
});

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
type Shown = any;

const idsOf = ({ received }: Receiver) => received.map(({ headers }) => String(headers['hook-id']));

/** Returns the envelope that the standard verifier accepts at the time of the cloud. */
const verified = (secret: string, request: Received): Shown => {
  mock.timers.enable({ apis: ['Date'], now: cloud.runtime.clock.now() });
  try {
    return verifyWithStock(secret, request);
  } finally {
    mock.timers.reset();
  }
};

for (const name of ['built in', 'svix']) {
  const harness = (): ProviderHarness => {
    const found = harnesses.get(name);
    assert.ok(found !== undefined);
    return found;
  };

  const ask = async (
    endpoint: Endpoint,
    organizationId: string,
    request: Parameters<typeof call>[3] = {},
  ): Promise<{ status: number; body: Shown }> =>
    await call(harness().runtime, endpoint, person(organizationId, 'owner'), request);

  const newEndpoint = async (organizationId: string, fields: object = {}, receiver = new Receiver()) => {
    receivers.push(receiver);
    const url = await receiver.start();
    const { id, secret } = await createEndpointFor(harness().runtime, organizationId, { url, ...fields });
    return { id, secret, receiver, path: { endpoint_id: id } };
  };

  const log = async (organizationId: string, endpointId: string): Promise<Shown[]> =>
    (await ask(listWebhookDeliveries, organizationId, { path: { endpoint_id: endpointId } })).body;

  const emit = async (organizationId: string, type?: Parameters<typeof record>[1]): Promise<string> => {
    const id = await record(organizationId, type);
    await harness().settle();
    return id;
  };

  describe(`the delivery provider “${name}”`, () => {
    test('sends an event once to each enabled endpoint that subscribes to its type, signed and with its id', async () => {
      const organizationId = newOrganization();
      const all = await newEndpoint(organizationId);
      const some = await newEndpoint(organizationId, { event_types: ['index.updated'] });
      const paused = await newEndpoint(organizationId);
      const foreign = await newEndpoint(newOrganization());
      await ask(updateWebhookEndpoint, organizationId, { path: paused.path, body: { enabled: false } });
      const created = await emit(organizationId);
      cloud.advance(1);
      const updated = await emit(organizationId, 'index.updated');
      await harness().later(61);
      assert.deepEqual(idsOf(all.receiver), [created, updated]);
      assert.deepEqual(idsOf(some.receiver), [updated]);
      assert.deepEqual([...idsOf(paused.receiver), ...idsOf(foreign.receiver)], []);
      const [first] = all.receiver.received;
      assert.ok(first !== undefined);
      assert.equal(
        first.body,
        await makeDeps({ events: eventsRead }, harness().runtime).events.body(organizationId, created),
      );
      assert.equal(verified(all.secret, first).organization_id, organizationId);
      for (const event of await eventsOf(organizationId)) assert.equal(event['status'], 'dispatched');
      const [latest, earliest] = await log(organizationId, all.id);
      assert.deepEqual(
        [latest, earliest].map((delivery: Shown) => [
          delivery.event_id,
          delivery.event_type,
          delivery.trigger,
          delivery.status,
          delivery.next_attempt_at,
          delivery.attempts.map(({ attempt, status_code, error }: Shown) => [attempt, status_code, error]),
        ]),
        [
          [updated, 'index.updated', 'event', 'delivered', null, [[1, 204, null]]],
          [created, 'index.created', 'event', 'delivered', null, [[1, 204, null]]],
        ],
      );
    });

    test('retries a failed delivery with the same id and body until it is accepted', async () => {
      const organizationId = newOrganization();
      const flaky = new Receiver(
        (response, nth) => {
          if (nth === 1) response.writeHead(500).end();
          else if (nth === 2) response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
          else if (nth > 3) response.writeHead(204).end();
        },
        (nth) => nth === 3,
      );
      const { id, secret, receiver } = await newEndpoint(organizationId, {}, flaky);
      const event = await emit(organizationId);
      const [pending] = await log(organizationId, id);
      assert.equal(pending.status, 'pending');
      assert.ok(pending.next_attempt_at > cloud.runtime.clock.now().toISOString());
      for (const seconds of [7, 400, 2_000, 8_000, 20_000]) await harness().later(seconds);
      assert.deepEqual(idsOf(receiver), [event, event, event, event]);
      assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
      const last = receiver.received.at(-1);
      assert.ok(last !== undefined);
      const [delivered] = await log(organizationId, id);
      assert.equal(delivered.status, 'delivered');
      assert.deepEqual(
        delivered.attempts.map(({ status_code, error }: Shown) => error ?? status_code),
        [500, 302, 'timeout', 204],
      );
      assert.ok(secret.startsWith('whsec_'));
    });

    test('does not send an event again that is published again', async () => {
      const organizationId = newOrganization();
      const { receiver } = await newEndpoint(organizationId);
      const event = await emit(organizationId);
      const uses = { provider: deliveryProvider, events: eventsRead };
      const { provider, events } = makeDeps(uses, harness().runtime);
      const body = (await events.body(organizationId, event)) ?? '';
      const createdAt = cloud.runtime.clock.now().toISOString();
      await provider.publish({ organizationId, id: event, type: 'index.created', createdAt, body });
      await harness().later(61);
      assert.deepEqual(idsOf(receiver), [event]);
    });

    test('ends deliveries after a 410, a pause or a deletion, and records an event after a 410', async () => {
      const organizationId = newOrganization();
      const failing = (status: number) => new Receiver((response) => response.writeHead(status).end());
      const only = { event_types: ['index.created'] };
      const gone = await newEndpoint(organizationId, only, failing(410));
      const paused = await newEndpoint(organizationId, only, failing(503));
      const removed = await newEndpoint(organizationId, only, failing(503));
      const listener = await newEndpoint(organizationId, { event_types: ['webhook.endpoint.disabled'] });
      await emit(organizationId);
      await ask(updateWebhookEndpoint, organizationId, { path: paused.path, body: { enabled: false } });
      assert.equal((await ask(deleteWebhookEndpoint, organizationId, { path: removed.path })).status, 204);
      for (const seconds of [61, 400, 2_000]) await harness().later(seconds);
      await emit(organizationId);
      for (const { receiver } of [gone, paused, removed]) assert.equal(receiver.received.length, 1);
      const { body } = await ask(listWebhookEndpoints, organizationId);
      const reasons = new Map(body.map((shown: Shown) => [shown.id, shown.disabled_reason]));
      assert.deepEqual([reasons.get(gone.id), reasons.get(paused.id)], ['gone', 'paused']);
      const [notice] = listener.receiver.received;
      assert.ok(notice !== undefined);
      const { data }: Shown = JSON.parse(notice.body);
      assert.deepEqual(data, { endpoint: { id: gone.id, reason: 'gone' } });
      assert.equal((await log(organizationId, paused.id))[0].attempts.length, 1);
      await ask(updateWebhookEndpoint, organizationId, { path: paused.path, body: { enabled: true } });
      paused.receiver.answer = (response) => response.writeHead(200).end();
      const resumed = await emit(organizationId);
      assert.equal(idsOf(paused.receiver).at(-1), resumed);
    });

    test('signs deliveries with the old and the new secret after a rotation', async () => {
      const organizationId = newOrganization();
      const { path, secret, receiver } = await newEndpoint(organizationId);
      const { body } = await ask(rotateWebhookSecret, organizationId, { path });
      await emit(organizationId);
      const [request] = receiver.received;
      assert.ok(request !== undefined);
      for (const either of [secret, body.secret]) assert.equal(verified(either, request).type, 'index.created');
    });

    test('relays an event to all endpoints even if it was replayed to one before', async () => {
      const organizationId = newOrganization();
      const [one, other] = [await newEndpoint(organizationId), await newEndpoint(organizationId)];
      const event = await record(organizationId);
      const body = { endpoint_id: one.id };
      const replayed = await ask(replayOneEvent, organizationId, { path: { event_id: event }, body });
      assert.equal(replayed.status, 202);
      await harness().settle();
      assert.deepEqual([new Set(idsOf(one.receiver)), idsOf(other.receiver)], [new Set([event]), [event]]);
    });

    test('retries test messages and replays by the schedule of first deliveries', async () => {
      const organizationId = newOrganization();
      const { id, path, receiver } = await newEndpoint(organizationId);
      const event = await emit(organizationId);
      receiver.answer = (response, nth) => response.writeHead(nth < 6 ? 503 : 204).end();
      const tested = await ask(testWebhookEndpoint, organizationId, { path });
      await ask(replayOneEvent, organizationId, { path: { event_id: event }, body: {} });
      await harness().settle();
      for (const seconds of [7, 400, 2_000]) await harness().later(seconds);
      assert.deepEqual(new Set(idsOf(receiver).slice(-2)), new Set([tested.body.event_id, event]));
      const deliveries = await log(organizationId, id);
      assert.ok(deliveries.some((delivery: Shown) => delivery.id === tested.body.id));
      assert.deepEqual(
        new Map(
          deliveries.map(({ trigger, event_id, status, attempts }: Shown) => [
            trigger,
            [event_id, status, attempts.at(-1).status_code],
          ]),
        ),
        new Map([
          ['replay', [event, 'delivered', 204]],
          ['test', [tested.body.event_id, 'delivered', 204]],
          ['event', [event, 'delivered', 204]],
        ]),
      );
    });

    test('replays an event that is months old', async () => {
      const organizationId = newOrganization();
      await putOrganization(cloud.runtime, organizationId, { plan: 'enterprise' });
      const { receiver } = await newEndpoint(organizationId);
      const event = await emit(organizationId);
      const from = cloud.runtime.clock.now();
      cloud.advance(91 * 86_400);
      const one = await ask(replayOneEvent, organizationId, { path: { event_id: event }, body: {} });
      assert.equal(one.status, 202);
      await harness().settle();
      const range = {
        from: new Date(from.getTime() - 60_000).toISOString(),
        to: new Date(from.getTime() + 1_000).toISOString(),
      };
      assert.equal((await ask(replayEvents, organizationId, { body: range })).status, 202);
      await harness().settle();
      assert.deepEqual(idsOf(receiver), [event, event, event]);
    });

    test('sends test messages and replays to one endpoint of any subscription and logs them', async () => {
      const organizationId = newOrganization();
      const { id, path, receiver } = await newEndpoint(organizationId, { event_types: ['index.updated'] });
      const other = await newEndpoint(organizationId);
      const event = await emit(organizationId);
      const tested = await ask(testWebhookEndpoint, organizationId, { path });
      await harness().settle();
      assert.deepEqual([tested.status, idsOf(receiver)], [202, [tested.body.event_id]]);
      cloud.advance(1);
      const replayed = await ask(replayOneEvent, organizationId, {
        path: { event_id: event },
        body: { endpoint_id: id },
      });
      await harness().settle();
      assert.deepEqual([replayed.status, idsOf(receiver)], [202, [tested.body.event_id, event]]);
      const [original] = other.receiver.received;
      assert.equal(receiver.received.at(-1)?.body, original?.body);
      const now = cloud.runtime.clock.now().getTime();
      const range = { from: new Date(now - 60_000).toISOString(), to: new Date(now + 1_000).toISOString() };
      assert.equal((await ask(replayEvents, organizationId, { body: range })).status, 202);
      await harness().settle();
      assert.deepEqual(idsOf(other.receiver), [event, event]);
      const triggers = (await log(organizationId, id)).map(({ event_type, trigger, status }: Shown) => [
        event_type,
        trigger,
        status,
      ]);
      assert.deepEqual(
        new Map(triggers.map((row: Shown) => [row[1], row])),
        new Map([
          ['replay', ['index.created', 'replay', 'delivered']],
          ['test', ['webhook.test', 'test', 'delivered']],
        ]),
      );
    });
  });
}

describe('delivery by Svix', () => {
  const newEndpoint = async (organizationId: string, fields: object = {}) => {
    const receiver = new Receiver();
    receivers.push(receiver);
    const url = await receiver.start();
    return { ...(await createEndpointFor(svix.runtime, organizationId, { url, ...fields })), receiver };
  };
  const owner = (organizationId: string) => person(organizationId, 'owner');
  const logOf = async (organizationId: string, endpointId: string): Promise<readonly Shown[]> => {
    const request = { path: { endpoint_id: endpointId } };
    return (await call(svix.runtime, listWebhookDeliveries, owner(organizationId), request)).body as Shown[];
  };
  /** Sends a request to Svix as its operator. */
  const askSvix = async (method: 'POST' | 'PUT', path: string, body: object): Promise<void> => {
    const answer = await fetch(`${svix.runtime.config.delivery.svixUrl}/api/v1/app/${path}`, {
      method,
      headers: { authorization: `Bearer ${svix.svix.key}` },
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok);
  };

  test('sends a message that Svix has stored without queueing', async () => {
    const organizationId = newOrganization();
    const [wanting, other] = [
      await newEndpoint(organizationId),
      await newEndpoint(organizationId, { event_types: ['index.updated'] }),
    ];
    wanting.receiver.answer = (response, nth) => response.writeHead(nth === 1 ? 503 : 204).end();
    svix.svix.creates = 'stored only';
    const event = await record(organizationId);
    await svix.settle();
    svix.svix.creates = 'queued';
    for (const seconds of [61, 61]) await svix.later(seconds);
    assert.deepEqual(idsOf(wanting.receiver), [event, event]);
    assert.deepEqual(idsOf(other.receiver), []);
    const deliveries = await logOf(organizationId, wanting.id);
    assert.deepEqual(
      deliveries.map(({ event_id, trigger, status, attempts }) => [event_id, trigger, status, attempts.length]),
      [[event, 'event', 'delivered', 2]],
    );
    assert.equal((await eventsOf(organizationId))[0]?.['status'], 'dispatched');
  });

  test('loses no event during an outage of hours, and fails events after a day', async () => {
    const organizationId = newOrganization();
    const { receiver } = await newEndpoint(organizationId);
    const message = async (id: string) => ({ organization_id: organizationId, event_id: id });
    const terminal = async (id: string) =>
      relay.onExhausted({ message: await message(id), deps: makeDeps(relay.uses, svix.runtime), run: cloud.run() });
    svix.svix.down = true;
    const event = await record(organizationId);
    await svix.settle();
    await cloud.purge('relay');
    await terminal(event);
    await svix.later(61);
    assert.equal((await cloud.bodies('relay')).length, 0);
    cloud.advance(6 * 3_600);
    svix.svix.down = false;
    await svix.later(1);
    assert.deepEqual(idsOf(receiver), [event]);

    svix.svix.down = true;
    const lost = await record(organizationId);
    await cloud.purge('relay');
    cloud.advance(86_401);
    await terminal(lost);
    svix.svix.down = false;
    const statuses = new Map((await eventsOf(organizationId)).map(({ sk, status }) => [sk, status]));
    assert.deepEqual([statuses.get(event), statuses.get(lost), statuses.size], ['dispatched', 'failed', 2]);
  });

  test('does not reveal URL and secret of a receiver to Svix, and copies changes of owners', async () => {
    const organizationId = newOrganization();
    const types = ['index.created', 'index.updated'];
    const { id, url, secret } = await newEndpoint(organizationId, { event_types: types });
    await record(organizationId);
    await svix.settle();
    const mirrored = svix.svix.endpointOf(organizationId, id);
    assert.ok(mirrored !== undefined);
    assert.deepEqual([mirrored.channels, mirrored.disabled], [[id, 'index.created.or.index.updated'], false]);
    assert.ok(mirrored.url.startsWith(svix.relayUrl) && mirrored.url !== url);
    assert.notEqual(mirrored.secret, secret);
    const kept = mirrored.secret;
    cloud.advance(1);
    await call(svix.runtime, updateWebhookEndpoint, owner(organizationId), {
      path: { endpoint_id: id },
      body: { enabled: false, event_types: null },
    });
    await record(organizationId);
    await svix.settle();
    assert.deepEqual([mirrored.channels, mirrored.disabled, mirrored.secret], [[id, organizationId], true, kept]);
    const before = svix.svix.requests.length;
    await record(organizationId);
    await svix.settle();
    assert.equal(svix.svix.requests.length, before);
    await call(svix.runtime, deleteWebhookEndpoint, owner(organizationId), { path: { endpoint_id: id } });
    assert.equal(svix.svix.endpointOf(organizationId, id), undefined);
  });

  test('restores the endpoints of an organization that Svix has lost', async () => {
    const organizationId = newOrganization();
    const [one, other] = [await newEndpoint(organizationId), await newEndpoint(organizationId)];
    const first = await record(organizationId);
    await svix.settle();
    svix.svix.forgetAll();
    await call(svix.runtime, testWebhookEndpoint, owner(organizationId), { path: { endpoint_id: one.id } });
    await svix.settle();
    const second = await record(organizationId);
    await svix.settle();
    svix.svix.forgetAll();
    svix.svix.failingEndpoint = other.id;
    await call(svix.runtime, testWebhookEndpoint, owner(organizationId), { path: { endpoint_id: one.id } });
    svix.svix.failingEndpoint = '';
    const third = await record(organizationId);
    await svix.settle();
    assert.deepEqual(idsOf(other.receiver), [first, second, third]);
    assert.equal(one.receiver.received.length, 4);
  });

  test('returns 503 for test messages, replays and the log while Svix is unavailable, hangs or limits the rate', async () => {
    const organizationId = newOrganization();
    const { id, receiver } = await newEndpoint(organizationId);
    const event = await record(organizationId);
    await svix.settle();
    const path = { endpoint_id: id };
    const testing = () => call(svix.runtime, testWebhookEndpoint, owner(organizationId), { path });
    const assertUnavailable = ({ status, body }: { readonly status: number; readonly body: Shown }): void =>
      assert.deepEqual([status, body.code], [503, 'unavailable']);
    svix.svix.down = true;
    assertUnavailable(await testing());
    const replayed = { path: { event_id: event }, body: {} };
    assertUnavailable(await call(svix.runtime, replayOneEvent, owner(organizationId), replayed));
    assertUnavailable(await call(svix.runtime, listWebhookDeliveries, owner(organizationId), { path }));
    svix.svix.down = false;
    svix.svix.refused = 3;
    assertUnavailable(await testing());
    svix.svix.refused = 2;
    assert.equal((await testing()).status, 202);
    svix.svix.together = 2;
    assertUnavailable(await testing());
    svix.svix.together = 1;
    await svix.settle();
    assert.equal(receiver.received.length, 2);
  });

  test('returns a 503 that names an invalid API key, a rate limit or an outage of Svix', async () => {
    const organizationId = newOrganization();
    const { id, receiver } = await newEndpoint(organizationId);
    const path = { endpoint_id: id };
    const testing = () => call(svix.runtime, testWebhookEndpoint, owner(organizationId), { path });
    const assertSays = ({ status, body }: { readonly status: number; readonly body: Shown }, said: RegExp): void => {
      assert.deepEqual([status, body.code], [503, 'unavailable']);
      assert.match(body.detail, said);
    };
    for (const status of [401, 403] as const) {
      svix.svix.refusesKey = status;
      assertSays(await testing(), /refuses the API key of this deployment/);
      const listing = call(svix.runtime, listWebhookDeliveries, owner(organizationId), { path });
      assertSays(await listing, /refuses the API key of this deployment/);
    }
    const event = await record(organizationId);
    await svix.settle();
    assert.equal(receiver.received.length, 0);
    svix.svix.refusesKey = null;
    svix.svix.refused = 3;
    assertSays(await testing(), /takes no more requests for now/);
    svix.svix.down = true;
    assertSays(await testing(), /cannot be reached/);
    svix.svix.down = false;
    await svix.later(61);
    assert.deepEqual(idsOf(receiver), [event]);
  });

  test('sends messages to many endpoints concurrently, and a bounded number in one replay step', async () => {
    const organizationId = newOrganization();
    const addEndpoints = async (wanted: number): Promise<void> => {
      for (let made = 0; made < wanted; made += 1) await newEndpoint(organizationId);
    };
    await addEndpoints(10);
    const from = cloud.runtime.clock.now();
    const event = await record(organizationId);
    for (let others = 0; others < 24; others += 1) await record(organizationId);
    await svix.settle();
    const messages = () => svix.svix.requests.filter((line) => line.endsWith(`/${organizationId}/msg`)).length;
    svix.svix.together = 10;
    const request = { path: { event_id: event }, body: {} };
    assert.equal((await call(svix.runtime, replayOneEvent, owner(organizationId), request)).status, 202);
    svix.svix.together = 1;

    await addEndpoints(2);
    const range = { from: from.toISOString(), to: new Date(from.getTime() + 1_000).toISOString() };
    await call(svix.runtime, replayEvents, owner(organizationId), { body: range });
    const before = messages();
    await cloud.drain(relay, makeDeps(relay.uses, svix.runtime), 1);
    assert.equal(messages() - before, 20 * 12);
    await svix.settle();
    assert.equal(messages() - before, 25 * 12);
  });

  test('writes an endpoint again that Svix has in an older form before the next message', async () => {
    const organizationId = newOrganization();
    const { id, receiver } = await newEndpoint(organizationId, { event_types: ['index.updated'] });
    await record(organizationId, 'index.updated');
    await svix.settle();
    const older = {
      uid: id,
      url: svix.svix.endpointOf(organizationId, id)?.url,
      eventTypes: ['index.updated'],
      channels: [organizationId],
    };
    await askSvix('PUT', `${organizationId}/endpoint/${id}`, older);
    const table = openTable(svix.runtime, 'webhooks');
    const key = { pk: `ORG#${organizationId}`, sk: id };
    const item = await table.get(key);
    assert.ok(item !== null);
    await table.update(key, { set: { mirror_version: item['updated_at'] ?? '' } });
    await call(svix.runtime, testWebhookEndpoint, owner(organizationId), { path: { endpoint_id: id } });
    await svix.settle();
    assert.equal(receiver.received.length, 2);
    assert.equal(svix.svix.endpointOf(organizationId, id)?.eventTypes, null);
  });

  test('logs a message that an operator resends in Svix as a replay with one attempt', async () => {
    const organizationId = newOrganization();
    const { id, receiver } = await newEndpoint(organizationId);
    const event = await record(organizationId);
    await svix.settle();
    receiver.answer = (response) => response.writeHead(503).end();
    await askSvix('POST', `${organizationId}/msg/${event}/endpoint/${id}/resend`, {});
    for (const seconds of [1, 400]) await svix.later(seconds);
    assert.equal(receiver.received.length, 2);
    const [delivery] = await logOf(organizationId, id);
    assert.deepEqual([delivery.trigger, delivery.status, delivery.next_attempt_at], ['replay', 'failed', null]);
  });

  test('relays only requests that Svix signed for this endpoint in the last five minutes', async () => {
    const organizationId = newOrganization();
    const [one, other] = [await newEndpoint(organizationId), await newEndpoint(organizationId)];
    await record(organizationId);
    await svix.settle();
    const secretOf = (id: string) => svix.svix.endpointOf(organizationId, id)?.secret ?? '';
    const body = JSON.stringify({ event_id: 'evt_1', envelope: '{}' });
    const post = async (id: string, secret: string, text: string, at = new Date()) => {
      const signed = signatureHeaders([secret], 'msg_1', at, body);
      const headers = Object.fromEntries(
        Object.entries(signed).map(([key, value]) => [key.replace('hook', 'svix'), value]),
      );
      const path = `/v1/organization/webhooks/relay/${organizationId}/${id}`;
      const answer = await fetch(`${svix.relayUrl}${path}`, { method: 'POST', headers, body: text });
      return [answer.status, ((await answer.json()) as Shown).detail];
    };
    const refused = [401, 'The request is not signed by the delivery provider'];
    assert.deepEqual(await post(one.id, one.secret, body), refused);
    assert.deepEqual(await post(one.id, secretOf(other.id), body), refused);
    assert.deepEqual(await post(one.id, secretOf(one.id), `${body} `), refused);
    assert.deepEqual(await post(one.id, secretOf(one.id), body, new Date(Date.now() - 400_000)), refused);
    assert.deepEqual(await post('we_absent', secretOf(one.id), body), refused);
    assert.equal(one.receiver.received.length, 1);
    assert.deepEqual((await post(one.id, secretOf(one.id), body))[0], 200);
    assert.equal(one.receiver.received.length, 2);
  });
});
