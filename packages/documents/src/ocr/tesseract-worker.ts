/* Runs Tesseract in a worker thread, so that a picture that takes too long can be stopped. */
/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import type { GreyImage } from '../extract/pdf/encode-png.ts';
import { ocrLanguages, type OcrLanguage } from './language.ts';
import { readGrayPng } from './page-image.ts';
import type { OcrResult } from './port.ts';
import type { Word } from './reading-order.ts';
import { type OcrEngine, type OcrPass, readPage } from './read-page.ts';

/** Files of the engine and, in the order of `ocrLanguages`, of its models. */
export interface TesseractFiles {
  readonly coreFile: string;
  readonly wasmFile: string;
  readonly dataFiles: readonly string[];
}

/** The part of the engine that is used. Source: tesseract.js-core, javascript/ and Tesseract's baseapi.h */
interface TessBaseApi {
  Init(dataPath: null, languages: string, engineMode: number): number;
  SetPageSegMode(mode: number): void;
  SetImageFile(exif: number, angle: number): number;
  SetSourceResolution(dotsPerInch: number): void;
  GetSourceYResolution(): number;
  WriteImage(kind: number): void;
  Recognize(monitor: null): number;
  GetTSVText(page: number): string;
}

interface TesseractModule {
  readonly FS: {
    writeFile(path: string, bytes: Uint8Array): void;
    readFile(path: string): Uint8Array;
  };
  readonly TessBaseAPI: new () => TessBaseApi;
}

const neuralNetworkOnly = 1;
const grayImage = 1;
const wordLevel = '5';

const openEngine = async ({ coreFile, wasmFile, dataFiles }: TesseractFiles) => {
  // Cast: the package has no types.
  const open = createRequire(coreFile)(coreFile) as (options: object) => Promise<TesseractModule>;
  const { FS: files, TessBaseAPI } = await open({
    wasmBinary: readFileSync(wasmFile),
    print: () => {},
    printErr: () => {},
  });
  for (const [at, language] of ocrLanguages.entries())
    files.writeFile(`${language}.traineddata`, gunzipSync(readFileSync(dataFiles[at] ?? '')));
  const api = new TessBaseAPI();
  let first: OcrLanguage | null = null;
  /** Loads all models. A word counts as the first one reads it, unless that is doubtful. */
  const preferLanguage = (language: OcrLanguage): void => {
    if (first === language) return;
    const order = [language, ...ocrLanguages.filter((other) => other !== language)];
    if (api.Init(null, order.join('+'), neuralNetworkOnly) !== 0) throw new Error('the models could not be loaded');
    first = language;
  };
  preferLanguage('eng');
  const load = (bytes: Uint8Array): boolean => {
    files.writeFile('/input', bytes);
    return api.SetImageFile(1, 0) === 0;
  };
  return { api, files, load, preferLanguage };
};

type Engine = Awaited<ReturnType<typeof openEngine>>;

/** Reads the table of words. Source: tesseract(1), option `tsv` */
const wordsOf = (table: string): readonly Word[] =>
  table.split('\n').flatMap((line) => {
    const [level, page, block, paragraph, row, , left, top, width, height, confidence, ...text] = line.split('\t');
    const word = text.join('\t').trim();
    if (level !== wordLevel || word === '') return [];
    const [x, y] = [Number(left), Number(top)];
    return [
      {
        text: word,
        confidence: Number(confidence) / 100,
        line: [page, block, paragraph, row].join(),
        left: x,
        top: y,
        right: x + Number(width),
        bottom: y + Number(height),
      },
    ];
  });

const passOf =
  ({ api, load, preferLanguage }: Engine): OcrEngine =>
  ({ width, height, pixels }: GreyImage, { mode, dotsPerInch, language }: OcrPass) => {
    preferLanguage(language);
    api.SetPageSegMode(mode);
    if (!load(Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels])))
      throw new Error('the engine took no picture');
    api.SetSourceResolution(dotsPerInch);
    if (api.Recognize(null) !== 0) throw new Error('the engine gave up');
    return wordsOf(api.GetTSVText(0));
  };

/** Resolutions that a picture may state and mean. */
const plausible = { min: 50, max: 2_400 } as const;

/** Reads a picture; null if the bytes are none. */
const recognize = (engine: Engine, bytes: Uint8Array): OcrResult | null => {
  const { api, files, load } = engine;
  if (!load(bytes)) return null;
  const stated = api.GetSourceYResolution();
  api.WriteImage(grayImage);
  const image = readGrayPng(Buffer.from(files.readFile('/image.png')));
  return readPage(passOf(engine), image, stated >= plausible.min && stated <= plausible.max ? stated : null);
};

/** Serves the thread that started this one: one picture at a time, since the engine holds only one. */
export const serveTesseract = (): void => {
  // Cast: the thread is started by `createTesseractOcr` alone.
  const opened = openEngine(workerData as TesseractFiles);
  let last: Promise<unknown> = Promise.resolve();
  parentPort?.on('message', ({ id, bytes }: { readonly id: number; readonly bytes: Uint8Array }) => {
    last = last.then(async () => {
      try {
        parentPort?.postMessage({ id, result: recognize(await opened, bytes) });
      } catch (error) {
        parentPort?.postMessage({ id, error: String(error) });
      }
    });
  });
};
