import assert from 'node:assert/strict';
import { S3Client } from '@aws-sdk/client-s3';
import { openCountedStore } from '../../../../test/support/counted-store.ts';
import type { Clock } from '../../../../shared/kernel/clock.ts';
import type { Change, ChangeResult, IndexRef, Retention } from '../../src/port.ts';
import { bucketStore } from '../../src/segments/bucket-store.ts';
import { addToChecksum, emptyChecksum, rowHashOf } from '../../src/segments/row-set.ts';
import { decodeManifest } from '../../src/segments/segment-format.ts';
import { openFailingProxy } from './failing-proxy.ts';
import { type Bench, makeRows, openEngines, tinyBounds } from './index-bench.ts';
import { applyToModel, emptyModel, type Model } from './index-model.ts';

/** Steps of an engine at whose requests its process dies. */
export const crashSteps = ['commit', 'merge', 'fold', 'purge', 'collection', 'drop'] as const;
export type CrashStep = (typeof crashSteps)[number];

const retention: Retention = { keepSeconds: 0, keepVersions: [] };
/** Objects of interrupted calls are left for the time that a merge may take. */
const later: Clock = { now: () => new Date(Date.now() + 2 * 60 * 60 * 1_000) };

const upsert = (round: number, count: number): Exclude<Change, { kind: 'promote' }> => ({
  kind: 'upsert',
  rows: makeRows(count, (number) => [[1, number], `apple ${round}`, { round }], `r${round % 2}_`),
});

