import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { getOrganizationUsage } from '../../functions/organization/get-usage.ts';
import { listDailyUsage } from '../../functions/organization/list-daily-usage.ts';
import { listIndexUsage } from '../../functions/organization/list-index-usage.ts';
import { listUsageHistory } from '../../functions/organization/list-usage-history.ts';
import { denseSearch } from '../../functions/search/dense.ts';
import { openTable } from '../../shared/db/table.ts';
import { type TestApp, openTestApp } from '../support/test-app.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

const vector = [1, 2, 3, 4];
const day = 24 * 3600 * 1000;

interface Entry {
  readonly index_id: string;
  readonly date: string;
  readonly vectors: number;
  readonly vectors_written: number;
  readonly vectors_deleted: number;
  readonly vectors_stored: number;
  readonly dense_bytes: number;
  readonly sparse_bytes: number;
}

test('usage by index and by day adds up to that of the organization, deleted indexes included', async () => {
  app.useNewOrganization();
  const get = async (endpoint: Parameters<TestApp['call']>[0]) => (await app.call(endpoint, {})).body;
  const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `r${at}`, vector }));
  const first = await app.newIndex();
  await app.upsert(first, rows(3));
  app.cloud.advance(day);
  const second = await app.newIndex();
  await app.upsert(second, rows(2));
  // An index without rows and requests is not listed.
  await app.newIndex();
  const gone = await app.newIndex();
  await app.upsert(gone, rows(5));
  await app.call(denseSearch, { index_id: second }, { vector });
  await app.call(denseSearch, { index_id: gone }, { vector });
  app.cloud.advance(day);
  await app.call(deleteIndex, { index_id: gone });
  await app.work();
  await app.upsert(first, rows(4));

  const indexes: readonly Entry[] = await get(listIndexUsage);
  assert.deepEqual(new Set(indexes.map(({ index_id: id }) => id)), new Set([first, second, gone]));
  const total = await get(getOrganizationUsage);
  const sum = (of: (entry: Entry) => number, entries: readonly Entry[]) =>
    entries.reduce((all, entry) => all + of(entry), 0);
  for (const figure of ['vectors_written', 'vectors_deleted', 'vectors_stored', 'dense_bytes'] as const)
    assert.equal(
      sum((entry) => entry[figure], indexes),
      total[figure],
      figure,
    );
  assert.equal(total.indexes, 3);
  const history: readonly Entry[] = await get(listUsageHistory);
  const daily: readonly Entry[] = await get(listDailyUsage);
  assert.equal(history.length, 30);
  for (const figure of ['vectors', 'vectors_written', 'vectors_deleted', 'dense_bytes', 'sparse_bytes'] as const)
    assert.deepEqual(
      history.map((point) => point[figure]),
      history.map(({ date }) =>
        sum(
          (entry) => entry[figure],
          daily.filter((entry) => entry.date === date),
        ),
      ),
      figure,
    );
});

test('the number of indexes is exact through creations, failures and deletions, and after those of an earlier version', async () => {
  app.useNewOrganization();
  const first = await app.newIndex();
  const { organizationId } = await app.record(first);
  const counted = async () => (await app.call(getOrganizationUsage, {})).body.indexes;
  const ids = [first];
  for (let at = 0; at < 4; at += 1) ids.push(await app.newIndex());
  assert.equal(await counted(), 5);
  const remove = (id: string) => app.call(deleteIndex, { index_id: id });
  await Promise.all([remove(ids[0] ?? ''), remove(ids[0] ?? ''), remove(ids[1] ?? ''), app.newIndex()]);
  assert.equal(await counted(), 4);
  await app.work();
  await app.newBranch(ids[2] ?? '');
  assert.equal(await counted(), 5);
  // Earlier versions kept an upper bound, which deletions did not lower.
  const table = openTable(app.cloud.runtime, 'indexes');
  const key = { pk: `LIMITS#${organizationId}`, sk: 'indexes' };
  await table.update(key, { set: { bound: 9 }, remove: ['exact'] });
  assert.equal(await counted(), 5);
  await remove(ids[3] ?? '');
  assert.equal(await counted(), 4);
  await app.newIndex();
  assert.equal(await counted(), 5);
  assert.deepEqual((await table.get(key))?.['bound'], 5);
});
