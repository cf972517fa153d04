import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { authorizeConnector } from '../../functions/connectors/authorize.ts';
import { completeConnector } from '../../functions/connectors/complete.ts';
import { createCustomApiConnector } from '../../functions/connectors/create-custom-api.ts';
import { deleteConnector } from '../../functions/connectors/delete.ts';
import { pauseConnector } from '../../functions/connectors/pause.ts';
import { reconnectConnector } from '../../functions/connectors/reconnect.ts';
import { resumeConnector } from '../../functions/connectors/resume.ts';
import { returnFromConsent } from '../../functions/connectors/return-from-consent.ts';
import { updateConnectorScope } from '../../functions/connectors/update-scope.ts';
import { listFiles } from '../../functions/files/list.ts';
import { credentialStore } from '../../shared/connectors/index.ts';
import { openTable } from '../../shared/db/table.ts';
import type { FileJobResponse } from '../../shared/files/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import type { Fault } from '../support/emulated-cloud.ts';
import { answerOf } from '../support/call.ts';
import { putOrganization } from '../support/organization.ts';
import { putReadyIndex } from '../support/ready-index.ts';
import { assertSynced, connectionOf, indexed, runDue, syncAll } from './run-sync.ts';
import { FakeApi } from './fake-api.ts';
import { type FakeResponse, FakeServer } from './fake-server.ts';
import { calendarScenario, driveScenario, gmailScenario } from './google-scenarios.ts';
import { confluenceScenario } from './confluence-scenario.ts';
import { oneDriveScenario, sharePointScenario } from './microsoft-scenarios.ts';
import { apiScenario, mark, notionScenario, randomOf, type Scenario, slackScenario } from './scenarios.ts';
import { SyncFixture } from './sync-fixture.ts';

/** Between the requests at which a sync dies; all of them are a command of their own. */
const stride = Number(process.env['SYNC_STRIDE'] ?? 1_709);

let fixture: SyncFixture;
before(async () => {
  fixture = await SyncFixture.open();
});
after(() => fixture.close());

const opened = async <Made extends Scenario>(make: () => Made, changes: number): Promise<Made> => {
  const scenario = make();
  await scenario.server.start();
  const random = randomOf(7);
  for (let change = 0; change < changes; change += 1) scenario.change(random, fixture.clock.now());
  return scenario;
};

/** Texts and metadata of the rows of each document of a connection. */
const rowsOf = async (id: string): Promise<Readonly<Record<string, readonly string[]>>> => {
  const rows = (await fixture.rows()).filter(({ metadata }) => metadata['connection_id'] === id);
  const byDocument = Object.groupBy(rows, ({ metadata }) => metadata['document_id'] as string);
  return Object.fromEntries(
    Object.entries(byDocument).map(([document, held = []]) => [
      document,
      held.map(({ text, metadata }) => JSON.stringify([text, metadata])).toSorted(),
    ]),
  );
};

/** Response of a custom API with the first three of its items. */
const firstPage = async (scenario: Scenario): Promise<FakeResponse> => {
  const headers = { authorization: `Bearer ${scenario.secrets()[0]}` };
  const page = await fetch(`${scenario.server.url}/v2/articles?state=published`, { headers });
  return { status: 200, body: await page.json() };
};

/** Sources whose syncs die at their requests; `hours` until all that has changed is seen. */
const dying: Readonly<Record<string, { readonly make: () => Scenario; readonly hours: number }>> = {
  'custom API': { make: () => apiScenario(true), hours: 1 },
  ...(process.env['SYNC_STRIDE'] !== undefined && {
    Slack: { make: slackScenario, hours: 25 },
    Notion: { make: notionScenario, hours: 25 },
    'Google Drive': { make: driveScenario, hours: 25 },
    Gmail: { make: gmailScenario, hours: 25 },
    'Google Calendar': { make: calendarScenario, hours: 25 },
    SharePoint: { make: sharePointScenario, hours: 1 },
    OneDrive: { make: oneDriveScenario, hours: 1 },
    Confluence: { make: confluenceScenario, hours: 1 },
  }),
};

