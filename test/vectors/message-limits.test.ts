import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { deleteVectors } from '../../functions/vectors/delete.ts';
import { updateVectors } from '../../functions/vectors/update.ts';
import { indexWriterUses } from '../../functions/workers/index-writer/uses.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { changeKey } from '../../shared/kernel/content-keys.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { contentWriter } from '../../shared/platform/aws/content.ts';
import { sendMessage } from '../../shared/platform/aws/queue.ts';
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
    msg: 'Value error, the id is the same as that of item 0',
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

it('refuses a delete of an earlier version whose filter is invalid by now, and applies what waits behind it', async () => {
  const index = await app.newIndex();
  await app.upsert(index, [{ id: 'kept', vector }]);
  const { organizationId, region } = await app.record(index);
  const { runtime } = app.cloud;
  const { indexes } = makeDeps(indexWriterUses, runtime);
  const { stored } = makeDeps({ stored: contentWriter({ puts: ['batches'] }) }, runtime);
  const filter = { $and: Array.from({ length: 40_000 }, () => ({})) };
  const key = changeKey({ organizationId, indexId: index }, 'earlier');
  await stored.put(region, key, new TextEncoder().encode(JSON.stringify(filter)), 'application/json');
  const send = async (sent: object | string): Promise<string> => {
    const receipt_id = newId('rcp', runtime.clock.now());
    const change = { op: 'delete', filter: sent };
    const message = { organization_id: organizationId, index_id: index, receipt_id, change };
    await sendMessage(runtime, 'log', region, message, { groupId: index, deduplicationId: receipt_id });
    return receipt_id;
  };
  const receipts = [await send(filter), await send(key)];
  assert.equal((await app.upsert(index, [{ id: 'later', vector }])).status, 200);
  for (const receipt of receipts) {
    const { error, deleted } = (await indexes.receipt(organizationId, index, receipt)) ?? {};
    const reason = 'The filter is not valid: at most 512 parts of $and, $or and $not are allowed';
    assert.deepEqual([error, deleted], [reason, 0]);
  }
  assert.deepEqual(await ids(index), ['kept', 'later']);
});

it('takes every character, those that a queue refuses among them', async () => {
  const index = await app.newIndex();
  const odd = '\u0001 \uFFFE \uFFFF \\ufffe';
  const { status } = await app.upsert(index, [{ id: odd, vector, text: odd, metadata: { [odd]: odd } }]);
  assert.equal(status, 200);
  const [row] = await app.engine().fetch(await app.ref(index), [odd], false);
  assert.deepEqual([row?.id, row?.text, row?.metadata], [odd, odd, { [odd]: odd }]);
});
