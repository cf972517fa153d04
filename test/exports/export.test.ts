import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createExport } from '../../functions/exports/create.ts';
import { deleteExport } from '../../functions/exports/delete.ts';
import { getExport } from '../../functions/exports/get.ts';
import { createImport } from '../../functions/imports/create.ts';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { runExport } from '../../functions/workers/export-index/steps/run-export.ts';
import { exportIndexUses } from '../../functions/workers/export-index/uses.ts';
import { importFile } from '../../functions/workers/import-file/worker.ts';
import { exportIndex } from '../../functions/workers/export-index/worker.ts';
import { sweepFiles } from '../../functions/workers/sweep-files/schedule.ts';
import { exportAddressIn, exportStore } from '../../shared/exports/index.ts';
import { filesRead } from '../../shared/files/index.ts';
import { dependentsOf, indexesWrite, toIndexRef } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { exportPrefix } from '../../shared/kernel/content-keys.ts';
import { contentReader } from '../../shared/platform/aws/content.ts';
import { engineWrite } from '#engine';
import { call, machine } from '../support/call.ts';
import { everyPoint } from '../support/every-point.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

const partRows = 10;
const ids = Array.from({ length: 3 * partRows + 1 }, (_, at) => `row-${String(at).padStart(2, '0')}`);

/** Writes every row of an index again, and removes all versions of its table that no export reads. */
const rewrite = async (index: string, text: string): Promise<void> => {
  await app.upsert(
    index,
    ids.map((id, at) => ({ id, vector: [at, 1, 2, 3], text })),
  );
  const record = await app.record(index);
  const keepVersions = dependentsOf(record).map(({ version }) => version);
  const { engines, indexes } = makeDeps({ engines: engineWrite, indexes: indexesWrite }, app.cloud.runtime);
  const retention = { keepSeconds: 0, keepVersions };
  const engine = engines(record.organizationId);
  const state = await engine.maintain(toIndexRef(record), retention);
  await engine.collect(toIndexRef(record), retention);
  await indexes.endMaintenance(record, 'none', state);
};

/** Runs the worker, in small parts, until no message waits. */
const work = async (): Promise<void> => {
  const deps = makeDeps(exportIndexUses, app.cloud.runtime);
  const run = { ...app.cloud.run(), remainingMs: () => 300_000 };
  const handle: typeof exportIndex.handle = async ({ deliveries }) => {
    for (const { message } of deliveries) await runExport({ deps, run }, exportAddressIn(message), partRows);
    return [];
  };
  await app.cloud.drain({ ...exportIndex, handle }, deps);
};

/** Continues exports after a crash: at once if their message is there, else by the sweep. */
const recover = async (): Promise<void> => {
  await work();
  app.cloud.advance(3_600);
  await app.cloud.tick(sweepFiles);
  await work();
};

const linesOf = async (index: string, exportId: string) => {
  const { exports, content } = makeDeps(
    { exports: exportStore, content: contentReader('exported') },
    app.cloud.runtime,
  );
  const { organizationId, region } = await app.record(index);
  const address = { organizationId, indexId: index, exportId };
  const parts = (await exports.find(address))?.parts ?? [];
  const files = await Promise.all(parts.map(({ name }) => content.get(region, exportPrefix(address) + name)));
  const text = files.map((file) => Buffer.from(file ?? []).toString()).join('');
  return {
    parts: parts.length,
    rows: text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  };
};

test('an export whose worker dies at any request contains every row of one version and sends one event', async (t) => {
  const index = await app.newIndex();
  await rewrite(index, 'text 0');
  let count = 0;
  const points = await everyPoint({ step: 5 }, async (fault) => {
    count += 1;
    const { body } = await app.call(createExport, { index_id: index }, {});
    const reached = await app.cloud.dieAt(fault, work);
    await rewrite(index, `text ${count}`);
    await recover();
    const report = await app.call(getExport, { index_id: index, export_id: body.id });
    assert.deepEqual([report.body.status, report.body.error, report.body.rows], ['completed', null, ids.length]);
    const { parts, rows } = await linesOf(index, body.id);
    assert.equal(parts, 4);
    assert.deepEqual(
      rows.map(({ id }) => id),
      ids,
    );
    assert.equal(new Set(rows.map(({ text }) => text)).size, 1);
    assert.equal((await app.record(index)).dependents.size, 0);
    assert.equal(await app.events(index, 'export.completed'), count);
    await app.call(deleteExport, { index_id: index, export_id: body.id });
    await work();
    return reached;
  });
  t.diagnostic(`${points} crash points`);
});

