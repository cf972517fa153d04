import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTable } from '../../shared/db/table.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { subjectUsageRead, subjectUsageWrite, type UsageValue } from '../../shared/usage/index.ts';
import { type TestApp, openTestApp } from '../support/test-app.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

/** Writer and reader of the usage of a new organization by the values of an index. */
const newScene = () => {
  const { runtime } = app.cloud;
  const [organizationId, indexId] = [newId('org', runtime.clock.now()), newId('idx', runtime.clock.now())];
  const month = runtime.clock.now().toISOString().slice(0, 7);
  const { read } = makeDeps({ read: subjectUsageRead }, runtime);
  const list = async (limit = 100, after: string | null = null) =>
    read.listValues(organizationId, month, [indexId], { limit, after });
  return {
    /** Returns a process that adds figures. */
    open: () => {
      const { write } = makeDeps({ write: subjectUsageWrite }, runtime);
      return {
        search: (value: UsageValue | null) =>
          write.add(organizationId, [{ subject: { indexId, value }, figures: { searches_dense: 1 } }]),
        endJob: (value: UsageValue, id: string) =>
          write.addOnce(organizationId, [{ indexId, value }], { pages: 3 }, id),
      };
    },
    list,
    figures: async () =>
      (await list()).entries.map(({ value, figures }) => [value, figures.searches_dense, figures.pages]),
    /** Stores that an index has this many values. The list shows none of them. */
    pretend: async (values: number) => {
      const key = { pk: `SUBJECT#${organizationId}#${month}`, sk: `VALUES#${indexId}` };
      await openTable(runtime, 'usage').update(key, { set: { values } });
    },
  };
};

test('values of strings, numbers and truth are counted apart, and a repeat of a job adds nothing', async () => {
  const scene = newScene();
  for (const value of ['1', 1, true, 'true', 'a#b', '']) await scene.open().search(value);
  await scene.open().endJob('1', 'job_1');
  await scene.open().endJob('1', 'job_1');
  const expected = [
    ['', 1, 0],
    ['1', 1, 3],
    ['a#b', 1, 0],
    ['true', 1, 0],
    [1, 1, 0],
    [true, 1, 0],
  ];
  assert.deepEqual(await scene.figures(), expected);
  const pages: unknown[] = [];
  for (let after: string | null = null, next = true; next; next = after !== null) {
    const page: Awaited<ReturnType<typeof scene.list>> = await scene.list(4, after);
    pages.push(...page.entries.map(({ value }) => value));
    after = page.next;
  }
  assert.deepEqual(
    pages,
    expected.map(([value]) => value),
  );
});

test('beyond 10,000 values of an index and month, further ones are counted together, and known ones by themselves', async () => {
  const scene = newScene();
  await scene.open().search('first');
  await scene.pretend(9_999);
  for (const value of ['last', 'over', 'more', 'over', 'first']) await scene.open().search(value);
  for (let repeats = 0; repeats < 2; repeats += 1) await scene.open().endJob('over', 'job_2');
  await scene.open().search('x'.repeat(600));
  assert.deepEqual(await scene.figures(), [
    ['first', 2, 0],
    ['last', 1, 0],
    [null, 4, 3],
  ]);
});