for (const [name, { make, hours }] of Object.entries(dying)) {
  test(`${name}: a sync that crashes at any request continues without duplicates or losses`, async (context) => {
    assert.deepEqual(await fixture.jobs(), []);
    const scenario = await opened(make, 9);
    const id = await scenario.connect(fixture);
    context.after(async () => {
      await fixture.call(deleteConnector, { index_id: fixture.indexId, connection_id: id });
      await runDue(fixture, scenario);
      scenario.server.stop();
    });
    await syncAll(fixture, scenario, id);
    const random = randomOf(11);
    const change = (): void => {
      scenario.change(random, fixture.clock.now());
      fixture.cloud.advance(hours * 3_600);
    };
    /** Something changes, the sync that is to see it dies, and another one follows. */
    const dieAt = async (request: number): Promise<void> => {
      change();
      const before = { jobs: await fixture.startedJobs(), held: await indexed(fixture, id), rows: await rowsOf(id) };
      const fault: Fault = { request, kind: request % 2 === 0 ? 'not applied' : 'reply lost' };
      await fixture.dieAt(fault, () => runDue(fixture, scenario));
      fixture.cloud.advance(400);
      await syncAll(fixture, scenario, id);
      await assertSynced(fixture, scenario, id, `dead at ${request}`);
      const content = scenario.content();
      const changed = Object.entries(content).filter(
        ([document, marks]) => !isDeepStrictEqual(before.held[document], marks),
      );
      const started = (await fixture.startedJobs()) - before.jobs;
      // A change may be one of the name or the place alone, also of all that is below a folder.
      const rows = Object.entries(await rowsOf(id));
      const differing = rows.filter(([document, held]) => !isDeepStrictEqual(before.rows[document], held));
      assert.ok(
        started >= changed.length && started <= Math.max(1, differing.length),
        `${started} jobs for ${changed.length} documents, dead at ${request}`,
      );
      assert.equal(
        (await fixture.jobs()).filter((status) => status === 'completed').length,
        Object.keys(content).length,
      );
    };
    // The content grows, so the requests of an undisturbed sync are counted each time.
    change();
    const requests = await fixture.requestsOf(() => runDue(fixture, scenario));
    await syncAll(fixture, scenario, id);
    for (let request = 1; request <= requests; request += stride) await dieAt(request);
    context.diagnostic(`${Math.ceil(requests / stride)} points`);
  });
}

test('a paused connector does not sync, a new scope removes exactly what is out of scope, and {} is a valid scope', async (context) => {
  const scenario = await opened(slackScenario, 14);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(fixture);
  const path = { index_id: fixture.indexId, connection_id: id };
  await syncAll(fixture, scenario, id);
  const whole = await indexed(fixture, id);
  await fixture.call(pauseConnector, path);
  fixture.cloud.advance(48 * 3_600);
  const asked = scenario.server.asked;
  await runDue(fixture, scenario);
  assert.equal(scenario.server.asked, asked);
  const jobs = await fixture.startedJobs();
  const answer = await fixture.call(updateConnectorScope, path, { slack_channels: ['C0BBB'] });
  assert.deepEqual(answer, { connection_id: id, status: 'paused' });
  assert.equal((await fixture.call(resumeConnector, path))['status'], 'syncing');
  await syncAll(fixture, scenario, id);
  const kept = Object.entries(whole).filter(([name]) => name.startsWith('C0BBB:'));
  assert.ok(kept.length > 0);
  assert.deepEqual(await indexed(fixture, id), Object.fromEntries(kept));
  assert.equal(await fixture.startedJobs(), jobs);
  assert.equal((await fixture.call(updateConnectorScope, path, {}))['status'], 'syncing');
  await syncAll(fixture, scenario, id);
  assert.deepEqual(await indexed(fixture, id), {});
  // An inaccessible place is counted once, however often it is requested.
  const [last, ...others] = ['C0Z', 'C0U', 'C0V', 'C0W', 'C0X', 'C0Y'] as const;
  await fixture.call(updateConnectorScope, path, { slack_channels: [last, ...others] });
  const told = async (): Promise<string> => {
    await syncAll(fixture, scenario, id);
    fixture.cloud.advance(3_600);
    return (await connectionOf(fixture, id)).error ?? '';
  };
  for (let syncs = 0; syncs < 2; syncs += 1)
    assert.match(await told(), /^6 items could not be read; the last: The channel C0Z /);
  for (const channel of others) scenario.slack.channels.set(channel, { name: channel, messages: new Map() });
  assert.match(await told(), /^The channel C0Z /);
  scenario.slack.channels.set(last, { name: last, messages: new Map() });
  assert.equal(await told(), '');
});

