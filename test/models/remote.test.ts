import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { builtInCrawler, builtInDelivery, embeddedModels, providersOwnStorages } from '../../shared/kernel/config.ts';
import { silentLogger } from '../../shared/kernel/log.ts';
import { bedrockModel } from '../../shared/platform/models/bedrock.ts';
import { createCachedEmbedder } from '../../shared/platform/models/cache.ts';
import {
  type CallPolicy,
  createCaller,
  defaultCallPolicy,
  ModelFault,
} from '../../shared/platform/models/call-model.ts';
import { embedderUse } from '../../shared/platform/models/capability.ts';
import { readModelList } from '../../shared/platform/models/model-list.ts';
import { openAiModel } from '../../shared/platform/models/openai.ts';
import { UnknownModel } from '../../shared/platform/models/port.ts';
import { createRemoteEmbedder } from '../../shared/platform/models/remote.ts';
import { listedModels } from '../support/granted.ts';
import { StubModels, vectorOf } from './stub-models.ts';

const stub = new StubModels();
before(() => stub.start());
after(() => stub.stop());
beforeEach(() => {
  stub.seen.length = 0;
});

const titan = 'POST /model/amazon.titan-embed-text-v2:0/invoke';
const openAi = 'POST /v1/embeddings';

/** `Retry-After` may be a date. */
const clock = { now: () => new Date('2026-06-15T12:00:00Z') };
const inThreeSeconds = { 'retry-after': 'Mon, 15 Jun 2026 12:00:03 GMT' };

/** A policy whose pauses pass at once and are noted. */
const noted = (changes: Partial<CallPolicy> = {}) => {
  const pauses: number[] = [];
  const pause = async (ms: number): Promise<void> => {
    pauses.push(ms);
  };
  return { pauses, policy: { ...defaultCallPolicy, random: () => 1, pause, ...changes } };
};

const bedrock = (policy?: CallPolicy) =>
  createRemoteEmbedder(bedrockModel({ region: 'us-east-1', modelId: 'amazon.titan-embed-text-v2:0', clock }), policy);
const compatible = (policy?: CallPolicy) =>
  createRemoteEmbedder(
    openAiModel({ baseUrl: stub.openAiUrl, model: 'nomic-embed-text', readKey: async () => 'stub-key', clock }),
    policy,
  );

const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);

test('Bedrock returns its own size if the index has it, else its nearest size is projected', async () => {
  const texts = ['the first text', 'a second one', ''];
  const embedder = bedrock();
  const own = await embedder.embed(texts, 512);
  const bodies = stub.seen.map(({ body }) => body).toSorted((a, b) => (a.inputText < b.inputText ? -1 : 1));
  assert.deepEqual(bodies, [
    { inputText: 'a second one', dimensions: 512, normalize: true },
    { inputText: 'the first text', dimensions: 512, normalize: true },
  ]);
  assert.equal(own.tokens, 6);
  const [first = new Float32Array()] = own.vectors;
  assert.ok(dot(first, Float32Array.from(vectorOf('the first text', 512))) > 0.999_99);
  for (const dimensions of [8, 300, 1_536, 4_096]) {
    const { vectors } = await embedder.embed(texts, dimensions);
    assert.deepEqual(
      vectors.map(({ length }) => length),
      [dimensions, dimensions, dimensions],
    );
    for (const vector of vectors) assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-5);
  }
  assert.deepEqual(
    [...new Set(stub.seen.map(({ body }) => body.dimensions))].toSorted((a, b) => a - b),
    [256, 512, 1_024],
  );
  const large = await embedder.embed(texts, 4_096);
  const [a = new Float32Array(), b = new Float32Array()] = large.vectors;
  const native = dot(
    Float32Array.from(vectorOf(texts[0] ?? '', 1_024)),
    Float32Array.from(vectorOf(texts[1] ?? '', 1_024)),
  );
  assert.ok(Math.abs(dot(a, b) - native) < 1e-5, 'a larger index keeps every cosine');
});

