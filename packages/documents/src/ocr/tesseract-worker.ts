/* Runs Tesseract in a worker thread, so that a picture that takes too long can be stopped. */
/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { lazy } from '../../../../shared/kernel/memoize.ts';
import type { GreyImage } from '../extract/pdf/encode-png.ts';
import { latinModels, type OcrModelName, type OcrModels } from './language.ts';
import { readGrayPng } from './page-image.ts';
import type { OcrResult } from './port.ts';
import type { Word } from './word.ts';
import { type OcrEngine, type OcrPass, readPage, type ScriptFound } from './read-page.ts';

/** Files of the engine with its models, and of the one that detects scripts with its data. */
export interface TesseractFiles {
  readonly coreFile: string;
  readonly wasmFile: string;
  readonly modelFiles: Readonly<Record<OcrModelName, string>>;
  readonly detector: { readonly coreFile: string; readonly wasmFile: string; readonly dataFile: string };
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
  SetVariable(name: string, value: string): boolean;
  GetTSVText(page: number): string;
  GetUTF8Text(): string;
}

/** The same of the build that detects scripts. Source: Tesseract's baseapi.h */
interface DetectorApi extends TessBaseApi {
  DetectOS(results: ScriptResults): boolean;
}

interface ScriptResults {
  readonly best_result: { readonly script_id: number; readonly orientation_id: number };
  readonly unicharset: { get_script_from_script_id(id: number): string };
}

interface DetectorModule extends TesseractModule {
  readonly TessBaseAPI: new () => DetectorApi;
  readonly OSResults: new () => ScriptResults;
  destroy(object: ScriptResults): void;
}

interface TesseractModule {
  readonly FS: {
    writeFile(path: string, bytes: Uint8Array): void;
    readFile(path: string): Uint8Array;
  };
  readonly TessBaseAPI: new () => TessBaseApi;
}

const neuralNetworkOnly = 1;
const olderRecognizer = 0;
const grayImage = 1;
const wordLevel = '5';
const microInGreek = /(?<=\p{Script=Greek})µ|µ(?=\p{Script=Greek})/gu;

/** Opens a build of the engine. The package has no types, so the caller states them. */
const openModule = async <Module>({ coreFile, wasmFile }: Record<'coreFile' | 'wasmFile', string>): Promise<Module> => {
  const open = createRequire(coreFile)(coreFile) as (options: object) => Promise<Module>;
  return open({ wasmBinary: readFileSync(wasmFile), print: () => {}, printErr: () => {} });
};

const toPgm = ({ width, height, pixels }: GreyImage): Uint8Array =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);

const openEngine = async (options: TesseractFiles) => {
  const { FS: files, TessBaseAPI } = await openModule<TesseractModule>(options);
  const api = new TessBaseAPI();
  const present = new Set<OcrModelName>();
  let loaded = '';
  /** Loads models, once for consecutive passes with the same ones. */
  const use = (models: OcrModels): void => {
    const names = models.join('+');
    if (loaded === names) return;
    for (const model of models.filter((name) => !present.has(name))) {
      files.writeFile(`${model}.traineddata`, gunzipSync(readFileSync(options.modelFiles[model])));
      present.add(model);
    }
    if (api.Init(null, names, neuralNetworkOnly) !== 0) throw new Error('the models could not be loaded');
    // Without it, the text has a space between all words, also of languages that have none.
    api.SetVariable('preserve_interword_spaces', '1');
    loaded = names;
  };
  use(latinModels('eng'));
  const load = (bytes: Uint8Array): boolean => {
    files.writeFile('/input', bytes);
    return api.SetImageFile(1, 0) === 0;
  };
  return { api, files, load, use };
};

type Engine = Awaited<ReturnType<typeof openEngine>>;

/** Opens the detection of scripts at the first page that needs it: most pages do not. */
const openDetector = (options: TesseractFiles['detector']) =>
  lazy(async () => {
    const module = await openModule<DetectorModule>(options);
    module.FS.writeFile('osd.traineddata', gunzipSync(readFileSync(options.dataFile)));
    const api = new module.TessBaseAPI();
    if (api.Init(null, 'osd', olderRecognizer) !== 0) throw new Error('the detection of scripts could not be loaded');
    return (image: GreyImage): ScriptFound | null => {
      module.FS.writeFile('/input', toPgm(image));
      if (api.SetImageFile(1, 0) !== 0) throw new Error('the engine took no picture');
      const results = new module.OSResults();
      try {
        if (!api.DetectOS(results)) return null;
        const { script_id, orientation_id } = results.best_result;
        return { script: results.unicharset.get_script_from_script_id(script_id), turnedQuarters: orientation_id };
      } finally {
        module.destroy(results);
      }
    };
  });

const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Marks words that follow each other without a space. The table of words does not say it, but the text does. */
const joinWords = (words: readonly Word[], text: string): readonly Word[] => {
  let end = -1;
  return words.map((word) => {
    const start = text.indexOf(word.text, Math.max(0, end));
    const isJoined = start === end;
    if (start >= 0) end = start + word.text.length;
    return isJoined ? { ...word, isJoined } : word;
  });
};

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

/** The model for Greek writes the sign for a millionth in place of the letter. */
const inGreek = (word: Word): Word => ({ ...word, text: word.text.replaceAll(microInGreek, 'μ') });

const passOf =
  ({ api, load, use }: Engine) =>
  (image: GreyImage, { mode, dotsPerInch, models }: OcrPass): readonly Word[] => {
    use(models);
    api.SetPageSegMode(mode);
    if (!load(toPgm(image))) throw new Error('the engine took no picture');
    api.SetSourceResolution(dotsPerInch);
    if (api.Recognize(null) !== 0) throw new Error('the engine gave up');
    const words = wordsOf(api.GetTSVText(0)).map(inGreek);
    return words.some(({ text }) => eastAsian.test(text)) ? joinWords(words, api.GetUTF8Text()) : words;
  };

/** Resolutions that a picture may state and mean. */
const plausible = { min: 50, max: 2_400 } as const;

/** Reads a picture; null if the bytes are none. */
const recognize = async (
  engine: Engine,
  detectScript: OcrEngine['detectScript'],
  bytes: Uint8Array,
): Promise<OcrResult | null> => {
  const { api, files, load } = engine;
  if (!load(bytes)) return null;
  const stated = api.GetSourceYResolution();
  api.WriteImage(grayImage);
  const image = readGrayPng(Buffer.from(files.readFile('/image.png')));
  return readPage(
    { read: passOf(engine), detectScript },
    image,
    stated >= plausible.min && stated <= plausible.max ? stated : null,
  );
};

/** Serves the thread that started this one: one picture at a time, since the engine holds only one. */
export const serveTesseract = (): void => {
  // Cast: the thread is started by `createTesseractOcr` alone.
  const options = workerData as TesseractFiles;
  const opened = openEngine(options);
  const detector = openDetector(options.detector);
  const detectScript: OcrEngine['detectScript'] = async (image) => (await detector())(image);
  let last: Promise<unknown> = Promise.resolve();
  parentPort?.on('message', ({ id, bytes }: { readonly id: number; readonly bytes: Uint8Array }) => {
    last = last.then(async () => {
      try {
        parentPort?.postMessage({ id, result: await recognize(await opened, detectScript, bytes) });
      } catch (error) {
        parentPort?.postMessage({ id, error: String(error) });
      }
    });
  });
};
