import type { Address, Email, Attachment } from 'postal-mime';
import type { FormatReader } from '../format.ts';
import { openMessages, type MailMessage } from './open-messages.ts';
import { narrowMail, parseMail } from './parse-mail.ts';
import { UnreadableFile, type Place, type InnerFile } from '../port.ts';

const nameOf = ({ name, address, group }: Address): string => {
  if (group !== undefined) return group.map(nameOf).join(', ');
  return name !== '' && address !== undefined ? `${name} <${address}>` : (address ?? name);
};

const headerLine = (title: string, value: string | undefined): readonly string[] =>
  value === undefined || value.trim() === '' ? [] : [`${title}: ${value}`];

const maxHeaderBytes = 64 * 1024;

/** File name of an attached message without name: its subject. */
const nameBySubject = async (message: Uint8Array): Promise<string | undefined> => {
  const start = Buffer.from(message.subarray(0, maxHeaderBytes)).toString('latin1');
  const [headers = ''] = start.split(/\r?\n\r?\n/, 1);
  const { subject = '' } = await parseMail(Buffer.from(headers, 'latin1'));
  return subject.trim() === '' ? undefined : `${subject.trim()}.eml`;
};

const toFile = async ({ filename, mimeType, content }: Attachment, index: number): Promise<InnerFile> => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
  const name = filename ?? (mimeType === 'message/rfc822' ? await nameBySubject(bytes) : undefined);
  return { bytes, filename: name ?? `attachment ${index + 1}`, contentType: mimeType };
};

// Logos and separators that the HTML refers to, as opposed to attachments.
const isDecoration = ({ related, mimeType }: Attachment): boolean =>
  related === true && !mimeType.startsWith('message/');

/** Whether an attachment only says that the next one is encrypted. */
const isEncryptionMark = ({ mimeType, content }: Attachment): boolean =>
  mimeType === 'application/pgp-encrypted' &&
  /^\s*version: *1\s*$/i.test(typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString());

const calendarTypes: ReadonlySet<string> = new Set(['text/calendar', 'application/ics']);

/** Removes the copies of an invitation, which most mails have as alternative text and as attachment. */
const withoutCopies = (attachments: readonly Attachment[]): readonly Attachment[] => {
  const seen = new Set<string>();
  return attachments.filter(({ mimeType, content }) => {
    if (!calendarTypes.has(mimeType)) return true;
    const text = (typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString()).trim();
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  });
};

const toMessage = async (email: Email): Promise<MailMessage> => ({
  subject: email.subject ?? '',
  headers: [
    ...headerLine('From', email.from === undefined ? undefined : nameOf(email.from)),
    ...headerLine('To', email.to?.map(nameOf).join(', ')),
    ...headerLine('Cc', email.cc?.map(nameOf).join(', ')),
    ...headerLine('Date', email.date),
  ],
  text: email.text ?? '',
  html: email.html ?? '',
  attachments: await Promise.all(
    withoutCopies(
      email.attachments.filter((attachment) => !isDecoration(attachment) && !isEncryptionMark(attachment)),
    ).map(toFile),
  ),
});

/** Decodes one message. Throws `UnreadableFile` if it is nested too deep or its headers have no end. */
const parseMessage = async (...mail: Parameters<typeof parseMail>): Promise<MailMessage> => {
  try {
    return await toMessage(await parseMail(...mail));
  } catch (error) {
    throw new UnreadableFile('The message is damaged or nested too deep', error);
  }
};

/** Reads one message (EML), or a web page that was saved as one (MHTML). */
export const readEml: FormatReader = async ({ bytes }, context) => {
  const messages = async function* () {
    yield { message: await parseMessage(bytes), place: {} };
  };
  return openMessages(messages(), context);
};

const maxMessages = 100_000;

const maxEnvelopeBytes = 2_000;

/** Line `From sender date`, which precedes a message, and the name of the first header. A sentence has no such date. */
const envelope = /^From \S.*\b\d{1,2}:\d{2}\b.*\n(?:>From .*\n)?[!-9;-~]+:/;

/** Start and end of each message of a mailbox. An envelope line after a blank line, or at the start, separates them. */
const messageRanges = (box: Buffer): readonly (readonly [number, number])[] => {
  const starts: number[] = [];
  const isStart = (at: number): boolean => {
    if (at === 0) return true;
    if (box[at - 2] !== 0x0a && !(box[at - 2] === 0x0d && box[at - 3] === 0x0a)) return false;
    return envelope.test(box.toString('latin1', at, at + maxEnvelopeBytes).replaceAll('\r\n', '\n'));
  };
  for (let at = box.indexOf('From '); at !== -1; at = box.indexOf('\nFrom ', at) + 1 || -1) {
    if (isStart(at)) starts.push(at);
    if (starts.length > maxMessages) throw new UnreadableFile(`The mailbox contains more than ${maxMessages} messages`);
  }
  return starts.map((start, index) => {
    const lineEnd = box.indexOf('\n', start);
    return [lineEnd === -1 ? box.length : lineEnd + 1, starts[index + 1] ?? box.length];
  });
};

/** Reads a mailbox (MBOX). The place `message` is the number of the message, from 1. */
export const readMbox: FormatReader = async ({ bytes }, context) => {
  const narrowed = await narrowMail(bytes);
  const isNarrowed = narrowed !== null;
  const box = narrowed ?? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const messages = async function* () {
    for (const [index, [start, end]] of messageRanges(box).entries()) {
      const quoted = box.subarray(start, end).toString('latin1');
      const place: Place = { message: index + 1 };
      const message = Buffer.from(quoted.replace(/^>(>*From )/gm, '$1'), 'latin1');
      yield { message: await parseMessage(message, { isNarrowed }), place };
    }
  };
  return openMessages(messages(), context);
};
