import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { createClient, StrataError } from '#client';
import { atOnce, cut, cutShort, serve } from './support/serve.ts';

const path = { index_id: 'idx_1' };

describe('the client', () => {
  test('sends credentials and parameters, and repeats a refused POST under one key', async () => {
    const { client, received } = await serve([
      { status: 429, headers: atOnce },
      { status: 503, headers: atOnce },
      { status: 201, body: { id: 'idx_1' } },
    ]);
    const { id } = await client.post('/v1/indexes', { body: { name: 'a' } });
    assert.equal(id, 'idx_1');
    assert.equal(received.length, 3);
    for (const { headers, body } of received) {
      assert.equal(headers.authorization, 'Bearer svc_live_test');
      assert.equal(headers['x-service-organization-id'], 'org_1');
      assert.match(String(headers['idempotency-key']), /^[0-9a-f-]{36}$/);
      assert.equal(body, '{"name":"a"}');
    }
    assert.equal(new Set(received.map(({ headers }) => headers['idempotency-key'])).size, 1);
  });

  test('repeats a request that a proxy did not answer in time', async () => {
    for (const status of [408, 429, 502, 503, 504]) {
      const { client, received } = await serve([
        { status, headers: atOnce },
        { status: 200, body: [] },
      ]);
      assert.deepEqual(await client.get('/v1/indexes'), [], String(status));
      assert.equal(received.length, 2);
    }
  });

  test('sends no body with a value that JSON omits or converts', async () => {
    class Sealed {
      readonly #conditions = { tenant: 'a' };
      get conditions() {
        return this.#conditions;
      }
    }
    const circle: { inner?: unknown } = {};
    circle.inner = circle;
    const values = [
      undefined,
      () => true,
      Symbol('a'),
      1n,
      Number.NaN,
      Infinity,
      new Map([['tenant', 'a']]),
      new Set(['a']),
      new Sealed(),
      /a/,
      new Uint8Array(1),
      new Date(Number.NaN),
      { [Symbol('a')]: 'a' },
      circle,
    ];
    const { client, received } = await serve([]);
    for (const value of values)
      for (const filter of [value, { tenant: value }, { $and: [{ tenant: { $in: ['b', value] } }] }]) {
        const sent = client.post('/v1/indexes/{index_id}/search/sparse', {
          params: { path },
          body: { text: 'a', filter: filter as never },
        });
        await assert.rejects(sent, {
          name: 'TypeError',
          message: /^body\.filter.* is (?:a |an |undefined|NaN|Infinity)/,
        });
      }
    await assert.rejects(client.upsertVectors('idx_1', [{ id: 'a', text: 'a', metadata: { a: undefined as never } }]), {
      message: 'body[0].metadata.a is undefined, which JSON cannot represent. Omit it, or pass a JSON value.',
    });
    assert.equal(received.length, 0);
  });

  test('refuses whole numbers of metadata and filters that are not exact, and sends large floats', async () => {
    const { client, received } = await serve([{ status: 200, body: {} }]);
    const count = client.post('/v1/indexes/{index_id}/vectors/count', {
      params: { path },
      body: { filter: { owner: { $in: [1, 2 ** 53] } } },
    });
    await assert.rejects(count, {
      name: 'TypeError',
      message:
        'body.filter.owner.$in[1] is 9007199254740992, and whole numbers beyond ±9007199254740991 are not kept exactly. Pass it as a string.',
    });
    assert.equal(received.length, 0);
    const body = [{ id: 'a', vector: [1e20], metadata: { safe: 2 ** 53 - 1, float: 1e21 } }];
    await client.post('/v1/indexes/{index_id}/vectors', { params: { path }, body });
    assert.deepEqual(JSON.parse(received[0]?.body ?? ''), body);
  });

  test('sends dates as text and the fields of every other object', async () => {
    const { client, received } = await serve([{ status: 200, body: {} }]);
    const metadata = { at: new Date(0) as never, bare: Object.assign(Object.create(null), { a: 1 }) as never };
    await client.post('/v1/indexes/{index_id}/vectors', { params: { path }, body: [{ id: 'a', metadata }] });
    assert.deepEqual(JSON.parse(received[0]?.body ?? ''), [
      { id: 'a', metadata: { at: '1970-01-01T00:00:00.000Z', bare: { a: 1 } } },
    ]);
  });

  test('accepts an address that ends with /v1, and a token with a line break at its end', async () => {
    const { baseUrl, received } = await serve([
      { status: 200, body: [] },
      { status: 200, body: [] },
    ]);
    for (const token of ['svc_live_a\r\n', () => ' svc_live_a\n'])
      await createClient({ baseUrl: `${baseUrl}/v1/`, token }).get('/v1/indexes');
    assert.deepEqual(
      received.map(({ url, headers }) => [url, headers.authorization]),
      Array.from({ length: 2 }, () => ['/v1/indexes', 'Bearer svc_live_a']),
    );
  });

  test('takes the name and type of a File, and refuses a content without a name and a missing token', async () => {
    const upload = { upload_url: '', upload_headers: {} };
    const { client, baseUrl, received } = await serve([
      (address) => ({ status: 201, body: { ...upload, id: 'job_1', upload_url: `${address}/put` } }),
      { status: 200 },
    ]);
    await client.uploadFile('idx_1', { content: new File(['a'], 'a.md', { type: 'text/markdown' }) });
    const { filename, content_type: type } = JSON.parse(received[0]?.body ?? '') as Record<string, unknown>;
    assert.deepEqual([filename, type], ['a.md', 'text/markdown']);
    await assert.rejects(client.uploadFile('idx_1', { content: new Blob(['a']) }), /^TypeError: filename is missing/);
    assert.throws(() => createClient({ baseUrl } as never), /^TypeError: token is missing/);
  });

  test('names no token in the error about one that no header can contain', async () => {
    const { baseUrl, received } = await serve([]);
    for (const token of ['svc_live_a\nb', 'svc_live_…', 'svc live']) {
      assert.throws(() => createClient({ baseUrl, token }), /^TypeError: The token contains a space/);
      const client = createClient({ baseUrl, token: () => token });
      await assert.rejects(client.get('/v1/indexes'), /^TypeError: The token contains a space/);
    }
    assert.equal(received.length, 0);
  });

  test('keeps the Idempotency-Key of its caller', async () => {
    const { client, received } = await serve([{ status: 201, body: {} }]);
    await client.post('/v1/indexes', { body: { name: 'a' }, headers: { 'idempotency-key': 'mine' } });
    assert.equal(received[0]?.headers['idempotency-key'], 'mine');
  });

  test('throws the response once retries are exhausted', async () => {
    const { client, received } = await serve(Array.from({ length: 9 }, () => ({ status: 503, headers: atOnce })));
    await assert.rejects(client.get('/v1/indexes'), (error) => error instanceof StrataError && error.status === 503);
    assert.equal(received.length, 5);
  });

  test('throws an error with all fields of the response', async () => {
    const problems = [{ loc: ['body', 'name'], msg: 'Field required', type: 'missing' }];
    const conflicts = [
      { id: 'tea', version: 'rcp_1' },
      { id: 'rail', version: null },
    ];
    const { client } = await serve([
      {
        status: 402,
        body: { detail: 'Too many', code: 'plan_limit_reached', request_id: 'req_1', limit: 3, current: 3 },
        headers: { 'x-request-id': 'req_1' },
      },
      { status: 422, body: { detail: problems } },
      { status: 409, body: { detail: 'Rows have other versions', code: 'conflict', request_id: 'req_2', conflicts } },
      { status: 500, body: 'Bad gateway' },
      { status: 500, body: { error: 'Bad gateway' } },
    ]);
    const failure = async () => {
      const error = await client.get('/v1/indexes/{index_id}', { params: { path } }).catch((error: unknown) => error);
      assert.ok(error instanceof StrataError);
      return error;
    };
    const limited = await failure();
    assert.deepEqual(
      [limited.status, limited.code, limited.detail, limited.requestId, limited.limit, limited.current],
      [402, 'plan_limit_reached', 'Too many', 'req_1', 3, 3],
    );
    assert.equal(limited.message, 'GET /v1/indexes/idx_1 answered 402: Too many');
    const invalid = await failure();
    assert.deepEqual([invalid.code, invalid.problems, invalid.requestId], ['validation_failed', problems, null]);
    assert.match(invalid.message, /body\.name: Field required/);
    const conflicting = await failure();
    assert.deepEqual([conflicting.code, conflicting.conflicts], ['conflict', conflicts]);
    const foreign = await failure();
    assert.deepEqual([foreign.code, foreign.conflicts], ['unknown', []]);
    assert.deepEqual([(await failure()).code], ['unknown']);
  });

  test('iterates over all pages of a list, one at a time', async () => {
    const { client, received } = await serve([
      { status: 200, body: [{ id: 'a' }, { id: 'b' }], headers: { 'x-next-cursor': 'Yg' } },
      { status: 200, body: [{ id: 'c' }] },
    ]);
    const rows = await Array.fromAsync(
      client.pages('/v1/indexes/{index_id}/vectors', { params: { path, query: { limit: 2 } } }),
    );
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(
      received.map(({ url }) => url),
      ['/v1/indexes/idx_1/vectors?limit=2', '/v1/indexes/idx_1/vectors?limit=2&cursor=Yg'],
    );
  });

  test('uploads a file with exactly the returned headers, and waits until its job ends', async () => {
    const content = Buffer.from('Twelve bells.');
    const { client, received } = await serve([
      (baseUrl) => ({
        status: 201,
        body: {
          id: 'job_1',
          upload_url: `${baseUrl}/put`,
          upload_headers: { 'content-type': 'text/plain', 'if-none-match': '*' },
        },
      }),
      { status: 503, headers: atOnce },
      { status: 200 },
      { status: 200, body: { id: 'job_1', status: 'processing' } },
      { status: 200, body: { id: 'job_1', status: 'failed' } },
    ]);
    const { id } = await client.uploadFile('idx_1', {
      filename: 'a.txt',
      contentType: 'text/plain',
      content: new Blob([content]),
    });
    const seen: string[] = [];
    const job = await client.waitForFile('idx_1', id, { onJob: ({ status }) => seen.push(status) });
    assert.deepEqual([job.status, seen], ['failed', ['processing', 'failed']]);
    const [created, , put] = received;
    assert.deepEqual(JSON.parse(created?.body ?? ''), {
      filename: 'a.txt',
      content_type: 'text/plain',
      checksum_sha256: createHash('sha256').update(content).digest('hex'),
      size_bytes: content.length,
      metadata: {},
    });
    assert.deepEqual([put?.method, put?.url, put?.body], ['PUT', '/put', content.toString()]);
    const {
      'content-type': type,
      'if-none-match': match,
      'content-length': length,
      authorization,
    } = put?.headers ?? {};
    assert.deepEqual([type, match, length, authorization], ['text/plain', '*', '13', undefined]);
  });

  test('retries a request whose connection broke, and accepts that the first attempt succeeded', async () => {
    const upload = (baseUrl: string) => ({
      status: 201,
      body: { id: 'job_2', upload_url: `${baseUrl}/put`, upload_headers: {} },
    });
    const ended = { status: 200, body: { id: 'job_2', status: 'completed' } };
    const { client, received } = await serve([
      cut,
      upload,
      cut,
      { status: 412 },
      cutShort,
      ended,
      cut,
      { status: 404 },
    ]);
    const metadata = { topic: 'bells', chunk_size: 400 };
    const content = new Blob(['Twelve bells.']);
    const file = { filename: 'a.txt', contentType: 'text/plain', content, metadata, replaces: 'job_1' };
    const { id } = await client.uploadFile('idx_1', file);
    assert.equal((await client.waitForFile('idx_1', id)).status, 'completed');
    await client.delete('/v1/indexes/{index_id}', { params: { path } });
    const [first, again] = received;
    assert.equal(first?.url, '/v1/indexes/idx_1/files/job_1/replace');
    assert.deepEqual(JSON.parse(first.body).metadata, metadata);
    assert.deepEqual([again?.body, again?.headers['idempotency-key']], [first.body, first.headers['idempotency-key']]);
    assert.equal(received.length, 8);
  });

  test('retries a request that could not be sent', async () => {
    const server = createServer((_, response) => response.writeHead(404).end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await once(server.close(), 'close');
    const begin = (): unknown => server.listen(port, '127.0.0.1');
    subscribe('undici:client:connectError', begin);
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: null, retries: 1 });
    const deleted = client.delete('/v1/indexes/{index_id}', { params: { path } });
    await assert.rejects(deleted, (error) => error instanceof StrataError && error.status === 404);
    unsubscribe('undici:client:connectError', begin);
    server.close();
  });

  test('throws the connection error once retries are exhausted', async () => {
    const { baseUrl, received } = await serve([cut, cut, cut]);
    const client = createClient({ baseUrl, token: null, retries: 1 });
    await assert.rejects(client.get('/v1/indexes'), TypeError);
    assert.equal(received.length, 2);
  });

  test('waits for a file no longer than its timeout, even if the service asks for a longer pause', async () => {
    const later = { status: 503, headers: { 'retry-after': '60' } };
    const { client } = await serve([{ status: 200, body: { id: 'job_1', status: 'processing' } }, later, later]);
    const wait = () => client.waitForFile('idx_1', 'job_1', { timeoutSeconds: 0.5 });
    await assert.rejects(wait(), { message: 'job_1 was processing after 0.5 s' });
    await assert.rejects(wait(), { message: 'job_1 was of unknown status after 0.5 s' });
  });

  test('stops uploading and waiting when its caller aborts, with the reason of the signal', async () => {
    const later = { status: 503, headers: { 'retry-after': '60' } };
    const { client } = await serve([later, later, later]);
    const enough = new Error('enough');
    const isEnough = (error: unknown): boolean => error === enough;
    const stop = (): AbortSignal => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(enough), 100);
      return controller.signal;
    };
    const file = { filename: 'a.txt', contentType: 'text/plain', content: new Blob(['Twelve bells.']) };
    for (const upload of [file, { ...file, replaces: 'job_0' }])
      await assert.rejects(client.uploadFile('idx_1', { ...upload, signal: stop() }), isEnough);
    await assert.rejects(client.waitForFile('idx_1', 'job_1', { signal: stop() }), isEnough);
  });

  test('stops waiting when its caller aborts', async () => {
    const { client } = await serve([{ status: 503, headers: { 'retry-after': '60' } }]);
    await assert.rejects(client.get('/v1/indexes', { signal: AbortSignal.timeout(100) }), { name: 'TimeoutError' });
  });
});
