import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/shared-service.ts';
import { call, type Caller, newOrganization } from './support/organization.ts';

const { baseUrl, siteUrl } = await startService();
const clients: Client[] = [];
after(() => Promise.all(clients.map((client) => client.close())));

/** Connects the official client, by the current revision or the handshake of those of 2025. */
const connect = async ({ bearer }: Caller, path: string, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  clients.push(client);
  const requestInit = { headers: { authorization: `Bearer ${bearer}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(path, baseUrl), { requestInit }));
  return client;
};

const namesOf = async (client: Client): Promise<readonly string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).toSorted();

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into results of every shape
const use = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<any> => {
  const result = await client.callTool({ name, arguments: args });
  const [content] = result.content;
  assert.equal(content?.type, 'text');
  assert.notEqual(result.isError, true, content.text);
  assert.deepEqual(JSON.parse(content.text), result.structuredContent);
  return result.structuredContent;
};

/** Error text of a tool. */
const errorOf = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> => {
  const { isError, content } = await client.callTool({ name, arguments: args });
  assert.equal(isError, true, JSON.stringify(content));
  assert.equal(content[0]?.type, 'text');
  return content[0].text;
};

const newIndex = async (key: Caller, name: string): Promise<string> =>
  (await call(key, 'POST', '/v1/indexes', { name })).body.id;

const newKey = async (session: Caller, body: object): Promise<Caller> => ({
  baseUrl,
  bearer: (await call(session, 'POST', '/v1/api-keys', { name: 'k', ...body })).body.token,
});

const readTools = ['describe_index', 'fetch', 'list_documents', 'list_indexes', 'search'];
const writeTools = ['add_text', 'add_url', 'delete_document'];

/** Waits until a document of this title is searchable. */
const completed = (client: Client, args: Record<string, unknown>, title: RegExp) =>
  eventually(
    () => use(client, 'list_documents', args),
    ({ documents }) =>
      documents.some(
        (found: { title: string; status: string }) => title.test(found.title) && found.status === 'completed',
      ),
  );

test('an agent adds, finds, reads and deletes a document with the tools of an index', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = await newIndex(key, 'letters');
  const client = await connect(key, `/v1/indexes/${index}/mcp`);
  assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
  assert.deepEqual(await namesOf(client), [...readTools, ...writeTools].toSorted());
  const story = Array.from({ length: 40 }, (_, at) =>
    `Letter ${at + 1} tells of the harbour and its ships. `.repeat(5),
  );
  const text = `${story.join('\n\n')}\n\nThe cellar key hangs behind the clock.`;
  const sent = { title: 'Old letters', text, metadata: { shelf: 3 }, idempotency_key: 'letters-1' };
  const added = await use(client, 'add_text', sent);
  assert.equal((await use(client, 'add_text', sent)).id, added.id);
  assert.match(await errorOf(client, 'add_text', { ...sent, title: 'Other' }), /idempotency_conflict/);
  await completed(client, {}, /Old letters/);

  const { results } = await use(client, 'search', { query: 'cellar key', limit: 3, filter: { shelf: 3 } });
  const [best] = results;
  assert.match(best.text, /behind the clock/);
  assert.equal(best.title, 'Old letters');
  assert.equal(best.document_id, added.id);
  const job = added.id.split('/')[1];
  assert.match(
    best.url,
    new RegExp(`^${baseUrl}/console#/indexes/${index}/files/${job}\\?row=${job}%3A000001%3A\\d{5}&q=cellar%20key$`),
  );
  const narrow = await use(client, 'search', { query: 'harbour ships', limit: 5, max_tokens: 200 });
  assert.equal(narrow.truncated, true);
  assert.ok(Buffer.byteLength(narrow.results.map((found: { text: string }) => found.text).join('')) < 900);

  const passage = await use(client, 'fetch', { id: best.id });
  assert.match(passage.text, /behind the clock/);
  assert.deepEqual([passage.metadata.shelf, passage.next_id], [3, null]);
  let read = await use(client, 'fetch', { id: added.id, max_tokens: 500 });
  const parts = [read.text];
  while (read.next_id !== null) {
    read = await use(client, 'fetch', { id: read.next_id, max_tokens: 2000 });
    parts.push(read.text);
  }
  const whole = parts.join('\n');
  assert.ok(parts.length > 2);
  for (const at of story.keys()) assert.ok(whole.includes(`Letter ${at + 1} tells`), `letter ${at + 1}`);

  const { resources } = await client.listResources();
  const [resource] = resources;
  assert.equal(resource?.uri, `strata://${added.id}`);
  const { contents } = await client.readResource({ uri: resource.uri });
  assert.match(JSON.stringify(contents), /Letter 1 tells.*behind the clock/);

  const described = await use(client, 'describe_index');
  assert.deepEqual([described.id, described.name, described.documents], [index, 'letters', 1]);
  assert.deepEqual(await use(client, 'delete_document', { id: added.id }), { id: added.id, deleted: true });
  assert.deepEqual((await use(client, 'search', { query: 'cellar key' })).results, []);
  const error = await errorOf(client, 'fetch', { id: added.id });
  assert.match(error, /File job not found\. \(not_found, request req_[0-9a-z]{26}\)/);
});

