import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, beforeEach, describe, it } from 'node:test';
import { branchIndex } from '../../functions/indexes/branch.ts';
import { createIndex } from '../../functions/indexes/create.ts';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { getOrganizationUsage } from '../../functions/organization/get-usage.ts';
import { crawlsWrite, crawlStore } from '../../shared/crawls/index.ts';
import { holdingOf, type IndexRecord, indexesWrite, logSend, toWireWrite } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { usageWrite } from '../../shared/usage/index.ts';
import { makeRow } from '../../packages/engine/test/support/index-bench.ts';
import { TestApp } from './test-app.ts';

/** Every so many-th call is one to die at. */
const step = Number(process.env['FAULT_STEP'] ?? 87);

const uses = { indexes: indexesWrite, log: logSend, usage: usageWrite };
const row = makeRow(
  'a',
  Array.from({ length: 8 }, () => 1),
);

let app: TestApp;
before(async () => {
  app = await TestApp.open();
});
after(() => app.close());
beforeEach(() => app.reset());

/** The status of each index of the organization. */
const statuses = async (): Promise<ReadonlyMap<string, unknown>> => {
  const items = await app.items('indexes', `ORG#${app.owner.organizationId}`);
  return new Map(items.map(({ sk, status }) => [sk, status]));
};

const newIndex = async (): Promise<string> => {
  const { id } = await app.call(createIndex, {}, { name: 'another', dimensions: 8 });
  await app.work();
  return id as string;
};

/** The record of a branch, as a request for it leaves it. */
const addBranch = async (): Promise<string> => {
  const { indexes } = makeDeps(uses, app.runtime);
  const parent = await app.index();
  const id = newId('idx', app.runtime.clock.now());
  const branch: IndexRecord = {
    ...parent,
    id,
    status: 'creating',
    createdAt: app.runtime.clock.now().toISOString(),
    parentIndexId: parent.id,
    branchDepth: 1,
    layers: [{ table: id, version: 0 }],
  };
  assert.equal(await indexes.add(branch, 100), 'added');
  return id;
};

/** What a request for a branch sends to the log of the parent, whether that is there or not. */
const sendBranch = async (id: string): Promise<void> => {
  const { log } = makeDeps(uses, app.runtime);
  const parent = { organizationId: app.owner.organizationId, id: app.indexId, region: 'us-east-1' };
  await log.append(parent, { op: 'branch', branch_id: id }, `branch-${id}`);
};

const askForBranch = async (): Promise<string> => {
  const id = await addBranch();
  await sendBranch(id);
  return id;
};

/** Lets what waits have no attempt left. */
const wearOut = async (): Promise<void> => {
  app.fakeQueues.collect();
  for (const queueMessage of app.fakeQueues.queueMessages)
    if (queueMessage.queue === 'log') await app.exhaust(queueMessage);
    else queueMessage.receives = 1_000;
};

