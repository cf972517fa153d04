import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Document } from '@langchain/core/documents';
import { Embeddings } from '@langchain/core/embeddings';
import { createClient } from 'strata-client';
import { StrataRetriever, StrataVectorStore } from 'strata-langchain';

const client = createClient({
  baseUrl: process.env['STRATA_URL'] ?? '',
  token: process.env['STRATA_API_KEY'] ?? null,
});

const texts = ['Green tea is brewed at eighty degrees.', 'Black tea takes boiling water.', 'Trains run on rails.'];
const metadatas = [
  { topic: 'tea', year: 2026 },
  { topic: 'tea', year: 2025 },
  { topic: 'rail', year: 2026 },
];
const ids = ['green', 'black', 'rail'];

/** Counts letters, so that texts with the same letters are near. */
class LetterEmbeddings extends Embeddings {
  constructor() {
    super({});
  }

  override embedQuery(text: string): Promise<number[]> {
    const counts = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => text.toLowerCase().split(letter).length - 1);
    return Promise.resolve(counts);
  }

  override embedDocuments(texts: string[]): Promise<number[][]> {
    return Promise.all(texts.map((text) => this.embedQuery(text)));
  }
}

const idsOf = (documents: readonly Document[]) => documents.map(({ id }) => id);

for (const [name, embeddings] of [
  ['embedded by the service', null],
  ['embedded by LangChain', new LetterEmbeddings()],
] as const)
  test(`a store with texts ${name} finds, filters and deletes documents`, async () => {
    const store = await StrataVectorStore.fromTexts(texts, metadatas, embeddings, { client, ids, name });
    const [first] = await store.similaritySearch(texts[2] ?? '', 1);
    assert.deepEqual([first?.id, first?.pageContent, first?.metadata], ['rail', texts[2], metadatas[2]]);
    const filtered = await store.similaritySearch('Trains run on rails', 5, { topic: 'tea', year: { $gte: 2026 } });
    assert.deepEqual(idsOf(filtered), ['green']);
    const scored = await store.similaritySearchWithScore(texts[0] ?? '', 3);
    assert.equal(scored[0]?.[0].id, 'green');
    assert.ok((scored[0]?.[1] ?? 0) > 0.99);
    assert.deepEqual(
      scored.map(([, score]) => score),
      scored.map(([, score]) => score).toSorted((left, right) => right - left),
    );
    assert.deepEqual(idsOf(await store.getByIds(['black', 'none', 'green'])), ['black', 'green']);
    await store.delete({ ids: ['green'] });
    await store.delete({ filter: { topic: 'rail' } });
    assert.deepEqual(idsOf(await store.similaritySearch('tea', 5)), ['black']);
    await assert.rejects(store.delete(), /one of ids, filter and all/);
    await store.delete({ all: true });
    assert.deepEqual(await store.similaritySearch('tea', 5), []);
  });

test('documents keep their ids, a repeated id replaces, and missing ids are generated', async () => {
  const store = await StrataVectorStore.fromDocuments([], null, { client, name: 'documents' });
  const written = await store.addDocuments([
    new Document({ id: 'a', pageContent: 'First.' }),
    new Document({ pageContent: 'No id.' }),
    new Document({ id: 'a', pageContent: 'Second.', metadata: { nested: { list: [1, 'two'] } } }),
  ]);
  assert.deepEqual([written[0], written[2]], ['a', 'a']);
  assert.equal((await store.getByIds([written[1] ?? '']))[0]?.pageContent, 'No id.');
  const [replaced] = await store.getByIds(['a']);
  assert.deepEqual([replaced?.pageContent, replaced?.metadata], ['Second.', { nested: { list: [1, 'two'] } }]);
  await assert.rejects(store.addDocuments([new Document({ pageContent: 'x' })], { ids: ['a', 'b'] }), /2 ids/);
});

test('documents without text are left out, and undefined metadata counts as absent', async () => {
  const store = await StrataVectorStore.fromDocuments([], null, { client, name: 'empty' });
  const written = await store.addDocuments([
    new Document({ id: 'empty', pageContent: '' }),
    new Document({
      id: 'full',
      pageContent: 'Text.',
      metadata: { title: undefined, pdf: { lang: undefined, pages: 2 } },
    }),
  ]);
  assert.deepEqual(written, ['empty', 'full']);
  const [found, ...others] = await store.similaritySearch('text', 5);
  assert.deepEqual([found?.id, found?.metadata, others], ['full', { pdf: { pages: 2 } }, []]);
});

test('a filter that JSON cannot represent never widens a search or a deletion', async () => {
  const store = await StrataVectorStore.fromTexts(texts, metadatas, null, { client, ids, name: 'strict' });
  const { tenant }: { tenant?: string } = {};
  for (const filter of [() => true, new Map([['topic', 'tea']]), { topic: tenant }, { topic: { $in: [tenant] } }]) {
    const refused = { name: 'TypeError', message: /^body\.filter/ };
    await assert.rejects(store.similaritySearch('tea', 5, filter as never), refused);
    await assert.rejects(store.delete({ filter: filter as never }), refused);
    await assert.rejects(new StrataRetriever({ store, filter: filter as never }).invoke('tea'), refused);
  }
  assert.equal((await store.similaritySearch('tea', 5)).length, 3);
});

