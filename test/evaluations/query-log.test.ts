import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTable } from '../../shared/db/table.ts';
import type { IndexRecord } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { logged, queryLogAppend, queryLogErase, queryLogRead } from '../../shared/query-log/index.ts';
import { updateIndex } from '../../functions/indexes/update.ts';
import { openTestApp } from '../support/test-app.ts';

const app = await openTestApp();
after(() => app.close());

const uses = { writer: queryLogAppend, reader: queryLogRead, eraser: queryLogErase };
const { writer, reader, eraser } = makeDeps(uses, app.cloud.runtime);

const openLog = async (sample = 1): Promise<IndexRecord> => {
  app.useNewOrganization();
  const id = await app.newIndex();
  await app.call(updateIndex, { index_id: id }, { query_log: { sample, keep_days: 2 } });
  return app.record(id);
};

/** Logs a search by an own process, which writes its first entry at once. */
const log = async (index: IndexRecord, text: string, ...ids: string[]): Promise<string> => {
  const { writer: own } = makeDeps({ writer: queryLogAppend }, app.cloud.runtime);
  const id = own.begin(index);
  assert.ok(id !== null);
  const hits = ids.map((row) => ({ row: { id: row }, score: 1 }));
  const filter = { topic: 'tea', $and: [{ price: { $gt: 3 } }] };
  await own.add(index, logged(id, 'key_1', { mode: 'sparse', text, top_k: 5, filter }, { hits, tookMs: 2 }));
  return id;
};

const queriesOf = async (index: IndexRecord, days = 90): Promise<readonly string[]> =>
  (await reader.read(index, days)).entries
    .map(({ query }) => query ?? '')
    .toSorted((one, other) => one.localeCompare(other));

test('an entry has the shape of a filter without its values', async () => {
  const index = await openLog();
  await log(index, 'tea', 'a');
  const { entries } = await reader.read(index, 1);
  assert.deepEqual(
    entries.map(({ filter, hits, found }) => ({ filter, hits, found })),
    [{ filter: { topic: 'string', $and: [{ price: { $gt: 'number' } }] }, hits: [['a', 1]], found: 1 }],
  );
});

test('an erasure removes what names a row or a text, with its feedback, and nothing else', async () => {
  const [index, other] = [await openLog(), await openLog()];
  const named = await log(index, 'tea', 'a', 'b');
  const personal = await log(index, 'call Ada', 'c');
  const kept = await log(index, 'train', 'c');
  await log(other, 'tea', 'a');
  for (const [searchId, row] of [
    [named, 'b'],
    [personal, 'c'],
    [kept, 'a#1'],
    [kept, 'c'],
  ] as const)
    await writer.addFeedback(index, { searchId, row, event: 'good' }, 'key_1');
  const erased = { ids: new Set(['a', 'a#1']), isErasedText: (text: string) => text.includes('Ada') };
  assert.deepEqual(await eraser.erase(index, erased), { entries: 2, feedback: 3 });
  assert.deepEqual(await eraser.erase(index, erased), { entries: 0, feedback: 0 });
  const { entries, feedback } = await reader.read(index, 1);
  assert.deepEqual([entries.map(({ query }) => query), feedback.get(kept)?.length], [['train'], 1]);
  assert.deepEqual(await queriesOf(other), ['tea']);
  await eraser.eraseAll(index);
  const table = openTable(app.cloud.runtime, 'evaluations');
  assert.equal(await table.count(`QUERY_LOG#${index.organizationId}#${index.id}`), 0);
});

test('an entry is not read after the days for which it is kept, and expires', async () => {
  const index = await openLog();
  await log(index, 'tea', 'a');
  app.cloud.advance(86_400);
  await log(index, 'train', 'b');
  assert.deepEqual(await queriesOf(index), ['tea', 'train']);
  app.cloud.advance(86_400 + 120);
  assert.deepEqual(await queriesOf(index), ['train']);
  assert.deepEqual(await queriesOf({ ...index, queryLog: { sample: 1, keepDays: 1 } }), []);
  for await (const item of openTable(app.cloud.runtime, 'evaluations').all(
    `QUERY_LOG#${index.organizationId}#${index.id}`,
  ))
    assert.ok(Number(item['expires_at_epoch']) > 0);
});

test('a sample logs its share, and a burst is written as one batch', async () => {
  const index = await openLog(0.5);
  const begun = Array.from({ length: 2_000 }, () => writer.begin(index)).filter((id) => id !== null);
  assert.ok(begun.length > 800 && begun.length < 1_200, String(begun.length));
  assert.equal(writer.begin({ ...index, queryLog: null }), null);
  const all = { ...index, queryLog: { sample: 1, keepDays: 1 } };
  const entry = logged(newId('req', new Date()), 'k', { mode: 'sparse', text: 'x', top_k: 1 }, { hits: [], tookMs: 1 });
  for (let at = 0; at < 201; at += 1) await writer.add(all, { ...entry, id: writer.begin(all) ?? '' });
  // A long entry is written with those before it, so that no batch is too large for an item.
  const long = {
    ...entry,
    query: 'é'.repeat(1_000),
    hits: Array.from({ length: 10 }, () => ['x'.repeat(512), 1] as const),
  };
  for (let at = 0; at < 40; at += 1) await writer.add(all, { ...long, id: writer.begin(all) ?? '' });
  const table = openTable(app.cloud.runtime, 'evaluations');
  const pk = `QUERY_LOG#${index.organizationId}#${index.id}`;
  const batches = await Array.fromAsync(table.all(pk, { prefix: 'LOG#' }));
  assert.equal(batches.length, 3);
  for (const { entries } of batches) assert.ok(Buffer.byteLength(entries as string) < 200_000);
  const found = (await reader.read(all, 1)).entries.length;
  assert.ok(found > 201 && found < 241, String(found));
});
