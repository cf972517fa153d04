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
import { assertInStep, connectionOf, indexed, runDue, syncAll } from './drive.ts';
import { FakeApi } from './fake-api.ts';
import { type Answered, FakeServer } from './fake-server.ts';
import { calendarScenario, driveScenario, gmailScenario } from './google-scenarios.ts';
import { apiScenario, mark, notionScenario, randomOf, type Scenario, slackScenario } from './scenarios.ts';
import { SourceWorld } from './sync-fixture.ts';

/** Between the requests at which a sync dies; all of them are a command of their own. */
const stride = Number(process.env['SYNC_STRIDE'] ?? 211);

let world: SourceWorld;
before(async () => {
  world = await SourceWorld.open();
});
after(() => world.close());

const opened = async <Made extends Scenario>(make: () => Made, changes: number): Promise<Made> => {
  const scenario = make();
  await scenario.server.start();
  const random = randomOf(7);
  for (let change = 0; change < changes; change += 1) scenario.change(random, world.clock.now());
  return scenario;
};

/** What a custom API answers with the first three of its items. */
const firstPage = async (scenario: Scenario): Promise<Answered> => {
  const headers = { authorization: `Bearer ${scenario.secrets()[0]}` };
  const page = await fetch(`${scenario.server.url}/v2/articles?state=published`, { headers });
  return { status: 200, body: await page.json() };
};

/** Sources whose syncs die at their requests; `hours` until all that has changed is seen. */
const dying: Readonly<Record<string, { readonly make: () => Scenario; readonly hours: number }>> = {
  'custom API': { make: () => apiScenario(true), hours: 1 },
  ...(stride === 1 && {
    Slack: { make: slackScenario, hours: 25 },
    Notion: { make: notionScenario, hours: 25 },
    'Google Drive': { make: driveScenario, hours: 25 },
    Gmail: { make: gmailScenario, hours: 25 },
    'Google Calendar': { make: calendarScenario, hours: 25 },
  }),
};

for (const [name, { make, hours }] of Object.entries(dying)) {
  test(`${name}: wherever a sync dies, the next one goes on, with nothing twice and nothing lost`, async (context) => {
    assert.deepEqual(await world.jobs(), []);
    const scenario = await opened(make, 9);
    const id = await scenario.connect(world);
    context.after(async () => {
      await world.call(deleteConnector, { index_id: world.indexId, connection_id: id });
      await runDue(world, scenario);
      scenario.server.stop();
    });
    await syncAll(world, scenario, id);
    const random = randomOf(11);
    const change = (): void => {
      scenario.change(random, world.clock.now());
      world.cloud.advance(hours * 3_600);
    };
    /** Something changes, the sync that is to see it dies, and another one follows. */
    const dieAt = async (request: number): Promise<void> => {
      change();
      const before = { jobs: await world.startedJobs(), held: await indexed(world, id) };
      const fault: Fault = { request, kind: request % 2 === 0 ? 'not applied' : 'reply lost' };
      await world.dieAt(fault, () => runDue(world, scenario));
      world.cloud.advance(400);
      await syncAll(world, scenario, id);
      await assertInStep(world, scenario, id, `dead at ${request}`);
      const content = scenario.content();
      const changed = Object.entries(content).filter(
        ([document, marks]) => !isDeepStrictEqual(before.held[document], marks),
      );
      const started = (await world.startedJobs()) - before.jobs;
      // A change may be one of the name or the place alone.
      assert.ok(
        started >= changed.length && started <= Math.max(1, changed.length),
        `${started} jobs for ${changed.length} documents, dead at ${request}`,
      );
      assert.equal((await world.jobs()).filter((status) => status === 'completed').length, Object.keys(content).length);
    };
    // What is there grows, and the requests with it: as many as one sync makes that nothing disturbs.
    change();
    const requests = await world.requestsOf(() => runDue(world, scenario));
    await syncAll(world, scenario, id);
    for (let request = 1; request <= requests; request += stride) await dieAt(request);
    context.diagnostic(`${Math.ceil(requests / stride)} points`);
  });
}

