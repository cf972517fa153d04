import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { modelBackoffSeconds } from '../../functions/workers/file-task/steps/model-backoff.ts';
import { bundleProject } from '../../scripts/bundle.ts';
import { createExtractor, DelayedPicture } from '#documents';
import { ModelFault } from '../../shared/platform/models/call-model.ts';
import { scan } from '../../packages/documents/test/ocr/pictures.ts';
import { letterEmbedder } from '../support/letter-embedder.ts';

import { Pipeline } from './pipeline.ts';

const assetsDirectory = join(import.meta.dirname, '../../dist/functions/file-task');
const text = (words: string): Uint8Array => new TextEncoder().encode(words);

/** A model that sends so many requests away before it answers. */
const model = { faults: 0, asked: 0, passing: true };
/** Pictures for which the machine has no time. */
const busy = { pictures: 0 };
let pipeline: Pipeline;

before(async () => {
  await bundleProject();
  pipeline = await Pipeline.open({
    extractor: createExtractor({ assetsDirectory, processPath: join(assetsDirectory, 'read-files.cjs') }),
    ocr: {
      concurrency: 1,
      recognize: () => {
        // As much as a run has time for.
        pipeline.cloud.leftMs = 1_000;
        if ((busy.pictures -= 1) >= 0)
          return Promise.reject(new DelayedPicture('The service was too busy to read a picture'));
        return Promise.resolve({ text: 'A page of the log.', confidence: 1 });
      },
    },
    transcriber: null,
    embedder: {
      model: letterEmbedder.model,
      embed: (texts, dimensions) => {
        model.asked += 1;
        return model.asked > model.faults
          ? letterEmbedder.embed(texts, dimensions)
          : Promise.reject(new ModelFault('out of quota', { isTransient: model.passing, status: 429 }));
      },
    },
  });
});
after(() => pipeline.close());

test('an overloaded model delays a file and does not fail it', async () => {
  Object.assign(model, { faults: 9, asked: 0, passing: true });
  const job = await pipeline.ingest('late.txt', text('The herring fleet came home.'), {}, 'text/plain');
  assert.deepEqual([job.status, job.error, model.asked], ['completed', null, 10]);
  const { warnings } = pipeline.cloud;
  assert.deepEqual(
    warnings.map(({ message, job_id, ordinal, attempt, status, error }) => [
      message,
      job_id,
      ordinal,
      attempt,
      status,
      error instanceof ModelFault && error.message,
    ]),
    Array.from({ length: 9 }, (_, run) => ['a task waits for its model', job.id, 1, run + 1, 429, 'out of quota']),
  );
  for (const { waited_minutes } of warnings) assert.ok(Number.isInteger(waited_minutes));
});

test('a scan whose pages take many runs is read completely, and each page costs one credit', async () => {
  Object.assign(model, { faults: 0, asked: 0 });
  const job = await pipeline.ingest(
    'scan.pdf',
    await scan(['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.', 'Seven.']),
  );
  assert.deepEqual([job.status, job.error, job.chunks_written], ['completed', null, 7]);
  const { processing, tasks } = await pipeline.worked(job.id);
  assert.deepEqual([processing.ocr_credits, tasks[0]?.attempt_count], [7, 7]);
});

test('a picture for which the machine has no time is tried again, and only then named', async () => {
  Object.assign(model, { faults: 0, asked: 0 });
  busy.pictures = 1;
  const late = await pipeline.ingest('late.pdf', await scan(['One.', 'Two.']));
  assert.deepEqual([late.status, late.error, late.chunks_written], ['completed', null, 2]);
  busy.pictures = 2;
  const unread = await pipeline.ingest('unread.pdf', await scan(['Only.']));
  assert.equal(unread.error, 'The service was too busy to read a picture (page 1).');
});

test('a job fails if its model stays overloaded for a day', async () => {
  Object.assign(model, { faults: Infinity, asked: 0, passing: true });
  const endless = pipeline.ingest('endless.txt', text('Nobody hears of the cod.'), {}, 'text/plain');
  while (model.asked < 6) await setImmediate();
  pipeline.cloud.advance(25 * 3_600);
  const job = await endless;
  assert.deepEqual(
    [job.status, job.error],
    ['failed', 'A model is unavailable or overloaded; the task gave up waiting after 24 hours'],
  );
  const { error, ...told } = pipeline.cloud.warnings.at(-1) ?? {};
  assert.deepEqual(told, {
    message: 'task.model_wait.exhausted',
    organization_id: told['organization_id'],
    index_id: pipeline.indexId,
    job_id: job.id,
    ordinal: 1,
    attempt: model.asked,
    waited_minutes: 25 * 60,
    status: 429,
  });
  assert.ok(error instanceof ModelFault);
});

test('a permanent refusal of a model fails the job at once', async () => {
  Object.assign(model, { faults: Infinity, asked: 0, passing: false });
  await assert.rejects(pipeline.ingest('refused.txt', text('No word of eels.'), {}, 'text/plain'), ModelFault);
  assert.equal(model.asked, 1);
});

test('the delay of a throttled task doubles up to the maximum delay of the queue', () => {
  for (const [runs, least, most] of [
    [1, 60, 90],
    [2, 120, 180],
    [4, 480, 720],
    [5, 600, 900],
    [300, 600, 900],
  ] as const) {
    const pauses = new Set(Array.from({ length: 200 }, () => modelBackoffSeconds(runs)));
    assert.ok(Math.min(...pauses) >= least && Math.max(...pauses) <= most, `after ${runs} runs`);
    assert.ok(pauses.size > 10, 'they do not all come back at once');
  }
});
