import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { deliver } from '../../functions/workers/deliver/worker.ts';
import type { Table } from '../../shared/db/contracts.ts';
import { openTable } from '../../shared/db/table.ts';
import { endpointDisabled, fillSlot, recordEvents } from '../../shared/events/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { attemptDelaysMs } from '../../shared/webhooks/retry-schedule.ts';
import { updateEndpoint, webhooksWrite } from '../../shared/webhooks/index.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { driveOf, newOrganization } from '../events/support/drive.ts';
import { createEndpointFor } from '../events/support/endpoints.ts';
import { type Received, Receiver, verifyWithStock } from '../events/support/receiver.ts';

const cloud = new Cloud();
const receivers: Receiver[] = [];
let webhooks: Table;

before(async () => {
  await cloud.start();
  webhooks = openTable(cloud.runtime, 'webhooks');
});

after(async () => {
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await cloud.stop();
});

const newReceiver = async (...behaviour: ConstructorParameters<typeof Receiver>) => {
  const receiver = new Receiver(...behaviour);
  receivers.push(receiver);
  return { receiver, url: await receiver.start() };
};

const { emit, attempt, later, deliveriesOf } = driveOf(cloud);

const outcomeOf = async (organizationId: string, endpointId: string) => {
  const [delivery, ...others] = await deliveriesOf(organizationId, endpointId);
  assert.equal(others.length, 0);
  const attempts = (delivery?.['attempts'] ?? []) as { status_code: number | null; error: string | null }[];
  return { status: delivery?.['status'], answers: attempts.map(({ status_code, error }) => error ?? status_code) };
};

/** Headers and body that identify a request to its receiver. */
const identityOf = ({ headers, body }: Received) => `${String(headers['hook-id'])} ${body}`;

const identitiesOf = ({ receiver }: { readonly receiver: Receiver }) => receiver.received.map(identityOf);

test('each enabled endpoint receives the event types that it subscribes to, once and with a valid signature', async () => {
  const organizationId = newOrganization();
  const [everything, updates, paused, foreign] = await Promise.all([
    newReceiver(),
    newReceiver(),
    newReceiver(),
    newReceiver(),
  ]);
  const all = await createEndpointFor(cloud.runtime, organizationId, { url: everything.url });
  await createEndpointFor(cloud.runtime, organizationId, { url: updates.url, event_types: ['index.updated'] });
  const { id } = await createEndpointFor(cloud.runtime, organizationId, { url: paused.url });
  await createEndpointFor(cloud.runtime, newOrganization(), { url: foreign.url });
  const { webhooks: endpoints } = makeDeps({ webhooks: webhooksWrite }, cloud.runtime);
  await updateEndpoint(endpoints, organizationId, id, { enabled: false });
  await emit(organizationId);
  await emit(organizationId, 'index.updated');
  await attempt();
  await later(61);
  assert.deepEqual(
    [everything, updates, paused, foreign].map(({ receiver }) => receiver.received.length),
    [2, 1, 0, 0],
  );
  for (const request of everything.receiver.received) {
    const envelope = verifyWithStock(all.secret, request) as { type: string; organization_id: string };
    assert.equal(envelope.organization_id, organizationId);
    assert.match(String(request.headers['hook-id']), /^evt_[0-9a-z]{26}$/);
    assert.ok(!request.body.includes('whsec_'));
  }
});

test('a receiver that returns 500, hangs, drips, redirects or is down gets an event under the same id until it accepts', async () => {
  const organizationId = newOrganization();
  const target = await newReceiver();
  const { receiver, url } = await newReceiver(
    (response, nth) => {
      if (nth === 1) response.writeHead(500).end('x'.repeat(100));
      else if (nth === 2) return;
      else if (nth === 3) response.writeHead(200).write('never the end');
      else if (nth === 4) response.writeHead(302, { location: target.url }).end();
      else if (nth === 5) response.destroy();
      else response.writeHead(200).end('ok');
    },
    (nth) => nth === 2 || nth === 3,
  );
  const { id } = await createEndpointFor(cloud.runtime, organizationId, { url });
  await emit(organizationId);
  await attempt();
  assert.equal(cloud.delayed('deliver'), 1);
  for (const delayMs of attemptDelaysMs.slice(1, 6)) await later((delayMs / 1000) * 1.3);
  assert.deepEqual(await outcomeOf(organizationId, id), {
    status: 'delivered',
    answers: [500, 'timeout', 'timeout', 302, 'connection_failed', 200],
  });
  assert.equal(receiver.received.length, 6);
  assert.equal(new Set(receiver.received.map(identityOf)).size, 1);
  assert.equal(target.receiver.received.length, 0);
  const times = receiver.received.map(({ headers }) => Number(headers['hook-timestamp']));
  assert.deepEqual(
    times,
    times.toSorted((left, right) => left - right),
  );
  await later(100_000);
  assert.equal(receiver.received.length, 6);
});

