import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createErasure } from '../../functions/erasures/create.ts';
import { getErasure } from '../../functions/erasures/get.ts';
import { listReceiptKeys } from '../../functions/erasures/list-keys.ts';
import { createExport } from '../../functions/exports/create.ts';
import { createFile } from '../../functions/files/create.ts';
import { updateIndex } from '../../functions/indexes/update.ts';
import { diffIndex } from '../../functions/indexes/diff.ts';
import { promoteIndex } from '../../functions/indexes/promote.ts';
import { restoreIndex } from '../../functions/versions/restore.ts';
import { exportIndex } from '../../functions/workers/export-index/worker.ts';
import { indexBuilder } from '../../functions/workers/index-builder/worker.ts';
import { sweepFiles } from '../../functions/workers/sweep-files/schedule.ts';
import { eventsWrite } from '../../shared/events/index.ts';
import { exportsRead } from '../../shared/exports/index.ts';
import { filesRead } from '../../shared/files/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { changeKey, embeddingKey, exportPrefix, jobTextKey, uploadKey } from '../../shared/kernel/content-keys.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { logged, queryLogAppend, queryLogRead } from '../../shared/query-log/index.ts';
import { contentReader, contentWriter } from '../../shared/platform/aws/content.ts';
import { verifyReceipt } from '#client';
import { everyPoint } from '../support/every-point.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

/** Requests between two points to die at. */
const step = Number(process.env['STEP'] ?? 211);

const vector = [1, 2, 3, 4];
const minuteSeconds = 60;
const region = 'us-east-1';

const content = () =>
  makeDeps(
    {
      reads: contentReader('batches', 'embeddings', 'exported', 'uploads'),
      puts: contentWriter({ puts: ['batches', 'embeddings', 'exported', 'uploads'] }),
    },
    app.cloud.runtime,
  );

const ids = async (index: string): Promise<readonly string[]> => (await app.rows(index)).map(({ id }) => id);

/** Lets every worker and sweep that an erasure needs run, once in each quarter of an hour. */
const look = async (): Promise<void> => {
  await app.cloud.tick(sweepFiles);
  await app.work();
  await app.cloud.drain(exportIndex);
  await app.cloud.drain(indexBuilder);
  await app.work();
  app.cloud.advance(15 * minuteSeconds);
};

const erasureOf = async (index: string, erasure: string) =>
  (await app.call(getErasure, { index_id: index, erasure_id: erasure })).body;

/** Looks until an erasure is completed, at most for a day. */
const completed = async (index: string, erasure: string) => {
  for (let looks = 0; looks < 96; looks += 1) {
    const found = await erasureOf(index, erasure);
    if (found.status === 'completed') return found;
    await look();
  }
  return assert.fail(JSON.stringify(await erasureOf(index, erasure)));
};

const erase = async (index: string, body: object) => {
  app.cloud.advance(minuteSeconds);
  const { status, body: started } = await app.call(createErasure, { index_id: index }, body);
  assert.equal(status, 202, JSON.stringify(started));
  return started;
};

const removedFrom = (found: { places: { place: string; removed: number }[] }, place: string): number =>
  found.places.find((one) => one.place === place)?.removed ?? -1;

/** Rows of a person, and others. */
const writeRows = async (index: string): Promise<void> => {
  await app.upsert(index, [
    { id: 'anna 1', vector, text: 'Anna likes green tea', metadata: { person: 'anna' } },
    { id: 'ben 1', vector, text: 'Ben takes the night train', metadata: { person: 'ben' } },
  ]);
  await app.upsert(index, [{ id: 'anna 2', vector, text: 'Anna moved', metadata: { person: 'anna' } }]);
};

