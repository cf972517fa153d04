import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

const decoders: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** More are never put around one another but to keep a reader busy. */
const mostCodings = 3;

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

/** A body without what a `Content-Encoding` says was put around it; null where that is none of gzip, deflate and br. */
export const decodeBody = (body: Readable, contentEncoding: string): Readable | null => {
  const codings = codingsOf(contentEncoding);
  if (codings.length > mostCodings) return null;
  const streams: Transform[] = [];
  for (const coding of codings) {
    const make = decoders[coding];
    if (make === undefined) return null;
    streams.push(make());
  }
  const last = streams.at(-1);
  if (last === undefined) return body;
  // Whoever reads the last of them learns of every error.
  pipeline([body, ...streams], () => {});
  return last;
};