test('an error that a person must fix stops the sync with advice, and a fixed one continues', async (context) => {
  const scenario = await opened(() => apiScenario(false), 5);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(fixture);
  scenario.server.trouble.push(await firstPage(scenario), { status: 403, body: { secret: 'said by the API' } });
  await syncAll(fixture, scenario, id);
  const { status, documents, error } = await connectionOf(fixture, id);
  assert.deepEqual([status, documents], ['error', 3]);
  assert.match(error ?? '', /rejects the credentials \(403\): connect it again/);
  const path = { index_id: fixture.indexId, connection_id: id };
  await fixture.call(resumeConnector, path);
  await syncAll(fixture, scenario, id);
  assert.deepEqual(await connectionOf(fixture, id).then((now) => [now.status, now.error]), ['active', null]);
  await assertSynced(fixture, scenario, id, 'mended');
  scenario.revoke();
  fixture.cloud.advance(3_600);
  await syncAll(fixture, scenario, id);
  assert.equal((await connectionOf(fixture, id)).status, 'error');
  const jobs = await fixture.startedJobs();
  const [token] = scenario.secrets();
  const { name: _, sync_interval_minutes: __, ...described } = new FakeApi().description(false);
  const source = { provider: 'custom_api', ...described, base_url: `${scenario.server.url}/v2` };
  const other = { provider: 'slack', credentials: { token: 'xoxb' } };
  await assert.rejects(fixture.call(reconnectConnector, path, other), /409/);
  await assert.rejects(fixture.call(reconnectConnector, { ...path, connection_id: 'conn_none' }, other), /404/);
  const secrets = () =>
    Array.fromAsync(
      openTable(fixture.cloud.runtime, 'secrets').all(`INDEX#${fixture.owner.organizationId}#${fixture.indexId}`),
    );
  const keys = (await secrets()).length;
  // After a crash at any write, no orphaned key remains.
  const anew = { ...source, auth: { type: 'bearer', token } };
  for (let request = 4; request < 10; request += 1)
    await fixture.dieAt({ request, kind: 'not applied' }, () => fixture.call(reconnectConnector, path, anew));
  for (let times = 0; times < 2; times += 1) {
    const answer = await fixture.call(reconnectConnector, path, anew);
    assert.deepEqual(answer, { connection_id: id, status: 'syncing' });
  }
  const { connectors } = makeDeps({ connectors: credentialStore }, fixture.cloud.runtime);
  const address = { organizationId: fixture.owner.organizationId, indexId: fixture.indexId, connectionId: id };
  const known = await connectors.get(address);
  assert.ok(known !== null);
  await connectors.add(known, {}, Buffer.alloc(32));
  assert.equal((await secrets()).length, keys);
  await syncAll(fixture, scenario, id);
  assert.deepEqual(await connectionOf(fixture, id).then((now) => [now.status, now.error]), ['active', null]);
  await assertSynced(fixture, scenario, id, 'opened again');
  assert.equal(await fixture.startedJobs(), jobs);
  await fixture.call(deleteConnector, path);
  assert.equal((await secrets()).length, keys - 1);
  await runDue(fixture, scenario);
});

test('a sync with unexpected errors is reported after repeated failures', async (context) => {
  const scenario = await opened(() => apiScenario(false), 5);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(fixture);
  // A place that is too long to be kept.
  const page = { status: 200, body: { data: [], meta: { next: 'x'.repeat(450_000) } } };
  let runs = 0;
  for (; runs < 20 && (await connectionOf(fixture, id)).status === 'syncing'; runs += 1) {
    scenario.server.trouble.push(page);
    // A run that throws is one that has crashed: its lease ends.
    await runDue(fixture, scenario).catch(() => undefined);
    fixture.cloud.advance(400);
  }
  const { status, error } = await connectionOf(fixture, id);
  assert.deepEqual([runs, status], [12, 'error']);
  assert.match(error ?? '', /^The source could not be read; failed 12 times/);
  await fixture.call(resumeConnector, { index_id: fixture.indexId, connection_id: id });
  await syncAll(fixture, scenario, id);
  assert.deepEqual(await connectionOf(fixture, id).then((now) => [now.status, now.error]), ['active', null]);
  await assertSynced(fixture, scenario, id, 'resumed');
});

test('a sync whose process crashes each time is reported', async (context) => {
  const scenario = await opened(() => apiScenario(false), 5);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(fixture);
  // Each claim counts one, and so many runs left no other trace.
  const key = { pk: `INDEX#${fixture.owner.organizationId}#${fixture.indexId}`, sk: id };
  await openTable(fixture.cloud.runtime, 'connectors').update(key, { set: { failures: 12 } });
  const { asked } = scenario.server;
  await runDue(fixture, scenario);
  const { status, error } = await connectionOf(fixture, id);
  assert.deepEqual([status, scenario.server.asked], ['error', asked]);
  assert.match(error ?? '', /^The source could not be read; failed 12 times/);
  await fixture.call(resumeConnector, { index_id: fixture.indexId, connection_id: id });
  await syncAll(fixture, scenario, id);
  assert.equal((await connectionOf(fixture, id)).error, null);
  await assertSynced(fixture, scenario, id, 'resumed');
});

test('a source that loses each position is listed again with growing pauses, and is reported', async (context) => {
  const scenario = await opened(oneDriveScenario, 10);
  context.after(() => scenario.server.stop());
  scenario.microsoft.forgetsAlways = true;
  const id = await scenario.connect(fixture);
  const start = fixture.clock.now().getTime();
  let runs = 0;
  for (; runs < 20; runs += 1) {
    const { asked } = scenario.server;
    await runDue(fixture, scenario);
    assert.ok(scenario.server.asked - asked < 20, `run ${runs}`);
    const { status, next_sync_at: next } = await connectionOf(fixture, id);
    if (status !== 'syncing') break;
    fixture.cloud.advance((Date.parse(next ?? '') - fixture.clock.now().getTime()) / 1000);
  }
  const { status, error } = await connectionOf(fixture, id);
  assert.equal(status, 'error');
  assert.match(error ?? '', /^The source lost its position 12 times\. Resume/);
  const hours = (fixture.clock.now().getTime() - start) / 3_600_000;
  assert.ok(hours > 4 && hours < 6, `${hours} hours`);
  scenario.microsoft.forgetsAlways = false;
  await fixture.call(resumeConnector, { index_id: fixture.indexId, connection_id: id });
  await syncAll(fixture, scenario, id);
  await assertSynced(fixture, scenario, id, 'found again');
});