test('a pause holds, a new scope takes out exactly what fell out of it, and {} is a scope', async (context) => {
  const scenario = await opened(slackScenario, 14);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(world);
  const path = { index_id: world.indexId, connection_id: id };
  await syncAll(world, scenario, id);
  const whole = await indexed(world, id);
  await world.call(pauseConnector, path);
  world.cloud.advance(48 * 3_600);
  const asked = scenario.server.asked;
  await runDue(world, scenario);
  assert.equal(scenario.server.asked, asked);
  const jobs = await world.startedJobs();
  const answer = await world.call(updateConnectorScope, path, { slack_channels: ['C0BBB'] });
  assert.deepEqual(answer, { connection_id: id, status: 'paused' });
  assert.equal((await world.call(resumeConnector, path))['status'], 'syncing');
  await syncAll(world, scenario, id);
  const kept = Object.entries(whole).filter(([name]) => name.startsWith('C0BBB:'));
  assert.ok(kept.length > 0);
  assert.deepEqual(await indexed(world, id), Object.fromEntries(kept));
  assert.equal(await world.startedJobs(), jobs);
  assert.equal((await world.call(updateConnectorScope, path, {}))['status'], 'syncing');
  await syncAll(world, scenario, id);
  assert.deepEqual(await indexed(world, id), {});
  // What is out of reach is counted once, however often it is asked for, and for as long as it is.
  const [last, ...others] = ['C0Z', 'C0U', 'C0V', 'C0W', 'C0X', 'C0Y'] as const;
  await world.call(updateConnectorScope, path, { slack_channels: [last, ...others] });
  const told = async (): Promise<string> => {
    await syncAll(world, scenario, id);
    world.cloud.advance(3_600);
    return (await connectionOf(world, id)).error ?? '';
  };
  for (let syncs = 0; syncs < 2; syncs += 1)
    assert.match(await told(), /^6 things could not be read; the last: The channel C0Z /);
  for (const channel of others) scenario.slack.channels.set(channel, { name: channel, messages: new Map() });
  assert.match(await told(), /^The channel C0Z /);
  scenario.slack.channels.set(last, { name: last, messages: new Map() });
  assert.equal(await told(), '');
});

test('what a person has to mend stops the sync in words for them, and one that is mended goes on', async (context) => {
  const scenario = await opened(() => apiScenario(false), 5);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(world);
  scenario.server.trouble.push(await firstPage(scenario), { status: 403, body: { secret: 'said by the API' } });
  await syncAll(world, scenario, id);
  const { status, documents, error } = await connectionOf(world, id);
  assert.deepEqual([status, documents], ['error', 3]);
  assert.match(error ?? '', /refuses the credentials \(403\): connect it again/);
  const path = { index_id: world.indexId, connection_id: id };
  await world.call(resumeConnector, path);
  await syncAll(world, scenario, id);
  assert.deepEqual(await connectionOf(world, id).then((now) => [now.status, now.error]), ['active', null]);
  await assertInStep(world, scenario, id, 'mended');
  scenario.revoke();
  world.cloud.advance(3_600);
  await syncAll(world, scenario, id);
  assert.equal((await connectionOf(world, id)).status, 'error');
  const jobs = await world.startedJobs();
  const [token] = scenario.secrets();
  const { name: _, sync_interval_minutes: __, ...described } = new FakeApi().description(false);
  const source = { provider: 'custom_api', ...described, base_url: `${scenario.server.url}/v2` };
  const other = { provider: 'slack', credentials: { token: 'xoxb' } };
  await assert.rejects(world.call(reconnectConnector, path, other), /409/);
  await assert.rejects(world.call(reconnectConnector, { ...path, connection_id: 'conn_none' }, other), /404/);
  const secrets = () =>
    Array.fromAsync(
      openTable(world.cloud.runtime, 'secrets').all(`INDEX#${world.owner.organizationId}#${world.indexId}`),
    );
  const keys = (await secrets()).length;
  // Wherever it dies, there is no key that nobody finds.
  const anew = { ...source, auth: { type: 'bearer', token } };
  for (let request = 4; request < 10; request += 1)
    await world.dieAt({ request, kind: 'not applied' }, () => world.call(reconnectConnector, path, anew));
  for (let times = 0; times < 2; times += 1) {
    const answer = await world.call(reconnectConnector, path, anew);
    assert.deepEqual(answer, { connection_id: id, status: 'syncing' });
  }
  const { connectors } = makeDeps({ connectors: credentialStore }, world.cloud.runtime);
  const address = { organizationId: world.owner.organizationId, indexId: world.indexId, connectionId: id };
  const known = await connectors.get(address);
  assert.ok(known !== null);
  await connectors.add(known, {}, Buffer.alloc(32));
  assert.equal((await secrets()).length, keys);
  await syncAll(world, scenario, id);
  assert.deepEqual(await connectionOf(world, id).then((now) => [now.status, now.error]), ['active', null]);
  await assertInStep(world, scenario, id, 'opened anew');
  assert.equal(await world.startedJobs(), jobs);
  await world.call(deleteConnector, path);
  assert.equal((await secrets()).length, keys - 1);
  await runDue(world, scenario);
});

