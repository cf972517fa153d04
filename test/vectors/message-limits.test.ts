import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { deleteVectors } from '../../functions/vectors/delete.ts';
import { updateVectors } from '../../functions/vectors/update.ts';
import { type TestApp, openTestApp } from '../support/test-app.ts';
import { changeLimits } from '../support/plan-limits.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

const vector = [1, 2, 3, 4];

const ids = async (index: string): Promise<readonly string[]> => (await app.rows(index)).map(({ id }) => id);

it('accepts no more items in a request than the plan of the caller allows, and reports all other problems with that', async (context) => {
  const allow = changeLimits(context);
  const index = await app.newIndex();
  allow({ max_vectors_per_request: 2 });
  const two = [
    { id: 'a', vector },
    { id: 'b', vector },
  ];
  assert.equal((await app.upsert(index, two)).status, 200);
  const tooLong = {
    loc: ['body'],
    msg: 'List should have at most 2 items after validation, not 3',
    type: 'too_long',
  };
  const repeated = {
    loc: ['body', 2, 'id'],
    msg: 'The id is the same as that of item 0',
    type: 'value_error',
  };
  const refused = await app.upsert(index, [...two, { id: 'a', vector }]);
  assert.deepEqual([refused.status, refused.body], [422, { detail: [tooLong, repeated] }]);
  const patches = ['a', 'b', 'a'].map((id) => ({ id, metadata: { tag: 'x' } }));
  const update = (body: readonly object[]) => app.call(updateVectors, { index_id: index }, body);
  assert.equal((await update(patches.slice(0, 2))).status, 200);
  const unchanged = await update(patches);
  assert.deepEqual([unchanged.status, unchanged.body], [422, { detail: [tooLong, repeated] }]);
});

it('deletes as many of the longest ids as a request may name, in any script', async () => {
  const index = await app.newIndex();
  const named = Array.from({ length: 1_000 }, (_, at) => String(at).padStart(512, '語'));
  await app.upsert(index, [
    { id: named[0], vector },
    { id: named[999], vector },
    { id: 'kept', vector },
  ]);
  const { status, body } = await app.call(deleteVectors, { index_id: index }, { ids: named });
  assert.deepEqual([status, body], [200, { deleted: 2 }]);
  assert.deepEqual(await ids(index), ['kept']);
});

it('deletes by a filter that is larger than a message, and by one that looks like a pointer', async () => {
  const index = await app.newIndex();
  const tags = Array.from({ length: 1_000 }, (_, at) => String(at).padStart(1_200, 'x'));
  await app.upsert(index, [
    { id: 'large', vector, metadata: { tag: tags[500] } },
    { id: 'small', vector, metadata: { key: 'batches/a.json' } },
    { id: 'kept', vector },
  ]);
  const remove = async (filter: object) => (await app.call(deleteVectors, { index_id: index }, { filter })).body;
  assert.deepEqual(await remove({ tag: { $in: tags } }), { deleted: 1 });
  assert.deepEqual(await remove({ key: 'batches/a.json' }), { deleted: 1 });
  assert.deepEqual(await ids(index), ['kept']);
});

it('takes every character, those that a queue refuses among them', async () => {
  const index = await app.newIndex();
  const odd = '\u0001 \uFFFE \uFFFF \\ufffe';
  const { status } = await app.upsert(index, [{ id: odd, vector, text: odd, metadata: { [odd]: odd } }]);
  assert.equal(status, 200);
  const [row] = await app.engine().fetch(await app.ref(index), [odd], false);
  assert.deepEqual([row?.id, row?.text, row?.metadata], [odd, odd, { [odd]: odd }]);
});
