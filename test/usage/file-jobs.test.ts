import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createFile } from '../../functions/files/create.ts';
import { membersOf } from '../../shared/db/read-item.ts';
import { openTable } from '../../shared/db/table.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { inParallel } from '../../shared/kernel/in-parallel.ts';
import { plans } from '../../shared/kernel/plans.ts';
import { monthOf, usageRead } from '../../shared/usage/index.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { answerOf, person } from '../support/call.ts';
import { randomFrom } from '../support/random.ts';
import { putReadyIndex } from '../support/ready-index.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const { runtime } = cloud;
const limit = plans.developer.limits.file_jobs_per_month;

/** An organization that may start `room` more file jobs this month. */
const organizationWith = async (room: number) => {
  const owner = person(newId('org', runtime.clock.now()), 'owner');
  const indexId = await putReadyIndex(runtime, owner.organizationId);
  const month = monthOf(runtime.clock.now().toISOString());
  const books = { pk: `MONTH#${owner.organizationId}#${month}`, sk: 'FILE_JOBS' };
  if (room < limit) await openTable(runtime, 'usage').put({ ...books, file_jobs: limit - room });
  const { usage } = makeDeps({ usage: usageRead }, runtime);
  const counted = async (): Promise<number> => (await usage.fileJobs(owner.organizationId, month)) - (limit - room);
  return {
    start: (idempotencyKey: string) =>
      answerOf(runtime, createFile, owner, {
        path: { index_id: indexId },
        body: { filename: 'a.txt', content_type: 'text/plain' },
        idempotencyKey,
      }),
    counted,
    /** Reservations that every further one has to carry along. */
    remembered: async () => membersOf(await openTable(runtime, 'usage').get(books), 'reserved').size,
    stored: () => openTable(runtime, 'files').count(`INDEX#${owner.organizationId}#${indexId}`, { prefix: 'job_' }),
  };
};

const twins = 8;

/** Keys of requests of which the first is made many times over, all at once. */
const keysOf = (competitors: number): readonly string[] => {
  const key = randomUUID();
  return [...Array.from({ length: twins }, () => key), ...Array.from({ length: competitors }, () => randomUUID())];
};

test('repeats at once take the last place of a month together or not at all, and what is counted is stored', async () => {
  for (let round = 0; round < 12; round += 1) {
    const [room, competitors] = [round % 2, round % 3];
    const organization = await organizationWith(room);
    cloud.turns.shuffle(randomFrom(round));
    const keys = keysOf(competitors);
    const answers = await Promise.all(keys.map(organization.start));
    cloud.turns.shuffle(null);
    const told = `round ${round}: ${answers.map(({ statusCode }) => statusCode).join(' ')}`;
    assert.ok(
      answers.every(({ statusCode }) => statusCode === 201 || statusCode === 402),
      told,
    );
    const made = answers.filter(({ statusCode }) => statusCode === 201);
    assert.equal(new Set(made.map(({ body }) => body)).size, room, told);
    if (room === 1 && competitors === 0) assert.equal(made.length, twins, told);
    assert.deepEqual([await organization.counted(), await organization.stored()], [room, room], told);
  }
});

test('the first job of a month is counted, and a refusal reports the limit', async () => {
  const organization = await organizationWith(limit);
  assert.equal((await organization.start(randomUUID())).statusCode, 201);
  assert.deepEqual([await organization.counted(), await organization.stored()], [1, 1]);

  const full = await organizationWith(0);
  const { statusCode, body } = await full.start(randomUUID());
  const refusal = JSON.parse(body) as Readonly<Record<string, unknown>>;
  assert.deepEqual(
    [statusCode, refusal['code'], refusal['limit'], refusal['current']],
    [402, 'plan_limit_reached', limit, limit],
  );
});

/** An organization whose first request has reserved its job and died before it stored it. */
const withLostRequest = async (key: string) => {
  for (let request = 1; ; request += 1) {
    const organization = await organizationWith(limit);
    cloud.faults.arm({ request, kind: 'reply lost' });
    await organization.start(key);
    cloud.faults.arm(null);
    if ((await organization.counted()) === 1 && (await organization.stored()) === 0) return organization;
    assert.ok((await organization.stored()) === 0, 'no request dies between the two');
  }
};

test('a request that died is counted once, however many jobs were started before it was repeated', async () => {
  const key = randomUUID();
  const organization = await withLostRequest(key);
  cloud.advance(1);
  const others = Array.from({ length: 160 }, () => randomUUID());
  await inParallel(others, 8, async (other) => assert.equal((await organization.start(other)).statusCode, 201));
  assert.ok((await organization.remembered()) < others.length);
  cloud.advance(23 * 3_600);
  assert.equal((await organization.start(key)).statusCode, 201);
  const all = others.length + 1;
  assert.deepEqual([await organization.counted(), await organization.stored()], [all, all]);
});
