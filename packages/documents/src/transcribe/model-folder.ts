import { fork } from 'node:child_process';
import { sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ContentReader } from '../../../../shared/platform/aws/objects.ts';
import {
  StillTranscribing,
  type StoredRecording,
  type Transcriber,
  UnusableRecording,
  type Utterance,
} from './port.ts';

interface FolderOptions {
  /** Directory with `speech.json`, the files that it names, and the runtime as an installed package. */
  readonly folder: string;
  readonly content: ContentReader;
  /** Module that runs the model: `transcription-process.mjs`. */
  readonly processPath: string;
  /** Maximum minutes for one recording. */
  readonly maxMinutes?: number;
}

/** Message of the process; `ready` when the model is loaded. */
type ProcessMessage =
  | { readonly ready: true }
  | { readonly spoken: readonly Utterance[] }
  | { readonly refusal: string | null; readonly reason: string };

const maxReasonCharacters = 200;

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.trim().slice(-maxReasonCharacters) ?? '';

/** Runs the model over one recording, in a process of its own that exits afterwards. */
const runModel = (bytes: Uint8Array, { folder, processPath, maxMinutes: longestMinutes = 60 }: FolderOptions) => {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Utterance[]>();
  const child = fork(processPath, [folder], {
    // The process decodes untrusted recordings, so it has no credentials, writes nothing and starts nothing.
    env: {},
    execArgv: [
      '--permission',
      '--allow-fs-read=*',
      '--allow-addons',
      '--allow-worker',
      '--disable-warning=SecurityWarning',
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let isReady = false;
  let stderrTail = '';
  const unusable = (what: string, detail: string): UnusableRecording =>
    new UnusableRecording(detail === '' ? what : `${what}: ${detail}`);
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderrTail = (stderrTail + text).slice(-4_000)));
  child.on('message', (received) => {
    // Cast: only the started process has the other end of the channel.
    const message = received as ProcessMessage;
    if ('ready' in message) isReady = true;
    else if ('spoken' in message) resolve(message.spoken);
    else if (message.refusal !== null) reject(new UnusableRecording(message.refusal));
    else reject(unusable('The speech model could not be used', message.reason.slice(0, maxReasonCharacters)));
  });
  child.on('error', reject);
  // A file that is no model, or of another kind than speech.json states, makes the runtime exit with a message.
  child.on('close', () => {
    const what = isReady
      ? 'The speech model crashed while it read a recording'
      : 'The speech model could not be loaded';
    reject(unusable(what, lastLine(stderrTail.replaceAll(`${folder}${sep}`, ''))));
  });
  const timer = setTimeout(() => {
    reject(new UnusableRecording(`A recording was not transcribed within ${longestMinutes} minutes`));
    child.kill('SIGKILL');
  }, longestMinutes * 60_000);
  child.send(bytes, () => undefined);
  return promise.finally(() => clearTimeout(timer));
};

/**
 * Creates a transcriber from a speech model in a user's folder, run by the runtime that is installed there
 * (sherpa-onnx). Nothing leaves the machine. It transcribes one recording at a time. If it takes longer than a caller
 * waits, it continues, and the next call with the same id gets the result.
 * https://k2-fsa.github.io/sherpa/onnx/pretrained_models/index.html
 */
export const createFolderTranscriber = (options: FolderOptions): Transcriber => {
  const running = new Map<string, Promise<readonly Utterance[]>>();
  let last: Promise<unknown> = Promise.resolve();
  const start = ({ region, key }: StoredRecording): Promise<readonly Utterance[]> => {
    const work = last.then(async () => {
      const bytes = await options.content.get(region, key);
      if (bytes === null) throw new Error('the recording is not in the bucket');
      return runModel(bytes, options);
    });
    // The caller may have stopped waiting when it fails.
    last = work.catch(() => undefined);
    return work;
  };
  return {
    transcribe: async (recording, waitMs) => {
      const work = running.get(recording.id) ?? start(recording);
      running.set(recording.id, work);
      const waiting = new AbortController();
      const late = pause(Math.max(0, waitMs), null, { signal: waiting.signal }).catch(() => null);
      try {
        const spoken = await Promise.race([work, late]);
        if (spoken === null) throw new StillTranscribing();
        running.delete(recording.id);
        return spoken;
      } catch (error) {
        if (!(error instanceof StillTranscribing)) running.delete(recording.id);
        throw error;
      } finally {
        waiting.abort();
      }
    },
  };
};
