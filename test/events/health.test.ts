import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { deliver } from '../../functions/workers/deliver/worker.ts';
import { relay } from '../../functions/workers/relay/worker.ts';
import { openTable } from '../../shared/db/table.ts';
import { eventData } from '../../shared/events/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { queueUrl } from '../../shared/platform/aws/queue.ts';
import { sqsClient } from '../../shared/platform/aws/sqs-client.ts';
import { deliveriesWrite, deliverSend, updateEndpoint, webhooksWrite } from '../../shared/webhooks/index.ts';
import { everyPoint } from '../support/every-point.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { driveOf, newOrganization } from './support/drive.ts';
import { createEndpointFor } from './support/endpoints.ts';
import { Receiver } from './support/receiver.ts';

const cloud = new Cloud();
const { emit, attempt, later, deliveriesOf, eventsOf } = driveOf(cloud);
const receivers: Receiver[] = [];
before(() => cloud.start());
after(async () => {
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await cloud.stop();
});

/** Every so many-th request is a point to die at; `npm run test:faults` takes all of them. */
const step = Number(process.env['FAULT_STEP'] ?? 15);

const { webhooks } = makeDeps({ webhooks: webhooksWrite }, cloud.runtime);
const daySeconds = 86_400;

const newEndpoint = async (organizationId: string, ...behaviour: ConstructorParameters<typeof Receiver>) => {
  const receiver = new Receiver(...behaviour);
  receivers.push(receiver);
  const { id } = await createEndpointFor(cloud.runtime, organizationId, {
    url: await receiver.start(),
    event_types: ['index.created'],
  });
  return { id, receiver };
};

/** An endpoint that hears what becomes of the others. */
const newListener = async (organizationId: string) => {
  const receiver = new Receiver();
  receivers.push(receiver);
  await createEndpointFor(cloud.runtime, organizationId, {
    url: await receiver.start(),
    event_types: ['webhook.endpoint.disabled'],
  });
  return () => receiver.received.map(({ body }) => eventData['webhook.endpoint.disabled'].parse(JSON.parse(body).data));
};

const disabledReason = async (organizationId: string, id: string) =>
  (await webhooks.get(organizationId, id))?.disabledReason;

test('five days without a success disable a webhook endpoint with an event, and a success restarts the five days', async () => {
  const organizationId = newOrganization();
  let up = false;
  const { id } = await newEndpoint(organizationId, (response) => response.writeHead(up ? 200 : 500).end());
  const told = await newListener(organizationId);
  const daily = async (days: number) => {
    for (let day = 0; day < days; day += 1) {
      await emit(organizationId);
      await attempt();
      await later(daySeconds);
    }
    await emit(organizationId);
    await attempt();
  };
  await daily(4);
  assert.notEqual((await webhooks.get(organizationId, id))?.failingSince, null);
  up = true;
  await later(daySeconds);
  assert.equal((await webhooks.get(organizationId, id))?.failingSince, null);
  up = false;
  await daily(4);
  assert.equal(await disabledReason(organizationId, id), null);
  await later(daySeconds);
  assert.equal(await disabledReason(organizationId, id), 'failing');
  await cloud.drain(relay);
  await attempt();
  assert.deepEqual(told(), [{ endpoint: { id, reason: 'failing' } }]);
  const history = await eventsOf(organizationId);
  assert.equal(history.filter((event) => event['event_type'] === 'webhook.endpoint.disabled').length, 1);

  up = true;
  await updateEndpoint(webhooks, organizationId, id, { enabled: true });
  const resumed = await webhooks.get(organizationId, id);
  assert.deepEqual([resumed?.disabledReason, resumed?.failingSince], [null, null]);
});

test('time without delivery attempts does not count towards the disabling of a webhook endpoint', async () => {
  const organizationId = newOrganization();
  const { id } = await newEndpoint(organizationId, (response) => response.writeHead(500).end());
  const failingSince = async () => (await webhooks.get(organizationId, id))?.failingSince;
  await emit(organizationId);
  await attempt();
  const first = await failingSince();
  await later(daySeconds);
  assert.equal(await failingSince(), first);
  await later(8 * daySeconds);
  const again = await failingSince();
  assert.ok(first && again && Date.parse(again) - Date.parse(first) > 8 * daySeconds * 1000);
  await emit(organizationId);
  await attempt();
  assert.deepEqual([await failingSince(), await disabledReason(organizationId, id)], [again, null]);
});

