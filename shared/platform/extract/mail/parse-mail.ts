import { isUtf8 } from 'node:buffer';
import type { Email, default as PostalMime } from 'postal-mime';
import { decodeText } from '../text/decode-text.ts';

/** Part of a message before its charset is decoded; its transfer encoding is decoded. */
interface MailPart {
  readonly contentType: { readonly parsed: { readonly value: string; readonly params: { readonly charset?: string } } };
  readonly contentDisposition: { readonly parsed: { readonly value: string } };
  content: ArrayBuffer | null;
}

/** Parser method that receives the parts of a message, from the outermost. It is missing in the parser's types. */
interface PartSorter {
  collectNode: (part: MailPart, ...around: unknown[]) => Promise<void>;
}

// Charsets that say nothing about the bytes. The parser assumes UTF-8 if none is declared.
const undeclared = /^(?:utf-?8|x-user-defined|x-unknown|unknown-8bit)?$/i;

const headBytes = 64 * 1024;

/**
 * Converts a text part without declared charset to UTF-8. A web page may name its own charset; otherwise it is guessed.
 */
const recodePart = async (part: MailPart): Promise<void> => {
  const { value, params } = part.contentType.parsed;
  const isBody = /^text\/(?:plain|html)$/.test(value) && part.contentDisposition.parsed.value !== 'attachment';
  const isText = isBody || /^(?:text\/calendar|application\/ics)$/.test(value);
  if (part.content === null || !isText || !undeclared.test((params.charset ?? '').trim())) return;
  const text = await decodeText({ bytes: new Uint8Array(part.content), filename: '', contentType: value });
  if (text !== null) part.content = new TextEncoder().encode(text).buffer;
};

/**
 * Converts the headers of a message to UTF-8, in which they may be unencoded. Older programs wrote them in any charset.
 */
const recodeHeaders = async (message: Uint8Array): Promise<Uint8Array> => {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const ends = ['\n\r\n', '\n\n'].map((end) => bytes.indexOf(end)).filter((at) => at !== -1);
  const end = Math.min(bytes.length, ...ends);
  const headers = bytes.subarray(0, end);
  if (isUtf8(headers)) return message;
  // Such programs usually wrote the headers in the charset of the text.
  const charset = /charset\s*=\s*["']?([\w.:-]+)/i.exec(bytes.toString('latin1', 0, headBytes))?.[1] ?? '';
  const contentType = undeclared.test(charset) ? 'text/plain' : `text/plain; charset=${charset}`;
  const text = await decodeText({ bytes: headers, filename: '', contentType });
  return text === null ? message : Buffer.concat([Buffer.from(text), bytes.subarray(end)]);
};

/** Decodes one message in any charset. Throws if it is nested too deep. */
export const parseMail = async (message: Uint8Array): Promise<Email> => {
  const { default: Parser } = await import('postal-mime');
  const options = { attachmentEncoding: 'arraybuffer', forceRfc822Attachments: true, maxNestingDepth: 50 } as const;
  const parser = new Parser(options) as PostalMime & PartSorter;
  const collectNode = parser.collectNode.bind(parser);
  parser.collectNode = async (part, ...around) => {
    await recodePart(part);
    await collectNode(part, ...around);
  };
  return parser.parse(await recodeHeaders(message));
};
