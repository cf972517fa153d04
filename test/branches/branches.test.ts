import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { branchIndex } from '../../functions/indexes/branch.ts';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { promoteIndex } from '../../functions/indexes/promote.ts';
import { deleteVectors } from '../../functions/vectors/delete.ts';
import { updateVectors } from '../../functions/vectors/update.ts';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import { askToFold, indexesWrite, type IndexRecord, LogMessage, logSend } from '../../shared/indexes/index.ts';
import { openTable } from '../../shared/db/table.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { plans } from '../../shared/kernel/plans.ts';
import { engineWrite } from '../../shared/platform/engine/engine-write.ts';
import { usageWrite } from '../../shared/usage/index.ts';
import { everyPoint } from '../support/every-point.ts';
import { contentOf, type Desk, openDesk } from '../support/desk.ts';

let desk: Desk;
before(async () => {
  desk = await openDesk();
});
after(() => desk.close());

const item = (id: string, at: number, more: object = {}) => ({
  id,
  vector: [at, 1, 2, 3],
  text: `text of ${id}`,
  ...more,
});
const ids = async (index: string): Promise<readonly string[]> => (await desk.rows(index)).map(({ id }) => id);

const assertFigures = async (...indexes: readonly string[]): Promise<void> => {
  for (const index of indexes) {
    const { told, counted } = await desk.figures(index);
    assert.deepEqual(told, counted);
  }
};

/** As where somebody deletes an index at that moment. */
const markDeleting = async (index: string): Promise<void> => {
  const { indexes } = makeDeps({ indexes: indexesWrite }, desk.cloud.runtime);
  const { organizationId } = await desk.record(index);
  await indexes.markDeleting(organizationId, index, desk.cloud.runtime.clock.now().toISOString());
};

/** Live branches of an index. */
const branchesOf = async (parent: string): Promise<readonly IndexRecord[]> => {
  const { indexes } = makeDeps({ indexes: indexesWrite }, desk.cloud.runtime);
  const page = { limit: 1_000, after: null };
  const { indexes: all } = await indexes.list((await desk.record(parent)).organizationId, page);
  return all.filter(({ parentIndexId }) => parentIndexId === parent);
};

/** Asks a branch to stand alone. */
const fold = async (branch: string): Promise<void> => {
  const deps = makeDeps({ indexes: indexesWrite, log: logSend }, desk.cloud.runtime);
  await askToFold(deps, await desk.record(branch), 'test', desk.cloud.runtime.clock.now());
};

/** The writer where so many rows to copy take it as long as one message may. */
const slowWriter = (rows: number) => {
  const { engines } = makeDeps({ engines: engineWrite }, desk.cloud.runtime);
  const slow: typeof engines = (organizationId) => ({
    ...engines(organizationId),
    materialize: (ref, after) => {
      desk.cloud.advance(10);
      return engines(organizationId).materialize(ref, after, rows);
    },
  });
  return { ...makeDeps(indexWriter.uses, desk.cloud.runtime), engines: slow };
};

/** Lets the writer handle one message; the messages of folds that it leaves in the log. */
const foldsAfter = async (message: unknown, deps = slowWriter(1)): Promise<readonly LogMessage[]> => {
  const deliveries = [{ message: LogMessage.parse(message), messageId: '1', attempt: 1 }];
  assert.deepEqual(await indexWriter.handle({ deliveries, deps, run: desk.cloud.run() }), []);
  const left = desk.cloud.take('log').map(({ body }) => LogMessage.parse(body));
  return left.filter(({ change }) => change.op === 'fold');
};

/** Every so many-th request is a point to die at. */
const step = Number(process.env['FAULT_STEP'] ?? 400);

/** Dies at one request after the other of `act` and checks what is left, each time on a stage of its own. */
const explore = <Stage>(
  arrange: () => Promise<Stage>,
  act: (stage: Stage) => Promise<unknown>,
  check: (stage: Stage) => Promise<void>,
  meanwhile: (stage: Stage) => Promise<unknown> = () => Promise.resolve(),
): Promise<number> =>
  everyPoint({ step, lostFrom: 1 + Math.floor(step / 2) }, async (fault) => {
    desk.moveOut();
    const stage = await arrange();
    const reached = await desk.dieAt(fault, () => act(stage));
    await meanwhile(stage);
    await desk.settle();
    await check(stage);
    return reached;
  });

