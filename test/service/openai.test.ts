import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI, { APIError } from 'openai';
import { plans } from '../../shared/kernel/plans.ts';
import { startService } from '../support/shared-service.ts';
import { call, type Caller, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

const connect = ({ bearer }: Caller): OpenAI =>
  new OpenAI({ apiKey: bearer, baseURL: `${baseUrl}/v1/openai`, maxRetries: 0 });

const poll = { pollIntervalMs: 200 };
const textFile = (name: string, text: string): File => new File([text], name, { type: 'text/markdown' });
/** Returns the rate limit per minute that a request counts against. */
const limitOf = async (caller: Caller, method: string, path: string, body?: object): Promise<number> =>
  Number((await call(caller, method, path, body)).headers.get('ratelimit-limit'));
const refused = (status: number) => (error: unknown) => error instanceof APIError && error.status === status;

test('the official client of OpenAI stores, searches and deletes files in a vector store', async () => {
  const { key, session } = await newOrganization(baseUrl);
  const client = connect(key);
  const store = await client.vectorStores.create({ name: 'letters', metadata: { shelf: 'top' } });
  assert.deepEqual([store.name, store.metadata, store.file_counts.total], ['letters', { shelf: 'top' }, 0]);

  const text = 'The cellar key hangs behind the clock.';
  const file = await client.files.create({ file: textFile('cellar.md', text), purpose: 'assistants' });
  assert.deepEqual([file.filename, file.bytes], ['cellar.md', text.length]);
  assert.equal(await (await client.files.content(file.id)).text(), text);
  const attached = await client.vectorStores.files.createAndPoll(
    store.id,
    { file_id: file.id, attributes: { room: 'hall', floor: 1 } },
    poll,
  );
  assert.deepEqual([attached.id, attached.status], [file.id, 'completed']);
  const other = await client.vectorStores.files.uploadAndPoll(
    store.id,
    textFile('garden.md', 'The garden key hangs at the gate.'),
    poll,
  );
  assert.equal(other.status, 'completed');

  const filters = {
    type: 'and' as const,
    filters: [
      { type: 'eq' as const, key: 'room', value: 'hall' },
      { type: 'gte' as const, key: 'floor', value: 1 },
    ],
  };
  const { data: found } = await client.vectorStores.search(store.id, { query: 'where is the key', filters });
  assert.deepEqual(
    found.map(({ file_id: id, filename, attributes, content }) => ({ id, filename, attributes, content })),
    [
      {
        id: file.id,
        filename: 'cellar.md',
        attributes: { room: 'hall', floor: 1 },
        content: [{ type: 'text', text }],
      },
    ],
  );
  assert.equal((await client.vectorStores.search(store.id, { query: 'key' })).data.length, 2);
  // LiteLLM sends null for every parameter that its caller leaves out.
  const unset = { query: 'key', max_num_results: null, filters: null, ranking_options: null, rewrite_query: null };
  const { body: searched } = await call(key, 'POST', `/v1/openai/vector_stores/${store.id}/search`, unset);
  assert.equal(searched.data.length, 2);

  const listed = async (query: { order?: 'asc' | 'desc'; before?: string; after?: string }): Promise<string[]> =>
    (await Array.fromAsync(client.vectorStores.files.list(store.id, { limit: 1, ...query }))).map(({ id }) => id);
  assert.deepEqual(await listed({}), [other.id, file.id]);
  assert.deepEqual(await listed({ order: 'asc' }), [file.id, other.id]);
  const previous = await client.vectorStores.files.list(store.id, { before: file.id });
  assert.deepEqual([previous.data.map(({ id }) => id), previous.has_more], [[other.id], false]);
  const moved = { vector_store_id: store.id, attributes: { room: 'attic' } };
  assert.deepEqual((await client.vectorStores.files.update(file.id, moved)).attributes, { room: 'attic' });
  assert.equal((await client.vectorStores.search(store.id, { query: 'key', filters })).data.length, 0);
  const { data: contents } = await client.vectorStores.files.content(file.id, { vector_store_id: store.id });
  assert.deepEqual(contents, [{ type: 'text', text }]);

  const second = await client.vectorStores.create({ name: 'batch' });
  const batch = await client.vectorStores.fileBatches.createAndPoll(second.id, { file_ids: [file.id, other.id] }, poll);
  assert.deepEqual([batch.status, batch.file_counts.completed], ['completed', 2]);
  const cancelled = await client.vectorStores.fileBatches.cancel(batch.id, { vector_store_id: second.id });
  assert.deepEqual([cancelled.status, cancelled.file_counts.completed], ['cancelled', 2]);

  const restricted = { name: 'k', permissions: ['read', 'write'], index_ids: [second.id] };
  const { body: created } = await call(session, 'POST', '/v1/api-keys', restricted);
  const narrow = connect({ baseUrl, bearer: created.token });
  const visible = await Array.fromAsync(narrow.vectorStores.list());
  assert.deepEqual(
    visible.map(({ id }) => id),
    [second.id],
  );
  await assert.rejects(narrow.vectorStores.retrieve(store.id), refused(403));
  await call(key, 'PUT', '/v1/aliases/letters', { index_id: store.id });
  assert.equal((await client.vectorStores.retrieve('letters')).id, store.id);
  assert.equal((await client.vectorStores.search('letters', { query: 'key' })).data.length, 2);
  await assert.rejects(narrow.vectorStores.retrieve('letters'), refused(404));
  await assert.rejects(client.vectorStores.retrieve('papers'), refused(404));
  await assert.rejects(client.vectorStores.delete('letters'), refused(409));
  await call(key, 'DELETE', '/v1/aliases/letters');
  await assert.rejects(narrow.files.retrieve(file.id), refused(404));
  await assert.rejects(
    client.vectorStores.create({ expires_after: { anchor: 'last_active_at', days: 1 } }),
    refused(400),
  );

  await client.vectorStores.files.delete(other.id, { vector_store_id: store.id });
  assert.equal((await client.files.retrieve(other.id)).id, other.id);
  await client.files.delete(file.id);
  await assert.rejects(client.files.retrieve(file.id), refused(404));
  assert.deepEqual(await Array.fromAsync(client.vectorStores.files.list(store.id)), []);
  assert.equal((await client.vectorStores.delete(store.id)).deleted, true);
  await assert.rejects(client.vectorStores.retrieve(store.id), refused(404));
});

test('a file of several parts is stored, counted, attached and deleted like any other', async () => {
  const { key } = await newOrganization(baseUrl);
  const client = connect(key);
  const originalBytes = async (): Promise<number> =>
    (await call(key, 'GET', '/v1/organization/usage')).body.original_bytes as number;
  const halves = [Buffer.alloc(3_000_000, 'first half. '), Buffer.alloc(2_000_000, 'second half. ')];
  const whole = Buffer.concat(halves);
  const mime = { filename: 'long.bin', mime_type: 'application/octet-stream', purpose: 'assistants' as const };
  const upload = await client.uploads.create({ ...mime, bytes: whole.length });
  // The order of the parts is that of the completion.
  const partIds: string[] = [];
  for (const half of halves.toReversed())
    partIds.unshift((await client.uploads.parts.create(upload.id, { data: new File([half], 'part') })).id);
  await assert.rejects(client.uploads.complete(upload.id, { part_ids: partIds.slice(1) }), refused(400));
  const wrong = { part_ids: partIds, md5: '0'.repeat(32) };
  await assert.rejects(client.uploads.complete(upload.id, wrong), refused(400));
  const { file, status } = await client.uploads.complete(upload.id, { part_ids: partIds });
  assert.deepEqual([status, file?.bytes], ['completed', whole.length]);
  assert.equal((await client.uploads.complete(upload.id, { part_ids: partIds })).file?.id, file?.id);
  const fileId = file?.id ?? '';
  assert.ok(Buffer.from(await (await client.files.content(fileId)).arrayBuffer()).equals(whole));
  assert.equal(await originalBytes(), whole.length);

  const small = await client.uploads.create({ ...mime, filename: 'a.md', mime_type: 'text/markdown', bytes: 9 });
  const part = await client.uploads.parts.create(small.id, { data: new File(['# Kettles'], 'part') });
  const { file: page } = await client.uploads.complete(small.id, { part_ids: [part.id] });
  const store = await client.vectorStores.create({ name: 'parts' });
  const attached = await client.vectorStores.files.createAndPoll(store.id, { file_id: page?.id ?? '' }, poll);
  assert.deepEqual([attached.status, attached.usage_bytes], ['completed', 9]);

  const abandoned = await client.uploads.create({ ...mime, bytes: 1 });
  assert.equal((await client.uploads.cancel(abandoned.id)).status, 'cancelled');
  await assert.rejects(client.uploads.parts.create(abandoned.id, { data: new File(['x'], 'part') }), refused(409));
  await client.files.delete(fileId);
  await client.files.delete(page?.id ?? '');
  await assert.rejects(client.vectorStores.files.retrieve(page?.id ?? '', { vector_store_id: store.id }), refused(404));
  assert.equal(await originalBytes(), 0);
});

test('a request of the OpenAI API counts by its route, however its slashes are, and each file of it as a file job', async () => {
  const { key } = await newOrganization(baseUrl);
  const client = connect(key);
  const store = await client.vectorStores.create({ name: 'counted' });
  const path = `/v1/openai/vector_stores/${store.id}`;
  const { rateLimits } = plans.developer;
  for (const spelled of ['/search', '/search/', '//search'])
    assert.equal(await limitOf(key, 'POST', `${path}${spelled}`, { query: 'key' }), rateLimits.searches, spelled);
  assert.equal(await limitOf(key, 'GET', '/v1/openai/vector_stores/'), rateLimits.searches);
  assert.equal(
    await limitOf(key, 'GET', `/v1/indexes/${store.id}/vectors?filter=%7B%22a%22:1%7D`),
    rateLimits.searches,
  );
  assert.equal(await limitOf(key, 'GET', path), rateLimits.requests);

  const files = await Promise.all(
    ['oak', 'elm', 'ash'].map((tree) =>
      client.files.create({ file: textFile(`${tree}.md`, tree), purpose: 'user_data' }),
    ),
  );
  const fileIds = files.map(({ id }) => id);
  const leftAfter = async (body: object): Promise<number> => {
    const { headers } = await call(key, 'POST', `${path}//file_batches/`, body);
    return Number(headers.get('ratelimit-remaining'));
  };
  const absent = { file_ids: [...fileIds, `file_${'0'.repeat(26)}`] };
  const before = await leftAfter({ file_ids: [] });
  assert.equal(await leftAfter(absent), before - 4);
  assert.deepEqual(await Array.fromAsync(client.vectorStores.files.list(store.id)), [], 'none is attached');
  assert.equal(await leftAfter({ file_ids: fileIds }), before - 7);
});

test('the OpenAI API refuses bodies, fields and pages that the other endpoints refuse, in its own form', async () => {
  const { key } = await newOrganization(baseUrl);
  const client = connect(key);
  const store = await client.vectorStores.create({ name: 'strict' });
  const file = await client.files.create({ file: textFile('a.md', 'A'), purpose: 'assistants' });
  const search = `/v1/openai/vector_stores/${store.id}/search`;
  const files = `/v1/openai/vector_stores/${store.id}/files`;
  const sent = async (path: string, body: string, type = 'application/json'): Promise<[number, string | null]> => {
    const headers = { authorization: `Bearer ${key.bearer}`, 'content-type': type };
    const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body });
    const { error } = (await response.json()) as { readonly error: { readonly param: string | null } };
    return [response.status, error.param];
  };
  const entries = (count: number): string => Array.from({ length: count }, (_, at) => `"k${at}":{}`).join();
  const attach = (count: number): string => `{"file_id":"${file.id}","attributes":{${entries(count)}}}`;
  const parts = (count: number): string =>
    `${'--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(count)}--b--\r\n`;
  assert.deepEqual(await sent(search, '{"query":"a","filter":{}}'), [400, 'filter']);
  assert.deepEqual(await sent(search, '{"query":"a","query":"b"}'), [400, null]);
  assert.deepEqual(await sent(search, `{"query":"a","filters":${'['.repeat(5_000)}${']'.repeat(5_000)}}`), [400, null]);
  assert.deepEqual(await sent(search, '{"query":"a","filters":{"__proto__":1}}'), [400, null]);
  assert.deepEqual(await sent(search, '{"query":[]}'), [400, 'query']);
  assert.deepEqual(await sent(files, attach(17)), [400, 'attributes']);
  assert.deepEqual(await sent(files, attach(20_000)), [413, null]);
  assert.deepEqual(await sent(files, attach(90_000)), [413, null]);
  assert.deepEqual(await sent('/v1/openai/files', parts(17), 'multipart/form-data; boundary=b'), [413, null]);
  assert.deepEqual(await sent('/v1/openai/files', parts(2), 'multipart/form-data; boundary=b'), [400, 'a']);
  assert.deepEqual(await sent('/v1/openai/responses', '{}'), [400, null]);
  const listed = async (query: string): Promise<number> => (await call(key, 'GET', `/v1/openai/files?${query}`)).status;
  assert.equal(await listed('purpose=vision'), 200);
  for (const query of ['purpose=none', 'after=zzz', 'limit=0', 'purposes=vision', `after=${file.id}&before=${file.id}`])
    assert.equal(await listed(query), 400, query);
});

