import type { InnerFile } from '../port.ts';
import { guessEastAsian } from './east-asian.ts';
import { isLikelyShiftJis } from './shift-jis.ts';

// Characters at either end that are enough to judge a file, so that a large file costs no more.
export const sampleChars = 500_000;
const sampleBytes = 64 * 1024;
const leadBytes = 64;

// Out of 100. The detector knows little of Shift_JIS in lists, so that a single-byte charset scores higher.
const sureConfidence = 50;

/** Share of characters that do not occur in text: controls, decoding failures, private and unassigned code points. */
const noiseOf = (text: string): number => {
  const sample = text.length <= 2 * sampleChars ? text : text.slice(0, sampleChars) + text.slice(-sampleChars);
  // oxlint-disable-next-line no-control-regex -- control characters are what is counted
  const noise = sample.match(/[\u0000-\u0006\u000E-\u001A\u001C-\u001F\u007F\uFFFD]|\p{Co}|\p{Cn}|\p{Cs}/gu);
  return (noise?.length ?? 0) / Math.max(1, sample.length);
};

/** Whether a text has too many characters that do not occur in text. */
export const isNoisy = (text: string): boolean => noiseOf(text) > 0.01;

type Mode = 'strict' | 'lenient';

const decode = (bytes: Uint8Array, charset: string, mode: Mode): string | null => {
  try {
    return new TextDecoder(charset, { fatal: mode === 'strict' }).decode(bytes);
  } catch {
    return null;
  }
};

const decodeAs = (bytes: Uint8Array, charset: string, mode: Mode = 'lenient'): string | null => {
  const text = decode(bytes, charset, mode);
  return text !== null && !isNoisy(text) ? text : null;
};

/** Decodes UTF-16 without byte order mark: its NUL bytes are the high halves, which are all on one side. */
const decodeUtf16 = (bytes: Uint8Array): string | null => {
  const nuls = [0, 0];
  for (const [index, byte] of bytes.subarray(0, sampleBytes).entries()) {
    if (byte === 0) nuls[index % 2] = (nuls[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = nuls;
  if (even === odd) return null;
  return decodeAs(bytes, even > odd ? 'utf-16be' : 'utf-16le');
};

/** Whether bytes may be ISO-2022-JP, which is ASCII with escape sequences for two-byte characters. */
export const isEscapedText = (bytes: Uint8Array): boolean => {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return ['\u001B$B', '\u001B$@'].some((sequence) => all.includes(sequence, 0, 'latin1'));
};

const decodeEscaped = (bytes: Uint8Array): string | null =>
  isEscapedText(bytes) ? decodeAs(bytes, 'iso-2022-jp', 'strict') : null;

const namedCharset = (file: InnerFile): string | undefined => {
  const declared = /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(file.contentType)?.[1];
  const head = Buffer.from(file.bytes.subarray(0, sampleBytes)).toString('latin1');
  return declared ?? /<(?:meta|\?xml)\b[^<>]*?(?:charset|encoding)\s*=[\s"']*([\w.:-]+)/i.exec(head)?.[1];
};

/** Decodes UTF-8 with a few broken bytes: far more characters beyond ASCII must be valid than broken. */
const decodeBrokenUtf8 = (bytes: Uint8Array): string | null => {
  const text = decodeAs(bytes, 'utf-8') ?? '';
  let broken = 0;
  let whole = 0;
  // One by one, since a list of all characters takes many times the memory of the file.
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) broken += 1;
    else if (code > 0x7f) whole += 1;
  }
  return whole > 10 * broken ? text : null;
};

/**
 * Sample for charset detection: the bytes beyond ASCII with their surroundings, which may occur late in a file. Each
 * segment ends with a word, so that no two-byte character is split.
 */
const charsetSample = (bytes: Uint8Array): Uint8Array => {
  if (bytes.length <= sampleBytes) return bytes;
  const segments: Uint8Array[] = [];
  let left = sampleBytes;
  let end = 0;
  for (let at = 0; at < bytes.length && left > 0; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    const start = Math.max(end, at - leadBytes);
    end = Math.min(bytes.length, at + leadBytes);
    while (end < bytes.length && end - start < left && (bytes[end] ?? 0) > 0x20) end += 1;
    segments.push(bytes.subarray(start, end));
    left -= end - start;
    at = end;
  }
  return Buffer.concat(segments);
};

const decodeLegacy = async (file: InnerFile): Promise<string | null> => {
  const named = namedCharset(file);
  const byName = named === undefined ? null : decodeAs(file.bytes, named);
  if (byName !== null) return byName;
  const { analyse } = await import('chardet');
  const sample = charsetSample(file.bytes);
  const eastAsian = guessEastAsian(sample);
  const byWords = eastAsian === null ? null : decodeAs(file.bytes, eastAsian, 'strict');
  if (byWords !== null) return byWords;
  const guesses = analyse(sample);
  const isSure = (guesses[0]?.confidence ?? 0) >= sureConfidence;
  if (!isSure && isLikelyShiftJis(sample)) {
    const text = decodeAs(file.bytes, 'shift_jis', 'strict');
    if (text !== null) return text;
  }
  for (const charset of [...guesses.map(({ name }) => name), 'windows-1252']) {
    const text = decodeAs(file.bytes, charset);
    if (text !== null) return text;
  }
  return null;
};

/** Normalizes line ends to `\n` and removes byte order marks at the start of lines. */
const normalLines = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/^\uFEFF+/, '')
    .replace(/\n\uFEFF+/g, '\n');

/** Decodes whole lines in UTF-8 as `decodeExactly` does; null if they are in another charset. */
export const decodeLines = (bytes: Uint8Array): string | null => {
  const text = decode(bytes, 'utf-8', 'strict');
  return text === null ? null : normalLines(text);
};

/**
 * Decodes a file in any charset: byte order mark, ISO-2022-JP by its escape sequences, UTF-8, UTF-16 by its NUL bytes,
 * the charset that the upload or the document declares, else a guess. Line ends become `\n`. Byte order marks at the
 * start of lines, where files were joined, are removed; this changes no value of JSON.
 * @returns null if it is not text (UTF-32 and ISO-2022-KR count as such).
 */
export const decodeExactly = async (file: InnerFile): Promise<string | null> => {
  const [first, second] = file.bytes;
  const marked = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null;
  const byMark = marked === null ? null : decodeAs(file.bytes, marked);
  const text =
    byMark ??
    decodeEscaped(file.bytes) ??
    decodeAs(file.bytes, 'utf-8', 'strict') ??
    decodeBrokenUtf8(file.bytes) ??
    (file.bytes.includes(0) ? decodeUtf16(file.bytes) : await decodeLegacy(file));
  return text === null ? null : normalLines(text);
};

/** Removes control characters. Other line separators become `lineEnd`. */
export const cleanText = (text: string, lineEnd = '\n'): string =>
  text
    .replace(/[\v\u0085\u2028\u2029]/g, lineEnd)
    // oxlint-disable-next-line no-control-regex -- control characters are what is removed
    .replace(/[\u0000-\u0008\u000E-\u001F\u007F\uFEFF]/g, '');

/** Decodes a file with `decodeExactly` and cleans the text. */
export const decodeText = async (file: InnerFile): Promise<string | null> => {
  const text = await decodeExactly(file);
  return text === null ? null : cleanText(text);
};