const keysUnder = async (directory: string): Promise<readonly string[]> =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('what is left in any place is found and removed, and the receipt says so without the subject', async () => {
  const index = await app.newIndex();
  const { organizationId } = await app.record(index);
  const address = { organizationId, indexId: index };
  await writeRows(index);
  const branch = await app.newBranch(index);
  await app.upsert(branch, [{ id: 'anna 3', vector, text: 'Anna in a branch', metadata: { person: 'anna' } }]);
  const [{ version: former }] = (await app.record(index)).layers;
  const exported = (await app.call(createExport, { index_id: index }, { format: 'jsonl' })).body.id;
  await app.cloud.drain(exportIndex);
  const file = (
    await app.call(
      createFile,
      { index_id: index },
      { filename: 'anna.txt', content_type: 'text/plain', metadata: { person: 'anna' } },
    )
  ).body.id;
  const job = { ...address, jobId: file };
  const { puts, reads } = content();
  const history = makeDeps({ events: eventsWrite }, app.cloud.runtime).events;
  const planted = [
    uploadKey(job),
    jobTextKey(job, '0', 'text'),
    changeKey(address, newId('rcp', app.cloud.runtime.clock.now())),
    embeddingKey(`${organizationId}/planted`),
    `${exportPrefix({ ...address, exportId: exported })}planted`,
  ];
  for (const key of planted) await puts.put(region, key, Buffer.from('Anna'), 'text/plain');
  await app.call(updateIndex, { index_id: index }, { query_log: { sample: 1, keep_days: 7 } });
  const log = makeDeps({ reader: queryLogRead }, app.cloud.runtime);
  const record = await app.record(index);
  for (const [query, row] of [
    ['who likes tea', 'anna 1'],
    ['night train', 'ben 1'],
    ['where is Anna', 'ben 1'],
  ] as const) {
    // A process of its own writes its first entry at once.
    const { writer } = makeDeps({ writer: queryLogAppend }, app.cloud.runtime);
    const search = { mode: 'sparse', text: query, top_k: 5 } as const;
    const hits = [{ row: { id: row }, score: 1 }];
    await writer.add(record, logged(writer.begin(record) ?? '', 'key_1', search, { hits, tookMs: 1 }));
  }
  const event = newId('evt', app.cloud.runtime.clock.now());
  const recorded = { id: event, organizationId, type: 'file.expired', createdAt: new Date().toISOString() } as const;
  await history.record({ ...recorded, indexId: index, jobId: file, body: '{"text":"Anna"}' }, 30);
  await app.cloud.deadLetter({ organization_id: organizationId, index_id: index, text: 'Anna' }, index);
  // A segment that no version names, as after a run that died.
  const objects = join(
    app.cloud.runtime.config.vectorsDirectory ?? '',
    'test-vectors-000000000000-us-east-1',
    organizationId,
    index,
  );
  const [segment = ''] = await keysUnder(join(objects, 'versions'));
  await mkdir(join(objects, 'merged'), { recursive: true });
  await copyFile(segment, join(objects, 'merged', 'planted'));
  const before = await keysUnder(objects);

  const started = await erase(index, { subject: { key: 'person', value: 'anna' } });
  assert.ok(started.erased_at !== null || started.status === 'running');
  assert.deepEqual(await ids(index), ['ben 1']);
  const restored = await app.call(restoreIndex, { index_id: index }, { as_of: former });
  assert.deepEqual([restored.status, restored.body.code], [410, 'version_not_kept']);

  const found = await completed(index, started.id);
  assert.deepEqual(await ids(index), ['ben 1']);
  assert.deepEqual(await ids(branch), ['ben 1']);
  assert.deepEqual(found.kept_files, []);
  assert.equal(removedFrom(found, 'rows'), 5);
  for (const place of [
    'branches',
    'versions',
    'segments',
    'files',
    'exports',
    'changes',
    'model_cache',
    'events',
    'dead_letters',
    'query_log',
  ])
    assert.ok(removedFrom(found, place) > 0, `${place}: ${JSON.stringify(found.places)}`);
  for (const key of planted) assert.equal(await reads.get(region, key), null, key);
  const deps = makeDeps({ files: filesRead, exports: exportsRead }, app.cloud.runtime);
  assert.equal(await deps.files.get(job), null);
  assert.equal(await deps.exports.get({ ...address, exportId: exported }), null);
  assert.equal(await history.body(organizationId, event), null);
  const { entries } = await log.reader.read(record, 1);
  assert.deepEqual(
    entries.map(({ query }) => query),
    ['night train'],
  );
  const left = await keysUnder(objects);
  assert.deepEqual(
    left.filter((key) => before.includes(key)).map((key) => key.slice(objects.length)),
    ['/versions/000000000001'],
    'every object from before is gone, but for the first version, which has no rows',
  );

  const { text, signature, key_id } = found.receipt;
  const [key] = (await app.call(listReceiptKeys, {})).body;
  assert.equal(key.id, key_id);
  const publicKey = createPublicKey(key.public_key);
  assert.ok(await verifyReceipt({ text, signature }, key.public_key));
  assert.ok(!(await verifyReceipt({ text: `${text} `, signature }, key.public_key)));
  assert.ok(verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64')));
  assert.ok(
    !verify(null, Buffer.from(text.replace('"removed":5', '"removed":6')), publicKey, Buffer.from(signature, 'base64')),
  );
  assert.doesNotMatch(JSON.stringify(found), /anna/i);
  assert.equal(await app.events(index, 'index.erased'), 1);

  // The branch has nothing of its parent any more, and replaces it as a whole.
  assert.equal((await app.call(diffIndex, { index_id: branch })).status, 409);
  assert.equal((await app.call(promoteIndex, { index_id: branch }, { parent_changes: 'keep' })).status, 409);
  await app.upsert(branch, [{ id: 'new', vector }]);
  const promoted = await app.call(promoteIndex, { index_id: branch }, { parent_changes: 'discard' });
  assert.equal(promoted.status, 200, JSON.stringify(promoted.body));
  assert.deepEqual(await ids(index), ['ben 1', 'new']);
});

test('ids and filters erase rows, also those that only former versions have', async () => {
  const index = await app.newIndex();
  await writeRows(index);
  const [{ version }] = (await app.record(index)).layers;
  await app.upsert(index, [{ id: 'anna 1', vector, text: 'Anna likes coffee', metadata: { person: 'anna' } }]);
  const first = await erase(index, { ids: ['anna 1', 'never'] });
  const second = await erase(index, { filter: { person: 'ben' } });
  assert.deepEqual(await ids(index), ['anna 2']);
  assert.equal((await app.call(restoreIndex, { index_id: index }, { as_of: version })).status, 410);
  // A new row with an id that was erased is not one of those that were.
  await app.upsert(index, [{ id: 'anna 1', vector, text: 'another one' }]);
  for (const { id } of [first, second]) assert.equal(removedFrom(await completed(index, id), 'rows'), 1);
  assert.deepEqual(await ids(index), ['anna 1', 'anna 2']);
});

test('what cannot be erased is refused by name', async () => {
  const index = await app.newIndex(4, { non_filterable_metadata_keys: ['note'] });
  for (const body of [{}, { filter: {} }, { ids: ['a'], file: 'b' }, { subject: { key: 'note', value: 'x' } }])
    assert.equal((await app.call(createErasure, { index_id: index }, body)).status, 422, JSON.stringify(body));
});

test('a run that dies at any request is completed by the next ones', async () => {
  await everyPoint({ step }, async (fault) => {
    app.useNewOrganization();
    const index = await app.newIndex();
    await writeRows(index);
    const branch = await app.newBranch(index);
    const { id } = await erase(index, { subject: { key: 'person', value: 'anna' } });
    const reached = await app.dieAt(fault, async () => {
      for (let looks = 0; looks < 3; looks += 1) await look();
    });
    const found = await completed(index, id);
    assert.deepEqual([await ids(index), await ids(branch)], [['ben 1'], ['ben 1']]);
    assert.equal(removedFrom(found, 'rows'), 4);
    return reached;
  });
});
