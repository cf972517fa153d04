import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { deleteConnector } from '../../functions/connectors/delete.ts';
import { connectorBrowser } from '../../functions/services/connector-browser/service.ts';
import { type browserUses, findChoices, listChoices } from '../../shared/connectors/index.ts';
import { type Deps, makeDeps } from '../../shared/kernel/capability.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import type { JsonObject } from '../../shared/kernel/json.ts';
import { confluenceScenario } from './confluence-scenario.ts';
import { driveScenario, gmailScenario } from './google-scenarios.ts';
import { oneDriveScenario, sharePointScenario } from './microsoft-scenarios.ts';
import { runDue } from './run-sync.ts';
import { apiScenario, notionScenario, type Scenario, slackScenario } from './scenarios.ts';
import { SyncFixture } from './sync-fixture.ts';

let fixture: SyncFixture;
before(async () => {
  fixture = await SyncFixture.open();
});
after(() => fixture.close());

interface Asked {
  readonly parent?: string | null;
  readonly search?: string;
}

/** A connected source whose choices can be listed, as by the service function. */
const opened = async <Made extends Scenario>(context: TestContext, make: () => Made) => {
  const scenario = make();
  await scenario.server.start();
  const id = await scenario.connect(fixture);
  const path = { index_id: fixture.indexId, connection_id: id };
  context.after(async () => {
    await fixture.call(deleteConnector, path);
    await runDue(fixture, scenario);
    scenario.server.stop();
  });
  const { runtime } = fixture.cloud;
  const config = { ...runtime.config, connectorAddresses: scenario.addresses };
  const deps = makeDeps(connectorBrowser.uses, { ...runtime, config }) as Deps<typeof browserUses>;
  const page = ({ parent = null, search = '' }: Asked = {}, cursor: string | null = null) =>
    listChoices((request) => findChoices({ deps, run: { clock: runtime.clock } }, request), {
      organization_id: fixture.owner.organizationId,
      ...path,
      parent,
      search,
      cursor,
    });
  /** All pages of a list: names, or what they are in a scope. */
  const all = async (asked: Asked = {}) => {
    const rows = [];
    for (let cursor: string | null = null, pages = 0; pages < 20; pages += 1) {
      const { choices, next } = await page(asked, cursor);
      rows.push(...choices);
      if (next === null) return rows;
      cursor = next;
    }
    throw new Error('the list never ends');
  };
  const named = async (asked: Asked = {}) => (await all(asked)).map(({ name }) => name);
  return { scenario, deps, id, page, all, named };
};

const refusalOf = async (asked: Promise<unknown>) => {
  const error = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error);
  return error instanceof AppError ? [error.code, error.message] : ['invalid', error.message];
};

test('channels of Slack are listed page by page, with whether the app is a member', async (context) => {
  const { scenario, all, named } = await opened(context, slackScenario);
  for (const id of ['C0DDD', 'C0EEE']) scenario.slack.channels.set(id, { name: `other-${id}`, messages: new Map() });
  scenario.slack.uninvited.add('C0EEE');
  const choices = await all();
  assert.deepEqual(
    choices.map(({ field, id, parent, accessible }) => [field, id, parent, accessible]),
    [
      ['slack_channels', 'C0AAA', null, true],
      ['slack_channels', 'C0BBB', null, true],
      ['slack_channels', 'C0CCC', null, true],
      ['slack_channels', 'C0DDD', null, true],
      ['slack_channels', 'C0EEE', null, false],
    ],
  );
  assert.deepEqual(await named({ search: 'OTHER' }), ['#other-C0DDD', '#other-C0EEE']);
});

test('pages of Notion are listed with their titles', async (context) => {
  const { all } = await opened(context, notionScenario);
  assert.deepEqual(
    (await all()).map(({ name, field, id }) => [name, field, id]),
    [
      ['Page a0000002', 'notion_pages', 'a0000002'],
      ['Page a0000001', 'notion_pages', 'a0000001'],
    ],
  );
});

test('folders of Google Drive are listed level by level, with shared drives and files of others', async (context) => {
  const { scenario, all, named } = await opened(context, driveScenario);
  const { drive } = scenario;
  const made = { trashed: false, text: '', modifiedTime: '', parent: null } as const;
  drive.files.set('team-1', { ...made, id: 'team-1', name: "Ann's", kind: 'folder', drive: 'team-1' });
  drive.files.set('theirs', { ...made, id: 'theirs', name: 'Theirs.txt', kind: 'file', isOfOthers: true });
  assert.deepEqual(
    (await all()).map(({ name, field, id, parent }) => [name, field, id, parent]),
    [
      ['My Drive', 'folders', 'root', 'root'],
      ['Shared with me', null, null, 'shared-with-me'],
      ['Drive team-1', 'folders', 'team-1', 'team-1'],
    ],
  );
  assert.deepEqual(await named({ parent: 'shared-with-me' }), ['Theirs.txt']);
  assert.deepEqual(
    (await all({ parent: 'elsewhere' })).map(({ name, field, id, parent }) => [name, field, id, parent]),
    [
      ['Named.txt', 'files', 'named', null],
      ['Name of far', 'folders', 'far', 'far'],
    ],
  );
  assert.deepEqual(await named({ search: "Ann's" }), ["Ann's"]);
});

