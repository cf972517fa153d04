import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StrataError } from '#client';
import { atOnce, serve } from './support/serve.ts';

const path = { index_id: 'idx_1' };
const busy = { status: 503, headers: atOnce };
const file = { filename: 'a.txt', contentType: 'text/plain', content: new Blob(['Twelve bells.']) };

const refusalOf = async (call: Promise<unknown>): Promise<StrataError> => {
  const error = await call.then(
    () => assert.fail('it is no success'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof StrataError, String(error));
  return error;
};

const uploadTo = (target: string) => (baseUrl: string) => ({
  status: 201,
  body: { id: 'job_1', upload_url: `${baseUrl}${target}`, upload_headers: {} },
});

describe('the client reads from an error response of another server', () => {
  const foreign: readonly (readonly [number, unknown])[] = [
    [403, { detail: ['bad'] }],
    [422, { detail: [{ reason: 'waf' }] }],
    [422, { detail: [{ loc: 'body', msg: 'bad', type: 'waf' }] }],
    [403, { detail: [null, { loc: ['body'], msg: 5, type: 'waf' }] }],
    [500, { code: 5 }],
    [500, { code: 'BAD_GATEWAY' }],
    [500, { code: 5, detail: 'Bad gateway' }],
    [500, { error: 5, error_description: 'Bad gateway' }],
    [500, ['bad']],
    [500, null],
  ];
  for (const [status, body] of foreign)
    test(`its status, for ${status} ${JSON.stringify(body)}`, async () => {
      const { client } = await serve([{ status, body }]);
      const { problems, ...error } = await refusalOf(client.get('/v1/indexes'));
      assert.deepEqual([error.status, error.code, problems], [status, 'unknown', []]);
    });

  test('an HTML page as an error, unless the page is requested', async () => {
    const page = { status: 200, body: 'a page', headers: { 'content-type': 'text/html' } };
    const { client } = await serve([page, page, page, { status: 204 }]);
    const { status, code, detail } = await refusalOf(client.get('/v1/indexes'));
    assert.deepEqual([status, code, detail], [200, 'unknown', '"a page"']);
    assert.equal((await refusalOf(client.pages('/v1/indexes').next())).code, 'unknown');
    assert.equal(await client.get('/docs', { parseAs: 'text' }), '"a page"');
    assert.equal(await client.delete('/v1/indexes/{index_id}', { params: { path } }), undefined);
  });

  test('JSON that a proxy has cut, with the address', async () => {
    const { client, baseUrl } = await serve([
      { status: 200, text: '[{"id"' },
      { status: 200, text: '' },
    ]);
    for (const call of [client.get('/v1/indexes'), client.pages('/v1/indexes').next()]) {
      const { status, code, message } = await refusalOf(call);
      assert.deepEqual([status, code], [200, 'unknown']);
      assert.ok(message.startsWith(`GET ${baseUrl}/v1/indexes answered 200: JSON that is cut or invalid`), message);
    }
  });

  test('the known parts of its body', async () => {
    const sound = { loc: ['body', 'name'], msg: 'Field required', type: 'missing' };
    const { client } = await serve([
      { status: 422, body: { detail: ['bad', sound] } },
      { status: 402, body: { detail: 'No', code: 'plan_limit_reached', limit: 'many', conflicts: 'none' } },
      { status: 403, body: { detail: ['bad'] } },
    ]);
    const { code, problems, detail } = await refusalOf(client.get('/v1/indexes'));
    assert.deepEqual([code, problems, detail], ['validation_failed', [sound], 'body.name: Field required']);
    const { limit, conflicts } = await refusalOf(client.get('/v1/indexes'));
    assert.deepEqual([limit, conflicts], [null, []]);
    assert.equal((await refusalOf(client.get('/v1/indexes'))).detail, '{"detail":["bad"]}');
  });
});

describe('the client follows no redirect', () => {
  for (const status of [301, 302, 303, 307, 308])
    test(`of an operation, ${status}`, async () => {
      const elsewhere = { status, headers: { location: '/elsewhere' } };
      const { client, received } = await serve([elsewhere, { status: 200, body: { id: 'idx_2' } }]);
      const error = await refusalOf(client.post('/v1/indexes', { body: { name: 'a' } }));
      assert.deepEqual([error.status, error.code, received.length], [status, 'unknown', 1]);
    });

  test('of an upload', async () => {
    const elsewhere = { status: 307, headers: { location: '/elsewhere' } };
    const { client, received } = await serve([uploadTo('/put'), elsewhere, { status: 200 }]);
    const { status } = await refusalOf(client.uploadFile('idx_1', file));
    assert.deepEqual([status, received.length], [307, 2]);
  });
});

describe('the client, after a 503', () => {
  const remove = async (...replies: Parameters<typeof serve>[0]) => {
    const { client } = await serve(replies);
    return client.delete('/v1/indexes/{index_id}', { params: { path } });
  };

  test('treats a 404 of a retried DELETE as deleted', async () => {
    assert.equal(
      await remove(busy, { status: 404, body: { detail: 'Index not found', code: 'not_found' } }),
      undefined,
    );
    assert.equal(await remove(busy, busy, busy, busy, { status: 404 }), undefined);
  });

  test('does not treat a 404 of the first DELETE, or of one after a 429, as deleted', async () => {
    assert.equal((await refusalOf(remove({ status: 404 }))).status, 404);
    assert.equal((await refusalOf(remove({ status: 429, headers: atOnce }, { status: 404 }))).status, 404);
    assert.equal((await refusalOf(remove(busy, { status: 409 }))).status, 409);
  });

  test('does not treat a 404 of another method as success', async () => {
    const { client } = await serve([busy, { status: 404 }]);
    assert.equal((await refusalOf(client.get('/v1/indexes/{index_id}', { params: { path } }))).status, 404);
  });

  test('treats an existing file as uploaded, unless it existed before the first attempt', async () => {
    const { client } = await serve([uploadTo('/a'), busy, { status: 412 }, uploadTo('/b'), { status: 412 }]);
    assert.equal((await client.uploadFile('idx_1', file)).id, 'job_1');
    assert.equal((await refusalOf(client.uploadFile('idx_1', file))).status, 412);
  });
});

describe('the client handles a Retry-After that is a date', () => {
  const dated = (ms: number) => ({ status: 503, headers: { 'retry-after': new Date(Date.now() + ms).toUTCString() } });

  test('by waiting until then', async () => {
    const { client, received } = await serve([dated(60_000), { status: 200, body: [] }]);
    // Without the date the repeat would come after 625 ms at most.
    await assert.rejects(client.get('/v1/indexes', { signal: AbortSignal.timeout(1500) }), { name: 'TimeoutError' });
    assert.equal(received.length, 1);
  });

  test('by throwing at once if it is over a minute away', async () => {
    for (const later of [dated(120_000), { status: 429, headers: { 'retry-after': '61' } }]) {
      const { client, received } = await serve([later, { status: 200, body: [] }]);
      assert.equal((await refusalOf(client.get('/v1/indexes'))).status, later.status);
      assert.equal(received.length, 1);
    }
  });

  test('by ignoring it if it has passed', async () => {
    const { client, received } = await serve([dated(-60_000), { status: 200, body: [] }]);
    const startedMs = performance.now();
    assert.deepEqual(await client.get('/v1/indexes'), []);
    assert.ok(performance.now() - startedMs > 450);
    assert.equal(received.length, 2);
  });
});
