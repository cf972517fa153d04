import type { Address, Email, Attachment } from 'postal-mime';
import type { FormatReader } from '../format.ts';
import { openLetters, type Letter } from './open-letters.ts';
import { parseMail } from './parse-mail.ts';
import { UnreadableFile, type Place, type InnerFile } from '../port.ts';

const nameOf = ({ name, address, group }: Address): string => {
  if (group !== undefined) return group.map(nameOf).join(', ');
  return name !== '' && address !== undefined ? `${name} <${address}>` : (address ?? name);
};

const headerLine = (title: string, value: string | undefined): readonly string[] =>
  value === undefined || value.trim() === '' ? [] : [`${title}: ${value}`];

const mostHeaderBytes = 64 * 1024;

/** What a message is named by where it has no name: its subject. */
const nameBySubject = async (message: Uint8Array): Promise<string | undefined> => {
  const start = Buffer.from(message.subarray(0, mostHeaderBytes)).toString('latin1');
  const [headers = ''] = start.split(/\r?\n\r?\n/, 1);
  const { subject = '' } = await parseMail(Buffer.from(headers, 'latin1'));
  return subject.trim() === '' ? undefined : `${subject.trim()}.eml`;
};

const toFile = async ({ filename, mimeType, content }: Attachment, index: number): Promise<InnerFile> => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
  const name = filename ?? (mimeType === 'message/rfc822' ? await nameBySubject(bytes) : undefined);
  return { bytes, filename: name ?? `attachment ${index + 1}`, contentType: mimeType };
};

// Logos and separators that the text refers to; what was attached is not among them.
const isDecoration = ({ related, mimeType }: Attachment): boolean =>
  related === true && !mimeType.startsWith('message/');

const toLetter = async (email: Email): Promise<Letter> => ({
  subject: email.subject ?? '',
  headers: [
    ...headerLine('From', email.from === undefined ? undefined : nameOf(email.from)),
    ...headerLine('To', email.to?.map(nameOf).join(', ')),
    ...headerLine('Cc', email.cc?.map(nameOf).join(', ')),
    ...headerLine('Date', email.date),
  ],
  text: email.text ?? '',
  html: email.html ?? '',
  attachments: await Promise.all(email.attachments.filter((attachment) => !isDecoration(attachment)).map(toFile)),
});

/** Decodes one message. Throws `UnreadableFile` where it nests too deep or has no end of headers. */
const parseLetter = async (bytes: Uint8Array): Promise<Letter> => {
  try {
    return await toLetter(await parseMail(bytes));
  } catch (error) {
    throw new UnreadableFile('The message is damaged or nests too deep', error);
  }
};

/** Reads one message (EML), or a web page that was saved as one (MHTML). */
export const readEml: FormatReader = async ({ bytes }, context) => {
  const letters = async function* () {
    yield { letter: await parseLetter(bytes), place: {} };
  };
  return openLetters(letters(), context);
};

const mostMessages = 100_000;

/** Positions at which the messages of a mailbox begin and end: a line `From …` after a blank line parts them. */
const messageRanges = (box: Buffer): readonly (readonly [number, number])[] => {
  const starts: number[] = [];
  const isStart = (at: number): boolean =>
    at === 0 || box[at - 2] === 0x0a || (box[at - 2] === 0x0d && box[at - 3] === 0x0a);
  for (let at = box.indexOf('From '); at !== -1; at = box.indexOf('\nFrom ', at) + 1 || -1) {
    if (isStart(at)) starts.push(at);
    if (starts.length > mostMessages) throw new UnreadableFile(`The mailbox holds more than ${mostMessages} messages`);
  }
  return starts.map((start, index) => {
    const lineEnd = box.indexOf('\n', start);
    return [lineEnd === -1 ? box.length : lineEnd + 1, starts[index + 1] ?? box.length];
  });
};

/** Reads a mailbox (MBOX); `message` counts its messages from 1. */
export const readMbox: FormatReader = async ({ bytes }, context) => {
  const box = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const letters = async function* () {
    for (const [index, [start, end]] of messageRanges(box).entries()) {
      const quoted = box.subarray(start, end).toString('latin1');
      const place: Place = { message: index + 1 };
      yield { letter: await parseLetter(Buffer.from(quoted.replace(/^>(>*From )/gm, '$1'), 'latin1')), place };
    }
  };
  return openLetters(letters(), context);
};