test('the exports of one index and of one credential are bounded, so that none can use up those of all', async () => {
  app.useNewOrganization();
  const create = async (index: string, subjectId: string) => {
    const { organizationId } = await app.record(index);
    const caller = { ...machine(organizationId), subjectId };
    const { status, body } = await call(app.cloud.runtime, createExport, caller, {
      path: { index_id: index },
      body: {},
    });
    await work();
    const { code, detail } = body as Readonly<Record<string, unknown>>;
    return status === 202 ? status : [status, code, detail];
  };
  const indexes = [await app.newIndex(), await app.newIndex(), await app.newIndex()] as const;
  const [first, second, third] = indexes;
  for (let at = 0; at < 8; at += 1) assert.equal(await create(first, 'key_a'), 202);
  const ofIndex = [409, 'conflict', 'The index has 8 exports. Delete one first'];
  assert.deepEqual(await create(first, 'key_b'), ofIndex);
  for (let at = 0; at < 8; at += 1) assert.equal(await create(second, 'key_a'), 202);
  const byCreator = [409, 'conflict', 'These credentials have created 16 exports. Delete one first'];
  assert.deepEqual(await create(third, 'key_a'), byCreator);
  assert.equal(await create(third, 'key_b'), 202);
});

test('an import of an export copies its files within the service, and ends if the export is deleted meanwhile', async () => {
  const [index, target] = [await app.newIndex(), await app.newIndex()];
  await rewrite(index, 'text');
  const { runtime } = app.cloud;
  // The addresses of local files are not public, so none may be used.
  const reach = { ...runtime, config: { ...runtime.config, allowLocalWebhooks: false } };
  const deps = makeDeps(importFile.uses, reach);
  const { files, content } = makeDeps({ files: filesRead, content: contentReader('uploads', 'exported') }, runtime);
  const { organizationId, region } = await app.record(target);
  const start = async () => {
    const { body } = await app.call(createExport, { index_id: index }, {});
    await work();
    const uri = `${index}/${body.id}`;
    const asked = await app.call(createImport, { index_id: target }, { provider: 'export', uri });
    assert.equal(asked.status, 202);
    return body.id;
  };
  const jobs = async (exportId: string) => {
    const { jobs: found } = await files.list(organizationId, target, { limit: 100, after: null });
    return found.filter(({ filename }) => filename.startsWith(exportId));
  };
  const first = await start();
  await app.cloud.drain(importFile, deps);
  const { parts } = await linesOf(index, first);
  const copied = await Promise.all((await jobs(first)).map(({ objectKey }) => content.get(region, objectKey)));
  const text = copied.map((bytes) => Buffer.from(bytes ?? []).toString()).join('');
  assert.deepEqual([copied.length, text.trimEnd().split('\n').length], [parts, ids.length]);
  const second = await start();
  await app.call(deleteExport, { index_id: index, export_id: second });
  await work();
  await app.cloud.drain(importFile, deps);
  const errors = new Set((await jobs(second)).map(({ status, error }) => `${status}: ${error}`));
  assert.deepEqual([...errors], ['failed: The export has been deleted']);
});

test('exports beyond four running ones are refused, and an export of a deleted index ends', async () => {
  app.useNewOrganization();
  const index = await app.newIndex();
  const created = await Promise.all(Array.from({ length: 6 }, () => app.call(createExport, { index_id: index }, {})));
  const accepted = created.filter(({ status }) => status === 202);
  assert.ok(accepted.length <= 4);
  for (const { status, body } of created) if (status !== 202) assert.equal(body.code, 'conflict');
  const { organizationId } = await app.record(index);
  const one = await app.call(createExport, { index_id: index }, {});
  const exportId = (accepted[0] ?? one).body.id;
  await app.call(deleteIndex, { index_id: index });
  await work();
  const { exports } = makeDeps({ exports: exportStore }, app.cloud.runtime);
  const ended = await exports.find({ organizationId, indexId: index, exportId });
  assert.deepEqual([ended?.status, ended?.error], ['failed', 'The index has been deleted']);
  const running = [...accepted, one].filter(({ status }) => status === 202);
  assert.equal(await app.events(index, 'export.failed'), running.length);
});