test('a refused change of the OpenAI API changes nothing', async () => {
  const { key, session } = await newOrganization(baseUrl);
  const client = connect(key);
  const [own, other] = [await client.vectorStores.create({}), await client.vectorStores.create({})];
  const keyOf = async (body: object): Promise<OpenAI> => {
    const { body: created } = await call(session, 'POST', '/v1/api-keys', { name: 'k', ...body });
    return connect({ baseUrl, bearer: created.token });
  };
  const narrow = await keyOf({ permissions: ['read', 'write'], index_ids: [own.id] });
  const file = await narrow.files.create({ file: textFile('shared.md', 'Shared.'), purpose: 'assistants' });
  await client.vectorStores.files.createAndPoll(other.id, { file_id: file.id }, poll);
  await assert.rejects(narrow.files.delete(file.id), refused(403));
  const attached = await client.vectorStores.files.createAndPoll(own.id, { file_id: file.id }, poll);
  assert.equal(attached.status, 'completed');

  const reader = await keyOf({ permissions: ['read'] });
  const change = { vector_store_id: other.id, attributes: {} };
  await assert.rejects(reader.vectorStores.files.update(file.id, change), refused(403));
  await assert.rejects(reader.vectorStores.update(other.id, { name: other.name }), refused(403));
});

test('chunking of every size that OpenAI accepts is accepted, and models are listed', async () => {
  const { key } = await newOrganization(baseUrl);
  const client = connect(key);
  const store = await client.vectorStores.create({ name: 'sizes' });
  for (const [max, overlap, cut] of [
    [800, 400, 800],
    [100, 50, 100],
    [4096, 0, 2000],
    [4096, 2048, 2000],
  ] as const) {
    const file = await client.files.create({
      file: textFile(`${max}-${overlap}.md`, 'Nickel.'),
      purpose: 'assistants',
    });
    const sizes = { max_chunk_size_tokens: max, chunk_overlap_tokens: overlap };
    const strategy = { type: 'static' as const, static: sizes };
    const sent = { file_id: file.id, chunking_strategy: strategy };
    const { status, chunking_strategy: shown } = await client.vectorStores.files.createAndPoll(store.id, sent, poll);
    assert.equal(status, 'completed');
    assert.deepEqual(shown, {
      type: 'static',
      static: { max_chunk_size_tokens: cut, chunk_overlap_tokens: Math.min(overlap, cut / 2) },
    });
  }
  const { data } = await client.vectorStores.search(store.id, { query: 'nickel', rewrite_query: true });
  assert.equal(data.length, 4);
  const models = await Array.fromAsync(client.models.list());
  const [first] = models;
  assert.deepEqual(await client.models.retrieve(first?.id ?? ''), first);
  await assert.rejects(client.models.retrieve('gpt-4o'), refused(404));
});
