import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { deleteConnector } from '../../functions/connectors/delete.ts';
import { listUnreadItems } from '../../functions/connectors/list-unread.ts';
import { updateConnectorScope } from '../../functions/connectors/update-scope.ts';
import { type FakeMicrosoft, graphError } from './fake-microsoft.ts';
import { oneDriveScenario, sharePointScenario } from './microsoft-scenarios.ts';
import { assertSynced, connectionOf, indexed, runDue, syncAll } from './run-sync.ts';
import type { Scenario } from './scenarios.ts';
import { SyncFixture } from './sync-fixture.ts';

let fixture: SyncFixture;
before(async () => {
  fixture = await SyncFixture.open();
});
after(() => fixture.close());

type MicrosoftScenario = Scenario & { readonly microsoft: FakeMicrosoft };

const file = (id: string, parent: string, text: string) =>
  ({ id, name: `${id}.txt`, kind: 'file', parent, text }) as const;
const folder = (id: string, parent: string) => ({ id, name: id, kind: 'folder', parent, text: '' }) as const;

/** A connected library or OneDrive, in sync. `fill`: what is in it. */
const connected = async (
  context: TestContext,
  make: () => MicrosoftScenario,
  scope: unknown,
  fill: (microsoft: FakeMicrosoft) => void,
) => {
  const scenario = make();
  await scenario.server.start();
  fill(scenario.microsoft);
  const id = await scenario.connect(fixture);
  const path = { index_id: fixture.indexId, connection_id: id };
  context.after(async () => {
    await fixture.call(deleteConnector, path);
    await runDue(fixture, scenario);
    scenario.server.stop();
  });
  await fixture.call(updateConnectorScope, path, scope);
  await syncAll(fixture, scenario, id);
  const later = async (): Promise<readonly string[]> => {
    fixture.cloud.advance(3_600);
    scenario.microsoft.requests.length = 0;
    await syncAll(fixture, scenario, id);
    return Object.keys(await indexed(fixture, id)).toSorted();
  };
  const unread = async () => {
    const items = (await fixture.call(listUnreadItems, path)) as unknown as readonly { reason: string }[];
    return items.map(({ reason }) => reason);
  };
  return { scenario, microsoft: scenario.microsoft, id, later, unread };
};

const docs = { libraries: ['b!docs'] };

test('an unchanged library costs one request for its changes', async (context) => {
  const { later, microsoft } = await connected(context, sharePointScenario, docs, (fake) =>
    fake.put('b!docs', file('a', 'b!docs-top', 'mark900001x')),
  );
  assert.deepEqual(await later(), ['b!docs/a']);
  assert.deepEqual(microsoft.requests, ['GET /v1.0/drives/b!docs/root/delta']);
});

test('a renamed file is indexed under its new name, and one that moved out of the folder in scope is removed', async (context) => {
  const { later, microsoft } = await connected(
    context,
    sharePointScenario,
    { folders: ['b!shared/handbook'] },
    (fake) => {
      for (const id of ['a', 'b']) fake.put('b!shared', file(id, 'deep', `mark90001${id}x`));
      fake.put('b!shared', file('outside', 'b!shared-top', 'mark900013x'));
    },
  );
  assert.deepEqual(await later(), ['b!shared/a', 'b!shared/b']);
  Object.assign(microsoft.drive('b!shared').items.get('a') ?? {}, { name: 'new.txt' });
  microsoft.touch('b!shared', 'a');
  Object.assign(microsoft.drive('b!shared').items.get('b') ?? {}, { parent: 'b!shared-top' });
  microsoft.touch('b!shared', 'b');
  assert.deepEqual(await later(), ['b!shared/a']);
  const row = (await fixture.rows()).find(({ metadata }) => metadata['document_id'] === 'b!shared/a');
  assert.deepEqual([row?.metadata['title'], row?.metadata['folder']], ['new.txt', 'Name of handbook / Name of deep']);
});

test('what is in a folder that moves into or out of the scope comes and goes with it', async (context) => {
  const { later, microsoft } = await connected(
    context,
    sharePointScenario,
    { folders: ['b!shared/handbook'] },
    (fake) => {
      fake.put('b!shared', folder('outer', 'b!shared-top'));
      fake.put('b!shared', folder('inner', 'outer'));
      fake.put('b!shared', file('c', 'inner', 'mark900020x'));
    },
  );
  const move = (parent: string): void => {
    Object.assign(microsoft.drive('b!shared').items.get('outer') ?? {}, { parent });
    microsoft.touch('b!shared', 'outer');
  };
  assert.deepEqual(await later(), []);
  move('handbook');
  assert.deepEqual(await later(), ['b!shared/c']);
  move('b!shared-top');
  assert.deepEqual(await later(), []);
  move('deep');
  assert.deepEqual(await later(), ['b!shared/c']);
  microsoft.remove('b!shared', 'outer');
  assert.deepEqual(await later(), []);
});

