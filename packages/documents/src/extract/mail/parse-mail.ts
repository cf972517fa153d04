import { isAscii, isUtf8 } from 'node:buffer';
import type { Email, default as PostalMime } from 'postal-mime';
import { decodeText, isEscapedText } from '../text/decode-text.ts';
import { openMailCharsets, type MailCharsets } from './mail-charsets.ts';

interface PartType {
  readonly value: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Part of a message before its charset is decoded; its transfer encoding is decoded. */
interface MailPart {
  contentType: { readonly parsed: PartType; readonly multipart: string | false };
  readonly contentTransferEncoding: { readonly encoding: string };
  readonly contentDisposition: { readonly parsed: { readonly value: string } };
  content: ArrayBuffer | null;
  childNodes: readonly MailPart[];
}

/** Parser method that receives the parts of a message, from the outermost. It is missing in the parser's types. */
interface PartSorter {
  readonly root: MailPart;
  collectNode: (part: MailPart, ...around: unknown[]) => Promise<void>;
}

const parserOptions = {
  attachmentEncoding: 'arraybuffer',
  forceRfc822Attachments: true,
  maxNestingDepth: 50,
} as const;

const headBytes = 64 * 1024;

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const setCharset = (part: MailPart, charset: string): void => {
  const { parsed, multipart } = part.contentType;
  part.contentType = { multipart, parsed: { ...parsed, params: { ...parsed.params, charset } } };
};

/** Whether the bytes belong to another charset than their label. */
const isMislabelled = (bytes: Uint8Array, label: string, charsets: MailCharsets): boolean =>
  charsets.saysNothing(label) ||
  (isEscapedText(bytes) && !/2022/.test(label)) ||
  (charsets.isWestern(label) && !isAscii(bytes) && isUtf8(bytes));

/**
 * Converts a text part to UTF-8 whose charset is not declared, unknown or contradicted by the bytes. A web page may name
 * its own charset; otherwise it is guessed.
 */
const recodePart = async (part: MailPart, charsets: MailCharsets): Promise<void> => {
  const { value, params } = part.contentType.parsed;
  const isBody = /^text\/(?:plain|html)$/.test(value) && part.contentDisposition.parsed.value !== 'attachment';
  const isText = isBody || /^(?:text\/calendar|application\/ics)$/.test(value);
  if (part.content === null || !isText) return;
  const bytes = new Uint8Array(part.content);
  const label = charsets.labelOf(params['charset'] ?? '');
  if (!isMislabelled(bytes, label, charsets)) return setCharset(part, label);
  const text = await decodeText({ bytes, filename: '', contentType: value });
  if (text === null) return;
  part.content = new TextEncoder().encode(text).buffer;
  setCharset(part, 'utf-8');
};

/**
 * Converts the headers of a message to UTF-8, in which they may be unencoded. Older programs wrote them in any charset.
 */
const recodeHeaders = async (bytes: Buffer, charsets: MailCharsets): Promise<Buffer> => {
  const ends = ['\n\r\n', '\n\n'].map((end) => bytes.indexOf(end)).filter((at) => at !== -1);
  const end = Math.min(bytes.length, ...ends);
  const headers = bytes.subarray(0, end);
  if (isUtf8(headers)) return bytes;
  // Such programs usually wrote the headers in the charset of the text.
  const charset = /charset\s*=\s*["']?([\w.:-]+)/i.exec(bytes.toString('latin1', 0, headBytes))?.[1] ?? '';
  const contentType = charsets.saysNothing(charset) ? 'text/plain' : `text/plain; charset=${charset}`;
  const text = await decodeText({ bytes: headers, filename: '', contentType });
  return text === null ? bytes : Buffer.concat([Buffer.from(text), bytes.subarray(end)]);
};

/** Converts mail that was saved as UTF-16; null if it is in another charset. Its first letter is ASCII. */
export const narrowMail = async (bytes: Uint8Array): Promise<Buffer | null> => {
  const [first = 1, second = 1] = bytes;
  const isMarked = first + second === 0xff + 0xfe && Math.abs(first - second) === 1;
  if (!isMarked && (first === 0) === (second === 0)) return null;
  const text = await decodeText({ bytes, filename: '', contentType: '' });
  return text === null ? null : Buffer.from(text);
};

const declaresBase64 = /^content-transfer-encoding:[ \t]*base64[ \t]*\r?$/gim;
// Each costs time in proportion to the headers around it.
const maxDeclarations = 2_000;
const base64Line = /^[\w+/-]*={0,2}$/;
const headerLine = /^(?:--|[!-9;-~]+:|[ \t]|From )/;

/** Headers around a position, and the first line of text below them. */
const headersAround = (text: string, at: number): { readonly headers: string; readonly line: string } => {
  const before = text.slice(Math.max(0, at - headBytes), at);
  const start = Math.max(before.lastIndexOf('\n\n'), before.lastIndexOf('\n\r\n')) + 1;
  const rest = text.slice(at, at + headBytes);
  const [headers = rest] = rest.split(/\n\r?\n/, 1);
  return {
    headers: (before.slice(start) + headers).trim(),
    line: /\S[^\r\n]*/.exec(rest.slice(headers.length))?.[0].trim() ?? '',
  };
};

/** Declares text as 8-bit that is declared as base64 and is not. */
const withoutFalseBase64 = (bytes: Buffer): Buffer => {
  const text = bytes.toString('latin1');
  let result = bytes;
  for (const { 0: found, index } of text.matchAll(declaresBase64).take(maxDeclarations)) {
    const { headers, line } = headersAround(text, index);
    const isTextPart = !/^content-type:(?!\s*text\/)/im.test(headers);
    const isHeader = headers.split(/\r?\n/).every((one) => headerLine.test(one));
    if (!isTextPart || !isHeader || base64Line.test(line)) continue;
    if (result === bytes) result = Buffer.from(bytes);
    result.write('8bit  ', index + found.toLowerCase().indexOf('base64'), 'latin1');
  }
  return result;
};

// Each of them parses the rest of the message again.
const maxRecoveries = 20;

const partStart = /^--([!-~](?:[ -~]{0,198}[!-~])?)[ \t]*\r?\n(?=content-[\w-]+[ \t]*:)/im;
const pageStart = /^\s*<(?:!doctype|html|head|body|meta|div|table|p)\b/i;

/** Decodes one message in any charset. Throws if it is nested too deep. @param isNarrowed Whether it was UTF-16. */
export const parseMail = async (message: Uint8Array, { isNarrowed = false } = {}): Promise<Email> => {
  const { default: Parser, decodeWords } = await import('postal-mime');
  const charsets = openMailCharsets(decodeWords);
  const openParser = (): PostalMime & PartSorter => new Parser(parserOptions) as PostalMime & PartSorter;
  let recoveries = 0;
  /** Finds the parts of a multipart whose boundary is missing or wrong. Without any it is a text. */
  const recoverParts = async (part: MailPart): Promise<void> => {
    const content = Buffer.from(part.content ?? new ArrayBuffer(0));
    const text = content.toString('latin1');
    const boundary = recoveries < maxRecoveries ? partStart.exec(text)?.[1] : undefined;
    if (boundary === undefined) {
      const value = pageStart.test(text) ? 'text/html' : 'text/plain';
      part.contentType = { multipart: false, parsed: { value, params: {} } };
      return;
    }
    recoveries += 1;
    const quoted = boundary.replace(/["\\]/g, String.raw`\$&`);
    const parser = openParser();
    const head = `Content-Type: multipart/mixed; boundary="${quoted}"\n\n`;
    await parser.parse(Buffer.concat([Buffer.from(head), content]));
    part.childNodes = parser.root.childNodes;
  };
  const narrowed = await narrowMail(message);
  const isUnlabelled = isNarrowed || narrowed !== null;
  const parser = openParser();
  const collectNode = parser.collectNode.bind(parser);
  parser.collectNode = async (part, ...around) => {
    if (part.contentType.multipart !== false && part.childNodes.length === 0) await recoverParts(part);
    const isEncoded = /base64|quoted-printable/i.test(part.contentTransferEncoding.encoding);
    if (isUnlabelled && !isEncoded) setCharset(part, 'utf-8');
    await recodePart(part, charsets);
    await collectNode(part, ...around);
  };
  return parser.parse(withoutFalseBase64(await recodeHeaders(narrowed ?? bufferOf(message), charsets)));
};
