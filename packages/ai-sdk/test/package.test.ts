import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateText, isStepCount } from 'ai';
import { createClient } from 'strata-client';
import { fetchTool, type Passage, searchTool } from 'strata-ai-sdk';
import { model } from './model.ts';

const client = createClient({
  baseUrl: process.env['STRATA_URL'] ?? '',
  token: process.env['STRATA_API_KEY'] ?? null,
});

const { id: indexId } = await client.post('/v1/indexes', { body: { name: 'tools' } });
await client.upsertVectors(indexId, [
  { id: 'green', text: 'Green tea is brewed at eighty degrees.', metadata: { topic: 'tea' } },
  { id: 'rail', text: 'Trains run on rails.', metadata: { topic: 'rail' } },
]);

test('a model that calls the search tool gets passages of the index', async () => {
  const { text, steps } = await generateText({
    model,
    prompt: 'How hot is the water?',
    tools: { search: searchTool({ client, indexId, topK: 1 }), fetch: fetchTool({ client, indexId }) },
    stopWhen: isStepCount(2),
  });
  const [call] = steps[0]?.toolResults ?? [];
  const passages = [{ id: 'green', text: 'Green tea is brewed at eighty degrees.', metadata: { topic: 'tea' } }];
  assert.deepEqual(call?.output, passages);
  assert.match(text, /eighty degrees/);
  const [offered] = model.doGenerateCalls[0]?.tools ?? [];
  assert.equal(offered?.type === 'function' && offered.name, 'search');
});

const run = async (search: ReturnType<typeof searchTool>, query: string): Promise<readonly Passage[]> => {
  const found = await search.execute?.({ query }, { toolCallId: 'x', messages: [], context: {} } as never);
  return found as readonly Passage[];
};

test('the search tool uses its mode and filter, and a file gives source and page', async () => {
  assert.deepEqual(
    (await run(searchTool({ client, indexId, filter: { topic: 'rail' } }), 'green tea')).map(({ id }) => id),
    ['rail'],
  );
  const words = await run(searchTool({ client, indexId, mode: 'sparse' }), 'rails');
  assert.deepEqual(
    words.map(({ id }) => id),
    ['rail'],
  );
  const { id: fileIndex } = await client.post('/v1/indexes', { body: { name: 'file' } });
  const content = new Blob(['The ferry leaves at noon.']);
  const { id: jobId } = await client.uploadFile(fileIndex, {
    filename: 'ferry.txt',
    contentType: 'text/plain',
    content,
  });
  await client.waitForFile(fileIndex, jobId);
  const [passage] = await run(searchTool({ client, indexId: fileIndex }), 'ferry');
  assert.deepEqual([passage?.source, passage?.text], ['ferry.txt', 'The ferry leaves at noon.']);
});

test('the fetch tool returns passages by their ids', async () => {
  const fetched = await fetchTool({ client, indexId }).execute?.({ ids: ['rail', 'none'] }, {
    toolCallId: 'x',
    messages: [],
    context: {},
  } as never);
  assert.deepEqual(fetched, [{ id: 'rail', text: 'Trains run on rails.', metadata: { topic: 'rail' } }]);
});

test('the fetch tool returns no passage outside its filter, and a function is no filter', async () => {
  const call = { toolCallId: 'x', messages: [], context: {} } as never;
  const restricted = fetchTool({ client, indexId, filter: { topic: 'tea' } });
  const fetched = (await restricted.execute?.({ ids: ['rail', 'green'] }, call)) as readonly Passage[];
  assert.deepEqual(
    fetched.map(({ id }) => id),
    ['green'],
  );
  const { tenant }: { tenant?: string } = {};
  for (const filter of [() => true, new Map([['topic', 'tea']]), { topic: tenant }])
    for (const tool of [searchTool, fetchTool])
      await assert.rejects(
        async () =>
          tool({ client, indexId, filter: filter as never }).execute?.({ query: 'tea', ids: ['rail'] } as never, call),
        { name: 'TypeError', message: /^body\.filter/ },
      );
});

test('an aborted call rejects with the reason of its signal', async () => {
  const options = { toolCallId: 'x', messages: [], context: {}, abortSignal: AbortSignal.abort(new Error('stopped')) };
  const search = searchTool({ client, indexId });
  await assert.rejects(async () => search.execute?.({ query: 'tea' }, options as never), /stopped/);
});
