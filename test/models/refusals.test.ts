import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { createIndex } from '../../functions/indexes/create.ts';
import { denseSearch } from '../../functions/search/dense.ts';
import { indexReader } from '../../functions/services/index-reader/service.ts';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import { upsertVectors } from '../../functions/vectors/upsert.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { Runtime } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { silentLogger } from '../../shared/kernel/log.ts';
import { handleService } from '../../shared/pipeline/handle.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { answerOf, callOk, machine } from '../support/call.ts';
import { listedModels } from '../support/granted.ts';
import { stubAws } from '../support/stub-aws.ts';
import { type StubAnswer, StubModels } from './stub-models.ts';

const directory = await mkdtemp(join(tmpdir(), 'strata-refusals-'));
const cloud = new Cloud(directory);
const models = new StubModels();
const embeddings = 'POST /v1/embeddings';
const lines: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];
let runtime: Runtime;

/** Fake Lambda that runs the reader and reports its errors as Lambda does. */
const lambda: RequestListener = (request, response) => {
  const run = async (): Promise<void> => {
    const asked: unknown = JSON.parse(await text(request));
    try {
      response.end(JSON.stringify(await handleService(indexReader, { runtime })(asked, {} as never)));
    } catch (error) {
      assert.ok(error instanceof Error);
      const fault = { errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n') };
      response.setHeader('x-amz-function-error', 'Unhandled').end(JSON.stringify(fault));
    }
  };
  run().catch(() => request.socket.destroy());
};
stubAws('LAMBDA', lambda);

before(async () => {
  await Promise.all([cloud.start(), models.start()]);
  const { config } = cloud.runtime;
  runtime = {
    ...cloud.runtime,
    config: {
      ...config,
      models: {
        ...config.models,
        embeddingProvider: 'openai',
        embeddingModel: 'm',
        embeddingBaseUrl: models.openAiUrl,
        embeddingModels: listedModels,
      },
    },
    log: { ...silentLogger, error: (message, fields = {}) => lines.push({ message, fields }) },
  };
});
after(async () => {
  models.stop();
  await cloud.stop();
  await rm(directory, { recursive: true });
});

/** A caller with an index of the model. */
const anIndex = async (choice: object = { dimensions: 8 }) => {
  const caller = machine(newId('org', runtime.clock.now()));
  const { id } = await callOk(runtime, createIndex, caller, { body: { name: 'refused', ...choice } });
  await cloud.drain(indexWriter);
  return { caller, path: { index_id: id as string } };
};

type Ask = readonly [Endpoint, body: unknown];

/** The answer to a request whose text the model met with `answer`, and the cause that its error line names. */
const met = async (
  { caller, path }: Awaited<ReturnType<typeof anIndex>>,
  [endpoint, body]: Ask,
  answer: StubAnswer,
) => {
  models.script(embeddings, answer);
  const { statusCode, headers, body: told } = await answerOf(runtime, endpoint, caller, { path, body });
  const { code, detail, request_id } = JSON.parse(told) as Record<string, string>;
  const line = lines.find(({ message, fields }) => message === 'request.failed' && fields['request_id'] === request_id);
  const { error } = line?.fields ?? {};
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  return { refusal: [statusCode, code, headers['retry-after']], detail: detail ?? '', cause };
};

const requests: readonly Ask[] = [
  [upsertVectors, [{ id: 'a', text: 'The herring fleet' }]],
  [denseSearch, { text: 'The herring fleet' }],
];

test('permanent errors of the embedding model are distinguished from transient ones, and their cause is logged', async () => {
  const index = await anIndex();
  for (const ask of requests) {
    for (const status of [400, 401, 403, 404]) {
      const { refusal, detail, cause } = await met(index, ask, { status });
      assert.deepEqual(refusal, [503, 'unavailable', undefined]);
      assert.match(detail, /^The embedding model of this service refuses the request: .* operator/);
      assert.match(cause, new RegExp(`The embedding server \\(openai\\) responded with status ${status}`));
      assert.doesNotMatch(cause, /herring|stub-key/);
    }
    const busy = { status: 429, headers: { 'retry-after': '3600' } };
    const { refusal, detail, cause } = await met(index, ask, busy);
    assert.deepEqual([...refusal, detail], [503, 'unavailable', '1', 'The request could not be completed, try again']);
    assert.match(cause, /responded with status 429/);
  }
});

test('an index whose model is no longer deployed refuses text with the way on, and goes on with vectors', async () => {
  const { caller, path } = await anIndex({ embedding_model: 'openai/laboratory' });
  const { models: configured } = runtime.config;
  const without = { ...runtime, config: { ...runtime.config, models: { ...configured, embeddingModels: [] } } };
  const ask = async ([endpoint, body]: Ask) => {
    const { statusCode, body: answer } = await answerOf(without, endpoint, caller, { path, body });
    return { statusCode, answer: JSON.parse(answer) as Record<string, unknown> };
  };
  for (const request of requests) {
    const { statusCode, answer } = await ask(request);
    assert.deepEqual([statusCode, answer['code']], [409, 'conflict']);
    assert.match(String(answer['detail']), /the embedding model openai\/laboratory, .* give vectors in place of text/);
  }
  assert.equal((await ask([denseSearch, { vector: Array.from({ length: 768 }, () => 1) }])).statusCode, 200);
});