test('a source that sends Retry-After may do so any number of times', async (context) => {
  const scenario = await opened(() => apiScenario(false), 5);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(fixture);
  scenario.server.trouble.push(await firstPage(scenario));
  for (let runs = 0; runs < 15; runs += 1) {
    scenario.server.trouble.push({ status: 429, headers: { 'retry-after': '60' }, body: {} });
    await runDue(fixture, scenario);
    assert.equal((await connectionOf(fixture, id)).documents, 3);
    fixture.cloud.advance(70);
  }
  await syncAll(fixture, scenario, id);
  assert.equal((await connectionOf(fixture, id)).error, null);
  await assertSynced(fixture, scenario, id, 'patient');
});

test('a file that is replaced at its URL is read again without a version', async (context) => {
  const scenario = await opened(() => apiScenario(true, false), 9);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(fixture);
  await syncAll(fixture, scenario, id);
  await assertSynced(fixture, scenario, id, 'first');
  const [file] = Object.values(await fixture.call(listFiles, { index_id: fixture.indexId }));
  assert.equal((file as FileJobResponse).content_type, 'text/plain');
  const random = randomOf(3);
  for (let change = 0; change < 6; change += 1) scenario.change(random, fixture.clock.now());
  fixture.cloud.advance(3_600);
  await syncAll(fixture, scenario, id);
  await assertSynced(fixture, scenario, id, 'changed');
  const jobs = await fixture.startedJobs();
  fixture.cloud.advance(3_600);
  await syncAll(fixture, scenario, id);
  assert.equal(await fixture.startedJobs(), jobs);
});

test('a failing source is reported while it is retried, and no longer once it responds', async (context) => {
  const scenario = await opened(() => apiScenario(false), 5);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(fixture);
  const told = () => connectionOf(fixture, id).then(({ status, error }) => [status, error]);
  scenario.server.trouble.push({ status: 500, body: {} });
  await runDue(fixture, scenario);
  assert.deepEqual(await told(), ['syncing', 'The API responded with status 500; it is tried again']);
  // Another run than the last one makes progress.
  fixture.cloud.advance(60);
  scenario.server.trouble.push(await firstPage(scenario), {
    status: 429,
    body: {},
    headers: { 'retry-after': '3600' },
  });
  await runDue(fixture, scenario);
  assert.deepEqual(await told(), ['syncing', null]);
  fixture.cloud.advance(3_600);
  await syncAll(fixture, scenario, id);
  assert.deepEqual(await told(), ['active', null]);
});

test('one unavailable file does not stop the others, and is indexed once it is available', async (context) => {
  const scenario = await opened(() => apiScenario(true), 6);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(fixture);
  // The first page, then its first file.
  scenario.server.trouble.push(await firstPage(scenario), { status: 500, body: {} });
  await syncAll(fixture, scenario, id);
  const now = await connectionOf(fixture, id);
  assert.equal(now.status, 'active');
  assert.match(now.error ?? '', /^Title .*: The API responded with status 500$/);
  fixture.cloud.advance(3_600);
  await syncAll(fixture, scenario, id);
  await assertSynced(fixture, scenario, id, 'later');
  assert.equal((await connectionOf(fixture, id)).error, null);
});

test('a permanently unavailable file is reported and does not cause full reads', async (context) => {
  const scenario = driveScenario();
  await scenario.server.start();
  context.after(() => scenario.server.stop());
  const { drive } = scenario;
  drive.broken.add('named');
  const id = await scenario.connect(fixture);
  await syncAll(fixture, scenario, id);
  const lists = (): number => drive.google.requests.filter((request) => request.endsWith('/v3/files')).length;
  let walks = 0;
  for (let hours = 0; hours < 20; hours += 1) {
    assert.match((await connectionOf(fixture, id)).error ?? '', /^Named.txt: .*responded with status 500$/);
    const before = lists();
    fixture.cloud.advance(3_600);
    await syncAll(fixture, scenario, id);
    if (lists() > before) walks += 1;
  }
  assert.ok(walks > 2 && walks < 7, `${walks} walks in 20 hours`);
  drive.broken.clear();
  fixture.cloud.advance(24 * 3_600);
  await syncAll(fixture, scenario, id);
  await assertSynced(fixture, scenario, id, 'at last');
  assert.equal((await connectionOf(fixture, id)).error, null);
});

