import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI, { APIError } from 'openai';
import { startService } from '../support/shared-service.ts';
import { call, type Caller, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

const connect = ({ bearer }: Caller): OpenAI =>
  new OpenAI({ apiKey: bearer, baseURL: `${baseUrl}/v1/openai`, maxRetries: 0 });

const poll = { pollIntervalMs: 200 };
const textFile = (name: string, text: string): File => new File([text], name, { type: 'text/markdown' });
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
  await assert.rejects(narrow.vectorStores.retrieve('letters'), refused(403));
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