test('add_url stores one page, which is cited by its own address', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = await newIndex(key, 'web');
  const client = await connect(key, '/v1/mcp');
  const { crawl_id } = await use(client, 'add_url', { url: siteUrl });
  const crawled = `/v1/indexes/${index}/crawl-jobs/${crawl_id}`;
  await eventually(
    () => call(key, 'GET', crawled),
    ({ body }) => body.status === 'completed',
  );
  const { documents } = await eventually(
    () => use(client, 'list_documents'),
    (listed) => listed.documents[0]?.status === 'completed',
  );
  assert.equal(documents.length, 1);
  assert.equal(new URL(documents[0].url).origin, new URL(siteUrl).origin);
});

test('a client of a 2025 revision connects by its handshake and has the same tools', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = await newIndex(key, 'only');
  const client = await connect(key, '/v1/mcp', 'legacy');
  assert.match(client.getNegotiatedProtocolVersion() ?? '', /^2025-/);
  assert.deepEqual(await namesOf(client), [...readTools, ...writeTools].toSorted());
  const { indexes } = await use(client, 'list_indexes');
  assert.deepEqual(
    indexes.map(({ id, name }: { id: string; name: string }) => [id, name]),
    [[index, 'only']],
  );
  assert.deepEqual((await use(client, 'search', { query: 'nothing' })).results, []);
});

