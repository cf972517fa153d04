import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { branchIndex } from '../../functions/indexes/branch.ts';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { promoteIndex } from '../../functions/indexes/promote.ts';
import { deleteVectors } from '../../functions/vectors/delete.ts';
import { updateVectors } from '../../functions/vectors/update.ts';
import { indexesWrite, type IndexRecord, logSend } from '../../shared/indexes/index.ts';
import { openTable } from '../../shared/db/table.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { plans } from '../../shared/kernel/plans.ts';
import { usageWrite } from '../../shared/usage/index.ts';
import { everyPoint } from '../support/every-point.ts';
import { contentOf, type TestApp, openTestApp } from '../support/test-app.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

const item = (id: string, at: number, more: object = {}) => ({
  id,
  vector: [at, 1, 2, 3],
  text: `text of ${id}`,
  ...more,
});
const ids = async (index: string): Promise<readonly string[]> => (await app.rows(index)).map(({ id }) => id);

const assertFigures = async (...indexes: readonly string[]): Promise<void> => {
  for (const index of indexes) {
    const { told, counted } = await app.figures(index);
    assert.deepEqual(told, counted);
  }
};

/** As if a caller deletes an index at that moment. */
const markDeleting = async (index: string): Promise<void> => {
  const { indexes } = makeDeps({ indexes: indexesWrite }, app.cloud.runtime);
  const { organizationId } = await app.record(index);
  await indexes.markDeleting(organizationId, index, app.cloud.runtime.clock.now().toISOString());
};

/** Live branches of an index. */
const branchesOf = async (parent: string): Promise<readonly IndexRecord[]> => {
  const { indexes } = makeDeps({ indexes: indexesWrite }, app.cloud.runtime);
  const page = { limit: 1_000, after: null };
  const { indexes: all } = await indexes.list((await app.record(parent)).organizationId, page);
  return all.filter(({ parentIndexId }) => parentIndexId === parent);
};

/** Every so many-th request is a point to die at. */
const step = Number(process.env['FAULT_STEP'] ?? 1601);

/** Dies at one request after the other of `act` and checks what is left, each time on a stage of its own. */
const explore = <Stage>(
  arrange: () => Promise<Stage>,
  act: (stage: Stage) => Promise<unknown>,
  check: (stage: Stage) => Promise<void>,
  meanwhile: (stage: Stage) => Promise<unknown> = () => Promise.resolve(),
): Promise<number> =>
  everyPoint({ step, lostFrom: 1 + step }, async (fault) => {
    app.useNewOrganization();
    const stage = await arrange();
    const reached = await app.dieAt(fault, () => act(stage));
    await meanwhile(stage);
    await app.recover();
    await check(stage);
    return reached;
  });

describe('an index with thousands of branches', () => {
  it('creates no more branches than the index item can record, and another one after a deletion', async () => {
    const parent = await app.newIndex();
    const { organizationId } = await app.record(parent);
    const { runtime } = app.cloud;
    const dependents = Array.from({ length: 4_000 }, () => `${newId('idx', runtime.clock.now())}@1`);
    const indexes = openTable(runtime, 'indexes');
    await indexes.update({ pk: `ORG#${organizationId}`, sk: parent }, { include: { dependents } });
    const branch = () => app.call(branchIndex, { index_id: parent }, { name: 'branch' });
    const refused = await branch();
    assert.deepEqual([refused.status, refused.body.code], [409, 'conflict']);
    await indexes.update(
      { pk: `ORG#${organizationId}`, sk: parent },
      { exclude: { dependents: dependents.slice(0, 1) } },
    );
    assert.equal((await branch()).status, 201);
  });
});