test('a receiver that was down for a minute receives every event within the next two minutes', async () => {
  const organizationId = newOrganization();
  let up = false;
  const { receiver, url } = await newReceiver((response) => response.writeHead(up ? 200 : 503).end());
  await createEndpointFor(cloud.runtime, organizationId, { url });
  for (let second = 0; second < 60; second += 10) {
    if (second % 20 === 0) await emit(organizationId);
    await attempt();
    await later(10);
  }
  up = true;
  const whileDown = receiver.received.length;
  for (let second = 0; second < 120; second += 10) await later(10);
  const delivered = receiver.received.slice(whileDown).map(({ headers }) => headers['hook-id']);
  assert.equal(delivered.length, 3);
  assert.equal(new Set(delivered).size, 3);
});

test('retries end after the schedule, and at once after a 410, a pause or a deletion', async () => {
  const organizationId = newOrganization();
  const failing = await newReceiver((response) => response.writeHead(500).end());
  const gone = await newReceiver((response) => response.writeHead(410).end());
  const paused = await newReceiver((response) => response.writeHead(503).end());
  const removed = await newReceiver((response) => response.writeHead(503).end());
  const endpoints = [];
  for (const { url } of [failing, gone, paused, removed])
    endpoints.push(await createEndpointFor(cloud.runtime, organizationId, { url, event_types: ['index.created'] }));
  const [failingId = '', goneId = '', pausedId = '', removedId = ''] = endpoints.map(({ id }) => id);
  const { webhooks: store, recorder } = makeDeps(
    { webhooks: webhooksWrite, recorder: recordEvents('webhooks') },
    cloud.runtime,
  );
  await emit(organizationId);
  await attempt();
  assert.equal((await store.get(organizationId, goneId))?.disabledReason, 'gone');
  await updateEndpoint(store, organizationId, pausedId, { enabled: false });
  await store.remove(organizationId, removedId, recorder);
  for (const delayMs of attemptDelaysMs.slice(1)) {
    const before = failing.receiver.received.length;
    // Never early: the minimum is 20 % below the schedule.
    await later((delayMs / 1000) * 0.79);
    assert.equal(failing.receiver.received.length, before);
    await later((delayMs / 1000) * 0.42);
    assert.equal(failing.receiver.received.length, before + 1);
  }
  await later(200_000);
  assert.equal(failing.receiver.received.length, attemptDelaysMs.length);
  assert.equal((await outcomeOf(organizationId, failingId)).status, 'failed');
  assert.deepEqual(await outcomeOf(organizationId, goneId), { status: 'failed', answers: [410] });
  assert.deepEqual(await outcomeOf(organizationId, pausedId), { status: 'dropped', answers: [503] });
  assert.deepEqual(await outcomeOf(organizationId, removedId), { status: 'dropped', answers: [503] });
  assert.deepEqual(
    [gone, paused, removed].map(({ receiver }) => receiver.received.length),
    [1, 1, 1],
  );
  assert.deepEqual(await webhooks.due('deliver', '9999', 10), []);
});

test('a response of the receiver at a previous URL, even a 410, does not affect the new URL', async () => {
  const organizationId = newOrganization();
  const { webhooks: store } = makeDeps({ webhooks: webhooksWrite }, cloud.runtime);
  const now = await newReceiver();
  let id = '';
  const before = await newReceiver((response) => {
    const moved = updateEndpoint(store, organizationId, id, { url: now.url });
    void moved.finally(() => response.writeHead(410).end());
  });
  ({ id } = await createEndpointFor(cloud.runtime, organizationId, { url: before.url }));
  await emit(organizationId);
  await attempt();
  assert.deepEqual(await outcomeOf(organizationId, id), { status: 'pending', answers: [410] });
  const moved = await store.get(organizationId, id);
  assert.deepEqual([moved?.url, moved?.disabledReason, moved?.failingSince], [now.url, null, null]);
  await later(10);
  assert.deepEqual(await outcomeOf(organizationId, id), { status: 'delivered', answers: [410, 204] });
  assert.equal(now.receiver.received.length, 1);
  assert.deepEqual(identitiesOf(before), identitiesOf(now));
});