describe('an index with thousands of branches', () => {
  it('creates no more branches than the index item can record, and another one after a deletion', async () => {
    const parent = await desk.newIndex();
    const { organizationId } = await desk.record(parent);
    const { runtime } = desk.cloud;
    const dependents = Array.from({ length: 4_000 }, () => `${newId('idx', runtime.clock.now())}@1`);
    const indexes = openTable(runtime, 'indexes');
    await indexes.update({ pk: `ORG#${organizationId}`, sk: parent }, { include: { dependents } });
    const branch = () => desk.call(branchIndex, { index_id: parent }, { name: 'branch' });
    const refused = await branch();
    assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
    await indexes.update(
      { pk: `ORG#${organizationId}`, sk: parent },
      { exclude: { dependents: dependents.slice(0, 1) } },
    );
    assert.equal((await branch()).status, 201);
  });
});

describe('branches and conditional writes', { concurrency: false, timeout: 900_000 }, () => {
  it('loses no increment if eight clients count with if_version', async () => {
    const index = await desk.newIndex();
    await desk.upsert(index, [item('counter', 0, { metadata: { n: 0 } })]);
    let refused = 0;
    const increment = async (): Promise<void> => {
      for (;;) {
        const [row] = await desk.engine().fetch(await desk.ref(index), ['counter'], false);
        const n = Number(row?.metadata['n']);
        const body = [{ id: 'counter', metadata: { n: n + 1 }, if_version: row?.version }];
        const answer = await desk.call(updateVectors, { index_id: index }, body);
        if (answer.status === 200) return;
        assert.equal(answer.status, 409);
        assert.equal(answer.body.conflicts[0].id, 'counter');
        refused += 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, increment));
    const [row] = await desk.rows(index);
    assert.equal(row?.metadata['n'], 8);
    assert.ok(refused > 0);
  });

  it('writes all items of a conditional request or none, and returns the ids that differ', async () => {
    const index = await desk.newIndex();
    const first = await desk.upsert(index, [item('a', 1, { if_version: null }), item('b', 1)]);
    assert.equal(first.status, 200);
    const refused = await desk.upsert(index, [
      item('a', 2, { if_version: first.body.version }),
      item('b', 2, { if_version: 'another' }),
      item('c', 2, { if_version: 'another' }),
      item('d', 2),
    ]);
    assert.equal(refused.status, 409);
    assert.deepEqual(refused.body.conflicts, [
      { id: 'b', version: first.body.version },
      { id: 'c', version: null },
    ]);
    assert.deepEqual(contentOf(await desk.rows(index)), [`a ${first.body.version}`, `b ${first.body.version}`]);
    const again = await desk.upsert(index, [item('a', 2, { if_version: first.body.version })]);
    assert.deepEqual([again.status, again.body.upserted], [200, 1]);
    assert.equal((await desk.upsert(index, [item('a', 3, { if_version: null })])).status, 409);
    await assertFigures(index);
  });

  it('merges a metadata patch into existing rows, keeps other keys, and returns missing ids', async () => {
    const index = await desk.newIndex();
    await desk.upsert(index, [item('a', 1, { metadata: { keep: 1, drop: 2, deep: { x: 1, y: 2 } } })]);
    const update = (body: readonly object[]) => desk.call(updateVectors, { index_id: index }, body);
    const { status, body } = await update([
      { id: 'a', metadata: { drop: null, deep: { y: null, z: 3 }, more: [1] } },
      { id: 'absent', metadata: { x: 1 } },
    ]);
    assert.deepEqual([status, body.updated, body.missing], [200, 1, ['absent']]);
    const [row] = await desk.engine().fetch(await desk.ref(index), ['a'], true);
    assert.deepEqual(
      [row?.metadata, row?.text, [...(row?.vector ?? [])], row?.version],
      [{ keep: 1, deep: { x: 1, z: 3 }, more: [1] }, 'text of a', [1, 1, 2, 3], body.version],
    );
    const large = await update([{ id: 'a', metadata: { big: 'x'.repeat(40_000) } }]);
    assert.equal(large.status, 200);
    const tooLarge = await update([{ id: 'a', metadata: { bigger: 'x'.repeat(40_000) } }]);
    assert.deepEqual([tooLarge.status, tooLarge.body.code], [409, 'conflict']);
    assert.equal(
      (
        await update([
          { id: 'a', metadata: {} },
          { id: 'a', metadata: {} },
        ])
      ).status,
      422,
    );
    const { usage } = await desk.record(index);
    assert.equal(usage.totals.vectors_written, 3);
  });

  it('promotes the content of a branch, keeping or discarding later changes of the parent', async () => {
    const parent = await desk.newIndex();
    await desk.upsert(parent, [item('same', 1), item('changed', 1), item('removed', 1), item('both', 1)]);
    const branches = [await desk.newBranch(parent), await desk.newBranch(parent)];
    for (const branch of branches) {
      await desk.upsert(branch, [item('changed', 2), item('added', 2), item('both', 2), item('came and went', 2)]);
      await desk.call(deleteVectors, { index_id: branch }, { ids: ['removed', 'came and went'] });
    }
    await desk.upsert(parent, [item('both', 3), item('later', 3)]);
    await desk.call(deleteVectors, { index_id: parent }, { ids: ['same'] });
    const [keeping = '', discarding = ''] = branches;
    const diff = await desk.engine().diff(await desk.ref(keeping), { after: null, limit: 10 });
    assert.deepEqual(
      diff.differences.map(({ id, change }) => `${id} ${change}`),
      ['added added', 'both changed', 'changed changed', 'removed deleted'],
    );
    const kept = await desk.call(promoteIndex, { index_id: keeping }, {});
    assert.deepEqual([kept.status, kept.body], [200, { index_id: parent, vectors_written: 3, vectors_deleted: 1 }]);
    assert.deepEqual(await ids(parent), ['added', 'both', 'changed', 'later']);
    const { version } = (await desk.rows(keeping)).find(({ id }) => id === 'both') ?? {};
    assert.equal((await desk.rows(parent)).find(({ id }) => id === 'both')?.version, version);
    assert.equal((await desk.call(promoteIndex, { index_id: keeping }, {})).body.vectors_written, 0);
    desk.cloud.advance(1);
    await desk.call(promoteIndex, { index_id: discarding }, { parent_changes: 'discard' });
    assert.deepEqual(contentOf(await desk.rows(parent)), contentOf(await desk.rows(discarding)));
    await assertFigures(parent, ...branches);
    assert.equal(await desk.events(parent, 'index.updated'), 0);
    assert.equal((await desk.call(promoteIndex, { index_id: parent }, {})).status, 409);
    await desk.call(deleteIndex, { index_id: parent });
    assert.equal((await desk.call(promoteIndex, { index_id: keeping }, {})).status, 409);
    assert.deepEqual(await ids(discarding), ['added', 'both', 'changed', 'same']);
  });

  it('refuses a promotion that exceeds the memory of the writer', async (t) => {
    const parent = await desk.newIndex();
    const branch = await desk.newBranch(parent);
    await desk.upsert(branch, [item('added', 1)]);
    const { memoryMb } = desk.cloud;
    t.after(() => {
      desk.cloud.memoryMb = memoryMb;
    });
    desk.cloud.memoryMb = 0;
    const refused = await desk.call(promoteIndex, { index_id: branch }, {});
    assert.deepEqual(
      [refused.status, refused.body.detail],
      [409, 'The branch differs in 1 vectors, which is more than one promotion can write'],
    );
    assert.deepEqual(await ids(parent), []);
  });

  it('promotes all or nothing and counts usage once, if the writer dies at any request', async (t) => {
    const promoteAndDie = (meanwhile?: (stage: { branch: string }) => Promise<unknown>) =>
      explore(
        async () => {
          const parent = await desk.newIndex();
          await desk.upsert(parent, [item('a', 1), item('b', 1)]);
          const branch = await desk.newBranch(parent);
          await desk.upsert(branch, [item('b', 2), item('c', 2)]);
          await desk.call(deleteVectors, { index_id: branch }, { ids: ['a'] });
          return { parent, branch, others: (await desk.storedVectors()) - 2 };
        },
        async ({ branch }) => desk.call(promoteIndex, { index_id: branch }, {}),
        async ({ parent, branch, others }) => {
          const [now, wanted] = [await ids(parent), contentOf(await desk.rows(branch))];
          const done = now.includes('c');
          assert.deepEqual(now, done ? ['b', 'c'] : ['a', 'b']);
          if (done) assert.deepEqual(contentOf(await desk.rows(parent)), wanted);
          assert.equal(await desk.events(parent, 'index.updated'), 0);
          const { usage } = await desk.record(parent);
          const [written, deleted] = [usage.totals.vectors_written, usage.totals.vectors_deleted];
          assert.deepEqual([written, deleted], done ? [4, 1] : [2, 0]);
          assert.equal(await desk.storedVectors(), others + 2);
          await assertFigures(parent, branch);
        },
        meanwhile,
      );
    const points = (await promoteAndDie()) + (await promoteAndDie(({ branch }) => markDeleting(branch)));
    t.diagnostic(`${points} crash points`);
  });

  it('counts all rows of a branch from its creation, and refuses a branch beyond the quota', async () => {
    const parent = await desk.newIndex();
    await desk.upsert(parent, [item('a', 1), item('b', 1)]);
    const [stored, requested] = [await desk.storedVectors(), { name: 'branch' }];
    const branch = await desk.newBranch(parent);
    assert.equal(await desk.storedVectors(), stored + 2);
    await desk.upsert(branch, [item('b', 2), item('c', 2)]);
    assert.equal(await desk.storedVectors(), stored + 3);
    const { organizationId, usage: account } = await desk.record(branch);
    assert.deepEqual([account.start.vectors, account.totals.vectors_written], [0, 2]);
    // Others hold all but one of the vectors of the plan.
    const { usage } = makeDeps({ usage: usageWrite }, desk.cloud.runtime);
    const now = desk.cloud.runtime.clock.now();
    const others = { organizationId, id: newId('idx', now) };
    const vectors = plans.developer.limits.vectors - (stored + 3) - 1;
    await usage.saveIndex(
      others,
      { vectors, denseBytes: 0, sparseBytes: 0, originalBytes: 0 },
      account,
      now.toISOString(),
    );
    const refused = await desk.call(branchIndex, { index_id: parent }, requested, 'its-key');
    assert.deepEqual([refused.status, refused.body.code], [402, 'plan_limit_reached']);
    await desk.call(deleteIndex, { index_id: branch });
    await desk.work();
    const repeated = await desk.call(branchIndex, { index_id: parent }, requested, 'its-key');
    assert.equal(repeated.status, 201);
    assert.equal((await desk.record(repeated.body.id)).status, 'ready');
    assert.equal(await desk.storedVectors(), stored + vectors + 2);
    await usage.releaseIndex(organizationId, others.id);
  });

  it('counts a branch correctly if its creation dies at any request, and no deleted branch', async (t) => {
    const branchAndDie = (meanwhile?: (stage: { parent: string }) => Promise<unknown>) =>
      explore(
        async () => {
          const parent = await desk.newIndex();
          await desk.upsert(parent, [item('a', 1), item('b', 1)]);
          return { parent, stored: await desk.storedVectors() };
        },
        async ({ parent }) => desk.newBranch(parent),
        async ({ parent, stored }) => {
          const branches = await branchesOf(parent);
          const rows = branches.reduce((sum, { state }) => sum + state.rows, 0);
          assert.equal(await desk.storedVectors(), stored + rows);
          for (const { id, status } of branches) if (status === 'ready') await assertFigures(id);
          for (const id of [...branches.map((branch) => branch.id), parent])
            await desk.call(deleteIndex, { index_id: id });
          assert.equal(await desk.storedVectors(), stored - 2);
        },
        meanwhile,
      );
    const deleteBranches = async ({ parent }: { parent: string }): Promise<void> => {
      for (const { id } of await branchesOf(parent)) await desk.call(deleteIndex, { index_id: id });
    };
    const points = (await branchAndDie()) + (await branchAndDie(deleteBranches));
    t.diagnostic(`${points} crash points`);
  });

  it('materializes a branch of any depth if the writer dies at any request, and removes its dropped ancestors', async (t) => {
    const points = await explore(
      async () => {
        const chain = [await desk.newIndex()];
        await desk.upsert(chain[0] ?? '', [item('root', 0), item('masked', 0)]);
        for (let depth = 1; depth <= 3; depth += 1) {
          const branch = await desk.newBranch(chain.at(-1) ?? '');
          await desk.upsert(branch, [item(`depth ${depth}`, depth), item('masked', depth)]);
          chain.push(branch);
        }
        const leaf = chain.at(-1) ?? '';
        const before = contentOf(await desk.rows(leaf));
        for (const index of chain.slice(0, -1)) await desk.call(deleteIndex, { index_id: index });
        return { chain, leaf, before };
      },
      async ({ leaf }) => {
        await fold(leaf);
        await desk.cloud.drain(indexWriter, slowWriter(3));
      },
      async ({ chain, leaf, before }) => {
        assert.deepEqual(contentOf(await desk.rows(leaf)), before);
        // Whoever died before it had asked asks again.
        if ((await desk.record(leaf)).layers.length > 1) await fold(leaf);
        await desk.work();
        const { layers, state } = await desk.record(leaf);
        assert.deepEqual([layers.length, state.rows], [1, before.length]);
        await desk.upsert(leaf, [item('masked', 9), item('late', 9)]);
        await desk.call(deleteVectors, { index_id: leaf }, { ids: ['root'] });
        await assertFigures(leaf);
        const diff = await desk.engine().diff(await desk.ref(leaf), { after: null, limit: 10 });
        assert.deepEqual(
          diff.differences.map(({ id, change }) => `${id} ${change}`),
          ['depth 3 added', 'late added', 'masked changed', 'root deleted'],
        );
        const { indexes } = makeDeps({ indexes: indexesWrite }, desk.cloud.runtime);
        for (const index of chain.slice(0, -1)) {
          assert.equal(await indexes.get((await desk.record(leaf)).organizationId, index), null);
        }
      },
    );
    t.diagnostic(`${points} crash points`);
  });

  it('enqueues the materialization of an old branch once, and again if the message was lost', async () => {
    const parent = await desk.newIndex();
    await desk.upsert(parent, [item('a', 1)]);
    const branch = await desk.newBranch(parent);
    const { organizationId } = await desk.record(parent);
    const { indexes } = makeDeps({ indexes: indexesWrite }, desk.cloud.runtime);
    // As where the parent has had a thousand versions since.
    await indexes.changeDependents(organizationId, parent, { include: `${branch}@-1000` });
    const maintain = () => {
      const receipt_id = newId('rcp', desk.cloud.runtime.clock.now());
      return foldsAfter({ organization_id: organizationId, index_id: parent, receipt_id, change: { op: 'maintain' } });
    };
    const [lost] = await maintain();
    assert.deepEqual(await maintain(), []);
    desk.cloud.advance(6 * 3_600);
    const [asked, ...others] = await maintain();
    assert.deepEqual(others, []);
    const layersAfter = async (message: unknown): Promise<number> => {
      assert.deepEqual(await foldsAfter(message), []);
      return (await desk.record(branch)).layers.length;
    };
    assert.deepEqual([await layersAfter(lost), await layersAfter(asked)], [2, 1]);
    // What the fold did not know that it is held for, the parent finds out.
    assert.deepEqual([...(await desk.record(parent)).dependents], [`${branch}@-1000`]);
    await maintain();
    assert.equal((await desk.record(parent)).dependents.size, 0);
  });

  it('materializes a branch by one message at a time, even if a message is delivered twice', async () => {
    const parent = await desk.newIndex();
    await desk.upsert(parent, [item('a', 1), item('b', 1), item('c', 1), item('d', 1)]);
    const branch = await desk.newBranch(parent);
    await desk.work();
    await fold(branch);
    const [asked] = desk.cloud.take('log');
    const next = await foldsAfter(asked?.body);
    // It gets further than the first time.
    assert.deepEqual([next.length, await foldsAfter(asked?.body, slowWriter(2))], [1, []]);
    let messages = 0;
    for (let left = next; left.length > 0; messages += 1) left = await foldsAfter(left[0]);
    assert.deepEqual([messages, (await desk.record(branch)).layers.length], [3, 1]);
    assert.deepEqual(await ids(branch), ['a', 'b', 'c', 'd']);
  });

  it('creates branches to the depth of the plan, with the same number of requests for more rows', async () => {
    const chain = [await desk.newIndex()];
    await desk.upsert(chain[0] ?? '', [item('root', 0)]);
    for (let depth = 1; depth <= 8; depth += 1) {
      const branch = await desk.newBranch(chain.at(-1) ?? '');
      await desk.upsert(branch, [item(`d${depth}`, depth)]);
      chain.push(branch);
    }
    assert.deepEqual(await ids(chain.at(-1) ?? ''), ['d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8', 'root']);
    await assertFigures(...chain);
    const requests: number[] = [];
    const { indexes, log } = makeDeps({ indexes: indexesWrite, log: logSend }, desk.cloud.runtime);
    for (const rows of [10, 1_000]) {
      const parent = await desk.record(await desk.newIndex());
      await desk.upsert(
        parent.id,
        Array.from({ length: rows }, (_, number) => item(`row${number}`, number)),
      );
      await desk.work();
      const id = newId('idx', desk.cloud.runtime.clock.now());
      const branch = { ...parent, id, parentIndexId: parent.id, branchDepth: 1, status: 'creating' } as const;
      await indexes.add({ ...branch, layers: [{ table: id, version: 0 }], dependents: new Set() }, 'test');
      await indexes.keep(branch, 'test');
      await log.append(parent, { op: 'branch', branch_id: id });
      desk.cloud.faults.arm(null);
      await desk.work();
      requests.push(desk.cloud.faults.count);
      assert.deepEqual([(await desk.record(id)).state.rows, (await desk.rows(id)).length], [rows, rows]);
    }
    assert.equal(requests[0], requests[1]);
  });
});
