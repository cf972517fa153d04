import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { IndexRecord } from '../../shared/indexes/index.ts';
import { readReranker } from '../../shared/platform/rerank/reranker-choice.ts';
import { bedrockReranker } from '../../shared/platform/rerank/bedrock-reranker.ts';
import { httpReranker } from '../../shared/platform/rerank/http-reranker.ts';
import { rerankModelsOf } from '../../shared/platform/rerank/rerank-models.ts';
import { searchProblems } from '../../shared/search/index.ts';
import { grantedActions } from '../support/granted.ts';
import { StubModels } from './stub-models.ts';

const stub = new StubModels();
before(() => stub.start());
after(() => stub.stop());
beforeEach(() => {
  stub.seen.length = 0;
});

const texts = ['Prices of tea rose.', 'Brew green tea at 80 degrees.', ''];
const inTime = (): boolean => false;

test('Bedrock scores each text in one request, over all pages of its response, and is billed by the query', async () => {
  const model = 'cohere.rerank-v3-5:0';
  const score = bedrockReranker({ region: 'us-east-1', modelId: model });
  stub.script(
    'POST /rerank',
    { body: { results: [{ index: 1, relevanceScore: 0.9 }], nextToken: 'more' } },
    {
      body: {
        results: [
          { index: 0, relevanceScore: 0.2 },
          { index: 2, relevanceScore: 0 },
        ],
      },
    },
  );
  assert.deepEqual(await score('How hot?', texts, inTime), { scores: [0.2, 0.9, 0], units: 1 });
  const source = (text: string) => ({
    type: 'INLINE',
    inlineDocumentSource: { type: 'TEXT', textDocument: { text } },
  });
  const request = {
    queries: [{ type: 'TEXT', textQuery: { text: 'How hot?' } }],
    sources: [...texts.slice(0, 2), '-'].map(source),
    rerankingConfiguration: {
      type: 'BEDROCK_RERANKING_MODEL',
      bedrockRerankingConfiguration: {
        numberOfResults: 3,
        modelConfiguration: { modelArn: `arn:aws:bedrock:us-east-1::foundation-model/${model}` },
      },
    },
  };
  assert.deepEqual(
    stub.seen.map(({ body }) => body),
    [request, { ...request, nextToken: 'more' }],
  );
  stub.script('POST /rerank', { status: 429, body: { __type: 'ThrottlingException', message: 'slow down' } });
  await assert.rejects(score('How hot?', texts, inTime), /slow down/);
  // A text without a score has none, so that the response of the function is not valid.
  stub.script('POST /rerank', { body: { results: [] } });
  assert.ok((await score('How hot?', texts, inTime)).scores.every(Number.isNaN));
});

test('services with POST /rerank are understood in all their forms', async () => {
  const found = [
    { index: 1, score: 0.9 },
    { index: 0, score: 0.2 },
    { index: 2, score: 0 },
  ];
  const named = found.map(({ index, score }) => ({ index, relevance_score: score }));
  const forms = {
    cohere: [{ id: 'r', results: named, meta: { billed_units: { search_units: 1 } } }, 1],
    jina: [{ model: 'jina', results: named, usage: { total_tokens: 31 } }, 31],
    voyage: [{ object: 'list', data: named, usage: { total_tokens: 26 } }, 26],
    vllm: [{ id: 'r', results: named.map((one) => ({ ...one, document: { text: '' } })) }, 3],
    tei: [found, 3],
  } as const;
  for (const [name, [body, units]] of Object.entries(forms)) {
    const field = name === 'tei' ? ('texts' as const) : ('documents' as const);
    const readKey = name === 'tei' ? null : async () => 'secret';
    const score = httpReranker({ baseUrl: stub.openAiUrl, model: 'm', field, readKey });
    stub.script('POST /v1/rerank', { body });
    assert.deepEqual(await score('How hot?', texts, inTime), { scores: [0.2, 0.9, 0], units }, name);
    const { headers, body: sent } = stub.seen.at(-1) ?? assert.fail();
    assert.equal(headers.authorization, readKey === null ? undefined : 'Bearer secret');
    const asked = { query: 'How hot?', [field]: texts };
    assert.deepEqual(sent, name === 'tei' ? { ...asked, truncate: true } : { model: 'm', ...asked });
  }
  const score = httpReranker({ baseUrl: stub.openAiUrl, model: 'm', field: 'documents', readKey: null });
  for (const answer of [{ status: 500 }, { body: { result: 'none' } }, { body: 'text' }, { status: 307 }]) {
    stub.script('POST /v1/rerank', answer);
    await assert.rejects(score('How hot?', texts, inTime));
  }
});

