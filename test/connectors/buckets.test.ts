import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createConnector } from '../../functions/connectors/create.ts';
import { deleteConnector } from '../../functions/connectors/delete.ts';
import { listConnectorSyncs } from '../../functions/connectors/list-syncs.ts';
import { listUnreadItems } from '../../functions/connectors/list-unread.ts';
import { syncConnector } from '../../functions/connectors/sync.ts';
import { updateConnector } from '../../functions/connectors/update.ts';
import { updateConnectorScope } from '../../functions/connectors/update-scope.ts';
import { connectorBrowser } from '../../functions/services/connector-browser/service.ts';
import { type browserUses, type ChoicesRequest, findChoices, listChoices } from '../../shared/connectors/index.ts';
import { type Deps, makeDeps } from '../../shared/kernel/capability.ts';
import { ValidationFailure } from '../../shared/kernel/errors.ts';
import { assertSynced, connectionOf, type Place, runDue, syncAll } from './run-sync.ts';
import { mark, pick, randomOf } from './scenarios.ts';
import { accessKeys, bucketProviders, type BucketProvider, openStorages, type Storages } from './storages.ts';
import { SyncFixture } from './sync-fixture.ts';

/** Between the requests at which a sync dies; all of them are a command of their own. */
const stride = Number(process.env['SYNC_STRIDE'] ?? 411);
/** Of five changes each. */
const rounds = stride === 1 ? 4 : 2;

let fixture: SyncFixture;
let storages: Storages;
let place: Place;

before(async () => {
  [fixture, storages] = await Promise.all([SyncFixture.open(), openStorages()]);
  const { azurite, gcs } = storages;
  place = { addresses: {}, imports: { s3Endpoint: null, gcsEndpoint: gcs.endpoint, azureEndpoint: azurite.endpoint } };
});
after(async () => {
  await fixture.close();
  await storages.close();
});

const names = ['notes.txt', 'Übersicht #&%.md', '日本語 +=?.txt', "it's (1).txt", 'a%20b.txt', 'deep/er/file.txt'];

/** A bucket with some objects and a connector to its folder `team/`. */
const connected = async (context: TestContext, provider: BucketProvider, scope: object = {}) => {
  const bucket = storages.buckets[provider];
  /** Objects in scope, with the mark in their text. */
  const held = new Map<string, string>();
  const put = async (key: string, encoding?: string): Promise<void> => {
    const word = mark();
    const bytes = Buffer.from(`The word is ${word}.`);
    await bucket.put(`team/${key}`, encoding === 'gzip' ? gzipSync(bytes) : bytes, encoding);
    held.set(key, word);
  };
  const remove = async (key: string): Promise<void> => {
    await bucket.remove(`team/${key}`);
    held.delete(key);
  };
  for (const name of names) await put(name);
  await put('packed.txt', 'gzip');
  await bucket.put('team-other/outside.txt', Buffer.from('outside'));
  await bucket.put('team/empty.txt', Buffer.alloc(0));
  await bucket.put('team/picture.raw', Buffer.from([0, 1, 2, 3]));
  const { id } = await fixture.call(
    createConnector,
    { index_id: fixture.indexId },
    {
      provider,
      ...bucket.connection,
      credentials: bucket.credentials,
      metadata: { team: 'support' },
      sync_interval_minutes: 15,
      scope: { object_prefixes: [`${bucket.base}team/`], exclude_patterns: ['*.raw'], ...scope },
    },
  );
  const path = { index_id: fixture.indexId, connection_id: id as string };
  context.after(async () => {
    for (const name of held.keys()) await bucket.remove(`team/${name}`);
    await fixture.call(deleteConnector, path);
    await runDue(fixture, place);
  });
  const content = () => Object.fromEntries([...held].map(([key, word]) => [`${bucket.base}team/${key}`, [word]]));
  const inStep = (told: string, expected = content()) =>
    assertSynced(fixture, { content: () => expected }, path.connection_id, `${provider}: ${told}`);
  const sync = async () => {
    fixture.cloud.advance(1);
    await fixture.call(syncConnector, path);
    await syncAll(fixture, place, path.connection_id);
    return connectionOf(fixture, path.connection_id);
  };
  await syncAll(fixture, place, path.connection_id);
  return { bucket, path, held, put, remove, inStep, sync, content };
};

const lastSync = async (path: Readonly<Record<string, string>>) =>
  (
    (await fixture.call(listConnectorSyncs, path, undefined, { limit: '1' })) as unknown as Record<string, unknown>[]
  )[0];