test('a tool acts with the permissions and indexes of its credential only', async () => {
  const { key, session } = await newOrganization(baseUrl);
  const [mine, other] = [await newIndex(key, 'mine'), await newIndex(key, 'other')];
  const reader = await connect(await newKey(session, { permissions: ['read'], index_ids: [mine] }), '/v1/mcp');
  assert.deepEqual(await namesOf(reader), readTools);
  assert.match(await errorOf(reader, 'add_text', { title: 't', text: 'x' }), /write permission\. \(write_permission/);
  assert.deepEqual((await use(reader, 'list_indexes')).indexes.length, 1);
  // The credential can use one index, so that is meant.
  assert.equal((await use(reader, 'describe_index')).id, mine);
  assert.match(await errorOf(reader, 'search', { query: 'x', index_id: other }), /index_not_allowed/);
  assert.match(await errorOf(reader, 'fetch', { id: `${other}/row` }), /index_not_allowed/);
  await call(key, 'PUT', '/v1/aliases/second', { index_id: other });
  assert.match(await errorOf(reader, 'describe_index', { index_id: 'second' }), /not_found/);
  const owner = await connect(session, '/v1/mcp');
  assert.match(await errorOf(owner, 'search', { query: 'x' }), /several indexes: pass the index_id/);
  assert.equal((await use(owner, 'describe_index', { index_id: 'second' })).id, other);
  assert.match(await errorOf(owner, 'describe_index', { index_id: 'third' }), /not_found/);
  const [stranger, narrow] = [await newOrganization(baseUrl), await connect(key, `/v1/indexes/${mine}/mcp`)];
  assert.match(
    await errorOf(await connect(stranger.key, '/v1/mcp'), 'describe_index', { index_id: mine }),
    /not_found/,
  );
  assert.match(await errorOf(narrow, 'fetch', { id: `${other}/row` }), /not_found/);
  assert.match(await errorOf(narrow, 'search', { query: 'x', index_id: other }), /another index: omit index_id/);
  await call(key, 'PUT', '/v1/aliases/first', { index_id: mine });
  for (const named of [mine, 'first'])
    assert.equal((await use(narrow, 'describe_index', { index_id: named })).id, mine);
});

test('schemas of tools have no record, type list or look-around, which some clients cannot compile', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = await newIndex(key, 'schemas');
  for (const path of ['/v1/mcp', `/v1/indexes/${index}/mcp`]) {
    const { tools } = await (await connect(key, path)).listTools();
    assert.equal(tools.length, readTools.length + writeTools.length);
    for (const { name, inputSchema } of tools) {
      const text = JSON.stringify(inputSchema);
      assert.doesNotMatch(text, /propertyNames|additionalProperties|"type":\[|\(\?[=!<]/, `${path} ${name}`);
    }
    const { filter } = tools.find(({ name }) => name === 'search')?.inputSchema.properties ?? {};
    assert.partialDeepStrictEqual(filter, { type: 'object' });
  }
});

test('arguments that are null, empty, JSON in a text or unknown are read as they are meant', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = await newIndex(key, 'lenient');
  const rows = [
    { id: 'a', text: 'The kettle is in the blue cupboard.', metadata: { room: 'kitchen' } },
    { id: 'b', text: 'The kettle is on the blue table.', metadata: { room: 'hall' } },
  ];
  await call(key, 'POST', `/v1/indexes/${index}/vectors`, rows);
  const client = await connect(key, `/v1/indexes/${index}/mcp`);
  const found = async (args: Record<string, unknown>) =>
    (await use(client, 'search', { query: 'blue kettle', ...args })).results.length;
  const all = [{ filter: null }, { filter: '' }, { filter: '{}' }, { limit: null }, { limit: '8' }, { max_tokens: '' }];
  for (const args of [...all, { index_id: null }, { toolCallId: 'c1', random_string: 'x' }])
    assert.equal(await found(args), 2, JSON.stringify(args));
  assert.equal(await found({ filter: '{"room":"hall"}' }), 1);
  assert.equal(await found({ limit: '1' }), 1);
  // These would find rows that the agent meant to exclude.
  assert.match(await errorOf(client, 'search', { query: 'kettle', filters: { room: 'hall' } }), /pass filter/);
  assert.match(await errorOf(client, 'search', { query: 'kettle', filter: '{"room":' }), /filter: .*dictionary/);
  assert.match(await errorOf(client, 'search', { query: 'kettle', filter: '{"a":1,"a":2}' }), /filter: /);
  assert.match(await errorOf(client, 'search', { query: '' }), /query: /);
  assert.match(await errorOf(client, 'search', { query: 'kettle', limit: 'many' }), /limit: /);
  for (const args of [{ cursor: null }, { cursor: '' }, { limit: '5', name: null }])
    assert.deepEqual((await use(client, 'list_documents', args)).documents, []);
  const path = `/v1/indexes/${index}/mcp`;
  const listed = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  for (const params of [null, { cursor: null }])
    assert.equal((await call(key, 'POST', path, { ...listed, params })).body.result.tools.length, 8);
  const params = { name: 'describe_index', arguments: null };
  const described = await call(key, 'POST', path, { ...listed, method: 'tools/call', params });
  assert.equal(described.body.result.structuredContent.id, index);
});

test('a message that cannot be read is an error of JSON-RPC', async () => {
  const { key } = await newOrganization(baseUrl);
  const send = async (body: string, type = 'application/json') => {
    const headers = { authorization: `Bearer ${key.bearer}`, 'content-type': type };
    const answer = await fetch(`${baseUrl}/v1/mcp`, { method: 'POST', headers, body });
    // oxlint-disable-next-line typescript/no-explicit-any -- tests look into results of every shape
    const { jsonrpc, id, error }: any = await answer.json();
    return [answer.status, jsonrpc, id, error?.code];
  };
  assert.deepEqual(await send('{"jsonrpc":'), [400, '2.0', null, -32_700]);
  assert.deepEqual(await send('[]'), [400, '2.0', null, -32_600]);
  assert.deepEqual(await send('{"jsonrpc":"1.0","id":1,"method":"tools/list"}'), [400, '2.0', null, -32_600]);
  assert.deepEqual(await send('{}', 'text/plain'), [415, '2.0', null, -32_600]);
  assert.deepEqual(await send(' '.repeat(1024 * 1024 + 1)), [413, '2.0', null, -32_600]);
});

test('a search of an agent counts like a search of the API', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = await newIndex(key, 'counted');
  const client = await connect(key, `/v1/indexes/${index}/mcp`);
  await use(client, 'search', { query: 'a' });
  await errorOf(client, 'search', { query: 'a', limit: 0 });
  await call(key, 'POST', `/v1/indexes/${index}/search/hybrid`, { text: 'a' });
  const { body } = await eventually(
    () => call(key, 'GET', `/v1/indexes/${index}/stats/history?days=1`),
    (answer) => answer.body[0]?.searches >= 2,
  );
  assert.equal(body[0].searches, 2);
});