test('sites of SharePoint lead to libraries, folders and files', async (context) => {
  const { all, named } = await opened(context, sharePointScenario);
  assert.deepEqual(await named(), [
    'Site acme.sharepoint.com,1a,2b',
    'Site acme.sharepoint.com,3c,4d',
    'Site acme.sharepoint.com,5e,6f',
  ]);
  const [, second] = await all();
  const [library] = await all({ parent: second?.parent ?? null });
  assert.deepEqual([library?.field, library?.id], ['libraries', 'b!shared']);
  const [folder] = await all({ parent: library?.parent ?? null });
  assert.deepEqual([folder?.name, folder?.field, folder?.id], ['Name of handbook', 'folders', 'b!shared/handbook']);
  assert.deepEqual(await named({ parent: folder?.parent ?? null }), ['Name of deep']);
});

test('a OneDrive is listed from its top, and its choices are valid in a scope', async (context) => {
  const { all } = await opened(context, oneDriveScenario);
  const [top] = await all();
  assert.deepEqual([top?.field, top?.id], ['folders', 'root']);
  assert.deepEqual(
    (await all({ parent: top?.parent ?? null })).map(({ field, id }) => [field, id]),
    [
      ['folders', 'own/work'],
      ['files', 'own/notes'],
    ],
  );
});

test('spaces of Confluence are listed by their keys, page by page', async (context) => {
  const { scenario, all } = await opened(context, confluenceScenario);
  scenario.wiki.spaces.set('LAW', 'Legal');
  assert.deepEqual(
    (await all()).map(({ name, field, id }) => [name, field, id]),
    [
      ['Space OPS', 'confluence_spaces', 'OPS'],
      ['Space HR', 'confluence_spaces', 'HR'],
      ['Space ~ann', 'confluence_spaces', '~ann'],
      ['Legal', 'confluence_spaces', 'LAW'],
    ],
  );
});

test('a source without a scope of entries has no choices, and a place or cursor of another list is refused', async (context) => {
  for (const make of [() => apiScenario(false), gmailScenario])
    assert.deepEqual((await refusalOf((await opened(context, make)).page()))[0], 'conflict');
  const slack = await opened(context, slackScenario);
  assert.equal((await refusalOf(slack.page({ parent: 'C0AAA' })))[0], 'invalid');
  assert.equal((await refusalOf(slack.page({}, 'other')))[0], 'invalid');
  const sharePoint = await opened(context, sharePointScenario);
  for (const parent of ['site:../me', 'drive:a/b', 'me/drive/x', 'no-drive', 'drive:missing'])
    assert.equal((await refusalOf(sharePoint.page({ parent })))[0], 'invalid', parent);
});

test('a busy source, one that no longer grants access, and a connector at work are reported', async (context) => {
  const { scenario, page, deps, id } = await opened(context, sharePointScenario);
  scenario.server.trouble.push(scenario.busy, scenario.busy);
  assert.equal((await refusalOf(page()))[0], 'unavailable');
  scenario.server.trouble.length = 0;
  const { organizationId } = fixture.owner;
  const address = { organizationId, indexId: fixture.indexId, connectionId: id };
  const lease = await deps.connectors.lease(address, 'another', 60);
  assert.ok(lease);
  scenario.expire();
  assert.equal((await refusalOf(page()))[0], 'unavailable');
  await deps.connectors.abandon(lease);
  assert.equal((await page()).choices.length, 3);
  scenario.revoke();
  const [code, message] = await refusalOf(page());
  assert.deepEqual([code, message?.endsWith('connect it again')], ['conflict', true]);
});

test('a token that was refreshed for a list is stored, so that the next sync uses it', async (context) => {
  const { scenario, page, deps, id } = await opened(context, sharePointScenario);
  const address = { organizationId: fixture.owner.organizationId, indexId: fixture.indexId, connectionId: id };
  await page();
  const claim = await deps.connectors.find(address);
  assert.ok(claim);
  const stored = (await deps.connectors.readCredentials(claim)) as { readonly credentials: JsonObject };
  assert.equal(stored.credentials['token'], scenario.secrets()[0]);
});