test('a 410 during the outbox of an earlier disabling disables the endpoint at the next attempt', async () => {
  const organizationId = newOrganization();
  const { url } = await newReceiver((response) => response.writeHead(410).end());
  const { id } = await createEndpointFor(cloud.runtime, organizationId, { url, event_types: ['index.created'] });
  const earlier = endpointDisabled({
    organizationId,
    at: cloud.runtime.clock.now(),
    endpoint: { id, reason: 'failing' },
  });
  await webhooks.update({ pk: `ORG#${organizationId}`, sk: id }, { set: fillSlot('disabled', earlier) });
  await emit(organizationId);
  await attempt();
  assert.deepEqual(await outcomeOf(organizationId, id), { status: 'pending', answers: [410] });
  await later(61);
  assert.deepEqual(await outcomeOf(organizationId, id), { status: 'failed', answers: [410, 410] });
  const { webhooks: store } = makeDeps({ webhooks: webhooksWrite }, cloud.runtime);
  assert.equal((await store.get(organizationId, id))?.disabledReason, 'gone');
});

test('a delivery is not retried before the Retry-After of the receiver', async () => {
  const organizationId = newOrganization();
  const { receiver, url } = await newReceiver((response, nth) =>
    nth === 1 ? response.writeHead(429, { 'retry-after': '3600' }).end() : response.writeHead(200).end(),
  );
  await createEndpointFor(cloud.runtime, organizationId, { url });
  await emit(organizationId);
  await attempt();
  assert.equal(cloud.delayed('deliver'), 0);
  await later(3_590);
  assert.equal(receiver.received.length, 1);
  await later(11);
  assert.equal(receiver.received.length, 2);
});

test('an endless response of a receiver is read up to a limit and its status counts', async () => {
  const organizationId = newOrganization();
  let writtenBytes = 0;
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const answers: ServerResponse[] = [];
  const { url } = await newReceiver((response) => {
    answers.push(response);
    response.writeHead(200);
    const write = (): void => {
      while (!response.closed && response.write(chunk)) writtenBytes += chunk.length;
    };
    response.on('drain', write);
    write();
  });
  const { id } = await createEndpointFor(cloud.runtime, organizationId, { url });
  await emit(organizationId);
  await attempt();
  assert.deepEqual(await outcomeOf(organizationId, id), { status: 'delivered', answers: [200] });
  assert.ok(answers[0]?.closed);
  // Data that fits the buffers of both sockets may leave the receiver before the connection closes.
  assert.ok(writtenBytes < 16 * 1024 * 1024);
});

test('a receiver that hangs does not delay other endpoints, and the delivery of a dead run is retried after its lease', async () => {
  const organizationId = newOrganization();
  const hanging = await newReceiver(
    () => undefined,
    (nth) => nth === 1,
  );
  const healthy = await Promise.all(Array.from({ length: 8 }, () => newReceiver()));
  const { id } = await createEndpointFor(cloud.runtime, organizationId, { url: hanging.url });
  for (const { url } of healthy) await createEndpointFor(cloud.runtime, organizationId, { url });
  await emit(organizationId);
  let over = false;
  const round = attempt().then(() => {
    over = true;
  });
  while (healthy.some(({ receiver }) => receiver.received.length === 0)) {
    assert.ok(!over);
    await new Promise(setImmediate);
  }
  await round;
  assert.deepEqual(
    healthy.map(({ receiver }) => receiver.received.length),
    healthy.map(() => 1),
  );

  const [delivery] = await deliveriesOf(organizationId, id);
  assert.ok(delivery !== undefined);
  const key = { pk: delivery.pk, sk: delivery.sk };
  const lease = new Date(cloud.runtime.clock.now().getTime() + 60_000).toISOString();
  // The state after a run that claimed the second attempt and died.
  await webhooks.update(key, { set: { attempt: 2, due_at: lease } });
  hanging.receiver.answer = (response) => response.writeHead(200).end();
  await later(30);
  assert.equal(hanging.receiver.received.length, 1);
  await later(31);
  assert.equal(hanging.receiver.received.length, 2);
  assert.equal((await outcomeOf(organizationId, id)).status, 'delivered');
});

test('a delivery whose message kills every run uses up its attempts and fails', async () => {
  const organizationId = newOrganization();
  const { url } = await newReceiver();
  const { id } = await createEndpointFor(cloud.runtime, organizationId, { url });
  await emit(organizationId);
  const deps = makeDeps(deliver.uses, cloud.runtime);
  const [delivery] = await deliveriesOf(organizationId, id);
  const message = { organization_id: organizationId, endpoint_id: id, delivery_id: delivery?.sk };
  const run = cloud.run();
  for (const _ of attemptDelaysMs) {
    await deliver.onExhausted({ message, deps, run });
    await deliver.onExhausted({ message, deps, run });
    cloud.advance(110_000);
  }
  const { status, answers } = await outcomeOf(organizationId, id);
  assert.equal(status, 'failed');
  assert.deepEqual(
    answers,
    attemptDelaysMs.map(() => 'interrupted'),
  );
  await cloud.purge('deliver');
});
