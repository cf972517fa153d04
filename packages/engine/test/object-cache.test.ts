import assert from 'node:assert/strict';
import { createServer, request as forward } from 'node:http';
import { type TestContext, test } from 'node:test';
import { S3Client } from '@aws-sdk/client-s3';
import { serveCache } from '../src/object-cache/serve-cache.ts';
import { storeAccess } from '../src/object-cache/store-access.ts';
import { bucketStore } from '../src/segments/bucket-store.ts';
import { closeServer, listen } from '../../local-cloud/src/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { openCountedStore } from '../../../test/support/counted-store.ts';
import { foldingBounds, makeRows, openBench, openEngines, seededNumbers } from './support/index-bench.ts';

const mebibyte = 1024 * 1024;

/** A store behind caches of their own, each as a process has one. `refuse` is asked before each request. */
const openStore = async (context: TestContext, refuse: (method: string, path: string) => boolean = () => false) => {
  const store = await openCountedStore();
  const { uri, storageOptions } = store.location();
  const target = new URL(storageOptions['aws_endpoint'] ?? '');
  const faults = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    if (refuse(method, url)) {
      request.resume();
      response.writeHead(503).end();
      return;
    }
    const passed = forward({ host: target.hostname, port: target.port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed);
  });
  const port = await listen(faults, 0);
  context.after(async () => {
    faults.closeAllConnections();
    await closeServer(faults);
    await store.close();
  });
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const openCache = () => serveCache(storeAccess('us-east-1', client), 64 * mebibyte);
  const objects = bucketStore('us-east-1', store.bucket, 'tables/', store.client);
  /** Opens engines with nothing in their caches. */
  const open = async () => openEngines(uri, { objects, storageOptions: await openCache(), bounds: foldingBounds });
  return { count: store.count, openCache, open };
};

/** Requests to a cache as the engine sends them. */
const clientOf = (options: Readonly<Record<string, string>>) => {
  const authorization = `AWS4-HMAC-SHA256 Credential=${options['aws_access_key_id']}/20260101/us-east-1/s3/aws4_request`;
  return (method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: Uint8Array) =>
    fetch(`${options['aws_endpoint']}/vectors/tables/rows.lance/${path}`, {
      method,
      headers: { authorization, ...headers },
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    });
};

test('a repeated search of a table sends no requests', async (context) => {
  const store = await openStore(context);
  const next = seededNumbers(1);
  const bench = await openBench('', { dimensions: 8, engines: await store.open() });
  for (let batch = 0; batch < 3; batch += 1) {
    const rows = makeRows(50, () => [Array.from({ length: 8 }, next), 'a brown fox', {}], `row ${batch} and `);
    await bench.upsert(...rows);
    await bench.maintain();
  }
  const { reader } = await store.open();
  const search = async (): Promise<readonly string[]> => {
    const [dense, sparse] = await Promise.all([
      reader.search(bench.ref(), { mode: 'dense', vector: new Float32Array(8).fill(1), topK: 10 }),
      reader.search(bench.ref(), { mode: 'sparse', text: 'fox', topK: 10 }),
    ]);
    return [...dense, ...sparse].map(({ row }) => row.id);
  };
  const found = await search();
  assert.equal(found.length, 20);
  const requests = await store.count(async () => assert.deepEqual(await search(), found));
  assert.deepEqual(requests, {});
});

