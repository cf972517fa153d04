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
import { makeRow } from '../engine/support/index-bench.ts';
import { World } from './world.ts';

/** Every so many-th call is one to die at. */
const step = Number(process.env['FAULT_STEP'] ?? 21);

const uses = { indexes: indexesWrite, log: logSend, usage: usageWrite };
const row = makeRow(
  'a',
  Array.from({ length: 8 }, () => 1),
);

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());
beforeEach(() => world.reset());

/** The status of each index of the organization. */
const statuses = async (): Promise<ReadonlyMap<string, unknown>> => {
  const items = await world.items('indexes', `ORG#${world.owner.organizationId}`);
  return new Map(items.map(({ sk, status }) => [sk, status]));
};

const newIndex = async (): Promise<string> => {
  const { id } = await world.call(createIndex, {}, { name: 'another', dimensions: 8 });
  await world.work();
  return id as string;
};

/** The record of a branch, as a request for it leaves it that kept it, or that died before. */
const addBranch = async ({ isKept = true }: { readonly isKept?: boolean } = {}): Promise<string> => {
  const { indexes } = makeDeps(uses, world.runtime);
  const parent = await world.index();
  const id = newId('idx', world.runtime.clock.now());
  const branch: IndexRecord = {
    ...parent,
    id,
    status: 'creating',
    createdAt: world.runtime.clock.now().toISOString(),
    parentIndexId: parent.id,
    branchDepth: 1,
    layers: [{ table: id, version: 0 }],
  };
  await indexes.add(branch, 'test');
  if (isKept) await indexes.keep(branch, 'test');
  return id;
};

/** What a request for a branch sends to the log of the parent, whether that is there or not. */
const sendBranch = async (id: string): Promise<void> => {
  const { log } = makeDeps(uses, world.runtime);
  const parent = { organizationId: world.owner.organizationId, id: world.indexId, region: 'us-east-1' };
  await log.append(parent, { op: 'branch', branch_id: id }, `branch-${id}`);
};

const askForBranch = async (): Promise<string> => {
  const id = await addBranch();
  await sendBranch(id);
  return id;
};

/** Lets what waits have no attempt left. */
const wearOut = async (): Promise<void> => {
  world.mailbox.collect();
  for (const letter of world.mailbox.letters)
    if (letter.queue === 'log') await world.exhaust(letter);
    else letter.receives = 1_000;
};

