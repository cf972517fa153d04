import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { OpenCloud } from '../src/open-cloud.ts';
import { S3VectorsError, s3VectorsClient } from '../../../shared/platform/aws/s3-vectors-client.ts';
import type { JsonObject } from '../../../shared/kernel/json.ts';
import { randomFrom } from '../../../test/support/random.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { clientSettings, openFixtureCloud } from './fixture-cloud.ts';

const region = 'us-east-1';
const vectorBucketName = 'fixture-vectors';

type Client = ReturnType<typeof s3VectorsClient>;

const useCloud = (settings: { readonly endpoint: string; readonly credentials: Record<string, string> }): void => {
  process.env['AWS_ENDPOINT_URL_S3VECTORS'] = settings.endpoint;
  process.env['AWS_ACCESS_KEY_ID'] = settings.credentials['accessKeyId'];
  process.env['AWS_SECRET_ACCESS_KEY'] = settings.credentials['secretAccessKey'];
};

/** This file as a program: a cloud that its parent kills. */
const serve = async (directory: string): Promise<void> => {
  const cloud = await openFixtureCloud(directory);
  const { endpoint, credentials } = clientSettings(cloud);
  process.on('disconnect', () => process.exit());
  process.send?.({ endpoint, credentials });
};

const kill = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};

