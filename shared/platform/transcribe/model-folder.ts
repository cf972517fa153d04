import { fork } from 'node:child_process';
import { sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ContentReader } from '../aws/objects.ts';
import {
  StillTranscribing,
  type StoredRecording,
  type Transcriber,
  UnusableRecording,
  type Utterance,
} from './port.ts';

interface FolderOptions {
  /** Holds `speech.json`, the files that it names, and the runtime as an installed package. */
  readonly folder: string;
  readonly content: ContentReader;
  /** The module that runs the model: `transcription-process.mjs`. */
  readonly processPath: string;
  /** Longest that one recording may take. */
  readonly longestMinutes?: number;
}

/** What the process tells; `ready` once the model is loaded. */
type Answer =
  | { readonly ready: true }
  | { readonly spoken: readonly Utterance[] }
  | { readonly refusal: string | null; readonly reason: string };

const longestReason = 200;

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.trim().slice(-longestReason) ?? '';

/** Runs the model over one recording, in a process that is gone afterwards. */
const hear = (bytes: Uint8Array, { folder, processPath, longestMinutes = 60 }: FolderOptions) => {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Utterance[]>();
  const child = fork(processPath, [folder], {
    // Recordings come from strangers: what decodes them sees no credentials, writes nothing and starts nothing.
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
  let said = '';
  const unusable = (what: string, detail: string): UnusableRecording =>
    new UnusableRecording(detail === '' ? what : `${what}: ${detail}`);
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)));
  child.on('message', (received) => {
    // Only the process that was started holds the other end of the channel.
    const answer = received as Answer;
    if ('ready' in answer) isReady = true;
    else if ('spoken' in answer) resolve(answer.spoken);
    else if (answer.refusal !== null) reject(new UnusableRecording(answer.refusal));
    else reject(unusable('The speech model could not be used', answer.reason.slice(0, longestReason)));
  });
  child.on('error', reject);
  // A model that is none, or of another kind than speech.json says, ends the runtime with a line about it.
  child.on('close', () => {
    const what = isReady ? 'The speech model broke off at a recording' : 'The speech model could not be loaded';
    reject(unusable(what, lastLine(said.replaceAll(`${folder}${sep}`, ''))));
  });
  const timer = setTimeout(() => {
    reject(new UnusableRecording(`A recording was not transcribed within ${longestMinutes} minutes`));
    child.kill('SIGKILL');
  }, longestMinutes * 60_000);
  child.send(bytes, () => undefined);
  return promise.finally(() => clearTimeout(timer));
};

/**
 * A speech model in a folder that somebody has filled, run by the runtime that is installed there (sherpa-onnx): nothing
 * leaves the machine. One recording at a time; what takes longer than a caller waits goes on, and the next call with the
 * same id comes back to it.
 * https://k2-fsa.github.io/sherpa/onnx/pretrained_models/index.html
 */
export const createFolderTranscriber = (options: FolderOptions): Transcriber => {
  const running = new Map<string, Promise<readonly Utterance[]>>();
  let last: Promise<unknown> = Promise.resolve();
  const start = ({ region, key }: StoredRecording): Promise<readonly Utterance[]> => {
    const work = last.then(async () => {
      const bytes = await options.content.get(region, key);
      if (bytes === null) throw new Error('the recording is not in the bucket');
      return hear(bytes, options);
    });
    // Whoever asked may have gone when it fails.
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