test('a permanently unreadable item is reported until it can be read, without reading others again', async (context) => {
  const scenario = driveScenario();
  await scenario.server.start();
  context.after(() => scenario.server.stop());
  const { drive } = scenario;
  drive.tooLarge.add('named');
  const id = await scenario.connect(fixture);
  for (let hours = 0; hours < 2; hours += 1) {
    await syncAll(fixture, scenario, id);
    assert.match((await connectionOf(fixture, id)).error ?? '', /^Named.txt: Google Drive denies access to it$/);
    fixture.cloud.advance(3_600);
  }
  drive.tooLarge.clear();
  Object.assign(drive.files.get('named') ?? {}, { text: mark(), modifiedTime: fixture.clock.now().toISOString() });
  drive.touch('named');
  await syncAll(fixture, scenario, id);
  assert.equal((await connectionOf(fixture, id)).error, null);
  await assertSynced(fixture, scenario, id, 'smaller');
  // The target of a shortcut that Google fails to return is unknown, so nothing is removed.
  const usual = { parent: null, trashed: false, text: mark(), modifiedTime: fixture.clock.now().toISOString() };
  drive.files.set('led', { ...usual, id: 'led', name: 'Led.txt', kind: 'file' });
  drive.files.set('way', { ...usual, id: 'way', name: 'Way', kind: 'shortcut', target: 'led' });
  await fixture.call(updateConnectorScope, { index_id: fixture.indexId, connection_id: id }, { files: ['way'] });
  for (const [failing, error] of [
    [[], null],
    [['way'], 'Google fails at the file way: it stays as it was until it can be read'],
    [['led'], 'Google fails at what the shortcut Way leads to: it stays as it was until it can be read'],
    [[], null],
  ] as const) {
    drive.failing.clear();
    for (const one of failing) drive.failing.add(one);
    await syncAll(fixture, scenario, id);
    assert.deepEqual(Object.keys(await indexed(fixture, id)), ['led']);
    assert.equal((await connectionOf(fixture, id)).error, error);
    fixture.cloud.advance(25 * 3_600);
  }
});

test('one item that delays others or is too large does not exclude the others', async (context) => {
  const files = new FakeServer(() => ({ status: 503, headers: { 'retry-after': '120' }, body: {} }));
  await files.start();
  context.after(() => files.stop());
  const api = new FakeApi();
  const items = [
    { id: 'dead', file: `${files.url}/dead.txt` },
    { id: 'long', file: 'good.txt', self: `https://example.com/${'x'.repeat(420_000)}` },
    { id: 'x'.repeat(420_000), file: 'good.txt' },
  ];
  const respond = ({ url }: { readonly url: URL }) => {
    if (url.pathname === '/good.txt') return { status: 200, body: Buffer.from('good words') };
    const page = Number(url.searchParams.get('page') ?? 0);
    const data = [items[page]].map((item) => ({ ...item, file: new URL(item?.file ?? '', server.url).href }));
    return { status: 200, body: { data, meta: { next: page < 2 ? page + 1 : null } } };
  };
  const server: FakeServer = new FakeServer(respond);
  await server.start();
  context.after(() => server.stop());
  const described = { ...api.description(true, false), base_url: server.url, auth: { type: 'none' } };
  const { id } = await fixture.call(createCustomApiConnector, { index_id: fixture.indexId }, described);
  const scenario = { ...apiScenario(true), server };
  for (let syncs = 0; syncs < 2; syncs += 1) {
    for (let runs = 0; runs < 11; runs += 1) {
      await runDue(fixture, scenario);
      fixture.cloud.advance(120);
    }
    const { status, error } = await connectionOf(fixture, id as string);
    assert.equal(status, 'active');
    assert.match(error ?? '', /^2 items could not be read; the last: The id of item 1 of a page has more than 8192/);
    fixture.cloud.advance(3_600);
  }
  // Waited for ten times and then passed over, and twice by the sync that follows.
  assert.equal(files.asked, 14);
  await fixture.work();
  assert.deepEqual(Object.keys(await indexed(fixture, id as string)), ['long']);
});

test('an API with a low rate limit is read until it has returned all files', async (context) => {
  let left = 0;
  let pages: readonly (readonly string[])[] = [];
  const respond = ({ url }: { readonly url: URL }) => {
    if (url.pathname.endsWith('.txt')) {
      left -= 1;
      return left < 0
        ? { status: 429, headers: { 'retry-after': '60' }, body: {} }
        : { status: 200, body: Buffer.from(url.pathname) };
    }
    const page = Number(url.searchParams.get('page') ?? 0);
    const data = (pages[page] ?? []).map((id) => ({ id, updated: 'v1', file: `${server.url}/${id}.txt` }));
    return { status: 200, body: { data, meta: { next: page + 1 < pages.length ? page + 1 : null } } };
  };
  const server: FakeServer = new FakeServer(respond);
  await server.start();
  context.after(() => server.stop());
  const described = { ...new FakeApi().description(true), base_url: server.url, auth: { type: 'none' } };
  const scenario = { ...apiScenario(true), server };
  for (const [waits, listed] of [
    [9, [['a'], ['b'], ['c']]],
    [10, [['a', 'b'], ['c']]],
  ] as const) {
    pages = listed;
    const { id } = await fixture.call(createCustomApiConnector, { index_id: fixture.indexId }, described);
    const key = { pk: `INDEX#${fixture.owner.organizationId}#${fixture.indexId}`, sk: id as string };
    // Number of waits without success.
    await openTable(fixture.cloud.runtime, 'connectors').update(key, { set: { waits } });
    for (let runs = 0; runs < 6 && (await connectionOf(fixture, id as string)).status === 'syncing'; runs += 1) {
      left = 1;
      await runDue(fixture, scenario);
      fixture.cloud.advance(70);
    }
    const { documents, error, status } = await connectionOf(fixture, id as string);
    assert.deepEqual([documents, error, status], [3, null, 'active']);
  }
});