const registerTests = (): void => {
  let cloud: OpenCloud;
  let client: Client;
  const cleanups: (() => void)[] = [];

  before(async () => {
    cloud = await openFixtureCloud(temporaryDirectory());
    useCloud(clientSettings(cloud));
    client = s3VectorsClient(region);
  });

  after(async () => {
    client.destroy();
    await cloud.close();
    for (const cleanup of cleanups) cleanup();
  });

  let indexes = 0;
  const createIndex = async (dimension = 2, more: object = {}) => {
    indexes += 1;
    const index = { vectorBucketName, indexName: `index-${indexes}` };
    await client.call('CreateIndex', { ...index, dataType: 'float32', dimension, distanceMetric: 'cosine', ...more });
    return index;
  };

  const injectFaults = async (throttled: number, lost: number): Promise<void> => {
    const body = JSON.stringify({ throttled, lost, seed: 7 });
    const response = await fetch(`${cloud.baseUrl}/_local/vector-faults`, { method: 'POST', body });
    assert.equal(response.status, 200);
  };

  /** Sends an input that its type would not allow. */
  const refusalOf = async (operation: string, input: object): Promise<S3VectorsError> => {
    try {
      await client.call(operation as never, input as never);
    } catch (error) {
      if (error instanceof S3VectorsError) return error;
      throw error;
    }
    throw new assert.AssertionError({ message: `${operation} was not refused` });
  };

  const keysOf = async (index: Awaited<ReturnType<typeof createIndex>>, query: object): Promise<readonly string[]> =>
    (await client.call('QueryVectors', { ...index, topK: 100, ...query })).vectors.map(({ key }) => key);

  test('vectors are found at once in order of distance, returned as float32 values, and gone once they are deleted', async () => {
    const index = await createIndex();
    await client.call('PutVectors', {
      ...index,
      vectors: [
        { key: 'near', data: { float32: [1, 0.1] }, metadata: { lang: 'en' } },
        { key: 'far', data: { float32: [-0.9, 0.1] } },
      ],
    });
    const query = { ...index, topK: 5, queryVector: { float32: [1, 0] }, returnDistance: true, returnMetadata: true };
    const { vectors } = await client.call('QueryVectors', query);
    assert.deepEqual(
      vectors.map(({ key, metadata }) => [key, metadata]),
      [
        ['near', { lang: 'en' }],
        ['far', undefined],
      ],
    );
    assert.ok(Math.abs((vectors[0]?.distance ?? 1) - (1 - 1 / Math.hypot(1, 0.1))) < 1e-6);
    const read = await client.call('GetVectors', { ...index, keys: ['far', 'absent'], returnData: true });
    assert.deepEqual(read.vectors, [{ key: 'far', data: { float32: [Math.fround(-0.9), Math.fround(0.1)] } }]);
    await client.call('DeleteVectors', { ...index, keys: ['near', 'absent'] });
    assert.deepEqual(await keysOf(index, { queryVector: { float32: [1, 0] } }), ['far']);
    await client.call('DeleteIndex', index);
    assert.equal((await refusalOf('GetIndex', index)).name, 'NotFoundException');
  });

  test('filters follow the rules of the index mode ENHANCED', async () => {
    const index = await createIndex(2, { metadataConfiguration: { nonFilterableMetadataKeys: ['raw'] } });
    const metadata: Readonly<Record<string, JsonObject>> = {
      one: { year: 2020, tags: ['red', 'blue'], raw: 'x' },
      two: { year: 2021, tags: ['blue'], open: true },
      three: { name: 'three' },
    };
    await client.call('PutVectors', {
      ...index,
      vectors: Object.entries(metadata).map(([key, value]) => ({ key, data: { float32: [1, 1] }, metadata: value })),
    });
    const cases: readonly (readonly [filter: JsonObject, keys: readonly string[]])[] = [
      [{ year: 2020 }, ['one']],
      [{ year: { $gte: 2020, $lt: 2021 } }, ['one']],
      [{ tags: 'blue' }, ['one', 'two']],
      [{ tags: { $in: ['red', 7] } }, ['one']],
      [{ year: { $ne: 2020 } }, ['three', 'two']],
      [{ tags: { $nin: ['red'] } }, ['three', 'two']],
      [{ open: { $exists: false } }, ['one', 'three']],
      [{ name: { $startsWith: 'thr' } }, ['three']],
      [{ $and: [{ tags: 'blue' }, { $or: [{ open: true }, { year: '2020' }] }] }, ['two']],
    ];
    for (const [filter, keys] of cases)
      assert.deepEqual((await keysOf(index, { queryVector: { float32: [1, 1] }, filter })).toSorted(), keys);
    const many = { year: { $in: Array.from({ length: 101 }, (_, at) => at) } };
    const refused = [
      {},
      { year: 1, name: 'x' },
      { $not: { year: 1 } },
      { year: null },
      { raw: 'x' },
      { $or: [] },
      many,
    ];
    for (const filter of refused) {
      const input = { ...index, topK: 1, queryVector: { float32: [1, 1] }, filter };
      assert.equal((await refusalOf('QueryVectors', input)).$metadata.httpStatusCode, 400, JSON.stringify(filter));
    }
  });

  test('full text ranks by BM25 over a non-filterable key, by stems of the language, and hybrid queries fuse both sides', async () => {
    const index = await createIndex(2, {
      metadataConfiguration: {
        nonFilterableMetadataKeys: ['text'],
        textSearchConfigurations: [{ metadataKey: 'text', language: 'en' }],
      },
    });
    const texts = {
      rivers: 'The rivers flow through the valley, and rivers meet the sea',
      river: 'A river in a long text about mountains, lakes, forests, roads, towns and fields of the north',
      other: 'Nothing about water',
    };
    const vectors = Object.entries(texts).map(([key, text], at) => ({
      key,
      data: { float32: [1, at] },
      metadata: { text, side: at % 2 === 0 ? 'even' : 'odd' },
    }));
    await client.call('PutVectors', { ...index, vectors });
    const queryTexts = [{ metadataKey: 'text', text: 'river' }];
    assert.deepEqual(await keysOf(index, { queryTexts }), ['rivers', 'river']);
    assert.deepEqual(await keysOf(index, { queryTexts, filter: { side: 'odd' } }), ['river']);
    const queryVector = { float32: [1, 2] };
    const hybrid = await client.call('QueryVectors', {
      ...index,
      topK: 3,
      queryTexts,
      queryVector,
      returnScores: true,
    });
    assert.deepEqual(
      hybrid.vectors.map(({ key }) => key),
      ['rivers', 'river', 'other'],
    );
    const scores = hybrid.vectors[0]?.scores;
    assert.ok(Math.abs((scores?.fused ?? 0) - (1 / 61 + 1 / 63)) < 1e-9);
    assert.equal(scores?.bm25Scores?.[0]?.metadataKey, 'text');
    await client.call('DeleteVectors', { ...index, keys: ['rivers'] });
    assert.deepEqual(await keysOf(index, { queryTexts }), ['river']);
    const unknown = { ...index, topK: 1, queryTexts: [{ metadataKey: 'side', text: 'odd' }] };
    assert.equal((await refusalOf('QueryVectors', unknown)).name, 'ValidationException');
  });

  test('pages of lists and queries return each vector once, and a token of another request is refused', async () => {
    const index = await createIndex(3);
    const random = randomFrom(11);
    const keys = Array.from({ length: 250 }, (_, at) => `key ${at}`);
    const vectors = keys.map((key) => ({ key, data: { float32: [random(), random(), random()] } }));
    await client.call('PutVectors', { ...index, vectors });
    const listed: string[] = [];
    for (const segmentIndex of [0, 1, 2]) {
      let nextToken: string | undefined;
      do {
        const input = { ...index, maxResults: 20, segmentCount: 3, segmentIndex, ...(nextToken && { nextToken }) };
        const page = await client.call('ListVectors', input);
        listed.push(...page.vectors.map(({ key }) => key));
        nextToken = page.nextToken;
      } while (nextToken !== undefined);
    }
    assert.deepEqual(listed.toSorted(), keys.toSorted());
    const query = { ...index, topK: 230, queryVector: { float32: [1, 0, 0] }, returnDistance: true };
    const first = await client.call('QueryVectors', query);
    const nextToken = first.nextToken ?? '';
    const second = await client.call('QueryVectors', { ...query, nextToken });
    const third = await client.call('QueryVectors', { ...query, nextToken: second.nextToken ?? '' });
    const distances = [first, second, third].flatMap((page) => page.vectors.map(({ distance = 0 }) => distance));
    assert.deepEqual(
      [distances.length, third.nextToken, distances],
      [230, undefined, distances.toSorted((one, other) => one - other)],
    );
    assert.equal((await refusalOf('QueryVectors', { ...query, topK: 99, nextToken })).name, 'ValidationException');
  });

  test('what the service model or a limit forbids is refused, and nothing of its batch is stored', async () => {
    const index = await createIndex();
    const put = (vector: object) => ({ ...index, vectors: [{ key: 'good', data: { float32: [1, 1] } }, vector] });
    const data = { float32: [1, 1] };
    const cases: readonly (readonly [input: object, message: RegExp])[] = [
      [put({ key: 'k', data: { float32: [1] } }), /vector must have length 2, but has length 1/],
      [put({ key: 'k', data: { float32: [0, 0] } }), /invalid values/],
      [put({ key: 'k', data: { float32: [1e39, 0] } }), /invalid values/],
      [put({ key: '', data }), /\/vectors\/1\/key/],
      [put({ key: 'ä'.repeat(600), data }), /1024 bytes/],
      [put({ key: 'good', data }), /distinct/],
      [put({ key: 'k', data, metadata: { text: 'x'.repeat(2_049) } }), /at most 2048 bytes, but has 2065/],
      [put({ key: 'k', data, metadata: { empty: null } }), /not supported/],
      [put({ key: 'k', data, metadata: { mixed: [1, 'a'] } }), /not supported/],
      [put({ key: 'k' }), /\/vectors\/1\/data/],
      [{ ...index, vectors: [] }, /from 1 to 500/],
      [{ vectors: [{ key: 'good', data }] }, /Must specify either/],
    ];
    for (const [input, message] of cases) {
      const error = await refusalOf('PutVectors', input);
      assert.equal(error.name, 'ValidationException');
      assert.match(error.message, message);
    }
    assert.equal((await refusalOf('PutVectors', { ...index, vectors: 'none' })).name, 'SerializationException');
    assert.equal(
      (await refusalOf('QueryVectors', { ...index, topK: 10_001, queryVector: data })).name,
      'ValidationException',
    );
    assert.equal(
      (await refusalOf('CreateIndex', { ...index, dataType: 'float32', dimension: 2, distanceMetric: 'cosine' })).name,
      'ConflictException',
    );
    assert.deepEqual((await client.call('ListVectors', index)).vectors, []);
  });

  test('every write of a client takes effect once while requests are throttled and responses are lost', async () => {
    const index = await createIndex();
    await injectFaults(0.1, 0.3);
    const write = (at: number) =>
      client.call('PutVectors', { ...index, vectors: [{ key: `key ${at}`, data: { float32: [1, at] } }] });
    await Promise.all(Array.from({ length: 12 }, (_, at) => write(at)));
    await injectFaults(0, 0);
    assert.equal((await client.call('ListVectors', index)).vectors.length, 12);
  });

  test('after kill -9 every acknowledged vector is found by vector and by text', async (context) => {
    const directory = temporaryDirectory();
    const start = async () => {
      const child = fork(fileURLToPath(import.meta.url), ['serve', directory]);
      context.after(() => child.kill('SIGKILL'));
      const [settings] = (await once(child, 'message')) as [Parameters<typeof useCloud>[0]];
      useCloud(settings);
      return child;
    };
    const child = await start();
    const first = s3VectorsClient('eu-west-1');
    const index = { vectorBucketName, indexName: 'kept' };
    const textSearchConfigurations = [{ metadataKey: 'text' }];
    const settings = { dataType: 'float32', dimension: 2, distanceMetric: 'euclidean' } as const;
    await first.call('CreateIndex', { ...index, ...settings, metadataConfiguration: { textSearchConfigurations } });
    const vectors = [{ key: 'kept', data: { float32: [3, 4] }, metadata: { text: 'kept words' } }];
    await first.call('PutVectors', { ...index, vectors });
    await kill(child);
    await start();
    const query = { ...index, topK: 1, returnDistance: true };
    const byVector = await first.call('QueryVectors', { ...query, queryVector: { float32: [0, 0] } });
    assert.deepEqual(byVector.vectors, [{ key: 'kept', distance: 5 }]);
    const queryTexts = [{ text: 'words', metadataKey: 'text' }];
    const byText = await first.call('QueryVectors', { ...query, queryTexts, returnScores: true });
    assert.deepEqual(
      byText.vectors.map(({ key }) => key),
      ['kept'],
    );
    // The only text has the word once.
    const bm25 = byText.vectors[0]?.scores?.bm25Scores?.[0]?.score ?? 0;
    assert.ok(Math.abs(bm25 - Math.log(1 + 0.5 / 1.5)) < 1e-6, String(bm25));
    first.destroy();
  });
};

const [, , mode, directory = ''] = process.argv;
if (mode === 'serve') await serve(directory);
else registerTests();
