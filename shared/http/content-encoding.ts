import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** Weight of a content coding in an `accept-encoding` header, from 0 to 1; null if the header does not name it. */
const weightOf = (header: string, coding: string): number | null => {
  for (const part of header.toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim());
    if (name !== coding) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0;
  }
  return null;
};

/** Returns the content coding that a client prefers; null if it takes neither. Source: RFC 9110, 12.5.3. */
export const acceptedEncoding = (header = ''): Encoding | null => {
  const others = weightOf(header, '*') ?? 0;
  const [br, gzip] = [weightOf(header, 'br') ?? others, weightOf(header, 'gzip') ?? others];
  if (br > 0 && br >= gzip) return 'br';
  return gzip > 0 ? 'gzip' : null;
};

/** Compression level: `quick` for a response that is sent once, `small` for a file that is cached. */
type Effort = 'quick' | 'small';

const levels = { quick: { br: 1, gzip: 1 }, small: { br: 9, gzip: 9 } } as const;

/** Compresses in this thread: a function serves one request at a time, and a hop to another thread costs more. */
export const compress = (bytes: Buffer, encoding: Encoding, effort: Effort): Buffer =>
  encoding === 'gzip'
    ? gzipSync(bytes, { level: levels[effort].gzip })
    : brotliCompressSync(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: levels[effort].br,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      });
