import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { getIndex } from '../../functions/indexes/get.ts';
import { listIndexes } from '../../functions/indexes/list.ts';
import { denseSearch } from '../../functions/search/dense.ts';
import { indexFormat } from '../../shared/indexes/record.ts';
import { openTable } from '../../shared/db/table.ts';
import { type TestApp, openTestApp } from '../support/test-app.ts';

const vector = Array.from({ length: 8 }, () => 1);

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

for (const [what, format] of [
  ['from before formats were numbered', undefined],
  ['of a later version', indexFormat + 1],
] as const)
  test(`an index ${what} is refused by one line that says what to do, and no request or message changes it`, async () => {
    app.useNewOrganization();
    const index = await app.newIndex(8);
    assert.equal((await app.upsert(index, [{ id: 'a', vector }])).status, 200);
    const { organizationId } = await app.record(index);
    const indexes = openTable(app.cloud.runtime, 'indexes');
    const key = { pk: `ORG#${organizationId}`, sk: index };
    await indexes.update(key, format === undefined ? { remove: ['format'] } : { set: { format } });
    const stored = await indexes.get(key);
    for (const [endpoint, path, body] of [
      [getIndex, { index_id: index }, undefined],
      [denseSearch, { index_id: index }, { vector }],
      [deleteIndex, { index_id: index }, undefined],
      [listIndexes, {}, undefined],
    ] as const) {
      const answer = await app.call(endpoint, path, body);
      assert.deepEqual([answer.status, answer.body.code], [409, 'conflict'], endpoint.id);
      assert.equal(
        answer.body.detail,
        `Index ${index} has data of format ${format ?? 0}, and this version reads format ${indexFormat}. ` +
          'Deploy the version that wrote it, export its rows, and import them into a new deployment',
      );
    }
    assert.equal((await app.upsert(index, [{ id: 'b', vector }])).status, 409);
    assert.deepEqual(await indexes.get(key), stored);
  });