describe('branches and conditional writes', { concurrency: false, timeout: 3_600_000 }, () => {
  it('loses no increment if eight clients count with if_version', async () => {
    const index = await app.newIndex();
    await app.upsert(index, [item('counter', 0, { metadata: { n: 0 } })]);
    let refused = 0;
    const increment = async (): Promise<void> => {
      for (;;) {
        const [row] = await app.engine().fetch(await app.ref(index), ['counter'], false);
        const n = Number(row?.metadata['n']);
        const body = [{ id: 'counter', metadata: { n: n + 1 }, if_version: row?.version }];
        const answer = await app.call(updateVectors, { index_id: index }, body);
        if (answer.status === 200) return;
        assert.equal(answer.status, 409);
        assert.equal(answer.body.conflicts[0].id, 'counter');
        refused += 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, increment));
    const [row] = await app.rows(index);
    assert.equal(row?.metadata['n'], 8);
    assert.ok(refused > 0);
  });

  it('writes all items of a conditional request or none, and returns the ids that differ', async () => {
    const index = await app.newIndex();
    const first = await app.upsert(index, [item('a', 1, { if_version: null }), item('b', 1)]);
    assert.equal(first.status, 200);
    const refused = await app.upsert(index, [
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
    assert.deepEqual(contentOf(await app.rows(index)), [`a ${first.body.version}`, `b ${first.body.version}`]);
    const again = await app.upsert(index, [item('a', 2, { if_version: first.body.version })]);
    assert.deepEqual([again.status, again.body.upserted], [200, 1]);
    assert.equal((await app.upsert(index, [item('a', 3, { if_version: null })])).status, 409);
    await assertFigures(index);
  });

  it('merges a metadata patch into existing rows, keeps other keys, and returns missing ids', async () => {
    const index = await app.newIndex();
    await app.upsert(index, [item('a', 1, { metadata: { keep: 1, drop: 2, deep: { x: 1, y: 2 } } })]);
    const update = (body: readonly object[]) => app.call(updateVectors, { index_id: index }, body);
    const { status, body } = await update([
      { id: 'a', metadata: { drop: null, deep: { y: null, z: 3 }, more: [1] } },
      { id: 'absent', metadata: { x: 1 } },
    ]);
    assert.deepEqual([status, body.updated, body.missing], [200, 1, ['absent']]);
    const [row] = await app.engine().fetch(await app.ref(index), ['a'], true);
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
    const { usage } = await app.record(index);
    assert.equal(usage.totals.vectors_written, 3);
  });

  it('promotes the content of a branch, keeping or discarding later changes of the parent', async () => {
    const parent = await app.newIndex();
    await app.upsert(parent, [item('same', 1), item('changed', 1), item('removed', 1), item('both', 1)]);
    const branches = [await app.newBranch(parent), await app.newBranch(parent)];
    for (const branch of branches) {
      await app.upsert(branch, [item('changed', 2), item('added', 2), item('both', 2), item('came and went', 2)]);
      await app.call(deleteVectors, { index_id: branch }, { ids: ['removed', 'came and went'] });
    }
    await app.upsert(parent, [item('both', 3), item('later', 3)]);
    await app.call(deleteVectors, { index_id: parent }, { ids: ['same'] });
    const [keeping = '', discarding = ''] = branches;
    const diff = await app.engine().diff(await app.ref(keeping), { after: null, limit: 10 });
    assert.deepEqual(
      diff.differences.map(({ id, change }) => `${id} ${change}`),
      ['added added', 'both changed', 'changed changed', 'removed deleted'],
    );
    const kept = await app.call(promoteIndex, { index_id: keeping }, {});
    assert.deepEqual([kept.status, kept.body], [200, { index_id: parent, vectors_written: 3, vectors_deleted: 1 }]);
    assert.deepEqual(await ids(parent), ['added', 'both', 'changed', 'later']);
    const { version } = (await app.rows(keeping)).find(({ id }) => id === 'both') ?? {};
    assert.equal((await app.rows(parent)).find(({ id }) => id === 'both')?.version, version);
    assert.equal((await app.call(promoteIndex, { index_id: keeping }, {})).body.vectors_written, 0);
    app.cloud.advance(1);
    await app.call(promoteIndex, { index_id: discarding }, { parent_changes: 'discard' });
    assert.deepEqual(contentOf(await app.rows(parent)), contentOf(await app.rows(discarding)));
    await assertFigures(parent, ...branches);
    assert.equal(await app.events(parent, 'index.updated'), 0);
    assert.equal((await app.call(promoteIndex, { index_id: parent }, {})).status, 409);
    await app.call(deleteIndex, { index_id: parent });
    assert.equal((await app.call(promoteIndex, { index_id: keeping }, {})).status, 409);
    assert.deepEqual(await ids(discarding), ['added', 'both', 'changed', 'same']);
  });

  it('refuses a promotion that exceeds the memory of the writer', async (t) => {
    const parent = await app.newIndex();
    const branch = await app.newBranch(parent);
    await app.upsert(branch, [item('added', 1)]);
    const { memoryMb } = app.cloud;
    t.after(() => {
      app.cloud.memoryMb = memoryMb;
    });
    app.cloud.memoryMb = 0;
    const refused = await app.call(promoteIndex, { index_id: branch }, {});
    assert.deepEqual(
      [refused.status, refused.body.detail],
      [409, 'The change concerns 1 vectors, which is more than one commit can write'],
    );
    assert.deepEqual(await ids(parent), []);
  });

  it('promotes all or nothing and counts usage once, if the writer dies at any request', async (t) => {
    const promoteAndDie = (meanwhile?: (stage: { branch: string }) => Promise<unknown>) =>
      explore(
        async () => {
          const parent = await app.newIndex();
          await app.upsert(parent, [item('a', 1), item('b', 1)]);
          const branch = await app.newBranch(parent);
          await app.upsert(branch, [item('b', 2), item('c', 2)]);
          await app.call(deleteVectors, { index_id: branch }, { ids: ['a'] });
          return { parent, branch, others: (await app.storedVectors()) - 2 };
        },
        async ({ branch }) => app.call(promoteIndex, { index_id: branch }, {}),
        async ({ parent, branch, others }) => {
          const [now, wanted] = [await ids(parent), contentOf(await app.rows(branch))];
          const done = now.includes('c');
          assert.deepEqual(now, done ? ['b', 'c'] : ['a', 'b']);
          if (done) assert.deepEqual(contentOf(await app.rows(parent)), wanted);
          assert.equal(await app.events(parent, 'index.updated'), 0);
          const { usage } = await app.record(parent);
          const [written, deleted] = [usage.totals.vectors_written, usage.totals.vectors_deleted];
          assert.deepEqual([written, deleted], done ? [4, 1] : [2, 0]);
          assert.equal(await app.storedVectors(), others + 2);
          await assertFigures(parent, branch);
        },
        meanwhile,
      );
    const points = (await promoteAndDie()) + (await promoteAndDie(({ branch }) => markDeleting(branch)));
    t.diagnostic(`${points} crash points`);
  });

  it('counts all rows of a branch from its creation, and refuses a branch beyond the quota', async () => {
    const parent = await app.newIndex();
    await app.upsert(parent, [item('a', 1), item('b', 1)]);
    const [stored, requested] = [await app.storedVectors(), { name: 'branch' }];
    const branch = await app.newBranch(parent);
    assert.equal(await app.storedVectors(), stored + 2);
    await app.upsert(branch, [item('b', 2), item('c', 2)]);
    assert.equal(await app.storedVectors(), stored + 3);
    const { organizationId, usage: account } = await app.record(branch);
    assert.deepEqual([account.start.vectors, account.totals.vectors_written], [0, 2]);
    // Others hold all but one of the vectors of the plan.
    const { usage } = makeDeps({ usage: usageWrite }, app.cloud.runtime);
    const now = app.cloud.runtime.clock.now();
    const others = { organizationId, id: newId('idx', now) };
    const vectors = plans.developer.limits.vectors - (stored + 3) - 1;
    await usage.saveIndex(
      others,
      { vectors, denseBytes: 0, sparseBytes: 0, originalBytes: 0 },
      account,
      now.toISOString(),
    );
    // The room that the indexes have leased is free again.
    app.cloud.advance(61);
    const refused = await app.call(branchIndex, { index_id: parent }, requested, 'its-key');
    assert.deepEqual([refused.status, refused.body.code], [402, 'plan_limit_reached']);
    await app.call(deleteIndex, { index_id: branch });
    await app.work();
    const repeated = await app.call(branchIndex, { index_id: parent }, requested, 'its-key');
    assert.equal(repeated.status, 201);
    assert.equal((await app.record(repeated.body.id)).status, 'ready');
    assert.equal(await app.storedVectors(), stored + vectors + 2);
    await usage.releaseIndex(organizationId, others.id);
  });

  it('counts a branch correctly if its creation dies at any request, and no deleted branch', async (t) => {
    const branchAndDie = (meanwhile?: (stage: { parent: string }) => Promise<unknown>) =>
      explore(
        async () => {
          const parent = await app.newIndex();
          await app.upsert(parent, [item('a', 1), item('b', 1)]);
          return { parent, stored: await app.storedVectors() };
        },
        async ({ parent }) => app.newBranch(parent),
        async ({ parent, stored }) => {
          const branches = await branchesOf(parent);
          const rows = branches.reduce((sum, { state }) => sum + state.rows, 0);
          assert.equal(await app.storedVectors(), stored + rows);
          for (const { id, status } of branches) if (status === 'ready') await assertFigures(id);
          for (const id of [...branches.map((branch) => branch.id), parent])
            await app.call(deleteIndex, { index_id: id });
          assert.equal(await app.storedVectors(), stored - 2);
        },
        meanwhile,
      );
    const deleteBranches = async ({ parent }: { parent: string }): Promise<void> => {
      for (const { id } of await branchesOf(parent)) await app.call(deleteIndex, { index_id: id });
    };
    const points = (await branchAndDie()) + (await branchAndDie(deleteBranches));
    t.diagnostic(`${points} crash points`);
  });

  it('a branch of any depth keeps its rows and differences while its ancestors are deleted, wherever a deletion dies, and all go with it', async (t) => {
    const points = await explore(
      async () => {
        const chain = [await app.newIndex()];
        await app.upsert(chain[0] ?? '', [item('root', 0), item('masked', 0)]);
        for (let depth = 1; depth <= 3; depth += 1) {
          const branch = await app.newBranch(chain.at(-1) ?? '');
          await app.upsert(branch, [item(`depth ${depth}`, depth), item('masked', depth)]);
          chain.push(branch);
        }
        const leaf = chain.at(-1) ?? '';
        return { chain, leaf, before: contentOf(await app.rows(leaf)) };
      },
      async ({ chain }) => {
        for (const index of chain.slice(0, -1)) await app.call(deleteIndex, { index_id: index });
      },
      async ({ chain, leaf, before }) => {
        assert.deepEqual(contentOf(await app.rows(leaf)), before);
        await app.upsert(leaf, [item('masked', 9), item('late', 9)]);
        await app.call(deleteVectors, { index_id: leaf }, { ids: ['root'] });
        await assertFigures(leaf);
        const diff = await app.engine().diff(await app.ref(leaf), { after: null, limit: 10 });
        assert.deepEqual(
          diff.differences.map(({ id, change }) => `${id} ${change}`),
          ['depth 3 added', 'late added', 'masked changed', 'root deleted'],
        );
        const { organizationId } = await app.record(leaf);
        for (const index of chain) await app.call(deleteIndex, { index_id: index });
        await app.recover();
        const { indexes } = makeDeps({ indexes: indexesWrite }, app.cloud.runtime);
        for (const index of chain) assert.equal(await indexes.get(organizationId, index), null);
      },
    );
    t.diagnostic(`${points} crash points`);
  });

  it('creates branches to the depth of the plan, with the same number of requests for more rows', async () => {
    const chain = [await app.newIndex()];
    await app.upsert(chain[0] ?? '', [item('root', 0)]);
    for (let depth = 1; depth <= 8; depth += 1) {
      const branch = await app.newBranch(chain.at(-1) ?? '');
      await app.upsert(branch, [item(`d${depth}`, depth)]);
      chain.push(branch);
    }
    assert.deepEqual(await ids(chain.at(-1) ?? ''), ['d1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8', 'root']);
    await assertFigures(...chain);
    const requests: number[] = [];
    const { indexes, log } = makeDeps({ indexes: indexesWrite, log: logSend }, app.cloud.runtime);
    for (const rows of [10, 1_000]) {
      const parent = await app.record(await app.newIndex());
      await app.upsert(
        parent.id,
        Array.from({ length: rows }, (_, number) => item(`row${number}`, number)),
      );
      await app.work();
      const id = newId('idx', app.cloud.runtime.clock.now());
      const branch = { ...parent, id, parentIndexId: parent.id, branchDepth: 1, status: 'creating' } as const;
      await indexes.add({ ...branch, layers: [{ table: id, version: 0 }], dependents: new Set() }, 100);
      await log.append(parent, { op: 'branch', branch_id: id });
      app.cloud.faults.arm(null);
      await app.work();
      requests.push(app.cloud.faults.count);
      assert.deepEqual([(await app.record(id)).state.rows, (await app.rows(id)).length], [rows, rows]);
    }
    assert.equal(requests[0], requests[1]);
  });
});
