import { UnitsChanged, UnreadableFile, type Extractor, type Part, type OcrModel, UnreadablePicture } from '#documents';
import type { Embedder } from '../../shared/platform/models/port.ts';
import { portThrough } from './life.ts';

/** A file of the tests: pages by number, each a text or a picture. */
export interface FileSpec {
  readonly pages: number;
  readonly texts: Readonly<Record<number, string>>;
  /** Text in the picture of a page; null if it contains no readable text. */
  readonly pictures: Readonly<Record<number, string | null>>;
  /** Why the file cannot be read, found out while it is planned or while a page is read. */
  readonly broken: 'at once' | number | null;
}

export const encodeFile = (spec: FileSpec): Uint8Array => new TextEncoder().encode(JSON.stringify(spec));

/** The texts that rows of a file must have, sorted. */
export const textsOfFile = ({ texts, pictures }: FileSpec): readonly string[] =>
  [...Object.values(texts), ...Object.values(pictures).flatMap((text) => text ?? [])].toSorted();

/** How many pictures of a file can be read: a credit each. */
export const creditsOfFile = ({ pictures }: FileSpec): number =>
  Object.values(pictures).filter((text) => text !== null).length;

const parse = (bytes: Uint8Array): FileSpec => JSON.parse(new TextDecoder().decode(bytes)) as FileSpec;

const partsOf = (spec: FileSpec, page: number): readonly Part[] => {
  const section = { pageStart: page, pageEnd: page, headingPath: [], place: {} };
  const text = spec.texts[page];
  const picture = spec.pictures[page];
  const bytes = new TextEncoder().encode(picture ?? '');
  return [
    ...(text === undefined ? [] : [{ kind: 'text', text, ...section } as const]),
    ...(picture === undefined ? [] : [{ kind: 'picture', mediaType: 'image/png', bytes, section } as const]),
  ];
};

/** The version of the reader that runs: how it cuts files, and how many pages it finds, where not all of them. */
export const reader: { cut: string; pages: number } = { cut: '', pages: Infinity };

/** Reads the files of the tests. */
export const extractor: Extractor = portThrough('extractor', {
  inspect: async ({ bytes }) => {
    const { pages, broken } = parse(bytes);
    if (broken === 'at once') throw new UnreadableFile('The file is damaged');
    return Promise.resolve({
      format: 'test',
      units: Math.min(reader.pages, pages),
      paged: true,
      cut: reader.cut,
      notes: [],
    });
  },
  extract: async ({ bytes }, { start, end: last, cut = null }) => {
    const spec = parse(bytes);
    if (cut !== null && cut !== reader.cut) throw new UnitsChanged();
    const end = Math.min(last, spec.pages);
    if (typeof spec.broken === 'number' && spec.broken >= start && spec.broken <= end)
      throw new UnreadableFile(`Page ${spec.broken} is damaged`);
    const pages = Array.from({ length: end - start + 1 }, (_, at) => start + at);
    return Promise.resolve(pages.flatMap((page) => partsOf(spec, page)));
  },
  extractSpan: () => Promise.reject(new Error('no file of the tests has spans')),
});

/** Models that a test can make refuse. */
export class Models {
  /** Requests that the model of vectors still refuses. */
  refusals = 0;
  /** Tokens that the model of vectors has read. */
  tokens = 0;
  /** Pictures that were read, by the text in them. */
  readonly readings: string[] = [];
  readonly embedder: Embedder;
  readonly ocr: OcrModel;

  constructor(dimensions: number) {
    this.embedder = portThrough<Embedder>('embedder', {
      model: 'embedded-minilm-l6-v2',
      embed: (texts) => {
        if (this.refusals > 0) {
          this.refusals -= 1;
          return Promise.reject(new Error('the model is overloaded'));
        }
        this.tokens += texts.length;
        // Vectors derived from the letters of a text; these tests do not depend on their values.
        const vectors = texts.map((text) =>
          Float32Array.from({ length: dimensions }, (_, at) => 1 + (text.charCodeAt(at % text.length) % 7)),
        );
        return Promise.resolve({ vectors, tokens: texts.length });
      },
    });
    this.ocr = portThrough<OcrModel>('ocr', {
      concurrency: 2,
      recognize: ({ bytes }) => {
        const text = new TextDecoder().decode(bytes);
        if (text === '') return Promise.reject(new UnreadablePicture('A picture could not be read'));
        this.readings.push(text);
        return Promise.resolve({ text, confidence: 0.9 });
      },
    });
  }
}
