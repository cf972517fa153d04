import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createIndex } from '../../functions/indexes/create.ts';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { listIndexes } from '../../functions/indexes/list.ts';
import { updateIndex } from '../../functions/indexes/update.ts';
import { auditRead } from '../../shared/audit/index.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { call, person } from '../support/call.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { everyPoint } from '../support/every-point.ts';
import { randomFrom } from '../support/random.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const newOwner = (): Principal => person(newId('org', cloud.runtime.clock.now()), 'owner');

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as callers do
  readonly body: any;
}

const create = async (owner: Principal, body: object, idempotencyKey?: string): Promise<Answer> => {
  cloud.advance(1);
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  return call(cloud.runtime, createIndex, owner, { body: { name: 'books', dimensions: 4, ...body }, ...key });
};

const idsOf = async (owner: Principal): Promise<readonly string[]> =>
  ((await call(cloud.runtime, listIndexes, owner)).body as readonly { readonly id: string }[]).map(({ id }) => id);

test('a creation returns the oldest index of its name, or names it in a conflict, and creates none', async () => {
  const owner = newOwner();
  const first = await create(owner, { if_exists: 'return' });
  assert.equal(first.status, 201);
  const { id } = first.body;
  await create(owner, {});
  const again = await create(owner, { if_exists: 'return' });
  assert.deepEqual([again.status, again.body.id], [200, id]);
  const refused = await create(owner, { if_exists: 'conflict' });
  assert.deepEqual([refused.status, refused.body.code, refused.body.index_id], [409, 'name_taken', id]);
  for (const other of [{ dimensions: 5 }, { distance_metric: 'euclidean' }]) {
    const { status, body } = await create(owner, { ...other, if_exists: 'return' });
    assert.deepEqual([status, body.code, body.index_id], [409, 'conflict', id], JSON.stringify(other));
  }
  assert.equal((await create(owner, { dimensions: undefined, if_exists: 'return' })).body.id, id);
  assert.equal((await idsOf(owner)).length, 2);
  const { audit } = makeDeps({ audit: auditRead }, cloud.runtime);
  const { records } = await audit.page(owner.organizationId, {}, { limit: 10, after: null });
  assert.deepEqual(
    records.map(({ action, outcome }) => [action, outcome]),
    [
      ['index.created', 'succeeded'],
      ['index.created', 'succeeded'],
    ],
  );
});

test('a name is free once its index is renamed or deleted, and taken by a rename', async () => {
  const owner = newOwner();
  const { id } = (await create(owner, { if_exists: 'conflict' })).body;
  const path = { index_id: id as string };
  await call(cloud.runtime, updateIndex, owner, { path, body: { name: 'journals' } });
  const second = await create(owner, { if_exists: 'conflict' });
  assert.equal(second.status, 201);
  assert.equal((await create(owner, { name: 'journals', if_exists: 'return' })).body.id, id);
  await call(cloud.runtime, deleteIndex, owner, { path });
  const third = await create(owner, { name: 'journals', if_exists: 'conflict' });
  assert.equal(third.status, 201, JSON.stringify(third.body));
  assert.notEqual(third.body.id, id);
});

test('of concurrent creations of a name, one creates its index and the others return it', async () => {
  for (let round = 0; round < 10; round += 1) {
    const owner = newOwner();
    // The claim of a deleted index does not keep its name.
    if (round % 2 === 0) {
      const { id } = (await create(owner, { if_exists: 'return' })).body;
      await call(cloud.runtime, deleteIndex, owner, { path: { index_id: id } });
    }
    cloud.turns.shuffle(randomFrom(round));
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, at) => create(owner, { if_exists: at === 0 ? 'conflict' : 'return' })),
    );
    cloud.turns.shuffle(null);
    const ids = await idsOf(owner);
    assert.equal(ids.length, 1, `round ${round}`);
    assert.equal(answers.filter(({ status }) => status === 201).length, 1, `round ${round}`);
    for (const { body } of answers) assert.equal(body.id ?? body.index_id, ids[0], `round ${round}`);
  }
});

test('a creation that died is completed by its repeat, at whichever request', async () => {
  await everyPoint({ step: 1 }, async (fault) => {
    const owner = newOwner();
    cloud.faults.arm(fault);
    await create(owner, { if_exists: 'conflict' }, 'once').catch(() => null);
    const reached = cloud.faults.count >= fault.request;
    cloud.faults.arm(null);
    cloud.advance(120);
    const { status, body } = await create(owner, { if_exists: 'conflict' }, 'once');
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual(await idsOf(owner), [body.id]);
    return reached;
  });
});