test('a sync that nobody foresaw to fail is told of once it has failed often enough', async (context) => {
  const scenario = await opened(() => apiScenario(false), 5);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(world);
  // A place that is too long to be kept.
  const page = { status: 200, body: { data: [], meta: { next: 'x'.repeat(450_000) } } };
  let runs = 0;
  for (; runs < 20 && (await connectionOf(world, id)).status === 'syncing'; runs += 1) {
    scenario.server.trouble.push(page);
    // A run that throws is one that has crashed: its lease ends.
    await runDue(world, scenario).catch(() => undefined);
    world.cloud.advance(400);
  }
  const { status, error } = await connectionOf(world, id);
  assert.deepEqual([runs, status], [12, 'error']);
  assert.match(error ?? '', /^The source could not be read; tried 12 times/);
  await world.call(resumeConnector, { index_id: world.indexId, connection_id: id });
  await syncAll(world, scenario, id);
  assert.deepEqual(await connectionOf(world, id).then((now) => [now.status, now.error]), ['active', null]);
  await assertInStep(world, scenario, id, 'resumed');
});

test('a sync whose process died each time is told of as well', async (context) => {
  const scenario = await opened(() => apiScenario(false), 5);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(world);
  // Each claim counts one, and so many runs left no other trace.
  const key = { pk: `INDEX#${world.owner.organizationId}#${world.indexId}`, sk: id };
  await openTable(world.cloud.runtime, 'connectors').update(key, { set: { failures: 12 } });
  const { asked } = scenario.server;
  await runDue(world, scenario);
  const { status, error } = await connectionOf(world, id);
  assert.deepEqual([status, scenario.server.asked], ['error', asked]);
  assert.match(error ?? '', /^The source could not be read; tried 12 times/);
  await world.call(resumeConnector, { index_id: world.indexId, connection_id: id });
  await syncAll(world, scenario, id);
  assert.equal((await connectionOf(world, id)).error, null);
  await assertInStep(world, scenario, id, 'resumed');
});

test('a source that says when to come again may say so as often as it likes', async (context) => {
  const scenario = await opened(() => apiScenario(false), 5);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(world);
  scenario.server.trouble.push(await firstPage(scenario));
  for (let runs = 0; runs < 15; runs += 1) {
    scenario.server.trouble.push({ status: 429, headers: { 'retry-after': '60' }, body: {} });
    await runDue(world, scenario);
    assert.equal((await connectionOf(world, id)).documents, 3);
    world.cloud.advance(70);
  }
  await syncAll(world, scenario, id);
  assert.equal((await connectionOf(world, id)).error, null);
  await assertInStep(world, scenario, id, 'patient');
});

