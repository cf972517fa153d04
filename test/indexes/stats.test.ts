import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getIndexStats } from '../../functions/indexes/get-stats.ts';
import { deleteVectors } from '../../functions/vectors/delete.ts';
import { type Desk, openDesk } from '../support/desk.ts';

let desk: Desk;
before(async () => {
  desk = await openDesk();
});
after(() => desk.close());

test('no more vectors are unindexed than there are, whatever maintenance has yet to see', async () => {
  const index = await desk.newIndex();
  const path = { index_id: index };
  const remove = (ids: readonly string[]) => desk.call(deleteVectors, path, { ids });
  const figures = async () => {
    const { body } = await desk.call(getIndexStats, path);
    return { vectors: body.vectors, unindexed: body.unindexed_vectors };
  };
  const ids = Array.from({ length: 10 }, (_, at) => `row${at}`);
  await desk.upsert(
    index,
    ids.map((id, at) => ({ id, vector: [1, 2, 3, at] })),
  );
  assert.deepEqual(await figures(), { vectors: 10, unindexed: 10 });
  await remove(ids.slice(0, 4));
  assert.deepEqual(await figures(), { vectors: 6, unindexed: 6 });
  await remove(ids.slice(4));
  assert.deepEqual(await figures(), { vectors: 0, unindexed: 0 });
  assert.ok((await desk.record(index)).state.unindexedRows > 0);
});
