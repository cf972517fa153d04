import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

type Decoder = (mayLackEnd: boolean) => Transform;

const gunzip: Decoder = (mayLackEnd) =>
  createGunzip({ finishFlush: mayLackEnd ? constants.Z_SYNC_FLUSH : constants.Z_FINISH });

const decoders: Readonly<Record<string, Decoder | undefined>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: () => createInflate(),
  br: (mayLackEnd) =>
    createBrotliDecompress({
      finishFlush: mayLackEnd ? constants.BROTLI_OPERATION_FLUSH : constants.BROTLI_OPERATION_FINISH,
    }),
};

/** More are never put around one another but to keep a reader busy. */
const maxCodings = 3;

/** The codings of a `Content-Encoding`, the outermost first. */
const codingsOf = (contentEncoding: string): readonly string[] =>
  contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .toReversed();

/** Whether there is anything to undo. */
export const isEncoded = (contentEncoding: string): boolean => codingsOf(contentEncoding).length > 0;

/**
 * A body without what a `Content-Encoding` says was put around it; null where that is none of gzip, deflate and br.
 * @param mayLackEnd Whether one in gzip or br is taken for whole that ends before its encoding does.
 */
export const decodeBody = (
  body: Readable,
  contentEncoding: string,
  { mayLackEnd = false }: { readonly mayLackEnd?: boolean } = {},
): Readable | null => {
  const codings = codingsOf(contentEncoding);
  if (codings.length > maxCodings) return null;
  const streams: Transform[] = [];
  for (const coding of codings) {
    const make = decoders[coding];
    if (make === undefined) return null;
    streams.push(make(mayLackEnd));
  }
  const last = streams.at(-1);
  if (last === undefined) return body;
  // Whoever reads the last of them learns of every error.
  pipeline([body, ...streams], () => {});
  return last;
};
