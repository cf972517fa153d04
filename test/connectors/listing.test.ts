import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { createCustomApiConnector } from '../../functions/connectors/create-custom-api.ts';
import { resumeConnector } from '../../functions/connectors/resume.ts';
import { detectTextFormat } from '../../shared/platform/connectors/custom-api/text-format.ts';
import { assertSynced, connectionOf, indexed, syncAll } from './run-sync.ts';
import { FakeApi, type Paging } from './fake-api.ts';
import { FakeServer } from './fake-server.ts';
import { apiScenario, mark, type Scenario } from './scenarios.ts';
import { SyncFixture } from './sync-fixture.ts';

let fixture: SyncFixture;
before(async () => {
  fixture = await SyncFixture.open();
});
after(() => fixture.close());

const hourSeconds = 3_600;

/** A connected API with some items, after its first sync. */
const connected = async (context: TestContext, api: FakeApi, items = 7, isFile = false) => {
  const scenario: Scenario = { ...apiScenario(isFile), server: api.server };
  await api.server.start();
  context.after(() => api.server.stop());
  for (let item = 0; item < items; item += 1)
    api.items.set(`item-${item}`, { title: `Title ${item}`, text: mark(), version: 1, isFile });
  const path = { index_id: fixture.indexId };
  const { id } = (await fixture.call(createCustomApiConnector, path, api.description(isFile))) as { id: string };
  const content = () => Object.fromEntries([...api.items].map(([name, { text }]) => [name, [text]]));
  const sync = async () => {
    await syncAll(fixture, scenario, id);
    const connection = await connectionOf(fixture, id);
    fixture.cloud.advance(hourSeconds);
    return connection;
  };
  const inStep = (told: string) => assertSynced(fixture, { ...scenario, content }, id, told);
  const { status, error } = await sync();
  return { id, sync, inStep, status, error };
};

for (const paging of ['cursor', 'link_header', 'page', 'offset'] satisfies Paging[])
  test(`a list that is paged by ${paging} is indexed completely, also after it grows and shrinks`, async (context) => {
    const api = new FakeApi(3, paging);
    const { sync, inStep, status } = await connected(context, api, 6);
    assert.equal(status, 'active');
    await inStep('whole pages');
    api.items.set('item-6', { title: 'another', text: mark(), version: 1, isFile: false });
    api.items.delete('item-1');
    api.items.delete('item-2');
    assert.equal((await sync()).error, null);
    await inStep('a last page that is not full');
  });

test('an API that repeats its last page for later page numbers ends its list there', async (context) => {
  const api = new FakeApi(3, 'page');
  api.repeatsLastPage = true;
  const { status, inStep } = await connected(context, api, 7);
  assert.equal(status, 'active');
  await inStep('the last page came twice');
});

test('an API that ignores the page parameter is indexed as one page, with an error that names the parameter', async (context) => {
  const api = new FakeApi(3, 'cursor');
  await api.server.start();
  context.after(() => api.server.stop());
  for (let item = 0; item < 3; item += 1)
    api.items.set(`same-${item}`, { title: 'same', text: mark(), version: 1, isFile: false });
  const described = api.description(false);
  const { path, query, items } = described.list;
  const list = { path, query, items, pagination: { type: 'page', parameter: 'p' } };
  const { id } = await fixture.call(createCustomApiConnector, { index_id: fixture.indexId }, { ...described, list });
  await syncAll(fixture, { ...apiScenario(false), server: api.server }, id as string);
  const { status, error } = await connectionOf(fixture, id as string);
  assert.equal(status, 'active');
  assert.match(error ?? '', /list\.pagination\.parameter/);
  assert.equal(Object.keys(await indexed(fixture, id as string)).length, 3);
});

test('an endless list with new cursors and the same items stops the connector after a bounded number of requests', async (context) => {
  const api = new FakeApi(3);
  api.isEndless = true;
  const { id, sync, inStep, status, error } = await connected(context, api, 7);
  assert.deepEqual([status, error], ['error', 'The list is endless: check `list.next` or `list.pagination`']);
  assert.ok(api.server.asked < 30, `${api.server.asked} requests`);
  api.isEndless = false;
  await fixture.call(resumeConnector, { index_id: fixture.indexId, connection_id: id });
  assert.equal((await sync()).status, 'active');
  await inStep('after the list has an end');
});

