import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ContentReader } from '../../../../shared/platform/aws/objects.ts';
import { createFolderTranscriber } from '../../src/transcribe/model-folder.ts';
import { StillTranscribing, UnusableRecording } from '../../src/transcribe/port.ts';
import { tinySpeechModel } from './tiny-model.ts';
import { telephoneWav, wav } from './wav.ts';

const projectDirectory = join(import.meta.dirname, '../../../..');
const processPath = join(projectDirectory, 'packages/documents/src/transcribe/transcription-process.mjs');
const speech = { model: { wenetCtc: { model: 'model.onnx' }, tokens: 'tokens.txt' } };
const objects = new Map<string, Uint8Array>();
const content: ContentReader = { head: async () => null, get: async (_, key) => objects.get(key) ?? null };
let root: string;
let calls = 0;

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'strata-speech-'));
});
after(() => rm(root, { recursive: true, force: true }));

/** Creates a speech model folder: npm packages, the model, and its description. */
const fill = async (
  name: string,
  { packages = ['sherpa-onnx'], files = {} }: { packages?: readonly string[]; files?: Record<string, unknown> } = {},
): Promise<string> => {
  const folder = join(root, name);
  await mkdir(folder);
  for (const wanted of packages)
    await cp(join(projectDirectory, 'node_modules', wanted), join(folder, 'node_modules', wanted), { recursive: true });
  for (const [file, body] of Object.entries({ ...tinySpeechModel(), 'speech.json': speech, ...files })) {
    if (body === null) continue;
    await writeFile(join(folder, file), body instanceof Uint8Array ? body : JSON.stringify(body));
  }
  return folder;
};

const hear = (folder: string, bytes: Uint8Array, waitMs = 60_000) => {
  calls += 1;
  const key = `batches/${calls}`;
  objects.set(key, bytes);
  const recording = { region: 'us-east-1', key, mediaType: 'audio/wav', id: key };
  const transcriber = createFolderTranscriber({ folder, content, processPath });
  return { transcriber, recording, spoken: transcriber.transcribe(recording, waitMs) };
};

// Swelling and fading, for a tone that begins at once is a click, which is high.
const tone = (hertz: number, second: number): number =>
  0.5 * Math.sin(Math.PI * (second % 1)) * Math.sin(2 * Math.PI * hertz * second);
/** A low tone, a pause, a high tone, a pause: one second each. */
const said = (second: number): number =>
  second < 1 ? tone(300, second) : second >= 2 && second < 3 ? tone(3_000, second) : 0;

test("a user's speech model transcribes a recording in segments that end in a pause", async () => {
  const folder = await fill('good');
  assert.deepEqual(await hear(folder, wav(4, said)).spoken, [
    { text: 'comets return', startSeconds: 0, endSeconds: 3 },
  ]);
  assert.deepEqual(await hear(folder, wav(2)).spoken, []);
  // Both words once a minute: two stretches of sound, cut within the silence, and none where nothing is said.
  const spoken = await hear(
    folder,
    wav(64, (second) => said(second % 60)),
  ).spoken;
  assert.equal(spoken.length, 2);
  // A model of one layer may hear the edge of a tone as the other word.
  for (const { text } of spoken) assert.match(text, /comets return$/);
  assert.ok(
    spoken.every(({ startSeconds, endSeconds }) => endSeconds - startSeconds <= 28),
    JSON.stringify(spoken),
  );
  assert.deepEqual([spoken[1]?.startSeconds, spoken[1]?.endSeconds], [60, 63]);
});

test('telephone sound is transcribed like uncompressed sound', async () => {
  const folder = await fill('telephone');
  for (const law of ['a-law', 'mu-law'] as const) {
    const [utterance] = await hear(folder, telephoneWav(4, said, law)).spoken;
    assert.match(utterance?.text ?? '', /return$/, law);
    assert.deepEqual([utterance?.startSeconds, utterance?.endSeconds], [0, 3], law);
  }
});

test('sound without words is returned as a stretch without text', async () => {
  const folder = await fill('deaf', { files: tinySpeechModel(-1_000) });
  const heard = await hear(
    folder,
    wav(6, (second) => (second < 5 ? tone(300, second) : 0)),
  ).spoken;
  assert.deepEqual(heard, [{ text: '', startSeconds: 0, endSeconds: 5 }]);
});

test('a transcription that takes longer than the caller waits continues, and the next call gets it', async () => {
  const { transcriber, recording, spoken } = hear(await fill('slow'), wav(4, said), 1);
  await assert.rejects(spoken, StillTranscribing);
  objects.delete(recording.key);
  objects.set(recording.key, Buffer.from('another recording'));
  const [utterance] = await transcriber.transcribe(recording, 60_000);
  assert.equal(utterance?.text, 'comets return');
});

test('a missing, empty or wrong speech model folder fails permanently, with the reason', async () => {
  const refusals: readonly (readonly [string, RegExp, Uint8Array?])[] = [
    [join(root, 'nowhere'), /^The folder of the speech model does not exist$/],
    [await fill('empty', { files: { 'speech.json': null } }), /has no speech\.json$/],
    [await fill('text', { files: { 'speech.json': Buffer.from('model: whisper') } }), /speech\.json .* is not JSON$/],
    [await fill('hollow', { files: { 'speech.json': {} } }), /has no "model"$/],
    [await fill('absent', { files: { 'model.onnx': null } }), /^speech\.json names model\.onnx, which is not in/],
    [
      await fill('outside', { files: { 'speech.json': { model: { tokens: '../good/tokens.txt' } } } }),
      /^speech\.json names \.\.\/good\/tokens\.txt, which is not in/,
    ],
    [await fill('bare', { packages: [] }), /^Neither sherpa-onnx-node nor sherpa-onnx is installed/],
    [
      await fill('noise', { files: { 'model.onnx': Buffer.alloc(2_000, 7) } }),
      /^The speech model could not be (?:loaded|used)/,
    ],
    [
      await fill('kind', {
        files: { 'speech.json': { model: { tdnn: { model: 'tokens.txt' }, tokens: 'tokens.txt' } } },
      }),
      /^The speech model could not be (?:loaded|used)/,
    ],
    [
      join(root, 'good'),
      /^The speech model reads only WAV, uncompressed or by G\.711/,
      Buffer.from('ID3 something else'),
    ],
    [join(root, 'good'), /^The recording is damaged/, Buffer.from('RIFF\0\0\0\0WAVEjunk')],
  ];
  for (const [folder, message, bytes = wav(1, said)] of refusals) {
    await assert.rejects(hear(folder, bytes).spoken, (error) => {
      assert.ok(error instanceof UnusableRecording, String(error));
      assert.match(error.message, message);
      return true;
    });
  }
});
