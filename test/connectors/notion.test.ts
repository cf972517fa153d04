import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noScope } from '../../shared/connectors/no-scope.ts';
import type { JsonObject } from '../../shared/kernel/json.ts';
import { openPublicGet } from '../../shared/platform/connectors/public-http.ts';
import { notionSource } from '../../shared/platform/connectors/notion/notion.ts';
import { propertyLines } from '../../shared/platform/connectors/notion/markdown.ts';
import {
  type SourceChange,
  SourceFault,
  type SourceScope,
  type StepInput,
} from '../../shared/platform/connectors/port.ts';
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

/** Result of a sync: ids of its items, kept ids, and reported failures. */
class Findings {
  readonly texts = new Map<string, string>();
  readonly kept = new Set<string>();
  readonly told: string[] = [];
  /** How often a page was named. */
  times = 0;
  waits = 0;

  async take(change: SourceChange): Promise<void> {
    if (change.kind === 'upsert') this.times += 1;
    if (change.kind === 'upsert')
      this.texts.set(change.item.externalId, Buffer.from((await change.item.content()) ?? []).toString());
    else if (change.externalId !== null) this.kept.add(change.externalId);
    if (change.kind === 'failed') this.told.push(change.message);
  }

  all(removesUnseen: boolean) {
    return { ids: [...this.texts.keys()].toSorted(), told: this.told, kept: [...this.kept].toSorted(), removesUnseen };
  }
}

/** A sync to its end, with what the index has; a run that the server fails is followed by another. */
const readAll = async (
  notion: FakeNotion,
  scope: Partial<SourceScope>,
  held: readonly string[] = [],
  found = new Findings(),
) => {
  const source = notionSource(notion.server.url, openPublicGet(true));
  const known = (prefix: string) => Promise.resolve(held.filter((id) => id.startsWith(prefix)));
  const input = { ...inputOf(notion, scope), known };
  let state: JsonObject | null = null;
  let failures = 1;
  for (let steps = 0; steps < 1_000; steps += 1) {
    try {
      const step = await source.step({ ...input, state, failures });
      for (const change of step.changes) await found.take(change);
      if (step.done) return found.all(step.removesUnseen);
      ({ state } = step);
      failures = 0;
    } catch (error) {
      assert.ok(error instanceof SourceFault && error.kind === 'busy');
      if (error.retryAfterSeconds === null) failures += 1;
      else found.waits += 1;
      assert.ok(failures < 6, error.message);
    }
  }
  throw new Error('the sync never ends');
};

test('a Notion page with more subpages than the state can store is read up to the limit, and the rest is reported', async (context) => {
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
  const source = notionSource(notion.server.url, openPublicGet(true));
  const input = inputOf(notion, { notion_pages: ['root'] });
  const { changes, state } = await source.step(input);
  const waiting = waitingIn(state);
  assert.ok(waiting > 500 && JSON.stringify(state).length < 257 * 1024);
  const [page, failed] = changes;
  assert.equal(page?.kind, 'upsert');
  assert.ok(failed?.kind === 'failed');
  const message = `The page root has ${children - waiting} more pages than can be read: move them into a database`;
  assert.deepEqual(failed, { kind: 'failed', externalId: null, message, isTransient: false });
  const next = await source.step({ ...input, state });
  assert.equal(waitingIn(next.state), waiting - 1);
});

test('a Notion block that the API does not open removes nothing', async (context) => {
  const notion = new FakeNotion();
  await notion.server.start();
  context.after(() => notion.server.stop());
  const closed = ['unsupported', 'synced_block', 'table'];
  notion.pages.set('top', { id: 'top', title: 'top', text: 'text', parent: null, editedAt, closed });
  notion.pages.set('inner', { id: 'inner', title: 'inner', text: 'text', parent: 'top', editedAt });
  const { ids, told, removesUnseen } = await readAll(notion, { notion_pages: ['top'] });
  assert.deepEqual({ ids, told, removesUnseen }, { ids: ['inner', 'top'], told: [], removesUnseen: true });
});

/** Pages each in the one before. */
const chainOf = (notion: FakeNotion, ids: readonly string[]): void => {
  for (const [at, id] of ids.entries())
    notion.pages.set(id, { id, title: id, text: id, parent: ids[at - 1] ?? null, editedAt });
};