test('a changed text is indexed although the time of its last update stays', async (context) => {
  const api = new FakeApi();
  api.isUndated = true;
  const { sync, inStep } = await connected(context, api, 4);
  const jobs = await fixture.startedJobs();
  await sync();
  assert.equal(await fixture.startedJobs(), jobs);
  Object.assign(api.items.get('item-2') ?? {}, { text: mark() });
  await sync();
  await inStep('one text has changed');
  assert.equal(await fixture.startedJobs(), jobs + 1);
});

test('an id that the list contains twice is reported, indexed once, and costs no job in later syncs', async (context) => {
  for (const items of [2, 7]) {
    const api = new FakeApi(3);
    api.repeated.set('item-0', mark());
    const { sync, inStep, error } = await connected(context, api, items);
    assert.match(error ?? '', /id occurs more than once/);
    await inStep('the first is indexed');
    const jobs = await fixture.startedJobs();
    assert.match((await sync()).error ?? '', /id occurs more than once/);
    await inStep('the first stays');
    assert.equal(await fixture.startedJobs(), jobs);
    api.repeated.clear();
    assert.equal((await sync()).error, null);
  }
});

test('a list that has lost more than half of its items removes them once the next sync confirms it', async (context) => {
  const api = new FakeApi(3);
  const { id, sync, inStep } = await connected(context, api, 7);
  const whole = await indexed(fixture, id);
  api.server.trouble.push({ status: 200, body: { data: [], meta: { next: null } } });
  const { status, error } = await sync();
  assert.deepEqual([status, await indexed(fixture, id)], ['active', whole]);
  assert.match(error ?? '', /without 7 of 7 indexed documents\. They are removed if the next sync finds the same/);
  assert.equal((await sync()).error, null);
  await inStep('the short answer was a mistake');
  for (const item of [0, 1, 2, 3]) api.items.delete(`item-${item}`);
  assert.match((await sync()).error ?? '', /without 4 of 7/);
  assert.deepEqual(await indexed(fixture, id), whole);
  assert.equal((await sync()).error, null);
  await inStep('confirmed');
  api.items.delete('item-4');
  assert.equal((await sync()).error, null);
  await inStep('a third is removed at once');
});

test('a document whose file job has failed is named in the error of its connector', async (context) => {
  const api = new FakeApi(3);
  const { sync, inStep } = await connected(context, api, 3, true);
  const broken = { title: 'Broken', text: '%PDF-1.7 and nothing else', version: 1, isFile: true };
  api.items.set('broken', broken);
  await sync();
  assert.match((await sync()).error ?? '', /^Broken: .+; it is tried again$/);
  Object.assign(broken, { text: mark(), version: 2 });
  assert.equal((await sync()).error, null);
  await inStep('the file was mended');
});

test('a text in HTML or Markdown is indexed without its tags, whole, whether its format is stated or detected', async (context) => {
  const api = new FakeApi(3);
  const { sync } = await connected(context, api, 0);
  const [first, last, plain] = [mark(), mark(), mark()];
  const body = `<p>${first} opens at nine.</p><ul><li>Monday</li><li>Friday</li></ul><div>${last}</div>`;
  api.items.set('html', { title: 'Hours', text: body, version: 1, isFile: false });
  api.items.set('markdown', { title: 'Links', text: `# ${plain}\n\n- one\n- two\n`, version: 1, isFile: false });
  assert.equal((await sync()).error, null);
  const rows = await fixture.rows();
  const textOf = (id: string): string => rows.find(({ metadata }) => metadata['document_id'] === id)?.text ?? '';
  for (const word of [first, 'Monday', 'Friday', last]) assert.match(textOf('html'), new RegExp(word));
  assert.doesNotMatch(textOf('html'), /<|>/);
  assert.match(textOf('markdown'), new RegExp(plain));
});

test('the format of a text is detected by its marks', () => {
  assert.equal(detectTextFormat('<p>Opening hours</p><ul><li>Monday</li></ul>'), 'html');
  assert.equal(detectTextFormat('<!doctype html><html><body>x</body></html>'), 'html');
  assert.equal(detectTextFormat('# Opening hours\n\n- Monday\n- Tuesday\n'), 'markdown');
  assert.equal(detectTextFormat('See **the rules** in [our handbook](https://example.com/handbook).'), 'markdown');
  for (const text of ['', 'x < y and y > z', '# a comment of a script\nrun', '<user@example.com> wrote: yes', 'a - b'])
    assert.equal(detectTextFormat(text), 'text', text);
});