test('a request without valid credentials learns where the metadata of the resource are', async () => {
  const { key } = await newOrganization(baseUrl);
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  for (const path of ['/v1/mcp', `/v1/indexes/${await newIndex(key, 'i')}/mcp`]) {
    const refused = await call({ baseUrl, bearer: null }, 'POST', path, message);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    const [, url = ''] = /^Bearer scope="read write", resource_metadata="([^"]+)"$/.exec(challenge) ?? [];
    assert.deepEqual([refused.status, url], [401, `${baseUrl}/.well-known/oauth-protected-resource${path}`]);
    const metadata = await call({ baseUrl, bearer: null }, 'GET', url.slice(baseUrl.length));
    assert.equal(metadata.body.resource, `${baseUrl}${path}`);
    const expired = await call({ baseUrl, bearer: 'svc_live_nonsense' }, 'POST', path, message);
    assert.match(
      expired.headers.get('www-authenticate') ?? '',
      /^Bearer error="invalid_token", scope="read write", resource_metadata="/,
    );
  }
  const root = await call({ baseUrl, bearer: null }, 'GET', '/.well-known/oauth-protected-resource');
  assert.equal(root.body.resource, baseUrl);
});

test('a page on the own machine of a person can read responses, and the challenge of a refusal', async () => {
  const origin = 'http://localhost:6274';
  const asked = ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];
  const preflight = await fetch(`${baseUrl}/v1/mcp`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': asked.join(','),
    },
  });
  const allowed = preflight.headers.get('access-control-allow-headers')?.split(',') ?? [];
  assert.deepEqual([preflight.status, asked.filter((name) => !allowed.includes(name))], [204, []]);
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const { key } = await newOrganization(baseUrl);
  const answer = await call(key, 'POST', '/v1/mcp', message, { origin });
  assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, '*']);
  const refused = await call({ baseUrl, bearer: null }, 'POST', '/v1/mcp', message, { origin });
  const exposed = refused.headers.get('access-control-expose-headers')?.split(',') ?? [];
  assert.equal(refused.status, 401);
  for (const name of ['www-authenticate', 'x-amzn-remapped-www-authenticate']) assert.ok(exposed.includes(name), name);
});

test('a page of another origin, another method, a batch and a stream of changes are refused', async () => {
  const { key } = await newOrganization(baseUrl);
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const send = async (body: unknown, headers: Record<string, string> = {}) =>
    (await call(key, 'POST', '/v1/mcp', body, headers)).status;
  assert.equal(await send(message, { origin: baseUrl }), 200);
  assert.equal(await send(message, { origin: 'https://evil.example' }), 403);
  assert.equal(await send(message, { origin: 'null' }), 403);
  assert.equal(await send(message, { origin: 'http://localhost.evil.example:6274' }), 403);
  // The origin is checked before the credentials.
  const unknown = await call({ baseUrl, bearer: null }, 'POST', '/v1/mcp', message, { origin: 'https://evil.example' });
  assert.equal(unknown.status, 403);
  assert.equal(await send([message, message]), 400);
  assert.equal(await send({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' }), 404);
  assert.equal(await send({ jsonrpc: '2.0', method: 'notifications/initialized' }), 202);
  for (const method of ['GET', 'DELETE']) {
    const refused = await call(key, method, '/v1/mcp');
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'POST']);
  }
});
