import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noScope } from '../../shared/connectors/scope.ts';
import type { JsonObject } from '../../shared/kernel/json.ts';
import { notionSource } from '../../shared/platform/connectors/notion.ts';
import type { SourceScope, StepInput } from '../../shared/platform/connectors/port.ts';
import { FakeNotion } from './fake-notion.ts';

const waitingIn = (state: JsonObject | null): number => ((state?.['waiting'] ?? []) as readonly unknown[]).length;

const editedAt = '2026-01-01T00:00:00.000Z';

const inputOf = (notion: FakeNotion, scope: Partial<SourceScope>): StepInput => ({
  scope: { ...noScope, ...scope },
  credentials: { token: notion.token },
  state: null,
  now: new Date(editedAt),
  known: () => Promise.resolve([]),
});

/** A sync to its end: ids of what it names, each once, and what it tells of. */
const readAll = async (notion: FakeNotion, scope: Partial<SourceScope>) => {
  const source = notionSource(notion.server.url);
  const ids = new Set<string>();
  const told: string[] = [];
  const kept: string[] = [];
  const input = inputOf(notion, scope);
  let state: JsonObject | null = null;
  for (let steps = 0; steps < 1_000; steps += 1) {
    const step = await source.step({ ...input, state });
    for (const change of step.changes) {
      if (change.kind === 'upsert') ids.add(change.item.externalId);
      else if (change.kind === 'failed') told.push(change.message);
      if (change.kind === 'failed' && change.externalId !== null) kept.push(change.externalId);
    }
    if (step.done) return { ids: [...ids].toSorted(), told, kept, sweep: step.sweep };
    ({ state } = step);
  }
  throw new Error('the sync never ends');
};

test('a page with more pages in it than a record holds is read as far as they fit, and tells of the rest', async (context) => {
  const notion = new FakeNotion(5_000);
  await notion.server.start();
  context.after(() => notion.server.stop());
  const titled = { title: 'x'.repeat(200), text: 'text', editedAt };
  notion.pages.set('root', { ...titled, id: 'root', parent: null });
  const children = 2_000;
  for (let child = 0; child < children; child += 1) {
    const id = String(child).padStart(32, '0');
    notion.pages.set(id, { ...titled, id, parent: 'root' });
  }
  const source = notionSource(notion.server.url);
  const input = inputOf(notion, { notion_pages: ['root'] });
  const { changes, state } = await source.step(input);
  const waiting = waitingIn(state);
  assert.ok(waiting > 500 && JSON.stringify(state).length < 257 * 1024);
  const [page, failed] = changes;
  assert.equal(page?.kind, 'upsert');
  assert.ok(failed?.kind === 'failed');
  const message = `The page root holds ${children - waiting} pages more than can be read: move them into a database`;
  assert.deepEqual(failed, { kind: 'failed', externalId: null, message, passing: false });
  const next = await source.step({ ...input, state });
  assert.equal(waitingIn(next.state), waiting - 1);
});

test('a block that the API does not open takes nothing with it', async (context) => {
  const notion = new FakeNotion();
  await notion.server.start();
  context.after(() => notion.server.stop());
  const closed = ['unsupported', 'synced_block'];
  notion.pages.set('top', { id: 'top', title: 'top', text: 'text', parent: null, editedAt, closed });
  notion.pages.set('inner', { id: 'inner', title: 'inner', text: 'text', parent: 'top', editedAt });
  const { ids, told, sweep } = await readAll(notion, { notion_pages: ['top'] });
  assert.deepEqual({ ids, told, sweep }, { ids: ['inner', 'top'], told: [], sweep: true });
});

test('a page that Notion does not list stays, and nothing below it is taken for gone', async (context) => {
  const notion = new FakeNotion();
  await notion.server.start();
  context.after(() => notion.server.stop());
  const chain = ['top', 'page', 'leaf'].map((id, at, all) => ({
    id,
    title: id,
    text: id,
    parent: all[at - 1] ?? null,
  }));
  for (const page of chain) notion.pages.set(page.id, { ...page, editedAt });
  const page = notion.pages.get('page');
  assert.ok(page !== undefined);
  const found = (root: string) => readAll(notion, { notion_pages: [root] });
  page.shut = 'page';
  for (const root of ['top', 'page']) {
    const { ids, told, kept, sweep } = await found(root);
    assert.deepEqual([ids, kept, sweep], [root === 'top' ? ['top'] : [], ['page'], false]);
    assert.match(told.join(), /^Notion does not give the page page to integrations/);
  }
  page.shut = 'toggle';
  const inPart = await found('top');
  assert.deepEqual([inPart.ids, inPart.kept, inPart.sweep], [['page', 'top'], [], false]);
  assert.match(inPart.told.join(), /^Notion does not give parts of the page page/);
  delete page.shut;
  assert.deepEqual(await found('top'), { ids: ['leaf', 'page', 'top'], told: [], kept: [], sweep: true });
});

const minute = (at: number): string => new Date(Date.parse(editedAt) + at * 60_000).toISOString();

const rowsOf = (notion: FakeNotion, times: readonly number[]): readonly string[] => {
  notion.dataSources.add('list');
  return times.map((at, number) => {
    const id = `row${String(number).padStart(3, '0')}`;
    notion.pages.set(id, { id, title: id, text: 'text', parent: 'list', editedAt, madeAt: minute(at) });
    return id;
  });
};

test('all rows of a data source are read, also beyond those that one query lists', async (context) => {
  const notion = new FakeNotion(3);
  notion.queryLimit = 7;
  await notion.server.start();
  context.after(() => notion.server.stop());
  const ids = rowsOf(
    notion,
    Array.from({ length: 40 }, (_, at) => Math.floor(at / 3)),
  );
  const found = await readAll(notion, { notion_data_sources: ['list'] });
  assert.deepEqual(found, { ids, told: [], kept: [], sweep: true });
  notion.pages.clear();
  rowsOf(
    notion,
    Array.from({ length: 20 }, () => 1),
  );
  const { told } = await readAll(notion, { notion_data_sources: ['list'] });
  assert.match(told.join(), /list has more rows made in one minute than Notion lists/);
});

test('a place in a data source that Notion has forgotten is found again by what was named last', async (context) => {
  const notion = new FakeNotion(3);
  await notion.server.start();
  context.after(() => notion.server.stop());
  const ids = rowsOf(
    notion,
    Array.from({ length: 20 }, (_, at) => at),
  );
  notion.forgets = true;
  const found = await readAll(notion, { notion_data_sources: ['list'] });
  assert.deepEqual(found, { ids, told: [], kept: [], sweep: true });
  assert.equal(notion.forgets, false);
});