for (const provider of bucketProviders)
  test(`${provider}: a folder is indexed exactly, and its changes are followed by "sync now" and by the schedule`, async (context) => {
    const { path, held, put, remove, inStep, sync } = await connected(context, provider);
    await inStep('first');
    assert.equal((await connectionOf(fixture, path.connection_id)).error, null);
    const rows = await fixture.rows();
    const own = rows.filter(({ metadata }) => metadata['connection_id'] === path.connection_id);
    assert.ok(own.length > 0 && own.every(({ metadata }) => metadata['team'] === 'support'));
    const jobs = await fixture.startedJobs();
    assert.equal((await sync()).status, 'active');
    assert.equal(await fixture.startedJobs(), jobs);
    const random = randomOf(5);
    for (let round = 0; round < rounds; round += 1) {
      const before = { keys: new Set(held.keys()), words: new Map(held) };
      for (let change = 0; change < 5; change += 1) {
        const known = pick(random, [...held.keys()]);
        const kind = random(4);
        if (kind === 0) await put(`new/${mark()}.txt`);
        else if (kind === 1) await put(known);
        else if (held.size > 3 && kind === 2) await remove(known);
        else {
          // A rename is a new object, and the old one is gone.
          await put(`renamed/${mark()}.txt`);
          await remove(known);
        }
      }
      const added = [...held.keys()].filter((key) => !before.keys.has(key)).length;
      const removed = [...before.keys].filter((key) => !held.has(key)).length;
      const updated = [...held].filter(([key, word]) => before.keys.has(key) && before.words.get(key) !== word).length;
      if (round % 2 === 0) await sync();
      else {
        fixture.cloud.advance(15 * 60);
        await syncAll(fixture, place, path.connection_id);
      }
      await inStep(`round ${round}`);
      const told = await lastSync(path);
      assert.deepEqual(
        [told?.['documents_added'], told?.['documents_updated'], told?.['documents_removed'], told?.['trigger']],
        [added, updated, removed, round % 2 === 0 ? 'request' : 'schedule'],
        `${provider}, round ${round}`,
      );
      assert.equal(told?.['items'], held.size);
    }
  });

for (const provider of bucketProviders)
  test(`${provider}: folders can be chosen, page by page, at any address of the bucket`, async (context) => {
    const { bucket, path } = await connected(context, provider);
    const many = Array.from({ length: 130 }, (_, at) => `folder ${String(at).padStart(3, '0')} #&%/`);
    for (const name of many) {
      await bucket.put(`choose/${name}a.txt`, Buffer.from('a'));
      context.after(() => bucket.remove(`choose/${name}a.txt`));
    }
    await bucket.put('choose/file.txt', Buffer.from('a'));
    context.after(() => bucket.remove('choose/file.txt'));
    const { runtime } = fixture.cloud;
    const config = { ...runtime.config, imports: place.imports ?? runtime.config.imports };
    const deps = makeDeps(connectorBrowser.uses, { ...runtime, config }) as Deps<typeof browserUses>;
    const choices = async (parent: string | null, search = '') => {
      const found = [];
      let cursor: string | null = null;
      let pages = 0;
      do {
        const request = { organization_id: fixture.owner.organizationId, ...path, parent, search, cursor };
        const browse = (asked: ChoicesRequest) => findChoices({ deps, run: { clock: runtime.clock } }, asked);
        const page = await listChoices(browse, request);
        found.push(...page.choices);
        cursor = page.next;
        pages += 1;
      } while (cursor !== null && pages < 10);
      return { found, pages };
    };
    const encoded = (key: string): string => key.split('/').map(encodeURIComponent).join('/');
    const team = `${bucket.base}team/`;
    const own = { name: team, field: 'object_prefixes', id: team, parent: team, accessible: true };
    assert.deepEqual((await choices(null)).found, [own]);
    const root = await choices(bucket.base);
    assert.deepEqual(
      root.found.map(({ name, id }) => [name, id]),
      ['choose/', 'team-other/', 'team/'].map((name) => [name, bucket.base + name]),
    );
    const { found, pages } = await choices(`${bucket.base}choose/`);
    assert.deepEqual(
      found.map(({ name, id }) => [name, id]),
      many.map((name) => [name, `${bucket.base}choose/${provider === 'azure_blob' ? encoded(name) : name}`]),
    );
    assert.equal(pages, 2);
    assert.deepEqual((await choices(found[7]?.id ?? '')).found, []);
    const named = await choices(`${bucket.base}choose/`, 'FOLDER 12');
    assert.equal(named.found.length, 10);
    // A chosen folder is an entry for the scope.
    await fixture.call(updateConnectorScope, path, { object_prefixes: [found[7]?.id ?? ''] });
    await assert.rejects(choices('ftp://acme/'), ValidationFailure);
  });

