import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { deleteConnector } from '../../functions/connectors/delete.ts';
import { listUnreadItems } from '../../functions/connectors/list-unread.ts';
import { reconnectConnector } from '../../functions/connectors/reconnect.ts';
import { updateConnectorScope } from '../../functions/connectors/update-scope.ts';
import { confluenceScenario } from './confluence-scenario.ts';
import type { FakeWikiPage } from './fake-confluence.ts';
import { assertSynced, connectionOf, indexed, runDue, syncAll } from './run-sync.ts';
import { randomOf } from './scenarios.ts';
import { SyncFixture } from './sync-fixture.ts';

let fixture: SyncFixture;
before(async () => {
  fixture = await SyncFixture.open();
});
after(() => fixture.close());

const page = (id: string, space: string, text: string, kind: FakeWikiPage['kind'] = 'pages'): FakeWikiPage => ({
  id,
  kind,
  space,
  title: `Title ${id}`,
  text,
  version: 1,
  status: 'current',
});

/** A connected site, in sync. */
const connected = async (context: TestContext, pages: readonly FakeWikiPage[]) => {
  const scenario = confluenceScenario();
  await scenario.server.start();
  for (const each of pages) scenario.wiki.pages.set(each.id, each);
  const id = await scenario.connect(fixture);
  const path = { index_id: fixture.indexId, connection_id: id };
  context.after(async () => {
    await fixture.call(deleteConnector, path);
    await runDue(fixture, scenario);
    scenario.server.stop();
  });
  await syncAll(fixture, scenario, id);
  const later = async (): Promise<readonly string[]> => {
    fixture.cloud.advance(3_600);
    scenario.wiki.requests.length = 0;
    await syncAll(fixture, scenario, id);
    return Object.keys(await indexed(fixture, id)).toSorted();
  };
  return { ...scenario, id, path, later };
};

test('pages and blog posts are read with the results of macros, their space and address', async (context) => {
  const { id, wiki, later } = await connected(context, [
    page('11', 'OPS', 'mark800011x'),
    page('12', 'HR', 'mark800012x', 'blogposts'),
  ]);
  assert.deepEqual(await later(), ['11', '12']);
  // Nothing but lists was requested.
  assert.ok(wiki.requests.every((request) => !/\/(?:pages|blogposts)\/\d+$/.test(request)));
  const row = (await fixture.rows()).find(({ metadata }) => metadata['document_id'] === '11');
  assert.match(row?.text ?? '', /Title 11[\s\S]*mark800011x[\s\S]*code of 11/);
  assert.partialDeepStrictEqual(row?.metadata, {
    provider: 'confluence',
    connection_id: id,
    title: 'Title 11',
    space: 'Space OPS',
    space_key: 'OPS',
    url: `${wiki.server.url}/wiki/spaces/OPS/pages/11`,
  });
});

test('pages that are trashed, archived, restricted or moved to another space leave the index, and come back', async (context) => {
  const ids = ['21', '22', '23', '24'];
  const { wiki, later, path } = await connected(
    context,
    ids.map((id) => page(id, 'OPS', `mark8000${id}x`)),
  );
  await fixture.call(updateConnectorScope, path, { confluence_spaces: ['OPS'] });
  assert.deepEqual(await later(), ids);
  const change = (id: string, changes: Partial<FakeWikiPage>): void => {
    Object.assign(wiki.pages.get(id) ?? {}, changes);
  };
  change('21', { status: 'trashed' });
  change('22', { status: 'archived' });
  change('23', { isRestricted: true });
  change('24', { space: 'HR' });
  assert.deepEqual(await later(), []);
  for (const id of ids) change(id, { status: 'current', isRestricted: false, space: 'OPS' });
  assert.deepEqual(await later(), ids);
});

test('a space that the account cannot view is an unread item', async (context) => {
  const { later, path } = await connected(context, [page('31', 'OPS', 'mark800031x')]);
  await fixture.call(updateConnectorScope, path, { confluence_spaces: ['OPS', 'SECRET'] });
  assert.deepEqual(await later(), ['31']);
  const items = (await fixture.call(listUnreadItems, path)) as unknown as readonly { reason: string }[];
  assert.deepEqual(
    items.map(({ reason }) => reason),
    ['The space SECRET is not accessible: check its key, and that the account may view it'],
  );
});

test('a revoked token stops the connector with its pages in place, and new credentials continue', async (context) => {
  const { wiki, later, id, path } = await connected(context, [page('41', 'OPS', 'mark800041x')]);
  wiki.token = 'another';
  assert.deepEqual(await later(), ['41']);
  const { status, error } = await connectionOf(fixture, id);
  assert.deepEqual(
    [status, error],
    ['error', 'Confluence rejects the credentials (401): connect it again with valid ones'],
  );
  const credentials = { site_url: wiki.server.url, email: 'ann@acme.example.com', token: 'another' };
  await fixture.call(reconnectConnector, path, { provider: 'confluence', credentials });
  const jobs = await fixture.startedJobs();
  assert.deepEqual(await later(), ['41']);
  assert.equal((await connectionOf(fixture, id)).status, 'active');
  assert.equal(await fixture.startedJobs(), jobs);
});

test('20 changes in a row are each in the index after the next sync', async (context) => {
  const scenario = await connected(context, []);
  const random = randomOf(23);
  for (let change = 0; change < 10; change += 1) scenario.change(random, fixture.clock.now());
  await scenario.later();
  for (let change = 1; change <= 20; change += 1) {
    scenario.change(random, fixture.clock.now());
    await scenario.later();
    await assertSynced(fixture, scenario, scenario.id, `change ${change}`);
  }
});

test('files of pages are documents, except pictures and those beyond the limit, until attachments are off', async (context) => {
  const { wiki, later, path, id } = await connected(context, [page('51', 'OPS', 'mark800051x')]);
  const file = (name: string, text: string, mediaType = 'text/plain') =>
    wiki.attachments.set(name, { id: name, page: '51', title: `Plan ${name}.txt`, text, version: 1, mediaType });
  for (const at of [1, 2, 3, 4, 5]) file(`att90${at}`, `mark80009${at}x`);
  file('att906', 'mark800096x', 'image/png');
  assert.deepEqual(await later(), ['51', 'att901', 'att902', 'att903', 'att904', 'att905']);
  const row = (await fixture.rows()).find(({ metadata }) => metadata['document_id'] === 'att901');
  assert.partialDeepStrictEqual(row?.metadata, {
    title: 'Plan att901.txt',
    space_key: 'OPS',
    url: `${wiki.server.url}/wiki/pages/viewpageattachments.action?pageId=51`,
  });
  // Unchanged files are not fetched again.
  await later();
  assert.ok(wiki.requests.every((request) => !request.endsWith('/download')));
  // A file that the account may not download is an unread item, and the others stay.
  Object.assign(wiki.attachments.get('att902') ?? {}, { version: 2, isForbidden: true });
  assert.deepEqual(await later(), ['51', 'att901', 'att902', 'att903', 'att904', 'att905']);
  assert.equal((await connectionOf(fixture, id)).unread_items, 1);
  await fixture.call(updateConnectorScope, path, { confluence_spaces: ['OPS'] });
  assert.deepEqual(await later(), ['51']);
});