test('an OpenAI-compatible service receives its key and texts in batches, each text once, and may respond in any order', async () => {
  const texts = Array.from({ length: 300 }, (_, at) => `text ${at % 150} ${'x'.repeat(500)}`);
  const { vectors, tokens } = await compatible().embed(texts, 768);
  assert.equal(stub.count(openAi), 2);
  for (const { headers, body } of stub.seen) {
    assert.equal(headers.authorization, 'Bearer stub-key');
    assert.equal(body.model, 'nomic-embed-text');
    assert.ok(body.input.length <= 96);
  }
  assert.equal(tokens, 150 * 7);
  for (const [at, vector] of vectors.entries()) {
    assert.ok(dot(vector, Float32Array.from(vectorOf(texts[at] ?? '', 768))) > 0.999_99);
  }
});

test('a text longer than the model accepts is embedded in windows', async () => {
  const long = Array.from({ length: 4_000 }, (_, at) => `${at}`.padStart(5, '-')).join('');
  const { vectors } = await bedrock().embed([long], 256);
  assert.equal(stub.count(titan), 3);
  assert.ok(Math.abs(dot(vectors[0] ?? new Float32Array(), vectors[0] ?? new Float32Array()) - 1) < 1e-5);
});

test('no window has more tokens than the model accepts, in any script', async () => {
  const parts = ['法律はすべての人に平等である。', 'မြန်မာနိုင်ငံ၏', 'ሁሉም ሰው ነፃ ሆኖ ተወልዷል', '🐘🦏', 'a\ud800'];
  const texts = parts.map((part) => Array.from({ length: 2_000 }, (_, at) => part + String(at)).join(' '));
  await bedrock().embed(texts, 256);
  await compatible().embed(texts, 256);
  const sent = stub.seen.flatMap(({ body }): readonly string[] => body.inputText ?? body.input);
  // A tokenizer that falls back to bytes makes one token of each at most.
  for (const window of sent) assert.ok(Buffer.byteLength(window) <= 8_192, `${Buffer.byteLength(window)} bytes`);
  const lengthOf = (all: readonly string[]): number => all.reduce((sum, text) => sum + text.length, 0);
  assert.equal(lengthOf(sent), 2 * lengthOf(texts));
  for (const [at, text] of texts.entries()) {
    const start = parts[at]?.toWellFormed() ?? '';
    const first = sent.filter((window) => window.startsWith(`${start}0 `));
    assert.deepEqual(
      first.map((window) => text.toWellFormed().startsWith(window)),
      [true, true],
    );
  }
});

test('transient errors are retried after growing pauses, or after the pause that the server requests', async () => {
  const { pauses, policy } = noted();
  stub.script(titan, { status: 429, body: { message: 'Too many requests' } }, { status: 503 });
  await bedrock(policy).embed(['a text'], 256);
  assert.deepEqual(pauses, [400, 800]);
  pauses.length = 0;
  stub.script(openAi, { status: 429, headers: { 'retry-after': '3' } }, { status: 500 });
  await compatible(policy).embed(['a text'], 256);
  assert.deepEqual(pauses, [3_000, 800]);
  for (const [operation, embedder] of [
    [titan, bedrock(policy)],
    [openAi, compatible(policy)],
  ] as const) {
    pauses.length = 0;
    stub.script(operation, { status: 429, headers: inThreeSeconds, body: { message: 'Too many requests' } });
    await embedder.embed(['a text'], 256);
    assert.deepEqual(pauses, [3_000], operation);
  }
});