test('resuming a connector with unread items reads and retries everything', async (context) => {
  const scenario = await opened(() => apiScenario(false), 3);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(fixture);
  const path = { index_id: fixture.indexId, connection_id: id };
  await runDue(fixture, scenario);
  const files = openTable(fixture.cloud.runtime, 'files');
  const set = { status: 'failed', error: 'no credits', error_code: 'multimodal_credit_limit_reached' };
  for await (const { pk, sk, status } of files.all(`INDEX#${fixture.owner.organizationId}#${fixture.indexId}`))
    if (status === 'awaiting_upload' || status === 'queued') await files.update({ pk, sk }, { set });
  assert.equal((await fixture.call(resumeConnector, path))['status'], 'active');
  fixture.cloud.advance(3_600);
  await syncAll(fixture, scenario, id);
  assert.match((await connectionOf(fixture, id)).error ?? '', /items could not be read; the last: .*: no credits$/);
  assert.equal((await fixture.call(resumeConnector, path))['status'], 'syncing');
  await syncAll(fixture, scenario, id);
  assert.equal((await connectionOf(fixture, id)).error, null);
  await assertSynced(fixture, scenario, id, 'resumed');
});

test('a sync whose index is deleted meanwhile leaves no documents behind', async (context) => {
  const { cloud, indexId, owner } = fixture;
  const key = { pk: `INDEX#${owner.organizationId}#${indexId}` };
  const [indexes, connectors] = [openTable(cloud.runtime, 'indexes'), openTable(cloud.runtime, 'connectors')];
  const setStatus = (status: string) =>
    indexes.update({ pk: `ORG#${owner.organizationId}`, sk: indexId }, { set: { status } });
  const scenario = await opened(() => apiScenario(true), 5);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(fixture);
  const documents = () => fixture.documentDeps().documents.count(fixture.source(id));
  await syncAll(fixture, scenario, id);
  assert.ok((await documents()) > 0);
  fixture.cloud.advance(3_600);
  // Drops the index like the writer, except its last steps.
  const dropped = async () => {
    await setStatus('deleting');
    await connectors.delete({ ...key, sk: id });
  };
  scenario.change(randomOf(1), fixture.clock.now());
  scenario.server.meanwhile = dropped;
  context.after(() => setStatus('ready'));
  await runDue(fixture, scenario);
  assert.equal(await documents(), 0);
});

/** The Parameter Store with the applications of the deployment. */
const parameterStore = (): FakeServer =>
  new FakeServer(() => {
    const Value = JSON.stringify({ client_id: 'client-9', client_secret: 'client-secret-9' });
    return { status: 200, body: { Parameter: { Name: 'any', Type: 'SecureString', Value } } };
  });

/** A source with OAuth consent for the duration of the test. */
const openedForConsent = async (context: Pick<TestContext, 'after'>, make: () => Scenario) => {
  const store = parameterStore();
  await store.start();
  process.env['AWS_ENDPOINT_URL_SSM'] = store.url;
  context.after(() => store.stop());
  const scenario = await opened(make, 8);
  context.after(() => scenario.server.stop());
  await putOrganization(fixture.cloud.runtime, fixture.owner.organizationId);
  Object.assign(fixture.cloud.runtime.config, {
    connectorAddresses: scenario.addresses,
    connectorCallbackUrl: 'https://strata.example.com/v1/connectors/callback',
  });
  return { scenario, store };
};

/** Consent to a connection that lost its access opens it again, with all that it has, for nothing. */
const assertReopened = async (scenario: Scenario, provider: string, id: string, code: string): Promise<void> => {
  const path = { index_id: fixture.indexId, provider };
  const asked = await fixture.call(authorizeConnector, path, { connection_id: id });
  assert.equal(asked['connection_id'], id);
  const state = new URL(asked['authorize_url'] as string).searchParams.get('state') ?? '';
  const jobs = await fixture.startedJobs();
  const opened = await connect(provider, state, code);
  assert.deepEqual(opened, { connection_id: id, status: 'syncing' });
  await syncAll(fixture, scenario, id);
  assert.deepEqual(await connectionOf(fixture, id).then((now) => [now.status, now.error]), ['active', null]);
  await assertSynced(fixture, scenario, id, `${provider} opened again`);
  assert.equal(await fixture.startedJobs(), jobs);
};