test('a file that is replaced at its address is read again, though nothing tells of it', async (context) => {
  const scenario = await opened(() => apiScenario(true, false), 9);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(world);
  await syncAll(world, scenario, id);
  await assertInStep(world, scenario, id, 'first');
  const [file] = Object.values(await world.call(listFiles, { index_id: world.indexId }));
  assert.equal((file as FileJobResponse).content_type, 'text/plain');
  const random = randomOf(3);
  for (let change = 0; change < 6; change += 1) scenario.change(random, world.clock.now());
  world.cloud.advance(3_600);
  await syncAll(world, scenario, id);
  await assertInStep(world, scenario, id, 'changed');
  const jobs = await world.startedJobs();
  world.cloud.advance(3_600);
  await syncAll(world, scenario, id);
  assert.equal(await world.startedJobs(), jobs);
});

test('a source that fails is told of while it is tried again, and no more once it answers', async (context) => {
  const scenario = await opened(() => apiScenario(false), 5);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(world);
  const told = () => connectionOf(world, id).then(({ status, error }) => [status, error]);
  scenario.server.trouble.push({ status: 500, body: {} });
  await runDue(world, scenario);
  assert.deepEqual(await told(), ['syncing', 'The API answers 500; it is tried again']);
  // Where another run than the one that ends the sync comes further.
  world.cloud.advance(60);
  scenario.server.trouble.push(await firstPage(scenario), {
    status: 429,
    body: {},
    headers: { 'retry-after': '3600' },
  });
  await runDue(world, scenario);
  assert.deepEqual(await told(), ['syncing', null]);
  world.cloud.advance(3_600);
  await syncAll(world, scenario, id);
  assert.deepEqual(await told(), ['active', null]);
});

test('one file that cannot be had does not stop the rest, and comes when it can', async (context) => {
  const scenario = await opened(() => apiScenario(true), 6);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(world);
  // The first page, then its first file.
  scenario.server.trouble.push(await firstPage(scenario), { status: 500, body: {} });
  await syncAll(world, scenario, id);
  const now = await connectionOf(world, id);
  assert.equal(now.status, 'active');
  assert.match(now.error ?? '', /^Title .*: The API answers 500$/);
  world.cloud.advance(3_600);
  await syncAll(world, scenario, id);
  await assertInStep(world, scenario, id, 'later');
  assert.equal((await connectionOf(world, id)).error, null);
});

test('a file that can never be had is told of, and does not make every sync read everything again', async (context) => {
  const scenario = driveScenario();
  await scenario.server.start();
  context.after(() => scenario.server.stop());
  const { drive } = scenario;
  drive.broken.add('named');
  const id = await scenario.connect(world);
  await syncAll(world, scenario, id);
  const lists = (): number => drive.google.requests.filter((request) => request.endsWith('/v3/files')).length;
  let walks = 0;
  for (let hours = 0; hours < 20; hours += 1) {
    assert.match((await connectionOf(world, id)).error ?? '', /^Named.txt: .*answers 500$/);
    const before = lists();
    world.cloud.advance(3_600);
    await syncAll(world, scenario, id);
    if (lists() > before) walks += 1;
  }
  assert.ok(walks > 2 && walks < 7, `${walks} walks in 20 hours`);
  drive.broken.clear();
  world.cloud.advance(24 * 3_600);
  await syncAll(world, scenario, id);
  await assertInStep(world, scenario, id, 'at last');
  assert.equal((await connectionOf(world, id)).error, null);
});