test('a permanent error is not retried, and a transient one fails after four attempts', async () => {
  const { policy } = noted();
  stub.script(titan, { status: 400, headers: { 'x-amzn-errortype': 'ValidationException' }, body: { message: 'no' } });
  await assert.rejects(bedrock(policy).embed(['a text'], 256), /ValidationException/);
  assert.equal(stub.count(titan), 1);
  stub.script(openAi, { status: 500 }, { status: 502 }, { status: 503 }, { status: 504 });
  await assert.rejects(compatible(policy).embed(['a text'], 256), /responded with status 504/);
  assert.equal(stub.count(openAi), 4);
  const late = noted({ maxPauseMs: 1_000 });
  stub.script(openAi, { status: 429, headers: { 'retry-after': '3600' } });
  await assert.rejects(compatible(late.policy).embed(['a text'], 256), /responded with status 429/);
  assert.deepEqual(late.pauses, []);
});

test('consecutive errors open the circuit breaker, and a probe closes it', async () => {
  let nowMs = 0;
  const { policy } = noted({ attempts: 1, failureThreshold: 3, openMs: 1_000, nowMs: () => nowMs });
  const call = createCaller(policy);
  let sent = 0;
  const failing = () => {
    sent += 1;
    return Promise.reject(new ModelFault('down', { isTransient: true }));
  };
  const working = async () => {
    sent += 1;
    return 'done';
  };
  for (let at = 0; at < 10; at += 1) await assert.rejects(call(failing), ModelFault);
  assert.equal(sent, 3);
  nowMs = 1_000;
  const probes = await Promise.allSettled([call(failing), call(failing), call(failing)]);
  assert.deepEqual([sent, probes.length], [4, 3]);
  nowMs = 1_999;
  await assert.rejects(call(working), /circuit breaker/);
  nowMs = 2_000;
  assert.equal(await call(working), 'done');
  assert.equal(await call(working), 'done');
  assert.equal(sent, 6);
});

test('unchanged texts are served from the cache, a changed one affects its group, and organizations share nothing', async () => {
  const kept = new Map<string, Uint8Array>();
  const store = {
    get: async (key: string) => kept.get(key) ?? null,
    put: async (key: string, body: Uint8Array) => {
      kept.set(key, body);
    },
  };
  // Chunks of a hundred pages.
  const texts = Array.from({ length: 400 }, (_, at) => `Chunk ${at} of a long file that nobody has changed.`);
  const paid = new Map<string, number>();
  const asked: number[] = [];
  const embedFor = (tenant: string, payer: string, some: readonly string[]) => {
    paid.clear();
    const onPaid = async (group: string, tokens: number): Promise<void> => void paid.set(group, tokens);
    const onMissing = async (missing: readonly string[]): Promise<void> => void asked.push(missing.length);
    return createCachedEmbedder(bedrock(), store, { tenant, payer, onPaid, onMissing }).embed(some, 300);
  };
  const paidTokens = (): number => [...paid.values()].reduce((sum, tokens) => sum + tokens, 0);
  const first = await embedFor('org_a', 'task_1', texts);
  assert.equal(stub.count(titan), 400);
  assert.ok(kept.size < 25, `${kept.size} objects`);
  assert.deepEqual([paid.size, paidTokens()], [kept.size, first.tokens]);
  const groups = [...paid.keys()].toSorted();
  const again = await embedFor('org_a', 'task_2', texts);
  assert.equal(stub.count(titan), 400);
  assert.deepEqual(again.vectors, first.vectors);
  assert.deepEqual([again.tokens, paid.size], [0, 0]);
  assert.equal((await embedFor('org_a', 'task_1', texts)).tokens, first.tokens, 'a further attempt of the same task');
  assert.deepEqual([[...paid.keys()].toSorted(), paidTokens()], [groups, first.tokens]);
  const changed = [...texts.slice(0, 200), 'An inserted chunk.', ...texts.slice(200)];
  await embedFor('org_a', 'task_3', changed);
  const extra = stub.count(titan) - 400;
  assert.ok(extra >= 1 && extra <= 128, `${extra} requests`);
  await embedFor('org_b', 'task_4', texts);
  assert.equal(stub.count(titan) - 400 - extra, 400);
  // `onMissing` receives the texts before the model reads them, and is not called without any.
  assert.deepEqual(asked, [400, extra, 400]);
});

