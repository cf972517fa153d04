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

/** Maximum nested codings. More occur only in attacks. */
const maxCodings = 3;

/** Returns the codings of a `Content-Encoding`, the outermost first. */
const codingsOf = (contentEncoding: string): readonly string[] =>
  contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .toReversed();

/** Whether a body is encoded. */
export const isEncoded = (contentEncoding: string): boolean => codingsOf(contentEncoding).length > 0;

/**
 * Decodes a body by its `Content-Encoding`. Null if a coding is none of gzip, deflate and br.
 * @param mayLackEnd Whether a gzip or br stream without its end is accepted.
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
  // The last stream reports the errors of all.
  pipeline([body, ...streams], () => {});
  return last;
};
