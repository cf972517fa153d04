import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApiKey } from '../../functions/api-keys/create.ts';
import { createWebhookEndpoint } from '../../functions/webhooks/create.ts';
import { relay } from '../../functions/workers/relay/worker.ts';
import { auditRead } from '../../shared/audit/index.ts';
import { openAuditLog } from '../../shared/audit/repository.ts';
import { textOf } from '../../shared/db/read-item.ts';
import { openTable } from '../../shared/db/table.ts';
import { eventTypes } from '../../shared/events/index.ts';
import type { AuditRecord } from '../../shared/http/audit.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import type { WebhookEndpoint } from '../../shared/webhooks/record.ts';
import { channelsOf, messageToAll } from '../../shared/webhooks/svix/messages.ts';
import { callOk, person } from '../support/call.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { putOrganization } from '../support/organization.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const newOwner = async () => {
  const owner = person(newId('org', cloud.runtime.clock.now()), 'owner');
  await putOrganization(cloud.runtime, owner.organizationId);
  return owner;
};

const newEndpoint = (owner: Awaited<ReturnType<typeof newOwner>>, event_types: readonly string[] | null) =>
  callOk(cloud.runtime, createWebhookEndpoint, owner, { body: { url: 'https://example.com/hook', event_types } });

/** Runs the relay for a record of the audit log. Returns the ids of failed messages. */
const relayed = (organizationId: string, auditId: string) =>
  relay.handle({
    deliveries: [{ message: { organization_id: organizationId, audit_id: auditId }, messageId: 'm', attempt: 1 }],
    deps: makeDeps(relay.uses, cloud.runtime),
    run: cloud.run(),
  });

const newestRecord = async (organizationId: string): Promise<string> => {
  const { audit } = makeDeps({ audit: auditRead }, cloud.runtime);
  return (await audit.page(organizationId, {}, { limit: 1, after: null })).records[0]?.id ?? assert.fail();
};

const eventsOf = async (organizationId: string) =>
  (await openTable(cloud.runtime, 'events').query(`ORG#${organizationId}`, { prefix: 'evt_' })).items;

const deliveredTo = async (organizationId: string, endpointId: unknown) => {
  const { items } = await openTable(cloud.runtime, 'webhooks').query(
    `ORG#${organizationId}#ENDPOINT#${String(endpointId)}`,
  );
  return items.length;
};

test('an endpoint receives records of the audit log once, and only if it names their type', async () => {
  const owner = await newOwner();
  const { organizationId } = owner;
  const all = await newEndpoint(owner, null);
  // Ids of one millisecond have no order.
  cloud.advance(1);
  await callOk(cloud.runtime, createApiKey, owner, { body: { name: 'unheard' } });
  await relayed(organizationId, await newestRecord(organizationId));
  assert.deepEqual(await eventsOf(organizationId), []);
  const named = await newEndpoint(owner, ['audit.recorded']);
  cloud.advance(1);
  const { token } = await callOk(cloud.runtime, createApiKey, owner, { body: { name: 'heard' } });
  const id = await newestRecord(organizationId);
  for (let repeat = 0; repeat < 3; repeat += 1) assert.deepEqual(await relayed(organizationId, id), []);
  const [event, ...others] = await eventsOf(organizationId);
  assert.deepEqual([event?.['event_type'], event?.['status'], others], ['audit.recorded', 'dispatched', []]);
  const key = { pk: `ORG#${organizationId}#EVENT#${event?.sk ?? ''}`, sk: 'BODY' };
  const body = textOf(await openTable(cloud.runtime, 'events').get(key), 'body') ?? '';
  const { data } = JSON.parse(body) as { readonly data: { readonly record: Record<string, unknown> } };
  assert.deepEqual([data.record['id'], data.record['action']], [id, 'api_key.created']);
  assert.ok(!body.includes(String(token)));
  assert.deepEqual(
    [await deliveredTo(organizationId, all['id']), await deliveredTo(organizationId, named['id'])],
    [0, 1],
  );
});

test('a record contains numbers that the table cannot store as numbers', async () => {
  const owner = await newOwner();
  const filter = { size: { $lt: 1.5e245 }, share: { $gt: 2.5e-255 } };
  await callOk(cloud.runtime, createApiKey, owner, { body: { name: 'bound', permissions: ['read'], filter } });
  const { audit } = makeDeps({ audit: auditRead }, cloud.runtime);
  const [record] = (await audit.page(owner.organizationId, {}, { limit: 1, after: null })).records;
  assert.deepEqual(record?.details['filter'], filter);
});

test('the event of a record waits until its change has succeeded, and a refused change has none', async () => {
  const owner = await newOwner();
  const { organizationId } = owner;
  await newEndpoint(owner, ['audit.recorded']);
  const log = openAuditLog(cloud.runtime);
  const at = cloud.runtime.clock.now();
  const record: AuditRecord = {
    id: newId('audit', at),
    organizationId,
    at: at.toISOString(),
    action: 'index.deleted',
    actor: { kind: 'session', id: owner.subjectId, email: owner.email, creators: [] },
    resource: { id: newId('idx', at), name: 'handbook' },
    indexId: null,
    sourceIp: null,
    userAgent: null,
    requestId: 'req_test',
    details: {},
  };
  await log.begin(record);
  assert.deepEqual(await relayed(organizationId, record.id), ['m']);
  assert.deepEqual(await eventsOf(organizationId), []);
  await log.succeed(record);
  assert.deepEqual(await relayed(organizationId, record.id), []);
  assert.equal((await eventsOf(organizationId)).length, 1);
  const refused = { ...record, id: newId('audit', at) };
  await log.begin(refused);
  await log.refuse(refused);
  assert.deepEqual(await relayed(organizationId, refused.id), []);
  assert.equal((await eventsOf(organizationId)).length, 1);
});

test('Svix delivers records of the audit log by a channel that endpoints of all events lack', () => {
  const endpoint = { id: 'we_1', organizationId: 'org_1', eventTypes: null } as unknown as WebhookEndpoint;
  const channelsFor = (types: WebhookEndpoint['eventTypes']) => channelsOf({ ...endpoint, eventTypes: types });
  const message = { organizationId: 'org_1', id: 'evt_1', createdAt: '', body: '{}' };
  const reaches = (types: WebhookEndpoint['eventTypes'], type: string): boolean =>
    messageToAll({ ...message, type }).channels.some((channel) => channelsFor(types).includes(channel));
  for (const type of eventTypes) {
    assert.equal(reaches(null, type), type !== 'audit.recorded', type);
    assert.equal(reaches(eventTypes, type), true, type);
    assert.equal(reaches(['audit.recorded'], type), type === 'audit.recorded', type);
  }
  for (const left of eventTypes) assert.ok(channelsFor(eventTypes.filter((type) => type !== left)).length <= 10);
  assert.ok(channelsFor(eventTypes).length <= 10);
  // Any two neighbours may share a channel, so every second one is the most.
  const most = eventTypes.filter((type, at) => at % 2 === 0 || type === 'audit.recorded');
  assert.ok(channelsFor(most).length <= 10);
});
