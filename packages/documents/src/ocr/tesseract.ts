import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { modelFile, tesseractWorker, tesseractFiles } from './assets.ts';
import { ocrModelNames } from './language.ts';
import type { TesseractFiles } from './tesseract-worker.ts';
import { DelayedPicture, type PictureFile, type OcrResult, type OcrModel, UnreadablePicture } from './port.ts';

/**
 * Maximum CPU seconds for a picture. A page takes 4 to 9 on a slow core. A picture of 25 megapixels, read three times,
 * takes less than a minute.
 */
const maxSeconds = 60;

/** Maximum time for a picture as a multiple of its CPU seconds, for a machine with other work. */
const maxDelay = 2;

interface WorkerResponse {
  /** Null: the bytes are not a picture. */
  readonly result?: OcrResult | null;
  readonly error?: string;
}

interface Directories {
  readonly assetsDirectory: string;
  readonly modelsDirectory: string;
}

const startWorker = ({ assetsDirectory, modelsDirectory }: Directories, workerFile: string): Worker => {
  const inAssets = (file: string): string => join(assetsDirectory, file);
  const [coreFile, wasmFile] = tesseractFiles.engine;
  const [detectorCore, detectorWasm, detectorData] = tesseractFiles.detector;
  const workerData: TesseractFiles = {
    coreFile: inAssets(coreFile),
    wasmFile: inAssets(wasmFile),
    // Cast: `fromEntries` forgets the names.
    modelFiles: Object.fromEntries(
      ocrModelNames.map((model) => {
        const { isOwn, path } = modelFile(model);
        return [model, isOwn ? join(modelsDirectory, path) : inAssets(path)];
      }),
    ) as TesseractFiles['modelFiles'],
    detector: { coreFile: inAssets(detectorCore), wasmFile: inAssets(detectorWasm), dataFile: inAssets(detectorData) },
  };
  const worker = new Worker(workerFile, { workerData });
  // The thread must not keep a function alive.
  worker.unref();
  return worker;
};

/** CPU seconds of a thread; 0 if it has ended. */
const cpuSecondsOf = async (worker: Worker): Promise<number> => {
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (user + system) / 1_000_000;
};

/**
 * Sends one picture to the thread.
 * @param seconds Maximum CPU seconds.
 * @throws UnreadablePicture if it takes more of them, `DelayedPicture` if the machine does not grant them in time.
 */
const request = async (worker: Worker, bytes: Uint8Array, seconds: number): Promise<WorkerResponse> => {
  const answered = Promise.withResolvers<WorkerResponse>();
  const { resolve: take, reject } = answered;
  // The thread may fail before the request is awaited.
  answered.promise.catch(() => undefined);
  const leave = (code: number): void => reject(new Error(`the OCR thread exited with ${code}`));
  let timer: NodeJS.Timeout | undefined;
  worker.ref();
  worker.on('message', take).on('error', reject).on('exit', leave);
  try {
    const cpuBefore = await cpuSecondsOf(worker);
    const startedAt = performance.now();
    const check = async (): Promise<void> => {
      const cpuLeft = seconds - ((await cpuSecondsOf(worker)) - cpuBefore);
      const left = seconds * maxDelay - (performance.now() - startedAt) / 1_000;
      if (cpuLeft <= 0)
        reject(new UnreadablePicture(`Text recognition of a picture took more than ${seconds} seconds`));
      else if (left <= 0) reject(new DelayedPicture('The service was too busy to read a picture'));
      else timer = setTimeout(() => void check(), Math.max(10, Math.min(cpuLeft, left) * 1_000)).unref();
    };
    timer = setTimeout(() => void check(), seconds * 1_000);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage({ id: 0, bytes });
    return await answered.promise;
  } finally {
    clearTimeout(timer);
    worker.off('message', take).off('error', reject).off('exit', leave);
    worker.unref();
  }
};

/**
 * Creates OCR by Tesseract with models of five languages in Latin letters and of seven other scripts, in a thread of this
 * process and without any service. It takes 1 to 9 seconds a page and 300 MB of memory. See `readPage` for how a page is
 * prepared and read.
 * @param options `assetsDirectory` contains `tesseractFiles`; `modelsDirectory` contains `ownTesseractFiles`, and
 * `workerFile` is the thread's code, both in that directory by default.
 */
export const createTesseractOcr = (options: {
  readonly assetsDirectory: string;
  readonly modelsDirectory?: string;
  readonly workerFile?: string;
  readonly maxSeconds?: number;
}): OcrModel => {
  const assetsDirectory = resolve(options.assetsDirectory);
  const modelsDirectory = resolve(options.modelsDirectory ?? join(assetsDirectory, 'models'));
  const workerFile = options.workerFile ?? join(assetsDirectory, tesseractWorker.file);
  let worker: Worker | null = null;
  const reset = (): void => {
    worker = null;
  };
  const read = async ({ bytes }: PictureFile): Promise<OcrResult> => {
    const running = (worker ??= startWorker({ assetsDirectory, modelsDirectory }, workerFile)
      .on('error', reset)
      .on('exit', reset));
    try {
      const { result, error } = await request(running, bytes, options.maxSeconds ?? maxSeconds);
      if (error !== undefined) throw new Error(`${dirname(workerFile)}: ${error}`);
      if (result === null || result === undefined)
        throw new UnreadablePicture('A picture is damaged or of an unknown kind');
      return result;
    } catch (error) {
      // After an error the state of the engine is unknown.
      reset();
      await running.terminate();
      throw error;
    }
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    concurrency: 1,
    recognize: (picture) => {
      const result = last.then(() => read(picture));
      last = result.catch(() => undefined);
      return result;
    },
  };
};