test('what can never be read is told of until it can, though nothing else is read again', async (context) => {
  const scenario = driveScenario();
  await scenario.server.start();
  context.after(() => scenario.server.stop());
  const { drive } = scenario;
  drive.tooLarge.add('named');
  const id = await scenario.connect(world);
  for (let hours = 0; hours < 2; hours += 1) {
    await syncAll(world, scenario, id);
    assert.match((await connectionOf(world, id)).error ?? '', /^Named.txt: Google Drive does not let it be read$/);
    world.cloud.advance(3_600);
  }
  drive.tooLarge.clear();
  Object.assign(drive.files.get('named') ?? {}, { text: mark(), modifiedTime: world.clock.now().toISOString() });
  drive.touch('named');
  await syncAll(world, scenario, id);
  assert.equal((await connectionOf(world, id)).error, null);
  await assertInStep(world, scenario, id, 'smaller');
  // Nobody knows where a shortcut leads that Google fails to tell of, and so nothing goes.
  const usual = { parent: null, trashed: false, text: mark(), modifiedTime: world.clock.now().toISOString() };
  drive.files.set('led', { ...usual, id: 'led', name: 'Led.txt', kind: 'file' });
  drive.files.set('way', { ...usual, id: 'way', name: 'Way', kind: 'shortcut', target: 'led' });
  await world.call(updateConnectorScope, { index_id: world.indexId, connection_id: id }, { files: ['way'] });
  for (const [failing, error] of [
    [[], null],
    [['way'], 'Google fails at the file way: it stays as it was until it can be read'],
    [['led'], 'Google fails at what the shortcut Way leads to: it stays as it was until it can be read'],
    [[], null],
  ] as const) {
    drive.failing.clear();
    for (const one of failing) drive.failing.add(one);
    await syncAll(world, scenario, id);
    assert.deepEqual(Object.keys(await indexed(world, id)), ['led']);
    assert.equal((await connectionOf(world, id)).error, error);
    world.cloud.advance(25 * 3_600);
  }
});

test('one item that keeps others waiting, or is too long to be kept, does not keep the rest out', async (context) => {
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
  const { id } = await world.call(createCustomApiConnector, { index_id: world.indexId }, described);
  const scenario = { ...apiScenario(true), server };
  for (let syncs = 0; syncs < 2; syncs += 1) {
    for (let runs = 0; runs < 11; runs += 1) {
      await runDue(world, scenario);
      world.cloud.advance(120);
    }
    const { status, error } = await connectionOf(world, id as string);
    assert.equal(status, 'active');
    assert.match(error ?? '', /^2 things could not be read; the last: The id of item 1 of a page has more than 8192/);
    world.cloud.advance(3_600);
  }
  // Waited for ten times and then passed over, and twice by the sync that follows.
  assert.equal(files.asked, 14);
  await world.work();
  assert.deepEqual(Object.keys(await indexed(world, id as string)), ['long']);
});

test('an API that gives few files a minute is waited for until it has given all', async (context) => {
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
    const { id } = await world.call(createCustomApiConnector, { index_id: world.indexId }, described);
    const key = { pk: `INDEX#${world.owner.organizationId}#${world.indexId}`, sk: id as string };
    // So often it was waited for in vain.
    await openTable(world.cloud.runtime, 'connectors').update(key, { set: { waits } });
    for (let runs = 0; runs < 6 && (await connectionOf(world, id as string)).status === 'syncing'; runs += 1) {
      left = 1;
      await runDue(world, scenario);
      world.cloud.advance(70);
    }
    const { documents, error, status } = await connectionOf(world, id as string);
    assert.deepEqual([documents, error, status], [3, null, 'active']);
  }
});

test('a person who resumes a connector that has left something out has everything read and tried again', async (context) => {
  const scenario = await opened(() => apiScenario(false), 3);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(world);
  const path = { index_id: world.indexId, connection_id: id };
  await runDue(world, scenario);
  const files = openTable(world.cloud.runtime, 'files');
  const set = { status: 'failed', error: 'no credits', error_code: 'multimodal_credit_limit_reached' };
  for await (const { pk, sk, status } of files.all(`INDEX#${world.owner.organizationId}#${world.indexId}`))
    if (status === 'awaiting_upload' || status === 'queued') await files.update({ pk, sk }, { set });
  assert.equal((await world.call(resumeConnector, path))['status'], 'active');
  world.cloud.advance(3_600);
  await syncAll(world, scenario, id);
  assert.match((await connectionOf(world, id)).error ?? '', /things could not be read; the last: .*: no credits$/);
  assert.equal((await world.call(resumeConnector, path))['status'], 'syncing');
  await syncAll(world, scenario, id);
  assert.equal((await connectionOf(world, id)).error, null);
  await assertInStep(world, scenario, id, 'resumed');
});

