import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { systemClock } from '../../../../shared/kernel/clock.ts';
import type { ContentReader } from '../../../../shared/platform/aws/objects.ts';
import { StillTranscribing, UnusableRecording } from '../../src/transcribe/port.ts';
import { readTranscript } from '../../src/transcribe/read-transcript.ts';
import { createAmazonTranscriber } from '../../src/transcribe/transcribe.ts';
import { StubModels } from '../../../../test/models/stub-models.ts';
import { transcriptOf } from './transcript.ts';

const stub = new StubModels();
const operation = (name: string): string => `Transcribe.${name}`;
const objects = new Map<string, Uint8Array>();
before(() => stub.start());
after(() => stub.stop());
beforeEach(() => {
  stub.seen.length = 0;
  objects.clear();
});

const content: ContentReader = {
  head: async () => null,
  get: async (_, key) => objects.get(key) ?? null,
};
const transcriber = createAmazonTranscriber({
  content,
  bucket: (region) => `content-${region}`,
  jobPrefix: 'test-audio-',
  clock: systemClock,
  pollMs: 5,
});
const recording = { region: 'eu-west-1', key: 'batches/a/recording', mediaType: 'audio/wav', id: 'task_1-m1' };

/** Lets a job run for some looks at it, then end. */
const scriptJob = (looks: number, end: object): void => {
  let looked = 0;
  stub.replaced.set(operation('StartTranscriptionJob'), ({ TranscriptionJobName }) => ({
    body: { TranscriptionJob: { TranscriptionJobName, TranscriptionJobStatus: 'IN_PROGRESS' } },
  }));
  stub.replaced.set(operation('GetTranscriptionJob'), ({ TranscriptionJobName }) => {
    looked += 1;
    const state = looked > looks ? end : { TranscriptionJobStatus: 'IN_PROGRESS' };
    return { body: { TranscriptionJob: { TranscriptionJobName, ...state } } };
  });
  stub.replaced.set(operation('DeleteTranscriptionJob'), () => ({ body: {} }));
};

test('a recording becomes utterances with their times', async () => {
  scriptJob(2, { TranscriptionJobStatus: 'COMPLETED' });
  objects.set(
    'batches/a/recording.json',
    Buffer.from(JSON.stringify(transcriptOf('The comets return. Watch the sky.'))),
  );
  const spoken = await transcriber.transcribe(recording, 5_000);
  assert.deepEqual(spoken, [{ text: 'The comets return. Watch the sky.', startSeconds: 0, endSeconds: 2.9 }]);
  assert.deepEqual(stub.seen[0]?.body, {
    TranscriptionJobName: 'test-audio-task_1-m1',
    IdentifyLanguage: true,
    MediaFormat: 'wav',
    Media: { MediaFileUri: 's3://content-eu-west-1/batches/a/recording' },
    OutputBucketName: 'content-eu-west-1',
    OutputKey: 'batches/a/recording.json',
  });
  assert.deepEqual(
    stub.seen.map((request) => request.operation.replace('Transcribe.', '')),
    [
      'StartTranscriptionJob',
      'GetTranscriptionJob',
      'GetTranscriptionJob',
      'GetTranscriptionJob',
      'DeleteTranscriptionJob',
    ],
  );
});

test('a transcription job is started once over several calls and polled until it ends', async () => {
  scriptJob(2, { TranscriptionJobStatus: 'COMPLETED' });
  const exists = { status: 400, body: { __type: 'ConflictException', Message: 'exists' } };
  stub.script(operation('StartTranscriptionJob'), exists, exists);
  objects.set('batches/a/recording.json', Buffer.from(JSON.stringify(transcriptOf('The comets return.'))));
  await assert.rejects(transcriber.transcribe(recording, 0), StillTranscribing);
  assert.equal(stub.count(operation('GetTranscriptionJob')), 1);
  const spoken = await transcriber.transcribe(recording, 5_000);
  assert.deepEqual(spoken, [{ text: 'The comets return.', startSeconds: 0, endSeconds: 1.4 }]);
  assert.equal(stub.count(operation('GetTranscriptionJob')), 3);
});

test('a recording that Transcribe cannot read fails permanently, with the reason', async () => {
  scriptJob(0, { TranscriptionJobStatus: 'FAILED', FailureReason: 'The media format does not match the file.' });
  await assert.rejects(transcriber.transcribe(recording, 5_000), (error) => {
    assert.ok(error instanceof UnusableRecording);
    assert.match(error.message, /media format does not match/);
    return true;
  });
  await assert.rejects(transcriber.transcribe({ ...recording, mediaType: 'audio/midi' }, 5_000), UnusableRecording);
});

test('a long transcript is cut at sentences without loss', () => {
  const text = Array.from({ length: 200 }, (_, at) => `Sentence number ${at} was spoken slowly.`).join(' ');
  const spoken = readTranscript(transcriptOf(text));
  assert.equal(spoken.map((part) => part.text).join(' '), text);
  assert.ok(spoken.length > 5);
  for (const part of spoken) {
    assert.match(part.text, /^Sentence .*slowly\.$/s);
    assert.ok(part.endSeconds > part.startSeconds && part.endSeconds - part.startSeconds < 90);
  }
});