test('a receiver that returns 410 causes one event, even if a run dies at any request', async () => {
  await everyPoint({ step, lostFrom: 2 }, async (fault) => {
    // Retries of other endpoints are no requests to die at.
    await cloud.purge('deliver');
    const organizationId = newOrganization();
    const { id, receiver } = await newEndpoint(organizationId, (response) => response.writeHead(410).end());
    const told = await newListener(organizationId);
    await emit(organizationId);
    const reached = await cloud.dieAt(fault, () => cloud.drain(deliver));
    for (let round = 0; round < 3; round += 1) {
      await later(61);
      await cloud.drain(relay);
      await attempt();
    }
    assert.equal(await disabledReason(organizationId, id), 'gone');
    assert.deepEqual(told(), [{ endpoint: { id, reason: 'gone' } }]);
    const deliveries = await deliveriesOf(organizationId, id);
    assert.ok(receiver.received.length <= 2, JSON.stringify(deliveries));
    assert.deepEqual(
      deliveries.map((delivery) => delivery['due_pk']),
      [undefined],
    );
    assert.equal((await eventsOf(organizationId)).length, 2);
    return reached;
  });
  assert.deepEqual(await openTable(cloud.runtime, 'webhooks').due('outbox', '9999', 10), []);
});

test('a receiver that hangs gets one attempt at a time, and every event once it responds', async () => {
  const organizationId = newOrganization();
  let open = 0;
  let mostOpen = 0;
  let hangs = true;
  const { id, receiver } = await newEndpoint(
    organizationId,
    (response) => {
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      response.on('close', () => {
        open -= 1;
      });
      if (!hangs) response.writeHead(204).end();
    },
    () => hangs,
  );
  const healthy = await newEndpoint(organizationId);
  const events: string[] = [];
  // More than one run takes.
  for (let nth = 0; nth < 15; nth += 1) events.push(await emit(organizationId));
  await attempt();
  for (let round = 0; round < 2; round += 1) await later(3);
  assert.equal(healthy.receiver.received.length, events.length);
  assert.equal(mostOpen, 1);
  const attempts = (await deliveriesOf(organizationId, id)).flatMap(
    (delivery) => delivery['attempts'] as unknown as { readonly error: string | null }[],
  );
  assert.deepEqual(new Set(attempts.map(({ error }) => error)), new Set(['timeout', 'endpoint_unresponsive']));
  hangs = false;
  const before = receiver.received.length;
  // The first of a round shows that the receiver answers; the others follow within two seconds.
  for (let round = 0; round < 4; round += 1) {
    await later(900);
    await later(3);
  }
  const received = receiver.received.slice(before).map(({ headers }) => String(headers['hook-id']));
  assert.deepEqual(received.toSorted(), events.toSorted());
});

test('messages that arrive repeatedly and in any order result in one delivery of each event', async () => {
  const organizationId = newOrganization();
  const endpoints = [await newEndpoint(organizationId), await newEndpoint(organizationId)];
  const events: string[] = [];
  for (let nth = 0; nth < 20; nth += 1) events.push(await emit(organizationId));
  let seed = 20_300_101;
  const random = (): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed / 2 ** 32;
  };
  const messages = (await cloud.bodies('deliver')).flatMap((message) =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({ message, order: random() })),
  );
  const shuffled = messages.toSorted((left, right) => left.order - right.order);
  const deps = makeDeps(deliver.uses, cloud.runtime);
  for (let from = 0; from < shuffled.length; from += 10) {
    const deliveries = shuffled
      .slice(from, from + 10)
      .map(({ message }, at) => ({ message, messageId: String(at), attempt: 1 }));
    assert.deepEqual(await deliver.handle({ deliveries, deps, run: cloud.run() }), []);
  }
  await later(3);
  await later(61);
  for (const { receiver } of endpoints) {
    const received = receiver.received.map(({ headers }) => String(headers['hook-id']));
    assert.deepEqual(received.toSorted(), events.toSorted());
  }
});

test('attempts that the sweep enqueues are spread over time, so first attempts do not wait', async () => {
  const organizationId = newOrganization();
  const { id: endpointId } = await newEndpoint(organizationId);
  await cloud.purge('deliver');
  const { deliveries, sender } = makeDeps({ deliveries: deliveriesWrite, sender: deliverSend }, cloud.runtime);
  const createdAt = cloud.runtime.clock.now().toISOString();
  for (let nth = 0; nth < 400; nth += 1) {
    const [id, eventId] = [`dlv_${String(nth).padStart(3, '0')}`, newId('evt', cloud.runtime.clock.now())];
    const event = { eventId, eventType: 'index.created', trigger: 'event', body: null } as const;
    await deliveries.add({ id, organizationId, endpointId, ...event, createdAt });
  }
  await sender.send(await deliveries.overdue(cloud.runtime.clock.now(), 400));
  const { Attributes } = await sqsClient(cloud.runtime.config.region).send(
    new GetQueueAttributesCommand({
      QueueUrl: queueUrl(cloud.runtime, 'deliver', cloud.runtime.config.region),
      AttributeNames: ['All'],
    }),
  );
  const delayed = Attributes?.ApproximateNumberOfMessagesDelayed;
  const counts = [
    Attributes?.ApproximateNumberOfMessages,
    Attributes?.ApproximateNumberOfMessagesNotVisible,
    delayed,
  ].map(Number);
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    400,
    `${counts.join(' ')} ready, in flight, delayed`,
  );
  // Fifty a second, so the last of them wait for seven.
  assert.ok(Number(delayed) > 0, `${delayed} of 400 wait`);
});