test('the choice of a deployment decides its rerankers and what their function may do', () => {
  const ids = (choice: unknown) => rerankModelsOf(readReranker(choice)).map(({ id }) => id);
  const embedded = ids(undefined);
  assert.equal(embedded.length, 2);
  assert.deepEqual(ids('{"provider":"off"}'), []);
  const choices: readonly (readonly [choice: object, id: string, rights: readonly string[]])[] = [
    [
      { provider: 'bedrock', model: 'amazon.rerank-v1:0' },
      'bedrock/amazon.rerank-v1:0',
      ['bedrock:Rerank *', 'bedrock:InvokeModel arn:aws:bedrock:us-east-1::foundation-model/amazon.rerank-v1:0'],
    ],
    [
      { provider: 'http', model: 'bge', base_url: 'https://rerank.example.com/v1/' },
      'http/bge',
      ['ssm:GetParameter arn:aws:ssm:us-east-1:000000000000:parameter/test/rerank-api-key'],
    ],
    [{ provider: 'http', model: 'bge', base_url: 'http://127.0.0.1:8080', api_key: null }, 'http/bge', []],
    [{ provider: 'model-folder', model: 'own', directory: '/models/own' }, 'model-folder/own', []],
  ];
  for (const [choice, id, rights] of choices) {
    assert.deepEqual(ids(choice), [id, ...embedded]);
    assert.deepEqual(grantedActions('models.rerank', { reranker: readReranker(choice) }), rights);
  }
  assert.deepEqual(grantedActions('models.rerank', { reranker: readReranker(undefined) }), []);
  for (const [wrong, reason] of [
    ['{', /neither an object nor JSON/],
    [{ provider: 'http', model: 'bge', base_url: 'http://example.com' }, /must be https/],
    [{ provider: 'http', model: 'bge', base_url: 'https://a.example', api_key: 'svix-api-key' }, /rerank-api-key/],
    [{ provider: 'bedrock', model: 'other' }, /model/],
    [{ provider: 'other' }, /provider/],
  ] as const)
    assert.throws(() => readReranker(wrong), reason);
});

test('a search that requests a reranker is refused if the deployment has none, and a cursor with a remote one is too', async () => {
  // Cast: only these fields of an index are read.
  const index = { engine: 'lance', nonFilterableKeys: [], searchDefaults: null } as unknown as IndexRecord;
  const problemsOf = async (choice: unknown, body: object): Promise<readonly unknown[]> => {
    const deps = { rerankModels: { all: rerankModelsOf(readReranker(choice)) } };
    const problems = await searchProblems('dense')({ body, sent: body, prefetched: Promise.resolve({ index }), deps });
    return problems.map(({ loc }) => loc);
  };
  const search = { text: 'tea', rerank: {} };
  assert.deepEqual(await problemsOf({ provider: 'off' }, search), [['body', 'rerank']]);
  assert.deepEqual(await problemsOf(undefined, { ...search, cursor: 'any' }), []);
  const remote = { provider: 'bedrock', model: 'amazon.rerank-v1:0' };
  assert.deepEqual(await problemsOf(remote, search), []);
  assert.deepEqual(await problemsOf(remote, { ...search, cursor: 'any' }), [['body', 'cursor']]);
});