/** An index in an object store, whose requests fail from a chosen one on. */
interface Store {
  readonly open: (mergesOnly: boolean, clock?: Clock) => Pick<Bench, 'writer' | 'reader'>;
  readonly proxy: Awaited<ReturnType<typeof openFailingProxy>>;
  readonly objects: (index: string) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

const openStore = async (): Promise<Store> => {
  const store = await openCountedStore();
  const { uri, storageOptions } = store.location();
  const proxy = await openFailingProxy(storageOptions['aws_endpoint'] ?? '');
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new S3Client({ region: 'us-east-1', endpoint: proxy.url, credentials, forcePathStyle: true });
  const objects = bucketStore('us-east-1', store.bucket, 'tables/', client);
  return {
    open: (mergesOnly, clock) =>
      openEngines(uri, {
        storageOptions: { ...storageOptions, aws_endpoint: proxy.url },
        objects,
        bounds: mergesOnly ? { ...tinyBounds, foldBytes: Infinity } : tinyBounds,
        ...(clock && { clock }),
      }),
    proxy,
    objects: async (index) => {
      const all = await bucketStore('us-east-1', store.bucket, '', store.client).list('');
      return all.map(({ key }) => key).filter((key) => key.includes(index));
    },
    close: async () => {
      client.destroy();
      await proxy.close();
      await store.close();
    },
  };
};

const refOf = (index: string, version: number): IndexRef => ({
  dimensions: 2,
  metric: 'cosine',
  nonFilterableKeys: [],
  layers: [{ table: index, version }],
});

/** An index before the step, and what it contains. */
interface Life {
  readonly index: string;
  readonly model: Model;
  /** Recorded version. */
  version: number;
}

/** An index with segments over a table, some of whose rows have been replaced and removed. */
const live = async ({ open }: Store, index: string): Promise<Life> => {
  const { writer } = open(false);
  const model = emptyModel();
  let { version } = await writer.create(refOf(index, 0));
  const commit = async (key: string, change: Exclude<Change, { kind: 'promote' }>): Promise<void> => {
    applyToModel(model, change, key);
    ({ version } = (await writer.commit(refOf(index, version), [change], [key])).state);
  };
  await commit('first', upsert(0, 12));
  await commit('second', upsert(1, 9));
  ({ version } = await writer.maintain(refOf(index, version), { keepSeconds: 3_600, keepVersions: [] }));
  await commit('third', { kind: 'delete', ids: ['r0_1', 'r1_2'] });
  for (const round of [2, 3, 4]) await commit(`round ${round}`, upsert(round, 3));
  return { index, model, version };
};

const lastChange: Exclude<Change, { kind: 'promote' }> = {
  kind: 'upsert',
  rows: [...makeRows(4, (number) => [[2, number], 'banana', { last: true }], 'r0_')],
};

/** Performs a step by a process with nothing open. */
const perform = async ({ open }: Store, life: Life, step: CrashStep): Promise<readonly ChangeResult[]> => {
  const { index } = life;
  const { writer } = open(step === 'merge', step === 'collection' ? later : undefined);
  const ref = refOf(index, life.version);
  const maintain = async (how: Retention): Promise<void> => {
    life.version = (await writer.maintain(ref, how)).version;
  };
  switch (step) {
    case 'commit':
      return (await writer.commit(ref, [lastChange], ['last'])).results;
    case 'merge':
    case 'fold':
      await maintain({ keepSeconds: 3_600, keepVersions: [] });
      return [];
    case 'purge':
      await maintain({ ...retention, purge: true });
      return [];
    case 'collection':
      await maintain(retention);
      await writer.collect(refOf(index, life.version), retention);
      return [];
    case 'drop':
      await writer.drop(index);
      return [];
  }
};

/** Compares all that an index contains with its model, by a process with nothing open. */
const check = async ({ open }: Store, { index, model, version }: Life): Promise<void> => {
  const { writer, reader } = open(false);
  const lookUp = { kind: 'upsert', rows: [] } as const;
  const { state } = await writer.commit(refOf(index, version), [lookUp], ['none']);
  const ref = { ...refOf(index, state.version), manifest: state.manifest };
  const { rows } = await reader.list(ref, { after: null, limit: 1_000 });
  const sum = rows.reduce((total, row) => total + rowHashOf(row.id, row.version ?? ''), 0n);
  assert.equal(decodeManifest(state.manifest).checksum, addToChecksum(emptyChecksum, sum));
  assert.deepEqual(
    rows.map(({ id, version: written, text }) => [id, written, text]),
    [...model.rows.values()]
      .map(({ row, version: written }) => [row.id, written, row.text])
      .toSorted(([one = ''], [other = '']) => ((one ?? '') < (other ?? '') ? -1 : 1)),
  );
  assert.equal(state.rows, model.rows.size);
  const hits = await reader.search(ref, { mode: 'sparse', text: 'apple banana', topK: 1_000 });
  assert.equal(hits.length, model.rows.size);
};

/** Whether a call ended before the process died. */
const runs = async (act: () => Promise<unknown>): Promise<boolean> =>
  act().then(
    () => true,
    () => false,
  );

/**
 * Lets a process die at every `stride`-th request of a step, before it takes effect and after. The step is then repeated by
 * another process, as its message is, and everything is compared with a model. Throws at the first difference.
 * @returns Number of points.
 */
export const exploreCrashes = async (step: CrashStep, stride = 1): Promise<number> => {
  const store = await openStore();
  let points = 0;
  try {
    for (const effect of ['refused', 'lost'] as const)
      for (let count = 1, ended = false; !ended; count += stride, points += 1) {
        const life = await live(store, `${step}_${effect}_${count}_end`);
        const { model, index } = life;
        store.proxy.failFrom(count, effect);
        // A listing for a later clean-up may fail without a consequence for its caller, so the requests decide.
        store.proxy.takePaths();
        const isDone = await runs(() => perform(store, life, step));
        ended = isDone && store.proxy.takePaths().length < count;
        store.proxy.failFrom(Infinity, 'refused');
        try {
          // A commit that was not repeated yet is there whole or not at all.
          if (step !== 'drop' && step !== 'commit') await check(store, life);
          const results = await perform(store, life, step);
          if (step === 'commit') {
            assert.deepEqual(results, [applyToModel(model, lastChange, 'last')]);
            assert.deepEqual(await perform(store, life, step), results);
          }
          if (step !== 'drop') await check(store, life);
          await perform(store, life, step === 'drop' ? 'drop' : 'collection');
          if (step !== 'drop') await check(store, life);
          // Nothing of interrupted calls is left: two versions, live segments, a set of rows, and one table.
          const keys = await store.objects(index);
          const tables = new Set(keys.flatMap((key) => /[^/]+_at_[^/]+/.exec(key) ?? []));
          const others = keys.filter((key) => !key.includes('_at_'));
          const [maxTables, maxOthers] = step === 'drop' ? [0, 0] : [1, 3 + tinyBounds.maxLive];
          assert.ok(tables.size <= maxTables && others.length <= maxOthers, keys.join('\n'));
        } catch (error) {
          throw new Error(`${step}, request ${count} ${effect}`, { cause: error });
        }
      }
    return points;
  } finally {
    await store.close();
  }
};
