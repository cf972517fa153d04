import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startService } from '../support/shared-service.ts';
import { call, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

/** Sends a request and gives the bytes of the answer as they came, which `fetch` would unpack. */
const send = async (method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: string) => {
  const sent = request(`${baseUrl}${path}`, { method, headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
};

const files = ['/docs', '/openapi.json', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css', '/docs/page.js'];

for (const url of files) {
  test(`${url} is sent in the encoding that the client accepts, and not again while it is unchanged`, async () => {
    const plain = await send('GET', url, { 'accept-encoding': 'identity, gzip;q=0' });
    assert.deepEqual([plain.status, plain.headers['content-encoding']], [200, undefined]);
    for (const [accepted, encoding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['br;q=0.5, GZIP', 'gzip', gunzipSync],
      ['*', 'br', brotliDecompressSync],
    ] as const) {
      const { status, headers, bytes } = await send('GET', url, { 'accept-encoding': accepted });
      assert.deepEqual([status, headers['content-encoding'], headers.vary], [200, encoding, 'accept-encoding']);
      assert.ok(unpack(bytes).equals(plain.bytes), accepted);
      assert.equal(headers['cache-control'], 'public, max-age=3600');
      assert.equal(headers.etag, plain.headers.etag);
    }
    const etag = plain.headers.etag ?? assert.fail();
    for (const known of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const { status, headers, bytes } = await send('GET', url, { 'if-none-match': known });
      assert.deepEqual([status, headers.etag, bytes.length], [304, etag, 0], known);
    }
    assert.equal((await send('GET', url, { 'if-none-match': '"other"' })).status, 200);
  });
}

test('HEAD has the status and headers of GET and no body, on every path that needs no credential to read', async () => {
  for (const url of [...files, '/v1/health', '/docs/absent.js']) {
    const [got, head] = await Promise.all([send('GET', url), send('HEAD', url)]);
    const { 'x-request-id': _got, 'apigw-requestid': _gotBy, date: _gotAt, ...expected } = got.headers;
    const { 'x-request-id': id, 'apigw-requestid': _by, date: _at, ...headers } = head.headers;
    assert.deepEqual([head.status, headers, head.bytes.length], [got.status, expected, 0], url);
    assert.match(String(id), /^req_/);
  }
});

test('HEAD of other paths is refused with the methods of the path', async () => {
  const { status, headers } = await send('HEAD', '/v1/indexes');
  assert.deepEqual([status, headers.allow?.split(', ').toSorted()], [405, ['GET', 'POST']]);
  assert.equal((await send('POST', '/docs')).headers.allow, 'GET, HEAD');
});

test('no file outside the directory of a page is served', async () => {
  for (const name of ['..%2Findex.cjs', 'index.cjs', 'page.js%00', '..%5Cindex.cjs', 'PAGE.JS'])
    assert.equal((await send('GET', `/docs/${name}`)).status, 404, name);
});

test('pages run no inline script, cannot be framed and send no referrer', async () => {
  for (const url of [...files, '/v1/health', '/v1/plans', '/v1/connectors/callback?state=x', '/docs/absent.js']) {
    const { headers } = await send('GET', url);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/, url);
    assert.match(policy, /frame-ancestors 'none'; base-uri 'none'/, url);
    assert.doesNotMatch(policy, /unsafe/, url);
    assert.deepEqual(
      [headers['x-content-type-options'], headers['x-frame-options'], headers['referrer-policy']],
      ['nosniff', 'DENY', 'no-referrer'],
      url,
    );
  }
});

test('an error of the OAuth redirect is a page for a browser, and JSON for any other client', async () => {
  const url = '/v1/connectors/callback?state=x&error=%3Cscript%3E';
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const [shown, told, incomplete] = await Promise.all([
    send('GET', url, { accept }),
    send('GET', url, { accept: '*/*' }),
    send('GET', '/v1/connectors/callback', { accept }),
  ]);
  assert.deepEqual([shown.status, told.status, incomplete.status], [400, 400, 422]);
  const { detail, code } = JSON.parse(told.bytes.toString()) as { readonly detail: string; readonly code: string };
  assert.equal(code, 'bad_request');
  const page = shown.bytes.toString();
  assert.match(page, /^<!doctype html>[\s\S]*<h1>Nothing is connected<\/h1>/);
  assert.ok(page.includes(detail) && page.includes(String(shown.headers['x-request-id'])), page);
  assert.match(incomplete.bytes.toString(), /query\.state: Field required/);
  for (const { headers, bytes } of [shown, incomplete]) {
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['content-security-policy'], told.headers['content-security-policy']);
    assert.doesNotMatch(bytes.toString(), /<script|<form|style=|\bsrc=|href=/);
  }
});

test('the documentation page has no inline script and stores no credential', async () => {
  const page = (await send('GET', '/docs')).bytes.toString();
  assert.doesNotMatch(page, /<style|style=|<script(?![^>]*src=)|\son\w+=|javascript:/i);
  for (const [, path = ''] of page.matchAll(/(?:src|href)="([^"]+)"/g))
    assert.equal((await send('GET', new URL(path, `${baseUrl}/docs`).pathname)).status, 200, path);
  const script = (await send('GET', '/docs/page.js')).bytes.toString();
  assert.match(script, /persistAuthorization: false/);
  assert.doesNotMatch(script, /setItem|sessionStorage|cookie/);
});

test('a large response is compressed if the client accepts it, and a small one never', async () => {
  const { key } = await newOrganization(baseUrl);
  const dimensions = 512;
  const index = (await call(key, 'POST', '/v1/indexes', { name: 'large', dimensions })).body.id as string;
  const at = `/v1/indexes/${index}`;
  const vectorOf = (row: number) => Array.from({ length: dimensions }, (_, at) => Math.sin((row + 3) * (at + 1)));
  const vector = vectorOf(0);
  const rows = Array.from({ length: 20 }, (_, row) => ({ id: `row-${row}`, vector: vectorOf(row) }));
  assert.equal((await call(key, 'POST', `${at}/vectors`, rows)).status, 200);
  const headers = { authorization: `Bearer ${key.bearer}`, 'content-type': 'application/json' };
  const search = (top_k: number) => JSON.stringify({ vector, top_k, include: ['vector'] });
  const fetched = JSON.stringify({ ids: rows.map(({ id }) => id) });
  for (const [path, body] of [
    [`${at}/search/dense`, search(20)],
    [`${at}/vectors/fetch`, fetched],
  ] as const) {
    const plain = await send('POST', path, headers, body);
    assert.deepEqual(
      [plain.status, plain.headers['content-encoding'], plain.headers.vary],
      [200, undefined, 'accept-encoding'],
    );
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const packed = await send('POST', path, { ...headers, 'accept-encoding': encoding }, body);
      assert.equal(packed.headers['content-encoding'], encoding);
      assert.ok(packed.bytes.length < plain.bytes.length * 0.6);
      // Scores and times may differ from one search to the next.
      const idsOf = (bytes: Buffer): unknown => [...bytes.toString().matchAll(/"id":"row-\d+"/g)].map(String);
      assert.deepEqual(idsOf(unpack(packed.bytes)), idsOf(plain.bytes));
      if (path.endsWith('/fetch')) assert.ok(unpack(packed.bytes).equals(plain.bytes));
    }
  }
  const small = await send('POST', `${at}/search/dense`, { ...headers, 'accept-encoding': 'br' }, search(1));
  assert.deepEqual([small.status, small.headers['content-encoding'], small.headers.vary], [200, undefined, undefined]);
});
