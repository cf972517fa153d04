import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { startService } from '../support/shared-service.ts';
import { type Caller, call, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

/** Sends a path exactly as it is written, which `fetch` would normalize. */
const sendRaw = async (method: string, path: string, { bearer }: Caller = { baseUrl, bearer: null }) => {
  const { hostname, port } = new URL(baseUrl);
  const headers = bearer === null ? {} : { authorization: `Bearer ${bearer}` };
  const sent = request({ hostname, port, method, path, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await text(response);
  return { status: response.statusCode, headers: response.headers, body };
};

/** Paths below an index that name nothing, however they are taken apart. */
const strayPaths = (index: string): readonly string[] => [
  `${index}%3F/files/x`,
  `${index}%3Fx=1`,
  `${index}%253F/files/x`,
  `${index}%2523`,
  `${index}%23/files/x`,
  `${index}%2F`,
  `${index}%2Ffiles%2Fx`,
  `${index}%252Ffiles`,
  `${index}%00`,
  `${index};x=1`,
  `${index}%3B`,
  `${index}%20`,
  `%20${index}`,
  `${index}%0A`,
  `${index}%ff`,
  `${index}%`,
  `..%2F${index}`,
  `../indexes/${index}`,
  `./${index}`,
  `/${index}`,
  `${index}//`,
  index.toUpperCase(),
];

test('a DELETE whose path only resembles that of an index deletes nothing', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = (await call(key, 'POST', '/v1/indexes', { name: 'kept' })).body.id as string;
  for (const path of strayPaths(index)) {
    const { status, body } = await sendRaw('DELETE', `/v1/indexes/${path}`, key);
    assert.deepEqual([path, status, JSON.parse(body).code], [path, 404, 'not_found']);
  }
  const queried = await call(key, 'DELETE', `/v1/indexes/${index}?/files/x`);
  assert.deepEqual(
    [queried.status, queried.body.detail],
    [422, [{ loc: ['query', '/files/x'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' }]],
  );
  assert.equal((await call(key, 'GET', `/v1/indexes/${index}`)).status, 200);
});

test('an unnecessary escape in a path changes nothing', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = (await call(key, 'POST', '/v1/indexes', { name: 'escaped' })).body.id as string;
  const escaped = `/v1/%69ndexes/${index.replace('_', '%5F')}`;
  assert.equal((await sendRaw('GET', escaped, key)).status, 200);
  assert.equal((await sendRaw('DELETE', escaped, key)).status, 204);
});

test('a trailing slash is redirected to the path without it, for any path and method', async () => {
  const index = `/v1/indexes/idx_${'0'.repeat(26)}`;
  for (const [method, path] of [
    ['GET', '/docs'],
    ['HEAD', '/openapi.json'],
    ['GET', '/v1/health'],
    ['POST', '/v1/indexes'],
    ['DELETE', index],
    ['GET', `${index}/files`],
  ] as const) {
    const { status, headers } = await sendRaw(method, `${path}/?a=b%2Fc&d`);
    assert.deepEqual([path, status, headers.location], [path, 308, `${path}?a=b%2Fc&d`]);
    assert.match(headers['x-request-id'] as string, /^req_/);
  }
  const odd = await sendRaw('GET', '/v1/indexes/%0A%3F%C3%A4/');
  assert.deepEqual([odd.status, odd.headers.location], [308, '/v1/indexes/%0A%3F%C3%A4']);
  for (const path of ['/v1/', '/nothing/', '/docs//', '//docs/', '//example.com/'])
    assert.equal((await sendRaw('GET', path)).status, 404, path);
});

test('the root redirects to the documentation', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers, body } = await sendRaw(method, '/');
    assert.deepEqual([status, headers.location, body], [308, '/docs', '']);
  }
});