describe('creation and deletion of indexes', { concurrency: false, timeout: 280_000 }, () => {
  const acts = {
    'is created': () => Promise.resolve(() => world.callDuring(createIndex, {}, { name: 'new', dimensions: 8 })),
    'is branched': () =>
      Promise.resolve(() => world.callDuring(branchIndex, { index_id: world.indexId }, { name: 'b' })),
    'is deleted': async () => {
      const id = await newIndex();
      return () => world.callDuring(deleteIndex, { index_id: id });
    },
  };
  for (const [name, arrange] of Object.entries(acts)) {
    it(`an index ${name} completely or not at all, wherever that crashes`, async (t) => {
      const dieAt = async (call: number): Promise<number> => {
        const act = await arrange();
        const calls = await world.withFault({ call, verdict: 'dies after' }, act);
        await world.settle();
        const left = [...(await statuses()).values()].filter((status) => status !== 'ready');
        assert.deepEqual(left, [], `dead at ${call}: ${calls.join(', ')}`);
        const notes = await world.items('indexes', `LIFECYCLE#${world.owner.organizationId}`);
        assert.deepEqual(notes, [], 'the sweep looks in vain for ever');
        return calls.length;
      };
      const last = await dieAt(0);
      let points = 1;
      for (let call = 1; call <= last; call += step, points += 1) await dieAt(call);
      t.diagnostic(`${points} points`);
    });
  }

  it('an index is created and deleted, even if every attempt failed before', async () => {
    const created = await world.call(createIndex, {}, { name: 'late', dimensions: 8 });
    const id = created['id'] as string;
    await wearOut();
    await world.work();
    assert.equal((await statuses()).get(id), 'creating');
    await world.settle();
    assert.equal((await statuses()).get(id), 'ready');
    await world.call(deleteIndex, { index_id: id });
    await wearOut();
    await world.work();
    assert.equal((await statuses()).get(id), 'deleting');
    await world.settle();
    assert.equal((await statuses()).has(id), false);
  });

  it('an index whose creation was abandoned is not created later, and does not count against the plan', async () => {
    const unkept = await addBranch({ isKept: false });
    const kept = await addBranch();
    assert.equal(await makeDeps(uses, world.runtime).indexes.count(world.owner.organizationId), 3);
    await world.settle();
    assert.deepEqual([(await statuses()).has(unkept), (await statuses()).get(kept)], [false, 'ready']);
    assert.deepEqual(await world.items('indexes', `LIFECYCLE#${world.owner.organizationId}`), []);
  });

  it('a second deletion completes the first, and returns that there is no such index', async () => {
    const { indexes } = makeDeps(uses, world.runtime);
    const id = await newIndex();
    await indexes.markDeleting(world.owner.organizationId, id, world.runtime.clock.now().toISOString());
    await world.work();
    assert.equal((await statuses()).get(id), 'deleting');
    await assert.rejects(world.call(deleteIndex, { index_id: id }), /^Error: 404 /);
    await world.work();
    assert.equal((await statuses()).has(id), false);
  });

  it('a branch whose parent is deleted during its creation is gone, and keeps nothing of the parent', async () => {
    const branchId = await askForBranch();
    const calls = await world.withFault({ call: 0, verdict: 'dies after' }, () => world.work());
    const noted = calls.indexOf('UpdateItem test-indexes') + 1;
    assert.ok(noted > 0, calls.join('\n'));
    assert.equal((await statuses()).get(branchId), 'ready');

    const later = await addBranch();
    await askForBranch();
    await world.withFault({ call: noted, verdict: 'dies after' }, () => world.work());
    assert.equal((await world.index()).dependents.size, 2);
    await world.call(deleteIndex, { index_id: world.indexId });
    await world.call(deleteIndex, { index_id: branchId });
    await world.work();
    assert.deepEqual([...(await statuses())], [[later, 'creating']]);
    await sendBranch(later);
    await world.work();
    assert.deepEqual([...(await statuses())], []);
  });

  it('a branch with many ancestors is materialized, even if its creation crashed before the request', async () => {
    const { plan } = world.owner;
    Object.assign(world.owner, { plan: 'enterprise' });
    const branchOf = async (id: string): Promise<string> =>
      (await world.callDuring(branchIndex, { index_id: id }, { name: 'deeper' }))['id'] as string;
    let leaf = world.indexId;
    for (let depth = 1; depth <= 8; depth += 1) leaf = await branchOf(leaf);
    const { indexes } = makeDeps(uses, world.runtime);
    /** Tables that each branch of a depth reads. */
    const tablesAt = async (depth: number): Promise<readonly number[]> => {
      const ids = [...(await statuses()).keys()];
      const records = await Promise.all(ids.map((id) => indexes.get(world.owner.organizationId, id)));
      return records.flatMap((record) => (record?.branchDepth === depth ? [record.layers.length] : []));
    };
    assert.deepEqual(await tablesAt(8), [9]);
    const calls = await world.withFault({ call: 0, verdict: 'dies after' }, () => branchOf(leaf));
    // The first message is the one that asks for the branch.
    const asked = calls.flatMap((call, at) => (call.startsWith('SendMessage') ? [at + 1] : []));
    await world.withFault({ call: asked[1] ?? 0, verdict: 'dies before' }, () => branchOf(leaf));
    await world.settle();
    assert.deepEqual(await tablesAt(9), [1, 1]);
    // The message that asks is there, and every attempt at it fails.
    await world.withFault({ call: asked[1] ?? 0, verdict: 'dies after' }, () => branchOf(leaf));
    await wearOut();
    await world.settle();
    assert.deepEqual(await tablesAt(9), [1, 1, 10]);
    world.cloud.advance(6 * 3_600);
    await world.settle();
    Object.assign(world.owner, { plan });
    assert.deepEqual(await tablesAt(9), [1, 1, 1]);
  });

  it('a deleted index is removed, even if branches that no longer read it crashed before reporting that', async () => {
    const branches = [await askForBranch(), await askForBranch()] as const;
    await world.work();
    const { indexes } = makeDeps(uses, world.runtime);
    for (const id of branches) {
      const branch = await indexes.get(world.owner.organizationId, id);
      assert.ok(branch !== null);
      await indexes.markFolded(world.owner.organizationId, id, { ...branch.state, version: branch.layers[0].version });
    }
    await world.call(deleteIndex, { index_id: branches[0] });
    await world.work();
    assert.equal((await world.index()).dependents.size, 2);
    await world.call(deleteIndex, { index_id: world.indexId });
    await world.work();
    assert.deepEqual([...(await statuses())], [[branches[1], 'ready']]);
  });

  it('a branch that is deleted while its table is created leaves no table', async () => {
    const { indexes } = makeDeps(uses, world.runtime);
    const deletions = {
      'its own log has come to an end': async (id: string) => {
        await world.call(deleteIndex, { index_id: id });
        await world.work();
      },
      'its own log is about to': (id: string) =>
        indexes.markDeleting(world.owner.organizationId, id, world.runtime.clock.now().toISOString()),
    };
    for (const [name, remove] of Object.entries(deletions)) {
      const id = await askForBranch();
      world.before('engine.branch', () => remove(id));
      await world.work();
      const files = await readdir(world.runtime.config.vectorsDirectory ?? '', { recursive: true });
      const left = files.filter((file) => file.includes(id));
      assert.deepEqual(left, [], name);
    }
  });

  it('a branch that could not be created does not count against the plan', async () => {
    const branchId = await askForBranch();
    await wearOut();
    await world.work();
    assert.deepEqual([...(await statuses())], [[world.indexId, 'ready']]);
    const { indexes } = makeDeps(uses, world.runtime);
    assert.equal(await indexes.count(world.owner.organizationId), 1);
    assert.equal(await indexes.get(world.owner.organizationId, branchId), null);
  });

  it('a deleted index is not counted while a branch exists, whatever a commit saved meanwhile', async () => {
    const { log, usage } = makeDeps(uses, world.runtime);
    await log.append(await world.index(), { op: 'upsert', rows: [toWireWrite(row)], tokens: 0 });
    await world.work();
    await askForBranch();
    await world.work();
    const held = await usage.stored(world.owner.organizationId);
    await world.call(deleteIndex, { index_id: world.indexId });
    const index = await world.index();
    await usage.saveIndex(index, holdingOf(index), index.usage, world.runtime.clock.now().toISOString());
    await world.work();
    assert.equal((await world.index()).status, 'deleting');
    assert.equal((await usage.stored(world.owner.organizationId)).vectors, held.vectors - 1);
  });

  it('a deleted index counts the pages of its ended and its running crawls', async () => {
    const { indexes, log, crawls, crawling } = makeDeps(
      { ...uses, crawls: crawlsWrite, crawling: crawlStore },
      world.runtime,
    );
    const { organizationId, region } = await world.index();
    const indexId = await newIndex();
    const crawl = async (pages: number) => {
      const address = { organizationId, indexId, crawlId: newId('crawl', world.runtime.clock.now()) };
      const createdAt = world.runtime.clock.now().toISOString();
      const site = { region, url: 'https://example.com/', pageLimit: 9, maxDepth: 9 };
      await crawls.add({ ...site, organizationId, indexId, id: address.crawlId, status: 'queued', createdAt });
      const hold = { address, holder: address.crawlId };
      await crawling.claim(hold);
      for (let page = 1; page <= pages; page += 1)
        await crawling.countPage(hold, String(page), { outcome: 'stored', textHash: String(page) });
      return hold;
    };
    const ended = await crawl(2);
    await crawling.end(ended, { status: 'completed', error: null });
    const open = await crawl(3);
    await indexes.markDeleting(organizationId, indexId, world.runtime.clock.now().toISOString());
    const toLog = { organizationId, id: indexId, region };
    await log.append(toLog, { op: 'count_crawl', crawl_id: ended.address.crawlId });
    await log.append(toLog, { op: 'drop' });
    await world.work();
    assert.equal((await statuses()).has(indexId), false);
    assert.equal(await crawling.countPage(open, 'late', { outcome: 'stored', textHash: 'late' }), null);
    assert.equal((await world.call(getOrganizationUsage, {}))['crawl_pages'], 5);
  });
});
