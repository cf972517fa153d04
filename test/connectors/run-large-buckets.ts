import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createConnector } from '../../functions/connectors/create.ts';
import { listConnectorSyncs } from '../../functions/connectors/list-syncs.ts';
import { pauseConnector } from '../../functions/connectors/pause.ts';
import { inParallel } from '../../shared/kernel/in-parallel.ts';
import { putOrganization } from '../support/organization.ts';
import { connectionOf, type Place, runDue } from './run-sync.ts';
import { randomOf } from './scenarios.ts';
import { bucketProviders, openStorages, type Storages } from './storages.ts';
import { SyncFixture } from './sync-fixture.ts';

/*
 * A folder of many objects in each storage, whose syncs die on their way. The files are stored as jobs and not processed,
 * since other tests do that.
 */

const count = Number(process.env['SYNC_OBJECTS'] ?? 10_000);
const changes = Math.round(count / 20);
/** Requests of a run after which it dies, enough for the first 250 objects: their progress is stored together. */
const deathAfter = Math.max(8_000, count * 5);

let fixture: SyncFixture;
let storages: Storages;
let place: Place;

before(async () => {
  [fixture, storages] = await Promise.all([SyncFixture.open(), openStorages()]);
  await putOrganization(fixture.cloud.runtime, fixture.owner.organizationId, { plan: 'scale' });
  const { azurite, gcs } = storages;
  place = { addresses: {}, imports: { s3Endpoint: null, gcsEndpoint: gcs.endpoint, azureEndpoint: azurite.endpoint } };
});
after(async () => {
  await fixture.close();
  await storages.close();
});

for (const provider of bucketProviders)
  test(`${provider}: ${count} objects, changed, deleted and renamed, are followed exactly by syncs that die`, async (context) => {
    const bucket = storages.buckets[provider];
    const held = new Map<string, string>();
    const put = async (key: string, text: string): Promise<void> => {
      await bucket.put(`team/${key}`, Buffer.from(text));
      held.set(key, text);
    };
    const remove = async (key: string): Promise<void> => {
      await bucket.remove(`team/${key}`);
      held.delete(key);
    };
    const all = Array.from({ length: count }, (_, at) => `${String(at % 37).padStart(2, '0')}/note ${at}.txt`);
    await inParallel(all, 8, (key) => put(key, `first text of ${key}`));
    const scope = { object_prefixes: [`${bucket.base}team/`] };
    const body = { provider, ...bucket.connection, credentials: bucket.credentials, scope };
    const { id } = await fixture.call(createConnector, { index_id: fixture.indexId }, body);
    const path = { index_id: fixture.indexId, connection_id: id as string };
    const before = await fixture.startedJobs();
    context.after(async () => {
      await fixture.call(pauseConnector, path);
    });
    const owner = fixture.source(path.connection_id);
    const { documents } = fixture.documentDeps();

    /** Runs a sync that dies now and then. Its progress never goes back. */
    const syncDying = async (deaths: number): Promise<readonly number[]> => {
      const progress: number[] = [];
      for (let death = 1; death <= deaths; death += 1) {
        const fault = { request: deathAfter, kind: death % 2 === 0 ? 'not applied' : 'reply lost' } as const;
        await fixture.dieAt(fault, () => runDue(fixture, place));
        progress.push((await connectionOf(fixture, path.connection_id)).sync?.items ?? 0);
        fixture.cloud.advance(400);
      }
      for (let runs = 0; (await connectionOf(fixture, path.connection_id)).status === 'syncing'; runs += 1) {
        assert.ok(runs < 20, 'the sync never ends');
        await runDue(fixture, place);
        fixture.cloud.advance(400);
      }
      assert.deepEqual(
        progress,
        progress.toSorted((a, b) => a - b),
      );
      return progress;
    };
    const lastSync = async () => {
      const syncs = await fixture.call(listConnectorSyncs, path, undefined, { limit: '1' });
      return (syncs as unknown as readonly Record<string, number>[])[0];
    };
    /** The documents are those of the bucket, and the report states what has changed. */
    const assertExact = async (added: number, updated: number, removed: number): Promise<void> => {
      const ids = await Array.fromAsync(documents.all(owner), ({ externalId }) => externalId);
      assert.deepEqual(ids.toSorted(), [...held.keys()].map((key) => `${bucket.base}team/${key}`).toSorted());
      const bytes = [...held.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      assert.partialDeepStrictEqual(await lastSync(), {
        items: held.size,
        bytes,
        documents_added: added,
        documents_updated: updated,
        documents_removed: removed,
        documents: held.size,
        unread_items: 0,
      });
    };

    const progress = await syncDying(2);
    // It has continued where it died.
    assert.ok((progress[0] ?? 0) > 0 && (progress[0] ?? 0) < count, `died after ${progress.join(', ')} objects`);
    await assertExact(count, 0, 0);
    assert.equal((await fixture.startedJobs()) - before, count);

    const random = randomOf(31);
    const known = [...held.keys()].toSorted(() => random(3) - 1);
    await inParallel(known.slice(0, changes), 8, (key) => put(key, `second text of ${key}`));
    await inParallel(known.slice(changes, 2 * changes), 8, remove);
    // A rename is a new object, and the old one is gone.
    await inParallel(known.slice(2 * changes, 3 * changes), 8, async (key) => {
      await put(`renamed/${key}`, held.get(key) ?? '');
      await remove(key);
    });
    fixture.cloud.advance(1_800);
    await syncDying(1);
    await assertExact(changes, changes, 2 * changes);
    assert.equal((await fixture.startedJobs()) - before, count + 2 * changes);
    context.diagnostic(`died after ${progress.join(' and ')} of ${count} objects`);
  });
