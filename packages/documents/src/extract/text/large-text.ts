import { cleanText, decodeLines, isEscapedText, isNoisy, sampleChars } from './decode-text.ts';

/** From this size on, a text is decoded segment by segment, since the whole text takes several times its size. */
const minLargeBytes = 16 * 1024 * 1024;
const segmentBytes = 4 * 1024 * 1024;
const maxSegmentBytes = 4 * segmentBytes;
const maxBytesPerChar = 4;
const lineFeed = 0x0a;

const segmentsOf = function* (bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length;) {
    const lineEnd = bytes.indexOf(lineFeed, start + segmentBytes);
    const end = lineEnd === -1 ? bytes.length : lineEnd + 1;
    yield bytes.subarray(start, end);
    start = end;
  }
};

/** Last characters of a text, from a character boundary. */
const tailOf = (bytes: Uint8Array): string | null => {
  let start = Math.max(0, bytes.length - sampleChars * maxBytesPerChar);
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return decodeLines(bytes.subarray(start))?.slice(-sampleChars) ?? null;
};

/**
 * Opens a large text in UTF-8 as segments of whole lines, each decoded on request. Joined, they equal the text decoded
 * at once. Null if the text is small, in another charset, or has lines of many megabytes.
 */
export const openLargeText = (bytes: Uint8Array): (() => Iterable<string>) | null => {
  if (bytes.length < minLargeBytes || isEscapedText(bytes)) return null;
  let head: string | undefined;
  for (const segment of segmentsOf(bytes)) {
    const text = segment.length > maxSegmentBytes ? null : decodeLines(segment);
    if (text === null) return null;
    head ??= text;
  }
  const tail = tailOf(bytes);
  if (head === undefined || tail === null || isNoisy(head.slice(0, sampleChars) + tail)) return null;
  return function* () {
    for (const segment of segmentsOf(bytes)) yield cleanText(decodeLines(segment) ?? '');
  };
};
