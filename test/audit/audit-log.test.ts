import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApiKey } from '../../functions/api-keys/create.ts';
import { revokeApiKey } from '../../functions/api-keys/revoke.ts';
import { auditRead } from '../../shared/audit/index.ts';
import { openAuditLog } from '../../shared/audit/repository.ts';
import { credentialsRead } from '../../shared/credentials/index.ts';
import type { AuditRecord } from '../../shared/http/audit.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId, timeOf } from '../../shared/kernel/ids.ts';
import { answerOf, callOk, person } from '../support/call.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { everyPoint } from '../support/every-point.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const newOwner = () => person(newId('org', cloud.runtime.clock.now()), 'owner');

const reader = () => makeDeps({ audit: auditRead }, cloud.runtime).audit;

const recordsOf = async (organizationId: string, filter = {}, limit = 100) =>
  (await reader().page(organizationId, filter, { limit, after: null })).records;

test('a change has exactly one record, at whichever request its run dies', async () => {
  const points = await everyPoint({ step: 1 }, async (fault) => {
    const owner = newOwner();
    const { id } = await callOk(cloud.runtime, createApiKey, owner, { body: { name: 'brief' } });
    cloud.faults.arm(fault);
    const answer = await answerOf(cloud.runtime, revokeApiKey, owner, { path: { key_id: id as string } });
    const reached = cloud.faults.count >= fault.request;
    cloud.faults.arm(null);
    const { credentials } = makeDeps({ credentials: credentialsRead }, cloud.runtime);
    const key = await credentials.getKey(owner.organizationId, id as string);
    const records = await recordsOf(owner.organizationId, { action: 'api_key.revoked' });
    const outcomes = records.map(({ outcome }) => outcome);
    if (answer.statusCode === 204) assert.deepEqual(outcomes, ['succeeded']);
    else if (key?.revokedAt != null) assert.equal(outcomes.length, 1);
    for (const { resource } of records) assert.deepEqual(resource, { id, name: 'brief' });
    return reached;
  });
  assert.ok(points > 6, String(points));
});

const newRecord = (organizationId: string, at: Date, requestId = 'req_first'): AuditRecord => ({
  id: newId('audit', at),
  organizationId,
  at: at.toISOString(),
  action: 'index.created',
  actor: { kind: 'api_key', id: 'key_test', email: null, creators: ['usr_test'] },
  resource: { id: null, name: 'handbook' },
  indexId: null,
  sourceIp: null,
  userAgent: null,
  requestId,
  details: { dimensions: 3 },
});

test('a refused request is recorded if a repeat of it succeeds, and a success stays as it is', async () => {
  const { organizationId } = newOwner();
  const log = openAuditLog(cloud.runtime);
  const first = newRecord(organizationId, cloud.runtime.clock.now());
  const repeat = { ...first, requestId: 'req_repeat' };
  const outcomes = async () =>
    (await recordsOf(organizationId)).map(({ outcome, requestId }) => [outcome, requestId] as const);
  await log.begin(first);
  assert.deepEqual(await outcomes(), [['unknown', 'req_first']]);
  // The first run may have made the change, so the refusal of another one proves nothing.
  await log.begin(repeat);
  await log.refuse(repeat);
  assert.deepEqual(await outcomes(), [['unknown', 'req_first']]);
  await log.refuse(first);
  assert.deepEqual(await outcomes(), []);
  await log.begin(repeat);
  await log.succeed(repeat);
  for (const late of [first, repeat]) {
    await log.begin(late);
    await log.succeed({ ...late, resource: { id: 'idx_other', name: 'other' } });
    await log.refuse(late);
  }
  assert.deepEqual(await outcomes(), [['succeeded', 'req_repeat']]);
  const [{ resource } = first] = await recordsOf(organizationId);
  assert.deepEqual(resource, { id: null, name: 'handbook' });
});

test('records are listed across months within a range, and for a year', async () => {
  const { organizationId } = newOwner();
  const log = openAuditLog(cloud.runtime);
  const days = 40;
  const ids: string[] = [];
  for (let month = 0; month < 5; month += 1) {
    const record = newRecord(organizationId, cloud.runtime.clock.now());
    await log.begin(record);
    await log.succeed(record);
    ids.unshift(record.id);
    cloud.advance(days * 24 * 3600);
  }
  const idsOf = async (filter = {}) => (await recordsOf(organizationId, filter)).map(({ id }) => id);
  assert.deepEqual(await idsOf(), ids);
  const [, second, third, fourth] = ids.map((id) => timeOf(id));
  assert.deepEqual(await idsOf({ from: third, to: second }), ids.slice(2, 3));
  assert.deepEqual(await idsOf({ to: second }), ids.slice(2));
  assert.deepEqual(await idsOf({ from: fourth }), ids.slice(0, 4));
  const paged: string[] = [];
  let next: string | null = null;
  do {
    const page = await reader().page(organizationId, {}, { limit: 2, after: next });
    paged.push(...page.records.map(({ id }) => id));
    next = page.next;
  } while (next !== null);
  assert.deepEqual(paged, ids);
  cloud.advance((366 - 3 * days) * 24 * 3600);
  assert.deepEqual(await idsOf(), ids.slice(0, 2));
});