test('a Notion page that is not listed stays with the pages below it, and removed pages are still found', async (context) => {
  const notion = new FakeNotion();
  await notion.server.start();
  context.after(() => notion.server.stop());
  chainOf(notion, ['a0', 'b0', 'c0']);
  const page = notion.pages.get('b0');
  assert.ok(page !== undefined);
  const held = ['a0', 'b0', 'c0', 'd0', 'e0'];
  const found = (root: string) => readAll(notion, { notion_pages: [root] }, held);
  page.shut = 'page';
  for (const root of ['a0', 'b0']) {
    const { ids, told, kept, removesUnseen } = await found(root);
    assert.deepEqual([ids, kept, removesUnseen], [root === 'a0' ? ['a0'] : [], ['a0', 'b0', 'c0'], true]);
    assert.match(told.join(), /^Notion hides the page b0 from integrations/);
  }
  page.shut = 'toggle';
  const inPart = await found('a0');
  assert.deepEqual([inPart.ids, inPart.kept, inPart.removesUnseen], [['a0', 'b0'], ['a0', 'b0', 'c0'], true]);
  assert.match(inPart.told.join(), /^Notion hides parts of the page b0/);
  delete page.shut;
  assert.deepEqual(await found('a0'), { ids: ['a0', 'b0', 'c0'], told: [], kept: [], removesUnseen: true });
});

test('a Notion page at which Notion fails repeatedly stops no other', async (context) => {
  const notion = new FakeNotion();
  await notion.server.start();
  context.after(() => notion.server.stop());
  chainOf(notion, ['a0', 'b0', 'c0']);
  chainOf(notion, ['d0']);
  notion.failing.add('b0');
  const scope = { notion_pages: ['d0', 'a0'] };
  const { ids, told, kept, removesUnseen } = await readAll(notion, scope, ['b0', 'c0', 'e0']);
  assert.deepEqual([ids, kept, removesUnseen], [['a0', 'd0'], ['b0', 'c0'], true]);
  assert.deepEqual(told, [
    'Notion fails at the page b0: it and the pages below it stay unchanged until it can be read',
  ]);
  // If every request fails, the page is not the cause.
  notion.failing.add('');
  await assert.rejects(readAll(notion, scope), /Notion responded with status 500/);
});

test('a Notion page that needs more requests than the rate limit allows is read completely', async (context) => {
  const notion = new FakeNotion(100);
  await notion.server.start();
  context.after(() => notion.server.stop());
  notion.pages.set('a0', { id: 'a0', title: 'a0', text: 'text', parent: null, editedAt, toggles: 40 });
  notion.requestsAtOnce = 12;
  const found = new Findings();
  const { ids, told, removesUnseen } = await readAll(notion, { notion_pages: ['a0'] }, [], found);
  assert.deepEqual({ ids, told, removesUnseen }, { ids: ['a0'], told: [], removesUnseen: true });
  assert.match(found.texts.get('a0') ?? '', /- part 0\n.*- part 39$/s);
  assert.ok(notion.server.asked < 60, `${notion.server.asked} requests`);
});

