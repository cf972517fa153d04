import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test, type TestContext } from 'node:test';
import { createConnector } from '../../functions/connectors/create.ts';
import { deleteConnector } from '../../functions/connectors/delete.ts';
import { getConnector } from '../../functions/connectors/get.ts';
import { reconnectConnector } from '../../functions/connectors/reconnect.ts';
import { resumeConnector } from '../../functions/connectors/resume.ts';
import { syncConnector } from '../../functions/connectors/sync.ts';
import { getFile } from '../../functions/files/get.ts';
import { createImport } from '../../functions/imports/create.ts';
import { deleteSourceCredentials } from '../../functions/source-credentials/delete.ts';
import { listSourceCredentials } from '../../functions/source-credentials/list.ts';
import { putSourceCredentials } from '../../functions/source-credentials/put.ts';
import { importFile } from '../../functions/workers/import-file/worker.ts';
import { openTable } from '../../shared/db/table.ts';
import { filesWrite, planSend } from '../../shared/files/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { call, machine, person } from '../support/call.ts';
import { everyPoint } from '../support/every-point.ts';
import { assertSynced, connectionOf, type Place, runDue, syncAll } from './run-sync.ts';
import { mark, pick, randomOf } from './scenarios.ts';
import {
  accessKeys,
  type Bucket,
  bucketProviders,
  type BucketProvider,
  openStorages,
  type Storages,
} from './storages.ts';
import { SyncFixture } from './sync-fixture.ts';

/** Between the requests at which a creation dies. */
const stride = Number(process.env['SYNC_STRIDE'] ?? 5);

let fixture: SyncFixture;
let storages: Storages;
let place: Place;

before(async () => {
  [fixture, storages] = await Promise.all([SyncFixture.open(), openStorages()]);
  const { azurite, gcs, s3Endpoint } = storages;
  place = { addresses: {}, imports: { s3Endpoint, gcsEndpoint: gcs.endpoint, azureEndpoint: azurite.endpoint } };
});
after(async () => {
  await fixture.close();
  await storages.close();
});

const pem = { type: 'pkcs8', format: 'pem' } as const;
const otherKey = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: pem,
}).privateKey;

/** Credentials that a storage does not accept, such as those that were replaced there. */
const oldCredentials: Readonly<Record<BucketProvider, () => object>> = {
  aws_s3: () => ({ ...accessKeys, secret_access_key: 'another-secret' }),
  gcs: () => ({ ...storages.gcs.account, private_key: otherKey }),
  azure_blob: () => ({ sas_token: storages.azurite.containerSas('acme').replace(/sig=[^&]+/, 'sig=AAAA') }),
};

const named = (name: string) => ({ source_credentials: name });
const partition = () => `CREDENTIALS#${fixture.owner.organizationId}`;
const itemsOf = (table: 'connectors' | 'secrets') =>
  Array.fromAsync(openTable(fixture.cloud.runtime, table).all(partition()));

const store = (name: string, provider: string, credentials: object) =>
  fixture.call(putSourceCredentials, named(name), { provider, credentials });

/** Lets an import be copied and its file be processed. */
const importAll = async (jobId: string): Promise<void> => {
  const runtime = { ...fixture.cloud.runtime, config: { ...fixture.cloud.runtime.config, imports: place.imports } };
  await fixture.cloud.drain(importFile, makeDeps(importFile.uses, runtime as typeof fixture.cloud.runtime));
  const { files, plans } = makeDeps({ files: filesWrite, plans: planSend }, fixture.cloud.runtime);
  const job = await files.get({
    organizationId: fixture.owner.organizationId,
    indexId: fixture.indexId,
    jobId,
  });
  // In place of the notification of the bucket.
  if (job?.status === 'queued') await plans.resend(job);
  await fixture.work();
};

const importOf = async (provider: string, uri: string, name: string): Promise<string> => {
  const body = { provider, uri, stored_credentials: name };
  const { id } = await fixture.call(createImport, { index_id: fixture.indexId }, body);
  return id as string;
};

const connect = async (context: TestContext, provider: string, bucket: Bucket, name: string) => {
  const scope = { object_prefixes: [`${bucket.base}team/`] };
  const body = { provider, ...bucket.connection, stored_credentials: name, scope, sync_interval_minutes: 15 };
  const created = await fixture.call(createConnector, { index_id: fixture.indexId }, body);
  const path = { index_id: fixture.indexId, connection_id: created['id'] as string };
  context.after(async () => {
    await fixture.call(deleteConnector, path).catch(() => undefined);
    await runDue(fixture, place);
  });
  return { path, created };
};

