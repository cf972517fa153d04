import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { bundleProject } from '../../scripts/bundle.ts';
import { createExtractor, StillTranscribing, type Utterance } from '#documents';
import { wav } from '../../packages/documents/test/transcribe/wav.ts';
import { Pipeline } from './pipeline.ts';

const assetsDirectory = join(import.meta.dirname, '../../dist/functions/file-task');

/** A model that is asked so often before it has an answer. */
const model: { waits: number; asked: number; endSeconds: number; hum: readonly Utterance[] } = {
  waits: 0,
  asked: 0,
  endSeconds: 3,
  hum: [],
};
let pipeline: Pipeline;

before(async () => {
  await bundleProject();
  pipeline = await Pipeline.open({
    extractor: createExtractor({ assetsDirectory, processPath: join(assetsDirectory, 'read-files.cjs') }),
    ocr: null,
    transcriber: {
      transcribe: () => {
        model.asked += 1;
        return model.asked > model.waits
          ? Promise.resolve([
              { text: 'The herring fleet came home.', startSeconds: 0, endSeconds: model.endSeconds },
              ...model.hum,
            ])
          : Promise.reject(new StillTranscribing());
      },
    },
  });
});
after(() => pipeline.close());

test('a slow transcription delays a recording and does not fail it', async () => {
  Object.assign(model, { waits: 9, asked: 0 });
  const job = await pipeline.ingest('long.wav', wav(3), {}, 'audio/wav');
  assert.deepEqual([job.status, job.error, model.asked], ['completed', null, 10]);
  assert.equal((await pipeline.worked(job.id)).processing.audio_credits, 1);
});

test('a recording that is longer than its container states costs its real length', async () => {
  Object.assign(model, { waits: 0, asked: 0, endSeconds: 150 });
  const job = await pipeline.ingest('short.wav', wav(1), {}, 'audio/wav');
  assert.equal((await pipeline.worked(job.id)).processing.audio_credits, 3);
});

test('a job names sound without recognized words, which costs like speech', async () => {
  Object.assign(model, { waits: 0, asked: 0, endSeconds: 3, hum: [{ text: '', startSeconds: 10, endSeconds: 75 }] });
  const { id, status, error } = await pipeline.ingest('hum.wav', wav(80), {}, 'audio/wav');
  Object.assign(model, { hum: [] });
  assert.deepEqual([status, error], ['completed', 'No words were recognized in the sound at 0:10–1:15.']);
  assert.equal((await pipeline.worked(id)).processing.audio_credits, 2);
});

test('a job fails if its transcription takes longer than a day', async () => {
  Object.assign(model, { waits: Infinity, asked: 0 });
  const endless = pipeline.ingest('endless.wav', wav(3), {}, 'audio/wav');
  while (model.asked < 3) await setImmediate();
  pipeline.cloud.advance(25 * 3_600);
  const job = await endless;
  assert.deepEqual(
    [job.status, job.error],
    ['failed', 'A recording is still being transcribed; the task gave up waiting after 24 hours'],
  );
});