for (const [name, make, code] of [
  ['slack', slackScenario, 'consent-code-7'],
  ['notion', notionScenario, 'consent-code-7'],
  ['google_drive', driveScenario, 'consent-code-7'],
  ['one_drive', oneDriveScenario, 'consent-code-7'],
] as const) {
  test(`${name}: consent, token refresh and refusal reveal no credentials`, async (context) => {
    const { scenario } = await openedForConsent(context, make);
    const path = { index_id: fixture.indexId, provider: name };
    const asked = await fixture.call(authorizeConnector, path, {});
    const consent = new URL(asked['authorize_url'] as string);
    assert.equal(consent.searchParams.get('client_id'), 'client-9');
    assert.equal(consent.searchParams.get('code_challenge_method'), name.endsWith('_drive') ? 'S256' : null);
    const state = consent.searchParams.get('state') ?? '';
    assert.equal((await comeBack('other', code)).status, 400);
    const made = await connect(name, state, code);
    assert.deepEqual(made, { connection_id: asked['connection_id'], status: 'pending_scope' });
    assert.equal((await comeBack(state, code)).status, 400);
    const id = made['connection_id'] as string;
    await scenario.rescope(fixture, id, () => 1);
    scenario.expire();
    await syncAll(fixture, scenario, id);
    assert.equal((await connectionOf(fixture, id)).status, 'active');
    await assertSynced(fixture, scenario, id, name);
    scenario.revoke();
    fixture.cloud.advance(25 * 3_600);
    await syncAll(fixture, scenario, id);
    const { status, error } = await connectionOf(fixture, id);
    assert.equal(status, 'error');
    assert.match(error ?? '', /connect/i);
    await assertReopened(scenario, name, id, code);
    await assertNoSecret([...scenario.secrets(), 'client-secret-9', state, code]);
  });
}

/** A state that a person comes back with, and the id of the connection that it is for. */
const consentState = async () => {
  const asked = await fixture.call(authorizeConnector, { index_id: fixture.indexId, provider: 'slack' }, {});
  const state = new URL(asked['authorize_url'] as string).searchParams.get('state') ?? '';
  return { state, connectionId: asked['connection_id'] as string };
};

/** Comes back from a consent: status, page or refusal, the confirmation code of the page, and when to come again. */
const comeBack = async (state: string, code = 'consent-code-7') => {
  const { runtime } = fixture.cloud;
  const { statusCode, headers, body } = await answerOf(runtime, returnFromConsent, fixture.owner, {
    query: { state, code },
  });
  const detail = statusCode === 200 ? '' : (JSON.parse(body) as { readonly detail: string }).detail;
  const confirmation = /<code>([\w-]{24})<\/code>/.exec(body)?.[1] ?? '';
  return { status: statusCode, headers, page: body, detail, confirmation, again: headers['retry-after'] };
};

const confirm = (provider: string, confirmation: string) =>
  fixture.call(completeConnector, { index_id: fixture.indexId, provider }, { confirmation_code: confirmation });

/** Comes back from a consent and confirms it. */
const connect = async (provider: string, state: string, code: string) => {
  const { status, confirmation } = await comeBack(state, code);
  assert.equal(status, 200);
  return confirm(provider, confirmation);
};

test('a consent creates no connector until the caller who started it confirms it', async (context) => {
  await openedForConsent(context, slackScenario);
  const { organizationId } = fixture.owner;
  const name = `Team "chat" <script>alert(1)</script>`;
  const path = { index_id: fixture.indexId, provider: 'slack' };
  const asked = await fixture.call(authorizeConnector, path, { name });
  const state = new URL(asked['authorize_url'] as string).searchParams.get('state') ?? '';
  const { page, headers, confirmation } = await comeBack(state);
  for (const shown of ['A team', 'test', 'Team &quot;chat&quot; &lt;script&gt;'])
    assert.ok(page.includes(shown), shown);
  assert.doesNotMatch(page, /<script|<form|style=|consent-code-7|\bsrc=|href=/);
  assert.ok(!page.includes(state));
  assert.deepEqual([headers['content-type'], headers['cache-control']], ['text/html; charset=utf-8', 'no-store']);

  const { runtime } = fixture.cloud;
  const other = await putReadyIndex(runtime, organizationId);
  const body = { confirmation_code: confirmation };
  const colleague = { ...fixture.owner, subjectId: 'usr_colleague' };
  const stranger = { ...fixture.owner, organizationId: 'org_stranger' };
  for (const [caller, asks, status] of [
    [colleague, path, 400],
    [{ ...fixture.owner, kind: 'api_key', subjectId: 'key_theirs' } as const, path, 400],
    [stranger, path, 404],
    [fixture.owner, { ...path, index_id: other }, 400],
    [fixture.owner, { ...path, provider: 'notion' }, 400],
  ] as const)
    assert.equal((await answerOf(runtime, completeConnector, caller, { path: asks, body })).statusCode, status);
  await assert.rejects(confirm('slack', 'another-code'), /400/);
  const partition = `INDEX#${organizationId}#${fixture.indexId}`;
  const connection = { pk: partition, sk: asked['connection_id'] as string };
  assert.equal(await openTable(runtime, 'connectors').get(connection), null);

  const made = await confirm('slack', confirmation);
  assert.deepEqual(made, { connection_id: asked['connection_id'], status: 'pending_scope' });
  await assert.rejects(confirm('slack', confirmation), /400/);
});