test('a cached file returns the bytes of every range, and concurrent readers share its requests', async (context) => {
  const store = await openStore(context);
  const random = seededNumbers(2);
  const bytes = Uint8Array.from({ length: 3 * mebibyte + 12_345 }, (_, place) => (place * 31 + (place >> 8)) % 251);
  const write = clientOf(await store.openCache());
  assert.equal((await write('PUT', 'data/large.lance', {}, bytes)).status, 200);
  // The version is written after the file.
  assert.equal((await write('PUT', '_versions/1.manifest', {}, Buffer.of(1))).status, 200);

  const call = clientOf(await store.openCache());
  const read = async (start: number, end: number): Promise<void> => {
    const answer = await call('GET', 'data/large.lance', { range: `bytes=${start}-${end}` });
    const last = Math.min(end, bytes.length - 1);
    assert.equal(answer.headers.get('content-range'), `bytes ${start}-${last}/${bytes.length}`);
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(start, end + 1)));
  };
  const scattered = Array.from({ length: 100 }, () => {
    const start = Math.floor(Math.abs(random()) * bytes.length) % bytes.length;
    return [start, Math.min(bytes.length - 1, start + Math.floor(Math.abs(random()) * 100_000))] as const;
  });
  const readAll = (): Promise<unknown> => Promise.all(scattered.map(([start, end]) => read(start, end)));
  const { GET: requests = 0 } = await store.count(readAll);
  assert.ok(requests > 0 && requests <= 8, `${requests} requests`);
  assert.deepEqual(await store.count(readAll), {});
  await read(bytes.length - 10, bytes.length - 1);
  const whole = await call('GET', 'data/large.lance');
  assert.ok(Buffer.from(await whole.arrayBuffer()).equals(bytes));
});

test('a version of a table is written after all of its files, and not if one of them fails', async (context) => {
  let isDown = true;
  const store = await openStore(context, (method, path) => isDown && method === 'PUT' && path.includes('/data/'));
  const call = clientOf(await store.openCache());
  const put = (path: string) => call('PUT', path, path.startsWith('_v') ? { 'if-none-match': '*' } : {}, Buffer.of(7));
  assert.equal((await put('data/one.lance')).status, 200);
  assert.deepEqual(Buffer.from(await (await call('GET', 'data/one.lance')).arrayBuffer()), Buffer.of(7));
  assert.equal((await put('_versions/1.manifest')).status, 503);
  const other = clientOf(await store.openCache());
  assert.equal((await other('GET', '_versions/1.manifest')).status, 404);
  isDown = false;
  // A request that has failed with its repeats is not sent again for a moment.
  await eventually(
    () => put('_versions/1.manifest'),
    ({ status }) => status === 200,
  );
  assert.equal((await other('GET', 'data/one.lance')).status, 200);
  assert.equal((await put('_versions/1.manifest')).status, 412);
});

test('the file cache passes on errors of the store, forgets deleted files, and refuses other processes', async (context) => {
  const store = await openStore(context);
  const options = await store.openCache();
  const call = clientOf(options);
  assert.equal((await call('GET', 'data/absent.lance')).status, 404);
  assert.equal((await call('PUT', '_indices/1/index.idx', {}, Buffer.of(1))).status, 200);
  assert.equal((await call('HEAD', '_indices/1/index.idx')).headers.get('content-length'), '1');
  assert.equal((await call('DELETE', '_indices/1/index.idx')).status, 204);
  assert.equal((await call('GET', '_indices/1/index.idx')).status, 404);
  const stranger = clientOf({ ...options, aws_access_key_id: 'guessed' });
  assert.equal((await stranger('GET', '_indices/1/index.idx')).status, 403);
});

test('a search whose object store fails sends each of its requests four times, and fails', async (context) => {
  const refused = new Map<string, number>();
  let isFailing = false;
  const store = await openStore(context, (method, path) => {
    const [file = ''] = path.split('?');
    if (!isFailing || !file.includes('/data/')) return false;
    refused.set(`${method} ${file}`, (refused.get(`${method} ${file}`) ?? 0) + 1);
    return true;
  });
  const bench = await openBench('', { dimensions: 8, engines: await store.open() });
  await bench.upsert(...makeRows(50, () => [Array.from({ length: 8 }, seededNumbers(1)), 'a brown fox', {}], 'row'));
  await bench.maintain();
  const { reader } = await store.open();
  const search = () => reader.search(bench.ref(), { mode: 'dense', vector: new Float32Array(8).fill(1), topK: 5 });
  isFailing = true;
  await assert.rejects(search);
  assert.ok(refused.size > 0);
  assert.deepEqual([...new Set(refused.values())], [4]);
});