test('a document of a file has its name and pages, and an aborted signal stops a retriever', async () => {
  const store = await StrataVectorStore.fromDocuments([], null, { client, name: 'file' });
  const slides = '<html><body><p>The ferry leaves at noon.</p></body></html>';
  const file = { filename: 'ferry.html', contentType: 'text/html', content: new Blob([slides]) };
  const { id } = await client.uploadFile(store.indexId, file);
  await client.waitForFile(store.indexId, id);
  const [found] = await store.similaritySearch('ferry', 1);
  assert.equal(found?.metadata['source'], 'ferry.html');
  const [row] = await client.get('/v1/indexes/{index_id}/vectors', { params: { path: { index_id: store.indexId } } });
  const { page_start: from, page_end: to } = row?.file ?? {};
  assert.deepEqual([found.metadata['page_start'] ?? null, found.metadata['page_end'] ?? null], [from, to]);
  const signal = AbortSignal.abort(new Error('stopped'));
  for (const retriever of [store.asRetriever(1), new StrataRetriever({ store })])
    await assert.rejects(retriever.invoke('ferry', { signal }), /stopped/);
});

test('a retriever returns the text around its results once, with the place of the best', async () => {
  const store = await StrataVectorStore.fromDocuments([], null, { client, name: 'context' });
  const chapters = ['Harbour', 'Fog'].map(
    (title) => `# ${title}\n\n${Array.from({ length: 120 }, (_, at) => `The ${title} rule ${at} is kept.`).join(' ')}`,
  );
  const content = new Blob([chapters.join('\n\n')]);
  const file = { filename: 'rules.md', contentType: 'text/markdown', content };
  const { id } = await client.uploadFile(store.indexId, file);
  await client.waitForFile(store.indexId, id);
  const retrieve = (context?: { readonly unit: 'heading' | 'file' }) =>
    new StrataRetriever({ store, mode: 'sparse', k: 3, ...(context !== undefined && { context }) }).invoke('fog');
  assert.equal((await retrieve()).length, 3);
  const [heading, ...others] = await retrieve({ unit: 'heading' });
  assert.equal(others.length, 0);
  assert.equal(heading?.pageContent.match(/The Fog rule \d+ is kept/g)?.length, 120);
  assert.doesNotMatch(heading?.pageContent ?? '', /Harbour/);
  const { citation } = heading?.metadata ?? {};
  assert.deepEqual([citation.file, citation.heading_path], [{ job_id: id, filename: 'rules.md' }, ['Fog']]);
  const [whole] = await retrieve({ unit: 'file' });
  assert.match(whole?.pageContent ?? '', /The Harbour rule 0 [^]*The Fog rule 119 /);
});

test('a search by vector and a diverse search return documents of the store', async () => {
  const embeddings = new LetterEmbeddings();
  const store = await StrataVectorStore.fromDocuments([], embeddings, { client, name: 'vectors' });
  const documents = ['aaa', 'aab', 'zzz'].map((pageContent) => new Document({ id: pageContent, pageContent }));
  await store.addVectors(await embeddings.embedDocuments(['aaa', 'aab', 'zzz']), documents);
  const [[nearest]] = (await store.similaritySearchVectorWithScore(await embeddings.embedQuery('zz'), 1)) as [
    [Document, number],
  ];
  assert.equal(nearest.id, 'zzz');
  assert.deepEqual(idsOf(await store.similaritySearch('aaa', 2)), ['aaa', 'aab']);
  const diverse = await store.maxMarginalRelevanceSearch('aaa', { k: 2, lambda: 0.1 });
  assert.deepEqual(idsOf(diverse), ['aaa', 'zzz']);
  const retriever = store.asRetriever({ k: 2, searchType: 'mmr', searchKwargs: { lambda: 0.1 } });
  assert.deepEqual(idsOf(await retriever.invoke('aaa')), ['aaa', 'zzz']);
});

test('retrievers search by meaning, by words and by both, with a filter', async () => {
  const store = await StrataVectorStore.fromTexts(texts, metadatas, null, { client, ids, name: 'retriever' });
  assert.deepEqual(idsOf(await store.asRetriever({ k: 1, filter: { topic: 'rail' } }).invoke('tea')), ['rail']);
  assert.deepEqual(idsOf(await new StrataRetriever({ store, mode: 'sparse' }).invoke('rails')), ['rail']);
  const hybrid = await new StrataRetriever({ store, k: 1, filter: { topic: 'tea' } }).invoke('boiling water');
  assert.deepEqual(idsOf(hybrid), ['black']);
});