test('no vectors are cached that are not paid for, and nothing is requested after payment stops', async () => {
  const kept: string[] = [];
  const store = { get: async () => null, put: async (key: string) => void kept.push(key) };
  const texts = Array.from({ length: 400 }, (_, at) => `Chunk ${at} of a file that somebody has deleted meanwhile.`);
  let groups = 0;
  const onPaid = async (): Promise<void> => {
    groups += 1;
    if (groups > 2) throw new Error('nobody pays');
  };
  const embedder = createCachedEmbedder(bedrock(), store, {
    tenant: 'org_c',
    payer: 'task_1',
    onPaid,
    onMissing: () => Promise.resolve(),
  });
  await assert.rejects(embedder.embed(texts, 300), /nobody pays/);
  assert.equal(kept.length, 2);
  assert.ok(groups <= 4 && stub.count(titan) <= 4 * 64, `${groups} groups, ${stub.count(titan)} requests`);
});

/** Opens the embedders of a function whose deployment has a model behind OpenAI's interface. */
const embeddersOf = (embeddingModel: string) => {
  const config = {
    deployment: 'test',
    accountId: '000000000000',
    homeRegion: 'us-east-1',
    regions: ['us-east-1'],
    region: 'us-east-1',
    identityIssuer: '',
    identityKeys: null,
    identityAudience: [],
    allowLocalWebhooks: false,
    vectorsDirectory: null,
    assetsDirectory: '.',
    delivery: builtInDelivery,
    crawl: builtInCrawler,
    imports: providersOwnStorages,
    models: {
      ...embeddedModels,
      embeddingProvider: 'openai' as const,
      embeddingModel,
      embeddingBaseUrl: stub.openAiUrl,
      embeddingModels: listedModels,
    },
  };
  return embedderUse.make({ config, clock: { now: () => new Date() }, log: silentLogger });
};

test('a function opens the model of an index by its name, with the key of the Parameter Store', async () => {
  const open = embeddersOf('nomic-embed-text');
  const embedder = open('openai/nomic-embed-text');
  await embedder.embed(['one'], 64);
  await embedder.embed(['two'], 64);
  assert.equal(stub.count('AmazonSSM.GetParameter'), 1);
  assert.deepEqual(stub.seen[0]?.body, { Name: '/test/embedding-api-key', WithDecryption: true });
  assert.equal(stub.seen[1]?.headers.authorization, 'Bearer stub-key');
  assert.equal(open('embedded-minilm-l6-v2').model, 'embedded-minilm-l6-v2');
  for (const missing of ['bedrock/amazon.titan-embed-text-v2:0', 'embedded-use-v1'])
    assert.throws(() => open(missing), UnknownModel);
});

test('a model that reads queries and documents differently gets its prefixes or input types', async () => {
  const bodiesOf = async (configured: string, stored: string): Promise<readonly unknown[]> => {
    const from = stub.seen.length;
    const embedder = embeddersOf(configured)(stored);
    assert.equal(embedder.model, stored);
    await embedder.embed(['tea'], 64, 'query');
    await embedder.embed(['tea'], 64);
    return stub.seen.slice(from).flatMap(({ operation, body }) => (operation === openAi ? [body] : []));
  };
  const sent = (model: string, input: string, fields: object = { encoding_format: 'float' }) => ({
    model,
    input: [input],
    ...fields,
  });
  const prefixed = {
    'nomic-embed-text:latest': ['search_query: ', 'search_document: '],
    'intfloat/multilingual-e5-base': ['query: ', 'passage: '],
  };
  for (const [model, [query, document]] of Object.entries(prefixed)) {
    const bodies = await bodiesOf(model, `openai/${model}`);
    assert.deepEqual(bodies, [sent(model, `${query}tea`), sent(model, `${document}tea`)]);
  }
  assert.deepEqual(await bodiesOf('embed-v4.0', 'openai/embed-v4.0'), [
    sent('embed-v4.0', 'tea', { encoding_format: 'float', input_type: 'search_query' }),
    sent('embed-v4.0', 'tea', { encoding_format: 'float', input_type: 'search_document' }),
  ]);
  assert.deepEqual(await bodiesOf('voyage-3.5', 'openai/voyage-3.5'), [
    sent('voyage-3.5', 'tea', { input_type: 'query' }),
    sent('voyage-3.5', 'tea', { input_type: 'document' }),
  ]);
  const plain = 'text-embedding-3-small';
  assert.deepEqual(await bodiesOf(plain, `openai/${plain}`), [sent(plain, 'tea'), sent(plain, 'tea')]);
});

