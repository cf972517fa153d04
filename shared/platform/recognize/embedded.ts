import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { recognitionWorker, recognizerFiles } from './assets.ts';
import { type PictureFile, type Recognition, type Recognizer, UnreadablePicture } from './port.ts';

/** A page takes 4 to 9 seconds on a slow core, and one of 25 megapixels, read three times, not a minute. */
const longestSeconds = 60;

interface Answer {
  /** Null: the bytes are no picture. */
  readonly recognition?: Recognition | null;
  readonly error?: string;
}

const startWorker = (assetsDirectory: string, workerFile: string): Worker => {
  const [coreFile, wasmFile, dataFile] = recognizerFiles.map((file) => join(assetsDirectory, file));
  const worker = new Worker(workerFile, { workerData: { coreFile, wasmFile, dataFile } });
  // A function that waits for nothing else may end.
  worker.unref();
  return worker;
};

/** One question to the thread. The thread is gone for good where it gives no answer in time. */
const ask = async (worker: Worker, bytes: Uint8Array, seconds: number): Promise<Answer> => {
  const answered = Promise.withResolvers<Answer>();
  const { resolve: take, reject } = answered;
  const leave = (code: number): void => reject(new Error(`the recognizing thread ended with ${code}`));
  const late = (): void => reject(new UnreadablePicture(`A picture could not be read within ${seconds} seconds`));
  const timer = setTimeout(late, seconds * 1_000);
  worker.ref();
  worker.on('message', take).on('error', reject).on('exit', leave);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage({ id: 0, bytes });
  try {
    return await answered.promise;
  } finally {
    clearTimeout(timer);
    worker.off('message', take).off('error', reject).off('exit', leave);
    worker.unref();
  }
};

/**
 * Tesseract with its English model, in a thread of this process and with no service anywhere: Latin letters, 4 to 9
 * seconds a page, 250 MB of memory. A picture that is lit unevenly is read twice, as it is and evened out, and the
 * reading that found more counts; where that one is in doubt, the picture is read upside down as well.
 * @param options `assetsDirectory` holds `recognizerFiles`; `workerFile` is the thread's code, beside them by default.
 */
export const createEmbeddedRecognizer = (options: {
  readonly assetsDirectory: string;
  readonly workerFile?: string;
  readonly longestSeconds?: number;
}): Recognizer => {
  const assetsDirectory = resolve(options.assetsDirectory);
  const workerFile = options.workerFile ?? join(assetsDirectory, recognitionWorker);
  let worker: Worker | null = null;
  const forget = (): void => {
    worker = null;
  };
  const read = async ({ bytes }: PictureFile): Promise<Recognition> => {
    const running = (worker ??= startWorker(assetsDirectory, workerFile).on('error', forget).on('exit', forget));
    try {
      const { recognition, error } = await ask(running, bytes, options.longestSeconds ?? longestSeconds);
      if (error !== undefined) throw new Error(`${dirname(workerFile)}: ${error}`);
      if (recognition === null || recognition === undefined)
        throw new UnreadablePicture('A picture is damaged or of an unknown kind');
      return { text: recognition.text.trim(), confidence: recognition.confidence };
    } catch (error) {
      // After a fault nobody knows what state the engine is in.
      forget();
      await running.terminate();
      throw error;
    }
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    concurrency: 1,
    recognize: (picture) => {
      const turn = last.then(() => read(picture));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
};
