import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { deliver } from '../../functions/workers/deliver/worker.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { deliveriesWrite, endpointHealth, webhooksWrite } from '../../shared/webhooks/index.ts';
import { eventually } from '../support/eventually.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { driveOf, newOrganization } from '../events/support/drive.ts';
import { createEndpointFor } from '../events/support/endpoints.ts';
import { Receiver } from '../events/support/receiver.ts';

const cloud = new Cloud();
const { emit, attempt, later, deliveriesOf } = driveOf(cloud);
const receivers: Receiver[] = [];
before(() => cloud.start());
after(async () => {
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await cloud.stop();
});

const { webhooks, health, deliveries } = makeDeps(
  { webhooks: webhooksWrite, health: endpointHealth, deliveries: deliveriesWrite },
  cloud.runtime,
);

const newEndpoint = async (organizationId: string, answer?: (response: ServerResponse) => void) => {
  const receiver = new Receiver(answer);
  receivers.push(receiver);
  const { id } = await createEndpointFor(cloud.runtime, organizationId, { url: await receiver.start() });
  const read = async () => {
    const endpoint = await webhooks.get(organizationId, id);
    assert.ok(endpoint !== null);
    return endpoint;
  };
  return { id, receiver, read };
};

/** Response time of a slow receiver. */
const slowSeconds = 4;

test('a slow receiver gets one attempt at a time, and deferred attempts do not count as failed', async () => {
  const organizationId = newOrganization();
  const held: ServerResponse[] = [];
  const slow = (response: ServerResponse): void => {
    cloud.advance(slowSeconds);
    response.writeHead(200).end();
  };
  const { id, receiver } = await newEndpoint(organizationId, slow);
  await emit(organizationId);
  await attempt();
  receiver.answer = (response) => held.push(response);
  for (let nth = 0; nth < 10; nth += 1) await emit(organizationId);
  const attempts = cloud.drain(deliver);
  await eventually(() => (cloud.delayed('deliver') === 9 ? true : null));
  assert.equal(receiver.received.length, 2);
  receiver.answer = slow;
  held.forEach(slow);
  await attempts;
  // Slow once more, then quick: the remaining deliveries are made without waiting for each other.
  await later(3);
  const [before, taken] = [
    receiver.received.length,
    new Set(receiver.received.map(({ headers }) => headers['hook-id'])),
  ];
  assert.equal(taken.size, before);
  receiver.answer = (response) => response.writeHead(200).end();
  for (let round = 0; round < 4; round += 1) await later(16);
  const sent = await deliveriesOf(organizationId, id);
  assert.ok(sent.every(({ status, attempt: made }) => status === 'delivered' && made === 1));
  assert.equal(receiver.received.length, 11);
});

test('a receiver that becomes slow during many attempts gets one attempt at a time after them', async () => {
  const { read } = await newEndpoint(newOrganization());
  const success = { accepted: true, silent: false };
  const first = await read();
  assert.equal(await health.acquireAttempt(first), 'probe');
  assert.equal(health.knownRejection(await read()), 'wait');
  await health.recordAttempt(first, { ...success, quick: true }, 'probe');
  const trusted = await read();
  assert.deepEqual(
    [await health.acquireAttempt(trusted), await health.acquireAttempt(trusted)],
    ['concurrent', 'concurrent'],
  );
  await health.recordAttempt(trusted, { ...success, quick: false }, 'concurrent');
  const known = await read();
  assert.equal(await health.acquireAttempt(known), 'probe');
  // The end of an earlier attempt does not release the probe.
  await health.recordAttempt(trusted, { ...success, quick: false }, 'concurrent');
  assert.equal(health.knownRejection(await read()), 'wait');
  assert.equal(await health.acquireAttempt(known), 'wait');
  await health.recordAttempt(known, { ...success, quick: false }, 'probe');
  assert.equal(await health.acquireAttempt(await read()), 'probe');
});

test('a receiver that does not respond for seconds counts as silent, and one that refuses at once does not', async () => {
  const organizationId = newOrganization();
  const { receiver, read } = await newEndpoint(organizationId, (response) => response.destroy());
  await emit(organizationId);
  await attempt();
  assert.equal((await read()).silent, false);
  receiver.answer = (response) => {
    cloud.advance(slowSeconds);
    response.destroy();
  };
  await emit(organizationId);
  await attempt();
  assert.equal((await read()).silent, true);
});

test('the backlog of one organization does not hide due deliveries of another from the sweep', async () => {
  const [many, one] = [newOrganization(), newOrganization()];
  const add = async (organizationId: string): Promise<void> => {
    const now = cloud.runtime.clock.now();
    const [id, eventId] = [newId('dlv', now), newId('evt', now)];
    const event = { eventId, eventType: 'index.created', trigger: 'event', body: null } as const;
    await deliveries.add({ id, organizationId, endpointId: 'we_1', ...event, createdAt: now.toISOString() });
  };
  for (let nth = 0; nth < 30; nth += 1) await add(many);
  cloud.advance(1);
  await add(one);
  const due = await deliveries.overdue(cloud.runtime.clock.now(), 20);
  const found = due.map(({ organization_id }) => organization_id).filter((id) => id === many || id === one);
  assert.deepEqual(new Set(found.slice(0, 2)), new Set([many, one]));
  assert.equal(found.filter((id) => id === one).length, 1);
});