test('each model of a list is called at its provider, with its own key and the size of the index', async () => {
  const open = embeddersOf('nomic-embed-text');
  const { vectors } = await open('openai/laboratory').embed(['tea'], 768);
  assert.ok(dot(vectors[0] ?? new Float32Array(), Float32Array.from(vectorOf('tea', 768))) > 0.999_99);
  assert.equal(stub.seen[0]?.body.Name, '/test/embedding-api-key-laboratory');
  assert.equal(stub.seen[1]?.body.model, 'laboratory');
  stub.seen.length = 0;
  const third = await open('bedrock/cohere.embed-multilingual-v3').embed(['tea', 'rye'], 1_024, 'query');
  const fourth = await open('bedrock/cohere.embed-v4:0').embed(['tea'], 512);
  assert.deepEqual(
    stub.seen.map(({ body }) => body),
    [
      { texts: ['tea', 'rye'], embedding_types: ['float'], input_type: 'search_query', truncate: 'END' },
      { texts: ['tea'], embedding_types: ['float'], input_type: 'search_document', output_dimension: 512 },
    ],
  );
  assert.deepEqual([third.tokens, fourth.tokens], [14, 7], 'the header of Bedrock counts the tokens');
  assert.deepEqual([third.vectors.length, fourth.vectors[0]?.length], [2, 512]);
});

test('a model of Bedrock that a deployment does not list is denied to its functions', async () => {
  const unlisted = bedrockModel({ region: 'us-east-1', modelId: 'cohere.embed-english-v3', clock });
  await assert.rejects(createRemoteEmbedder(unlisted).embed(['tea'], 1_024), (error: unknown) => {
    assert.ok(error instanceof ModelFault && !error.isTransient);
    return true;
  });
});

test('a list of embedding models is refused with the entry that is wrong', () => {
  const openAi = { provider: 'openai', model: 'm' } as const;
  const lists: readonly (readonly [list: unknown, reason: RegExp])[] = [
    ['{', /neither a list nor JSON/],
    [[{ provider: 'bedrock', model: 'amazon.nova-lite' }], /\[0\]\.model/],
    [[{ ...openAi, base_url: 'http://models.example.com/v1' }], /must be https[^]*\[0\]\.base_url/],
    [[{ ...openAi, api_key: 'svix-api-key' }], /embedding-api-key[^]*\[0\]\.api_key/],
    [[openAi, { ...openAi, dimensions: [64] }], /openai\/m is listed twice/],
    [[{ ...openAi, dimension: 64 }], /dimension/],
    [Array.from({ length: 40 }, (_, at) => ({ ...openAi, model: `model-${at}` })), /bytes as JSON, 2000 are possible/],
  ];
  for (const [list, reason] of lists) assert.throws(() => readModelList(list), reason);
  assert.deepEqual(readModelList(JSON.stringify([{ ...openAi, base_url: 'http://localhost:11434/v1/' }])), [
    { ...openAi, base_url: 'http://localhost:11434/v1', api_key: 'embedding-api-key' },
  ]);
});