test('a sync whose index goes while it runs leaves nothing of its documents behind', async (context) => {
  const { cloud, indexId, owner } = world;
  const key = { pk: `INDEX#${owner.organizationId}#${indexId}` };
  const [indexes, connectors] = [openTable(cloud.runtime, 'indexes'), openTable(cloud.runtime, 'connectors')];
  const setStatus = (status: string) =>
    indexes.update({ pk: `ORG#${owner.organizationId}`, sk: indexId }, { set: { status } });
  const scenario = await opened(() => apiScenario(true), 5);
  context.after(() => scenario.server.stop());
  const id = await scenario.connect(world);
  const documents = () => world.documentDeps().documents.count(world.source(id));
  await syncAll(world, scenario, id);
  assert.ok((await documents()) > 0);
  world.cloud.advance(3_600);
  // What a writer does that drops the index, all but its last lines.
  const dropped = async () => {
    await setStatus('deleting');
    await connectors.delete({ ...key, sk: id });
  };
  scenario.change(randomOf(1), world.clock.now());
  scenario.server.meanwhile = dropped;
  context.after(() => setStatus('ready'));
  await runDue(world, scenario);
  assert.equal(await documents(), 0);
});

/** The Parameter Store with the applications of the deployment. */
const parameterStore = (): FakeServer =>
  new FakeServer(() => {
    const Value = JSON.stringify({ client_id: 'client-9', client_secret: 'client-secret-9' });
    return { status: 200, body: { Parameter: { Name: 'any', Type: 'SecureString', Value } } };
  });

/** A source that people can give their consent at, as long as the test goes on. */
const openedForConsent = async (context: Pick<TestContext, 'after'>, make: () => Scenario) => {
  const store = parameterStore();
  await store.start();
  process.env['AWS_ENDPOINT_URL_SSM'] = store.url;
  context.after(() => store.stop());
  const scenario = await opened(make, 8);
  context.after(() => scenario.server.stop());
  await putOrganization(world.cloud.runtime, world.owner.organizationId);
  Object.assign(world.cloud.runtime.config, {
    connectorAddresses: scenario.addresses,
    connectorCallbackUrl: 'https://strata.example.com/v1/connectors/callback',
  });
  return { scenario, store };
};

/** Consent to a connection that lost its access opens it again, with all that it has, for nothing. */
const assertReopened = async (scenario: Scenario, provider: string, id: string, code: string): Promise<void> => {
  const path = { index_id: world.indexId, provider };
  const asked = await world.call(authorizeConnector, path, { connection_id: id });
  assert.equal(asked['connection_id'], id);
  const state = new URL(asked['authorize_url'] as string).searchParams.get('state') ?? '';
  const jobs = await world.startedJobs();
  const opened = await connect(provider, state, code);
  assert.deepEqual(opened, { connection_id: id, status: 'syncing' });
  await syncAll(world, scenario, id);
  assert.deepEqual(await connectionOf(world, id).then((now) => [now.status, now.error]), ['active', null]);
  await assertInStep(world, scenario, id, `${provider} opened anew`);
  assert.equal(await world.startedJobs(), jobs);
};