test('an API with OAuth client credentials is listed since its last sync, with the metadata of its items', async (context) => {
  const client = `Basic ${Buffer.from('reader:secret%2F%2B').toString('base64')}`;
  const items = new Map<string, { text: string; at: number; tags: string[]; priority: number }>();
  const put = (id: string, priority: number): void => {
    items.set(id, { text: mark(), at: fixture.clock.now().getTime() / 1000, tags: ['a', 'b'], priority });
  };
  const lists: (string | null)[] = [];
  let [issued, refused] = [0, 0];
  const server = new FakeServer(({ method, url, headers, body }) => {
    if (url.pathname === '/oauth/token') {
      const isKnown = method === 'POST' && headers.authorization === client;
      if (!isKnown || body !== 'grant_type=client_credentials&scope=read+list') return { status: 401, body: {} };
      issued += 1;
      return { status: 200, body: { access_token: `token-${issued}`, token_type: 'Bearer', expires_in: 14_400 } };
    }
    if (headers.authorization !== `Bearer token-${issued}`) {
      refused += 1;
      return { status: 401, body: {} };
    }
    const since = url.searchParams.get('start_time');
    const page = Number(url.searchParams.get('page') ?? 1);
    if (page === 1) lists.push(since);
    const found = [...items].filter(([, { at }]) => at >= Number(since ?? 0)).slice((page - 1) * 2, page * 2);
    return {
      status: 200,
      body: { rows: found.map(([id, item]) => ({ id, ...item, nested: { level: item.priority } })) },
    };
  });
  await server.start();
  context.after(() => server.stop());
  for (const id of ['1', '2', '3', '4', '5']) put(id, 3);
  const described = {
    name: 'tickets',
    base_url: server.url,
    auth: {
      type: 'oauth_client_credentials',
      token_url: `${server.url}/oauth/token`,
      client_id: 'reader',
      client_secret: 'secret/+',
      scope: 'read list',
    },
    list: {
      path: '/tickets',
      items: '/rows',
      pagination: { type: 'page' },
      updated_since: { parameter: 'start_time', format: 'unix' },
    },
    item: { id: '/id', text: '/text', metadata: { tags: '/tags', level: '/nested/level', none: '/absent' } },
  };
  await assert.rejects(
    fixture.call(
      createCustomApiConnector,
      { index_id: fixture.indexId },
      { ...described, auth: { ...described.auth, token_url: 'https://10.0.0.1/' } },
    ),
    /422/,
  );
  const { id } = await fixture.call(createCustomApiConnector, { index_id: fixture.indexId }, described);
  const sync = async (hours: number) => {
    fixture.cloud.advance(hours * hourSeconds);
    await syncAll(fixture, { addresses: {} }, id as string);
    const { status, error } = await connectionOf(fixture, id as string);
    assert.deepEqual([status, error], ['active', null]);
    const content = Object.fromEntries([...items].map(([item, { text }]) => [item, [text]]));
    await assertSynced(fixture, { content: () => content }, id as string, `after ${lists.length} lists`);
  };
  await sync(0);
  const own = (await fixture.rows()).filter(({ metadata }) => metadata['connection_id'] === id);
  assert.equal(own.length, 5);
  for (const { metadata } of own)
    assert.deepEqual([metadata['tags'], metadata['level'], metadata['none']], [['a', 'b'], 3, undefined]);
  for (let round = 0; round < 5; round += 1) {
    const jobs = await fixture.startedJobs();
    put(String(round + 1), round);
    put(`new-${round}`, round);
    await sync(1);
    assert.equal(await fixture.startedJobs(), jobs + 2);
  }
  assert.equal(lists.filter((since) => since === null).length, 1);
  // Tokens are renewed before they expire, and one that the API ends is replaced.
  assert.equal(refused, 0);
  issued += 1;
  await sync(1);
  assert.equal(refused, 1);
  // Deletions are found by the daily listing of everything.
  items.delete('new-1');
  await sync(25);
  assert.equal(lists.filter((since) => since === null).length, 2);
});