for (const provider of bucketProviders)
  test(`${provider}: an import and a connector use stored credentials through 20 changes and rotations that may crash`, async (context) => {
    const bucket = storages.buckets[provider];
    const name = `${provider}-documents`;
    const held = new Map<string, string>();
    const put = async (key: string): Promise<void> => {
      const word = mark();
      await bucket.put(`team/${key}`, Buffer.from(`The word is ${word}.`));
      held.set(key, word);
    };
    const remove = async (key: string): Promise<void> => {
      await bucket.remove(`team/${key}`);
      held.delete(key);
    };
    for (const key of ['a.txt', 'b.txt', 'c.txt']) await put(key);
    const requests = await fixture.requestsOf(() => store(name, provider, bucket.credentials));
    const job = await importOf(provider, `${bucket.base}team/a.txt`, name);
    await importAll(job);
    const file = await fixture.call(getFile, { index_id: fixture.indexId, job_id: job });
    assert.deepEqual([file['status'], file['error']], ['completed', null]);
    const { path, created } = await connect(context, provider, bucket, name);
    assert.equal(created['stored_credentials'], name);
    const sync = async (): Promise<void> => {
      fixture.cloud.advance(1);
      await fixture.call(syncConnector, path);
      await syncAll(fixture, place, path.connection_id);
    };
    await syncAll(fixture, place, path.connection_id);
    const content = () => Object.fromEntries([...held].map(([key, word]) => [`${bucket.base}team/${key}`, [word]]));
    const random = randomOf(7);
    for (let change = 1; change <= 20; change += 1) {
      const known = pick(random, [...held.keys()]);
      const kind = random(3);
      if (kind === 0) await put(`new/${change}.txt`);
      else if (kind === 1 && held.size > 2) await remove(known);
      else await put(known);
      if (change % 5 === 0) {
        await store(name, provider, oldCredentials[provider]());
        await sync();
        assert.equal((await connectionOf(fixture, path.connection_id)).status, 'error', `change ${change}`);
        await fixture.dieAt({ request: (change % requests) + 1, kind: 'reply lost' }, () =>
          store(name, provider, bucket.credentials),
        );
        await store(name, provider, bucket.credentials);
        assert.equal((await itemsOf('secrets')).length, 1);
        await fixture.call(resumeConnector, path);
        await syncAll(fixture, place, path.connection_id);
      } else await sync();
      await assertSynced(fixture, { content }, path.connection_id, `${provider}, change ${change}`);
    }
    // Used ones stay, until the connector has others.
    await assert.rejects(fixture.call(deleteSourceCredentials, named(name)), new RegExp(`409.*${path.connection_id}`));
    await put('late.txt');
    await fixture.call(reconnectConnector, path, { provider, ...bucket.connection, credentials: bucket.credentials });
    await fixture.call(deleteSourceCredentials, named(name));
    await syncAll(fixture, place, path.connection_id);
    await assertSynced(fixture, { content }, path.connection_id, `${provider}, own credentials`);
    assert.equal((await fixture.call(getConnector, path))['stored_credentials'], null);
    assert.deepEqual([await itemsOf('connectors'), await itemsOf('secrets')], [[], []]);
    for (const key of held.keys()) await bucket.remove(`team/${key}`);
  });

test('stored credentials appear nowhere, and have other names and keys in each organization', async () => {
  const secret = 'hunter2-Hunter2-hunter2';
  const token = (value: string) => ({ sas_token: `sv=1&sig=${value}` });
  const answers = [await store('one', 'azure_blob', token(secret)), await store('two', 'azure_blob', token(secret))];
  answers.push(await fixture.call(listSourceCredentials, {}));
  assert.deepEqual(
    (answers.at(-1) as unknown as readonly Record<string, unknown>[]).map(({ name, provider }) => [name, provider]),
    [
      ['one', 'azure_blob'],
      ['two', 'azure_blob'],
    ],
  );
  for (const text of [...answers, ...(await itemsOf('connectors')), ...fixture.logged].map((value) =>
    JSON.stringify(value),
  ))
    assert.ok(!text.includes(secret), text);
  const { runtime } = fixture.cloud;
  const body = {
    provider: 'azure_blob',
    uri: 'https://acme.blob.core.windows.net/docs/a.txt',
    stored_credentials: 'one',
  };
  const path = { index_id: fixture.indexId };
  const status = async (asked: object, caller = fixture.owner) =>
    (await call(runtime, createImport, caller, { path, body: { ...body, ...asked } })).status;
  assert.equal(await status({ stored_credentials: 'three' }), 422);
  assert.equal(await status({ credentials: token('a') }), 422);
  assert.equal(await status({ provider: 'aws_s3', uri: 's3://acme/a.txt' }), 422);
  const restricted = { ...machine(fixture.owner.organizationId), indexIds: [fixture.indexId] };
  assert.equal(await status({}, restricted), 403);
  const created = await call(runtime, createConnector, restricted, {
    path,
    body: { provider: 'azure_blob', stored_credentials: 'one' },
  });
  assert.equal(created.status, 403);
  const stranger = person(newId('org', fixture.clock.now()), 'owner');
  assert.deepEqual((await call(runtime, listSourceCredentials, stranger)).body, []);
  assert.equal((await call(runtime, deleteSourceCredentials, stranger, { path: named('one') })).status, 404);
  const other = { provider: 'aws_s3', credentials: accessKeys };
  assert.equal(
    (await call(runtime, putSourceCredentials, fixture.owner, { path: named('one'), body: other })).status,
    409,
  );
  for (const name of ['one', 'two']) await fixture.call(deleteSourceCredentials, named(name));
  assert.deepEqual([await itemsOf('connectors'), await itemsOf('secrets')], [[], []]);
});