test('Notion properties are read with all of their values, including computed ones', async (context) => {
  const notion = new FakeNotion(10);
  await notion.server.start();
  context.after(() => notion.server.stop());
  const people = Array.from({ length: 32 }, (_, at) => `P${at}`);
  notion.pages.set('a0', { id: 'a0', title: 'a0', text: 'text', parent: null, editedAt, people });
  const found = new Findings();
  await readAll(notion, { notion_pages: ['a0'] }, [], found);
  assert.match(found.texts.get('a0') ?? '', new RegExp(`^Team: ${people.join(', ')}$`, 'm'));
  const title = [{ plain_text: 'Plan' }];
  const properties = {
    A: { type: 'unique_id', unique_id: { prefix: 'TASK', number: 12 } },
    B: { type: 'unique_id', unique_id: { prefix: null, number: 7 } },
    C: { type: 'formula', formula: { type: 'string', string: 'overdue' } },
    D: { type: 'formula', formula: { type: 'boolean', boolean: true } },
    E: { type: 'formula', formula: { type: 'date', date: { start: '2026-01-01', end: null } } },
    F: { type: 'rollup', rollup: { type: 'number', number: 3, function: 'sum' } },
    G: {
      type: 'rollup',
      rollup: {
        type: 'array',
        array: [
          { type: 'title', title },
          { type: 'number', number: 4 },
        ],
      },
    },
    H: { type: 'created_by', created_by: { name: 'Ann' } },
    I: { type: 'files', files: [{ name: 'a.pdf' }, { name: 'b.pdf' }] },
    J: { type: 'relation', relation: [{ id: 'x' }] },
    K: { type: 'rollup', rollup: { type: 'unsupported', unsupported: {} } },
  };
  const lines = [
    'A: TASK-12',
    'B: 7',
    'C: overdue',
    'D: yes',
    'E: 2026-01-01',
    'F: 3',
    'G: Plan, 4',
    'H: Ann',
    'I: a.pdf, b.pdf',
  ];
  assert.equal(propertyLines({ properties }), lines.join('\n'));
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

test('all rows of a Notion data source are read, beyond the limit of one query', async (context) => {
  const notion = new FakeNotion(3);
  notion.queryLimit = 7;
  await notion.server.start();
  context.after(() => notion.server.stop());
  const ids = rowsOf(
    notion,
    Array.from({ length: 40 }, (_, at) => Math.floor(at / 3)),
  );
  const found = await readAll(notion, { notion_data_sources: ['list'] });
  assert.deepEqual(found, { ids, told: [], kept: [], removesUnseen: true });
  notion.pages.clear();
  rowsOf(
    notion,
    Array.from({ length: 20 }, () => 1),
  );
  const { told } = await readAll(notion, { notion_data_sources: ['list'] });
  assert.match(told.join(), /list has more rows created in one minute than Notion lists/);
});

test('an expired cursor of a Notion data source is replaced by the last listed row', async (context) => {
  const notion = new FakeNotion(3);
  await notion.server.start();
  context.after(() => notion.server.stop());
  const ids = rowsOf(
    notion,
    Array.from({ length: 20 }, (_, at) => at),
  );
  notion.forgets = true;
  const found = await readAll(notion, { notion_data_sources: ['list'] });
  assert.deepEqual(found, { ids, told: [], kept: [], removesUnseen: true });
  assert.equal(notion.forgets, false);
});

test('Notion data sources in a wiki are read once with their rows, including those that the scope names', async (context) => {
  const notion = new FakeNotion(10);
  await notion.server.start();
  context.after(() => notion.server.stop());
  for (const [id, parent] of [
    ['a0', 'wiki'],
    ['b0', 'inner'],
    ['c0', 'named'],
    ['d0', 'held'],
  ] as const)
    notion.pages.set(id, { id, title: id, text: 'text', parent, editedAt });
  for (const id of ['wiki', 'inner', 'named', 'held']) notion.dataSources.add(id);
  notion.databases.set('db-held', ['held']);
  // Each leads back to the one above it and to itself.
  notion.inWikis.set('wiki', ['inner', 'named', 'held', 'wiki']).set('inner', ['wiki', 'inner']);
  const found = new Findings();
  const all = { ids: ['a0', 'b0'], told: [], kept: [], removesUnseen: true };
  const others = { notion_data_sources: ['wiki', 'named', 'db-held'] };
  assert.deepEqual(await readAll(notion, others, [], found), { ...all, ids: ['a0', 'b0', 'c0', 'd0'] });
  assert.equal(found.times, 4);
  notion.inWikis.set('wiki', ['inner']);
  assert.deepEqual(await readAll(notion, { notion_data_sources: ['wiki'] }), all);
});

test('the id of a Notion database selects its data sources', async (context) => {
  const notion = new FakeNotion(10);
  await notion.server.start();
  context.after(() => notion.server.stop());
  const ids = rowsOf(notion, [1, 2, 3]);
  notion.databases.set('db', ['list']);
  for (const scope of [{ notion_data_sources: ['db'] }, { notion_pages: ['db'] }])
    assert.deepEqual(await readAll(notion, scope), { ids, told: [], kept: [], removesUnseen: true });
  const { told } = await readAll(notion, { notion_data_sources: ['other'] });
  assert.deepEqual(told, ['The data source other is not accessible: share it with the integration in Notion']);
});

test('Notion meeting notes are read once with title and summary, without the transcript', async (context) => {
  const notion = new FakeNotion(10);
  await notion.server.start();
  context.after(() => notion.server.stop());
  const [summary, notes] = ['words of meeting-summary-a0', 'words of meeting-notes-a0'];
  for (const [meeting, text] of [
    [{ notes: 'given', has_children: false }, `Weekly meeting\n\n${summary}\n\n${notes}`],
    [{ notes: 'given', has_children: true }, `Weekly meeting\n\n${summary}\n\n${notes}`],
    [{ notes: 'closed', has_children: false }, `Weekly meeting\n\n${summary}`],
  ] as const) {
    notion.pages.set('a0', { id: 'a0', title: 'a0', text: 'text', parent: null, editedAt, meeting });
    const found = new Findings();
    const { told, removesUnseen } = await readAll(notion, { notion_pages: ['a0'] }, [], found);
    assert.deepEqual({ told, removesUnseen }, { told: [], removesUnseen: true });
    assert.match(found.texts.get('a0') ?? '', new RegExp(`- text\n\n${text}$`));
  }
});
