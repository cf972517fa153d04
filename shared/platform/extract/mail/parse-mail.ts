import { isUtf8 } from 'node:buffer';
import type { Email, default as PostalMime } from 'postal-mime';
import { decodeText } from '../text/decode-text.ts';

/** A part of a message before its text is decoded, its transfer encoding undone. */
interface MailPart {
  readonly contentType: { readonly parsed: { readonly value: string; readonly params: { readonly charset?: string } } };
  readonly contentDisposition: { readonly parsed: { readonly value: string } };
  content: ArrayBuffer | null;
}

/** What sorts the parts of a message, from the outermost on. The parser's types don't tell of it. */
interface PartSorter {
  collectNode: (part: MailPart, ...around: unknown[]) => Promise<void>;
}

// What says nothing about the bytes; UTF-8 is what the parser takes where nothing is declared.
const undeclared = /^(?:utf-?8|x-user-defined|x-unknown|unknown-8bit)?$/i;

const headBytes = 64 * 1024;

/** Makes UTF-8 of the text of a part that declares no charset: a web page may name its own, and of others it is guessed. */
const recodePart = async (part: MailPart): Promise<void> => {
  const { value, params } = part.contentType.parsed;
  const isText = /^text\/(?:plain|html|calendar)$/.test(value) && part.contentDisposition.parsed.value !== 'attachment';
  if (part.content === null || !isText || !undeclared.test((params.charset ?? '').trim())) return;
  const text = await decodeText({ bytes: new Uint8Array(part.content), filename: '', contentType: value });
  if (text !== null) part.content = new TextEncoder().encode(text).buffer;
};

/** A message whose headers are UTF-8, which they may be without encoding; older programs wrote them in any charset. */
const recodeHeaders = async (message: Uint8Array): Promise<Uint8Array> => {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const ends = ['\n\r\n', '\n\n'].map((end) => bytes.indexOf(end)).filter((at) => at !== -1);
  const end = Math.min(bytes.length, ...ends);
  const headers = bytes.subarray(0, end);
  if (isUtf8(headers)) return message;
  // Programs that wrote the headers so had the charset of the text, as a rule.
  const charset = /charset\s*=\s*["']?([\w.:-]+)/i.exec(bytes.toString('latin1', 0, headBytes))?.[1] ?? '';
  const contentType = undeclared.test(charset) ? 'text/plain' : `text/plain; charset=${charset}`;
  const text = await decodeText({ bytes: headers, filename: '', contentType });
  return text === null ? message : Buffer.concat([Buffer.from(text), bytes.subarray(end)]);
};

/** Decodes one message, in whatever charset its headers and texts are. Throws where it nests too deep. */
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