for (const [name, make, code] of [
  ['slack', slackScenario, 'consent-code-7'],
  ['notion', notionScenario, 'consent-code-7'],
  ['google_drive', driveScenario, 'consent-code-7'],
] as const) {
  test(`${name}: consent, renewal of what has ended, and refusal, with no credential anywhere`, async (context) => {
    const { scenario } = await openedForConsent(context, make);
    const path = { index_id: world.indexId, provider: name };
    const asked = await world.call(authorizeConnector, path, {});
    const consent = new URL(asked['authorize_url'] as string);
    assert.equal(consent.searchParams.get('client_id'), 'client-9');
    assert.equal(consent.searchParams.get('code_challenge_method'), name === 'google_drive' ? 'S256' : null);
    const state = consent.searchParams.get('state') ?? '';
    assert.equal((await comeBack('other', code)).status, 400);
    const made = await connect(name, state, code);
    assert.deepEqual(made, { connection_id: asked['connection_id'], status: 'pending_scope' });
    assert.equal((await comeBack(state, code)).status, 400);
    const id = made['connection_id'] as string;
    await scenario.rescope(world, id, () => 1);
    scenario.expire();
    await syncAll(world, scenario, id);
    assert.equal((await connectionOf(world, id)).status, 'active');
    await assertInStep(world, scenario, id, name);
    scenario.revoke();
    world.cloud.advance(25 * 3_600);
    await syncAll(world, scenario, id);
    const { status, error } = await connectionOf(world, id);
    assert.equal(status, 'error');
    assert.match(error ?? '', /connect/i);
    await assertReopened(scenario, name, id, code);
    await assertNoSecret([...scenario.secrets(), 'client-secret-9', state, code]);
  });
}

/** A state that a person comes back with, and the id of the connection that it is for. */
const consentState = async () => {
  const asked = await world.call(authorizeConnector, { index_id: world.indexId, provider: 'slack' }, {});
  const state = new URL(asked['authorize_url'] as string).searchParams.get('state') ?? '';
  return { state, connectionId: asked['connection_id'] as string };
};

/** Comes back from a consent: status, page or refusal, the confirmation code of the page, and when to come again. */
const comeBack = async (state: string, code = 'consent-code-7') => {
  const { runtime } = world.cloud;
  const { statusCode, headers, body } = await answerOf(runtime, returnFromConsent, world.owner, {
    query: { state, code },
  });
  const detail = statusCode === 200 ? '' : (JSON.parse(body) as { readonly detail: string }).detail;
  const confirmation = /<code>([\w-]{24})<\/code>/.exec(body)?.[1] ?? '';
  return { status: statusCode, headers, page: body, detail, confirmation, again: headers['retry-after'] };
};

const confirm = (provider: string, confirmation: string) =>
  world.call(completeConnector, { index_id: world.indexId, provider }, { confirmation_code: confirmation });

/** Comes back from a consent and confirms it. */
const connect = async (provider: string, state: string, code: string) => {
  const { status, confirmation } = await comeBack(state, code);
  assert.equal(status, 200);
  return confirm(provider, confirmation);
};

test('a consent connects nothing until the person who began it confirms what the page shows', async (context) => {
  await openedForConsent(context, slackScenario);
  const { organizationId } = world.owner;
  const name = `Team "chat" <script>alert(1)</script>`;
  const path = { index_id: world.indexId, provider: 'slack' };
  const asked = await world.call(authorizeConnector, path, { name });
  const state = new URL(asked['authorize_url'] as string).searchParams.get('state') ?? '';
  const { page, headers, confirmation } = await comeBack(state);
  for (const shown of ['A team', 'test', 'Team &quot;chat&quot; &lt;script&gt;'])
    assert.ok(page.includes(shown), shown);
  assert.doesNotMatch(page, /<script|<form|style=|consent-code-7|\bsrc=|href=/);
  assert.ok(!page.includes(state));
  assert.deepEqual([headers['content-type'], headers['cache-control']], ['text/html; charset=utf-8', 'no-store']);

  const { runtime } = world.cloud;
  const other = await putReadyIndex(runtime, organizationId);
  const body = { confirmation_code: confirmation };
  const colleague = { ...world.owner, subjectId: 'usr_colleague' };
  const stranger = { ...world.owner, organizationId: 'org_stranger' };
  for (const [caller, asks, status] of [
    [colleague, path, 400],
    [{ ...world.owner, kind: 'api_key', subjectId: 'key_theirs' } as const, path, 400],
    [stranger, path, 404],
    [world.owner, { ...path, index_id: other }, 400],
    [world.owner, { ...path, provider: 'notion' }, 400],
  ] as const)
    assert.equal((await answerOf(runtime, completeConnector, caller, { path: asks, body })).statusCode, status);
  await assert.rejects(confirm('slack', 'another-code'), /400/);
  const partition = `INDEX#${organizationId}#${world.indexId}`;
  const connection = { pk: partition, sk: asked['connection_id'] as string };
  assert.equal(await openTable(runtime, 'connectors').get(connection), null);

  const made = await confirm('slack', confirmation);
  assert.deepEqual(made, { connection_id: asked['connection_id'], status: 'pending_scope' });
  await assert.rejects(confirm('slack', confirmation), /400/);
});

