import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { branchIndex } from '../../functions/indexes/branch.ts';
import { promoteIndex } from '../../functions/indexes/promote.ts';
import { indexesRead } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { type Answer, type TestApp, openTestApp } from '../support/test-app.ts';
import { changeLimits } from '../support/plan-limits.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

const change = changeLimits({ after });
const allow = (vectors: number): void => change({ vectors });

const items = (prefix: string, count: number): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({ id: `${prefix}${at}`, vector: [1, 2, 3, at] }));

const refusal = ({ status, body }: Answer): readonly unknown[] => [status, body.code, body.limit, body.current];

describe('the vectors that a plan allows', { concurrency: false }, () => {
  beforeEach(() => app.useNewOrganization());

  it('are exceeded by no request, however many arrive at the same time, and existing vectors can be overwritten', async () => {
    allow(20);
    const index = await app.newIndex();
    await app.upsert(index, items('first', 5));
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => app.upsert(index, items(`part${at} `, 5))));
    assert.equal(answers.filter(({ status }) => status === 200).length, 3);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      const [status, code, limit, current] = refusal(answer);
      assert.deepEqual([status, code, limit], [402, 'plan_limit_reached', 20]);
      assert.ok(Number(current) >= 5 && Number(current) <= 20);
    }
    assert.deepEqual([(await app.rows(index)).length, await app.storedVectors()], [20, 20]);
    assert.equal((await app.upsert(index, items('first', 5))).status, 200);
    assert.deepEqual(refusal(await app.upsert(index, [...items('first', 5), ...items('new', 1)])), [
      402,
      'plan_limit_reached',
      20,
      20,
    ]);
    allow(12);
    // What is there stays, and can be written, although a smaller plan has no room for it.
    assert.equal((await app.upsert(index, items('first', 5))).status, 200);
    assert.equal((await app.rows(index)).length, 20);
  });

  it('are leased in blocks, which other indexes cannot take', async () => {
    allow(1_000);
    const [one, other] = [await app.newIndex(), await app.newIndex()];
    assert.equal((await app.upsert(one, items('one', 1))).status, 200);
    assert.equal((await app.record(one)).room?.rows, 10);
    assert.deepEqual(refusal(await app.upsert(other, items('other', 991))), [402, 'plan_limit_reached', 1_000, 10]);
    assert.equal((await app.upsert(other, items('other', 990))).status, 200);
    // The rest of the block is there without a look at the other index.
    assert.equal((await app.upsert(one, items('more', 9))).status, 200);
    assert.deepEqual(refusal(await app.upsert(one, items('last', 1))), [402, 'plan_limit_reached', 1_000, 1_000]);
    assert.equal(await app.storedVectors(), 1_000);
  });

  it('that an index has leased and not used are free for others after a minute', async () => {
    allow(1_000);
    const [one, other] = [await app.newIndex(), await app.newIndex()];
    await app.upsert(one, items('one', 1));
    app.cloud.advance(61);
    assert.equal((await app.upsert(other, items('other', 999))).status, 200);
    assert.equal((await app.upsert(one, items('more', 1))).status, 402);
  });

  it('are passed by no promotion, which then changes nothing', async () => {
    allow(13);
    const parent = await app.newIndex();
    await app.upsert(parent, items('shared', 3));
    const branch = await app.newBranch(parent);
    await app.upsert(branch, items('branch', 2));
    await app.upsert(parent, items('parent', 4));
    const promote = () => app.call(promoteIndex, { index_id: branch }, {});
    assert.deepEqual(refusal(await promote()), [402, 'plan_limit_reached', 13, 12]);
    assert.equal((await app.rows(parent)).length, 7);
    allow(14);
    assert.equal((await promote()).status, 200);
    assert.deepEqual([(await app.rows(parent)).length, await app.storedVectors()], [9, 14]);
  });

  it('are passed by no branches that are made at the same time', async () => {
    allow(14);
    const parent = await app.newIndex();
    await app.upsert(parent, items('shared', 5));
    const made = await Promise.all(
      ['one', 'two', 'three'].map((name) => app.call(branchIndex, { index_id: parent }, { name })),
    );
    assert.deepEqual(
      made.map(({ status }) => status).toSorted((one, other) => one - other),
      [201, 402, 402],
    );
    assert.equal(await app.storedVectors(), 10);
    const { organizationId } = await app.record(parent);
    const { indexes } = makeDeps({ indexes: indexesRead }, app.cloud.runtime);
    assert.equal(await indexes.count(organizationId), 2);
  });
});
