import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { deliver } from '../../functions/workers/deliver/worker.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { deliveriesWrite, endpointHealth, webhooksWrite } from '../../shared/webhooks/index.ts';
import { eventually } from '../support/eventually.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { driveOf, newOrganization } from './support/drive.ts';
import { createEndpointFor } from './support/endpoints.ts';
import { Receiver } from './support/receiver.ts';

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

/** Longer than an answer that others need not wait for. */
const slowSeconds = 4;

test('of a receiver that answers slowly one attempt at a time is made, and no other counts as failed', async () => {
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
  // Slow once more, then quick: those that are left follow each other without waiting for one another.
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

test('a receiver that becomes slow while many attempts are under way has one at a time after them', async () => {
  const { read } = await newEndpoint(newOrganization());
  const success = { accepted: true, silent: false };
  const first = await read();
  assert.equal(await health.takeTurn(first), 'alone');
  assert.equal(health.refusal(await read()), 'wait');
  await health.note(first, { ...success, quick: true }, 'alone');
  const trusted = await read();
  assert.deepEqual([await health.takeTurn(trusted), await health.takeTurn(trusted)], ['beside', 'beside']);
  await health.note(trusted, { ...success, quick: false }, 'beside');
  const known = await read();
  assert.equal(await health.takeTurn(known), 'alone');
  // The end of an attempt from before is not the end of this one.
  await health.note(trusted, { ...success, quick: false }, 'beside');
  assert.equal(health.refusal(await read()), 'wait');
  assert.equal(await health.takeTurn(known), 'wait');
  await health.note(known, { ...success, quick: false }, 'alone');
  assert.equal(await health.takeTurn(await read()), 'alone');
});

test('whoever keeps an attempt for seconds without an answer counts as silent, and whoever refuses at once does not', async () => {
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

test('what waits of one organization hides nothing that is due of another from the sweep', async () => {
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