test('a confirmation code is good for 15 minutes', async (context) => {
  await openedForConsent(context, slackScenario);
  const { confirmation } = await comeBack((await consentState()).state);
  world.cloud.advance(901);
  await assert.rejects(confirm('slack', confirmation), /400/);
});

for (const [provider, make, account] of [
  ['slack', slackScenario, 'A team'],
  ['notion', notionScenario, 'A workspace'],
  ['google_drive', driveScenario, 'person@example.com'],
] as const)
  test(`the page after a consent to ${provider} shows the account that consented`, async (context) => {
    await openedForConsent(context, make);
    const asked = await world.call(authorizeConnector, { index_id: world.indexId, provider }, {});
    const state = new URL(asked['authorize_url'] as string).searchParams.get('state') ?? '';
    assert.ok((await comeBack(state)).page.includes(`<dd>${account}</dd>`));
  });

test('a provider that is busy when a consent ends makes people come again when it says, and then lets them in', async (context) => {
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

test('a consent that a busy provider left open is good for no longer than before, and for one code that is taken', async (context) => {
  const { scenario } = await openedForConsent(context, slackScenario);
  const { state } = await consentState();
  world.cloud.advance(600);
  scenario.server.trouble.push(scenario.busy);
  assert.equal((await comeBack(state)).status, 503);
  world.cloud.advance(301);
  assert.equal((await comeBack(state)).status, 400);

  const used = (await consentState()).state;
  scenario.server.trouble.push(scenario.busy, { status: 200, body: { ok: false, error: 'code_already_used' } });
  assert.equal((await comeBack(used)).status, 503);
  const refusal = await comeBack(used);
  assert.equal(refusal.status, 400);
  assert.match(refusal.detail, /^Slack does not grant access any more: connect it again$/);
  assert.match((await comeBack(used)).detail, /was used before/);
});

test('a Parameter Store that does not answer uses no consent up', async (context) => {
  const { store } = await openedForConsent(context, slackScenario);
  const { state, connectionId } = await consentState();
  store.trouble.push({ status: 500, body: { __type: 'InternalServerError', message: 'no' } });
  assert.equal((await comeBack(state)).status, 503);
  const { confirmation } = await comeBack(state);
  assert.equal((await confirm('slack', confirmation))['connection_id'], connectionId);
});

/** No table but that of halves of secrets holds any of these texts, and neither does a row of the index. */
const assertNoSecret = async (secrets: readonly string[]): Promise<void> => {
  const { organizationId } = world.owner;
  const { runtime } = world.cloud;
  const partitions = [
    ['connectors', `INDEX#${organizationId}#${world.indexId}`],
    ['files', `INDEX#${organizationId}#${world.indexId}`],
    ['events', `ORG#${organizationId}`],
  ] as const;
  const kept: unknown[] = [await world.rows(), world.logged];
  for (const [table, pk] of partitions) kept.push(await Array.fromAsync(openTable(runtime, table).all(pk)));
  const text = JSON.stringify(kept, (_, value: unknown) => (value instanceof Set ? [...value] : value));
  for (const secret of secrets) assert.ok(!text.includes(secret), 'a secret is told');
};