describe('creation and deletion of indexes', { concurrency: false, timeout: 280_000 }, () => {
  const acts = {
    'is created': () => Promise.resolve(() => app.callDuring(createIndex, {}, { name: 'new', dimensions: 8 })),
    'is branched': () => Promise.resolve(() => app.callDuring(branchIndex, { index_id: app.indexId }, { name: 'b' })),
    'is deleted': async () => {
      const id = await newIndex();
      return () => app.callDuring(deleteIndex, { index_id: id });
    },
  };
  for (const [name, arrange] of Object.entries(acts)) {
    it(`an index ${name} completely or not at all, wherever that crashes`, async (t) => {
      const dieAt = async (call: number): Promise<number> => {
        const act = await arrange();
        const calls = await app.withFault({ call, verdict: 'dies after' }, act);
        await app.settle();
        const left = [...(await statuses()).values()].filter((status) => status !== 'ready');
        assert.deepEqual(left, [], `dead at ${call}: ${calls.join(', ')}`);
        const notes = await app.items('indexes', `LIFECYCLE#${app.owner.organizationId}`);
        assert.deepEqual(notes, [], 'the sweep repeats a check that never succeeds');
        return calls.length;
      };
      const last = await dieAt(0);
      let points = 1;
      for (let call = 1; call <= last; call += step, points += 1) await dieAt(call);
      t.diagnostic(`${points} points`);
    });
  }

  it('an index is created and deleted, even if every attempt failed before', async () => {
    const created = await app.call(createIndex, {}, { name: 'late', dimensions: 8 });
    const id = created['id'] as string;
    await wearOut();
    await app.work();
    assert.equal((await statuses()).get(id), 'creating');
    await app.settle();
    assert.equal((await statuses()).get(id), 'ready');
    await app.call(deleteIndex, { index_id: id });
    await wearOut();
    await app.work();
    assert.equal((await statuses()).get(id), 'deleting');
    await app.settle();
    assert.equal((await statuses()).has(id), false);
  });

  it('an index whose creation died before its message is created by the sweep, and counts against the plan', async () => {
    const id = await addBranch();
    assert.equal(await makeDeps(uses, app.runtime).indexes.count(app.owner.organizationId), 2);
    await app.settle();
    assert.equal((await statuses()).get(id), 'ready');
    assert.deepEqual(await app.items('indexes', `LIFECYCLE#${app.owner.organizationId}`), []);
  });

  it('a second deletion completes the first, and returns that there is no such index', async () => {
    const { indexes } = makeDeps(uses, app.runtime);
    const id = await newIndex();
    await indexes.markDeleting(app.owner.organizationId, id, app.runtime.clock.now().toISOString());
    await app.work();
    assert.equal((await statuses()).get(id), 'deleting');
    await assert.rejects(app.call(deleteIndex, { index_id: id }), /^Error: 404 /);
    await app.work();
    assert.equal((await statuses()).has(id), false);
  });

  it('a branch whose parent is deleted during its creation is gone, and keeps nothing of the parent', async () => {
    const branchId = await askForBranch();
    const calls = await app.withFault({ call: 0, verdict: 'dies after' }, () => app.work());
    const noted = calls.indexOf('UpdateItem test-indexes') + 1;
    assert.ok(noted > 0, calls.join('\n'));
    assert.equal((await statuses()).get(branchId), 'ready');

    const later = await addBranch();
    await askForBranch();
    await app.withFault({ call: noted, verdict: 'dies after' }, () => app.work());
    assert.equal((await app.index()).dependents.size, 2);
    await app.call(deleteIndex, { index_id: app.indexId });
    await app.call(deleteIndex, { index_id: branchId });
    await app.work();
    assert.deepEqual([...(await statuses())], [[later, 'creating']]);
    await sendBranch(later);
    await app.work();
    assert.deepEqual([...(await statuses())], []);
  });

  it('a branch that is deleted while its table is created leaves no table', async () => {
    const { indexes } = makeDeps(uses, app.runtime);
    const deletions = {
      'its own log has come to an end': async (id: string) => {
        await app.call(deleteIndex, { index_id: id });
        await app.work();
      },
      'its own log is about to': (id: string) =>
        indexes.markDeleting(app.owner.organizationId, id, app.runtime.clock.now().toISOString()),
    };
    for (const [name, remove] of Object.entries(deletions)) {
      const id = await askForBranch();
      app.before('engine.create', () => remove(id));
      await app.work();
      const left = (await readdir(app.runtime.config.vectorsDirectory ?? '', { recursive: true })).filter((file) =>
        file.includes(id),
      );
      assert.deepEqual(left, [], name);
    }
  });

  it('a branch that could not be created does not count against the plan', async () => {
    const branchId = await askForBranch();
    await wearOut();
    await app.work();
    assert.deepEqual([...(await statuses())], [[app.indexId, 'ready']]);
    const { indexes } = makeDeps(uses, app.runtime);
    assert.equal(await indexes.count(app.owner.organizationId), 1);
    assert.equal(await indexes.get(app.owner.organizationId, branchId), null);
  });

  it('a deleted index is not counted while a branch exists, whatever a commit saved meanwhile', async () => {
    const { log, usage } = makeDeps(uses, app.runtime);
    await log.append(await app.index(), { op: 'upsert', rows: [toWireWrite(row)], tokens: 0 });
    await app.work();
    await askForBranch();
    await app.work();
    const held = await usage.stored(app.owner.organizationId);
    await app.call(deleteIndex, { index_id: app.indexId });
    const index = await app.index();
    await usage.saveIndex(index, holdingOf(index), index.usage, app.runtime.clock.now().toISOString());
    await app.work();
    assert.equal((await app.index()).status, 'deleting');
    assert.equal((await usage.stored(app.owner.organizationId)).vectors, held.vectors - 1);
  });

  it('a deleted index counts the pages of its ended and its running crawls', async () => {
    const { indexes, log, crawls, crawling } = makeDeps(
      { ...uses, crawls: crawlsWrite, crawling: crawlStore },
      app.runtime,
    );
    const { organizationId, region } = await app.index();
    const indexId = await newIndex();
    const crawl = async (pages: number) => {
      const address = { organizationId, indexId, crawlId: newId('crawl', app.runtime.clock.now()) };
      const createdAt = app.runtime.clock.now().toISOString();
      const paths = { include: [], exclude: [] };
      const site = {
        region,
        url: 'https://example.com/',
        pageLimit: 9,
        maxDepth: 9,
        paths,
        headerNames: [],
        metadata: {},
      };
      await crawls.add({
        ...site,
        organizationId,
        indexId,
        id: address.crawlId,
        status: 'queued',
        createdAt,
        scheduleId: null,
      });
      const hold = { address, holder: address.crawlId };
      await crawling.claim(hold);
      for (let page = 1; page <= pages; page += 1)
        await crawling.countPage(hold, String(page), { outcome: 'stored', textHash: String(page) });
      return hold;
    };
    const ended = await crawl(2);
    await crawling.end(ended, { status: 'completed', error: null });
    const open = await crawl(3);
    await indexes.markDeleting(organizationId, indexId, app.runtime.clock.now().toISOString());
    const toLog = { organizationId, id: indexId, region };
    await log.append(toLog, { op: 'close' });
    await app.work();
    assert.equal((await statuses()).has(indexId), false);
    assert.equal(await crawling.countPage(open, 'late', { outcome: 'stored', textHash: 'late' }), null);
    assert.equal((await app.call(getOrganizationUsage, {}))['crawl_pages'], 5);
  });
});