test('a confirmation code is valid for 15 minutes', async (context) => {
  await openedForConsent(context, slackScenario);
  const { confirmation } = await comeBack((await consentState()).state);
  fixture.cloud.advance(901);
  await assert.rejects(confirm('slack', confirmation), /400/);
});

for (const [provider, make, account] of [
  ['slack', slackScenario, 'A team'],
  ['notion', notionScenario, 'A workspace'],
  ['google_drive', driveScenario, 'person@example.com'],
  ['sharepoint', sharePointScenario, 'person@acme.example.com'],
] as const)
  test(`the page after a consent to ${provider} shows the account that consented`, async (context) => {
    await openedForConsent(context, make);
    const asked = await fixture.call(authorizeConnector, { index_id: fixture.indexId, provider }, {});
    const state = new URL(asked['authorize_url'] as string).searchParams.get('state') ?? '';
    assert.ok((await comeBack(state)).page.includes(`<dd>${account}</dd>`));
  });

test('a busy provider at the end of a consent gives a 503 with Retry-After, and the consent then succeeds', async (context) => {
  const { scenario } = await openedForConsent(context, slackScenario);
  for (const [trouble, seconds] of [
    [scenario.busy, '7'],
    [{ status: 500, body: {} }, '1'],
    [{ status: 408, body: {} }, '1'],
    [{ status: 200, body: { ok: false, error: 'internal_error' } }, '1'],
  ] as const) {
    const { state, connectionId } = await consentState();
    for (let times = 0; times < 2; times += 1) {
      scenario.server.trouble.push(trouble);
      const { status, again } = await comeBack(state);
      assert.deepEqual([status, again], [503, seconds]);
    }
    const { status, confirmation } = await comeBack(state);
    assert.equal(status, 200);
    assert.equal((await confirm('slack', confirmation))['connection_id'], connectionId);
    assert.equal((await comeBack(state)).status, 400);
  }
});

test('a consent that a busy provider left open keeps its expiry, and accepts one valid code', async (context) => {
  const { scenario } = await openedForConsent(context, slackScenario);
  const { state } = await consentState();
  fixture.cloud.advance(600);
  scenario.server.trouble.push(scenario.busy);
  assert.equal((await comeBack(state)).status, 503);
  fixture.cloud.advance(301);
  assert.equal((await comeBack(state)).status, 400);

  const used = (await consentState()).state;
  scenario.server.trouble.push(scenario.busy, { status: 200, body: { ok: false, error: 'code_already_used' } });
  assert.equal((await comeBack(used)).status, 503);
  const refusal = await comeBack(used);
  assert.equal(refusal.status, 400);
  assert.match(refusal.detail, /^Slack no longer grants access: connect it again$/);
  assert.match((await comeBack(used)).detail, /already used/);
});

test('a consent is not used up if the Parameter Store does not respond', async (context) => {
  const { store } = await openedForConsent(context, slackScenario);
  const { state, connectionId } = await consentState();
  store.trouble.push({ status: 500, body: { __type: 'InternalServerError', message: 'no' } });
  assert.equal((await comeBack(state)).status, 503);
  const { confirmation } = await comeBack(state);
  assert.equal((await confirm('slack', confirmation))['connection_id'], connectionId);
});

/** No table but that of halves of secrets holds any of these texts, and neither does a row of the index. */
const assertNoSecret = async (secrets: readonly string[]): Promise<void> => {
  const { organizationId } = fixture.owner;
  const { runtime } = fixture.cloud;
  const partitions = [
    ['connectors', `INDEX#${organizationId}#${fixture.indexId}`],
    ['files', `INDEX#${organizationId}#${fixture.indexId}`],
    ['events', `ORG#${organizationId}`],
  ] as const;
  const kept: unknown[] = [await fixture.rows(), fixture.logged];
  for (const [table, pk] of partitions) kept.push(await Array.fromAsync(openTable(runtime, table).all(pk)));
  const text = JSON.stringify(kept, (_, value: unknown) => (value instanceof Set ? [...value] : value));
  for (const secret of secrets) assert.ok(!text.includes(secret), 'stored items or logs contain a secret');
};