test('a library without access is reported, and a deleted library leaves the index', async (context) => {
  const { later, microsoft, unread } = await connected(
    context,
    sharePointScenario,
    { libraries: ['b!docs', 'b!plans', 'none'] },
    (fake) => {
      fake.put('b!docs', file('d', 'b!docs-top', 'mark900030x'));
      fake.put('b!plans', file('p', 'b!plans-top', 'mark900031x'));
    },
  );
  assert.deepEqual(await later(), ['b!docs/d', 'b!plans/p']);
  assert.deepEqual(await unread(), [
    'The library none is not accessible in SharePoint: grant the application or the account access to it, or remove it from the scope',
  ]);
  microsoft.drives.delete('b!plans');
  assert.deepEqual(await later(), ['b!docs/d']);
  assert.equal((await unread()).length, 2);
});

test('a lost position lists everything again and fetches nothing', async (context) => {
  const { later, microsoft } = await connected(context, sharePointScenario, docs, (fake) => {
    for (const id of ['e', 'f', 'g', 'h']) fake.put('b!docs', file(id, 'b!docs-top', `mark90004${id}x`));
  });
  const jobs = await fixture.startedJobs();
  microsoft.forget();
  microsoft.remove('b!docs', 'h');
  assert.deepEqual(await later(), ['b!docs/e', 'b!docs/f', 'b!docs/g']);
  assert.equal(await fixture.startedJobs(), jobs);
  assert.ok(microsoft.requests.every((request) => !request.endsWith('/content')));
});

test('an infected file and one at which Microsoft fails are unread items until they can be read', async (context) => {
  const { later, microsoft, unread } = await connected(context, sharePointScenario, docs, (fake) => {
    for (const id of ['i', 'j', 'k']) fake.put('b!docs', file(id, 'b!docs-top', `mark90005${id}x`));
    fake.infected.add('i');
    fake.broken.add('j');
    Object.assign(fake.drive('b!docs').items.get('k') ?? {}, { size: 200 * 1024 * 1024 });
  });
  assert.deepEqual((await unread()).toSorted(), [
    'i.txt: Microsoft denies access to it (403)',
    'j.txt: Microsoft responded with status 500',
    'k.txt: it has more than 128 MiB, the maximum size',
  ]);
  microsoft.infected.clear();
  microsoft.broken.clear();
  Object.assign(microsoft.drive('b!docs').items.get('k') ?? {}, { size: 20 });
  microsoft.touch('b!docs', 'k');
  fixture.cloud.advance(25 * 3_600);
  assert.deepEqual(await later(), ['b!docs/i', 'b!docs/j', 'b!docs/k']);
  assert.deepEqual(await unread(), []);
});

test('a file of a closed library that is unshared leaves the index, and comes back when it is shared again', async (context) => {
  const { later, microsoft, unread } = await connected(
    context,
    sharePointScenario,
    { files: ['b!closed/named'] },
    () => undefined,
  );
  assert.deepEqual(await later(), ['b!closed/named']);
  microsoft.unshared.add('named');
  assert.deepEqual(await later(), []);
  assert.equal((await unread()).length, 1);
  microsoft.unshared.clear();
  assert.deepEqual(await later(), ['b!closed/named']);
  assert.deepEqual(await unread(), []);
});

test('a rate limit is waited for, and a revoked application stops the connector with its documents in place', async (context) => {
  const { scenario, id, microsoft, later } = await connected(context, oneDriveScenario, { folders: ['root'] }, (fake) =>
    fake.put('own', file('l', 'work', 'mark900060x')),
  );
  microsoft.limits.push(graphError(429, 'activityLimitReached', { 'retry-after': '77' }));
  fixture.cloud.advance(3_600);
  const at = fixture.clock.now().getTime();
  await runDue(fixture, scenario);
  const { status, next_sync_at: next } = await connectionOf(fixture, id);
  assert.deepEqual([status, Date.parse(next ?? '') - at], ['syncing', 77_000]);
  assert.deepEqual(await later(), ['own/l', 'own/notes']);
  microsoft.revoke();
  assert.deepEqual(await later(), ['own/l', 'own/notes']);
  const { error } = await connectionOf(fixture, id);
  assert.match(error ?? '', /^Microsoft does not accept the application \(check `tenant_id`/);
});

test('an id that is none of Microsoft never gets into an address', async (context) => {
  const scope = {
    libraries: ['../../me'],
    folders: ['b!docs/../x', 'no-drive'],
    files: ['b!docs/a?b'],
    sites: ['a/b'],
  };
  const { microsoft, unread } = await connected(context, sharePointScenario, scope, () => undefined);
  assert.deepEqual(
    microsoft.requests.filter((request) => !request.includes('/oauth2/')),
    [],
  );
  assert.equal((await unread()).length, 5);
});

test('20 changes in a row are each in the index after the next sync', async (context) => {
  const scenario = sharePointScenario();
  await scenario.server.start();
  context.after(() => scenario.server.stop());
  const random = (() => {
    let last = 17;
    return (below: number) => {
      last = (last * 48_271) % 2_147_483_647;
      return last % below;
    };
  })();
  for (let change = 0; change < 10; change += 1) scenario.change(random, fixture.clock.now());
  const id = await scenario.connect(fixture);
  await syncAll(fixture, scenario, id);
  for (let change = 1; change <= 20; change += 1) {
    scenario.change(random, fixture.clock.now());
    fixture.cloud.advance(3_600);
    await syncAll(fixture, scenario, id);
    await assertSynced(fixture, scenario, id, `change ${change}`);
  }
});