test('a sync of a bucket that crashes at any request continues without duplicates or losses', async (context) => {
  const { put, remove, inStep, held, path } = await connected(context, 'aws_s3');
  const change = async (): Promise<void> => {
    await put(`more/${mark()}.txt`);
    await put('notes.txt');
    await remove([...held.keys()].find((key) => key.startsWith('more/')) ?? '');
    fixture.cloud.advance(15 * 60);
  };
  await change();
  const requests = await fixture.requestsOf(() => runDue(fixture, place));
  await syncAll(fixture, place, path.connection_id);
  for (let request = 1; request <= requests; request += stride) {
    await change();
    const jobs = await fixture.startedJobs();
    await fixture.dieAt({ request, kind: request % 2 === 0 ? 'not applied' : 'reply lost' }, () =>
      runDue(fixture, place),
    );
    fixture.cloud.advance(400);
    await syncAll(fixture, place, path.connection_id);
    await inStep(`dead at ${request}`);
    assert.ok((await fixture.startedJobs()) - jobs <= 2, `dead at ${request}`);
    const told = await lastSync(path);
    assert.deepEqual([told?.['documents_updated'], told?.['documents']], [1, held.size], `dead at ${request}`);
  }
});

test('patterns and prefixes select the expected objects, and a scope of another provider is refused', async (context) => {
  const { bucket, path, inStep, sync, content } = await connected(context, 'aws_s3', {
    include_patterns: ['*.txt'],
    exclude_patterns: ['deep/*', '?otes.txt'],
  });
  const all = content();
  const without = (...keys: readonly string[]) =>
    Object.fromEntries(Object.entries(all).filter(([id]) => !keys.some((key) => id === `${bucket.base}team/${key}`)));
  await inStep('patterns', without('notes.txt', 'Übersicht #&%.md', 'deep/er/file.txt'));
  await fixture.call(updateConnectorScope, path, {
    object_prefixes: [`${bucket.base}team/no`, `${bucket.base}team/deep/`],
  });
  await sync();
  await inStep('two prefixes', without(...names.filter((name) => !/^(notes|deep)/.test(name)), 'packed.txt'));
  for (const uri of ['gs://acme/', 'https://acme.blob.core.windows.net/c/', 'ftp://acme', 's3://acme/../x', 's3://A_/'])
    await assert.rejects(fixture.call(updateConnectorScope, path, { object_prefixes: [uri] }), /422/, uri);
});

test('objects that cannot be read are listed with their reason until they can, and new metadata reaches every chunk', async (context) => {
  const { bucket, path, sync, inStep } = await connected(context, 'aws_s3');
  await bucket.put('team/broken.pdf', Buffer.from('%PDF-1.7 and nothing else'));
  await bucket.put('team/strange.txt', Buffer.from('text that claims to be packed'), 'zstd');
  const unread = async () => {
    const items = (await fixture.call(listUnreadItems, path)) as unknown as readonly Record<string, unknown>[];
    return items.map(({ document_id, name, reason }) => [document_id, name, reason]);
  };
  await sync();
  assert.equal((await sync()).unread_items, 1);
  const [[id, name, reason] = []] = await unread();
  assert.deepEqual([id, name], [`${bucket.base}team/broken.pdf`, 'broken.pdf']);
  assert.match(String(reason), /^broken\.pdf: /);
  await bucket.remove('team/broken.pdf');
  await bucket.remove('team/strange.txt');
  assert.equal((await sync()).unread_items, 0);
  assert.deepEqual(await unread(), []);
  const updated = await fixture.call(updateConnector, path, { metadata: { team: 'sales' }, sync_interval_minutes: 60 });
  assert.equal(updated['sync_interval_minutes'], 60);
  await syncAll(fixture, place, path.connection_id);
  await inStep('new metadata');
  const own = (await fixture.rows()).filter(({ metadata }) => metadata['connection_id'] === path.connection_id);
  assert.ok(own.length > 0 && own.every(({ metadata }) => metadata['team'] === 'sales'));
});

test('a bucket that may not be read stops its connector with the reason, and a private endpoint is refused', async () => {
  const create = (body: object) =>
    fixture.call(createConnector, { index_id: fixture.indexId }, { provider: 'aws_s3', ...body });
  const scope = { object_prefixes: ['s3://acme/team/'] };
  for (const [credentials, reason] of [
    [{ ...accessKeys, secret_access_key: 'another' }, /secret is wrong/],
    [{ ...accessKeys, access_key_id: 'AKIAIOSFODNN7UNKNOWN' }, /does not know the key/],
  ] as const) {
    const { id } = await create({ credentials, endpoint: storages.s3Endpoint, scope });
    await syncAll(fixture, place, id as string);
    const { status, error } = await connectionOf(fixture, id as string);
    assert.equal(status, 'error');
    assert.match(error ?? '', reason);
    await fixture.call(deleteConnector, { index_id: fixture.indexId, connection_id: id as string });
    await runDue(fixture, place);
  }
  for (const endpoint of [
    'https://10.0.0.7',
    'https://169.254.169.254',
    'http://minio.example.com',
    'https://a.example/b',
  ])
    await assert.rejects(create({ credentials: accessKeys, endpoint, scope }), /422/, endpoint);
});