test('an import whose stored credentials are deleted before its copy fails with the reason', async () => {
  await store('soon-gone', 'aws_s3', accessKeys);
  const job = await importOf('aws_s3', 's3://acme/team/a.txt', 'soon-gone');
  await fixture.call(deleteSourceCredentials, named('soon-gone'));
  await importAll(job);
  const file = await fixture.call(getFile, { index_id: fixture.indexId, job_id: job });
  assert.deepEqual(
    [file['status'], file['error']],
    ['failed', 'The stored credentials soon-gone were deleted before the object was copied'],
  );
});

test('a deletion beside or after a creation that crashes leaves no connector without its credentials', async () => {
  const create = () =>
    fixture.call(createConnector, { index_id: fixture.indexId }, { provider: 'aws_s3', stored_credentials: 'raced' });
  const connectors = async () => {
    const all = openTable(fixture.cloud.runtime, 'connectors').all(
      `INDEX#${fixture.owner.organizationId}#${fixture.indexId}`,
    );
    return (await Array.fromAsync(all)).filter(
      (item) => item['stored_credentials'] === 'raced' && item['deleted_at'] === undefined,
    );
  };
  const removeAll = async () => {
    for (const { sk } of await connectors())
      await fixture.call(deleteConnector, { index_id: fixture.indexId, connection_id: sk });
    await runDue(fixture, place);
  };
  await everyPoint({ step: stride }, async (fault) => {
    await store('raced', 'aws_s3', accessKeys);
    const reached = await fixture.dieAt(fault, create);
    const isKept = await fixture.call(deleteSourceCredentials, named('raced')).then(
      () => false,
      () => true,
    );
    assert.equal((await connectors()).length > 0, isKept);
    await removeAll();
    if (isKept) await fixture.call(deleteSourceCredentials, named('raced'));
    assert.deepEqual([await itemsOf('connectors'), await itemsOf('secrets')], [[], []]);
    return reached;
  });
  for (let round = 0; round < 10; round += 1) {
    await store('raced', 'aws_s3', accessKeys);
    const [created, deleted] = await Promise.allSettled([
      create(),
      fixture.call(deleteSourceCredentials, named('raced')),
    ]);
    const left = (await connectors()).length;
    assert.equal(left, created.status === 'fulfilled' ? 1 : 0);
    assert.equal((await itemsOf('connectors')).length, deleted.status === 'fulfilled' ? 0 : 1);
    assert.ok(left === 0 || deleted.status === 'rejected');
    await removeAll();
    await fixture.call(deleteSourceCredentials, named('raced')).catch(() => undefined);
  }
});

test('a deletion that crashes at any request is completed by a repeat, and the name is free again', async () => {
  const points = await everyPoint({ step: 1 }, async (fault) => {
    await store('old', 'aws_s3', accessKeys);
    const reached = await fixture.dieAt(fault, () => fixture.call(deleteSourceCredentials, named('old')));
    // A repeat, or credentials under the same name.
    if (fault.request % 2 === 0) await store('old', 'gcs', storages.gcs.account).catch(() => undefined);
    await fixture.call(deleteSourceCredentials, named('old')).catch(() => undefined);
    assert.deepEqual([await itemsOf('connectors'), await itemsOf('secrets')], [[], []]);
    return reached;
  });
  assert.ok(points > 4);
});
