import type { FieldsData } from '@kenjiuno/msgreader';
import { charsetOfCodePage, western } from '../text/code-pages.ts';
import { decodeText } from '../text/decode-text.ts';
import type { FormatReader } from '../format.ts';
import { openMessages, type MailMessage } from './open-messages.ts';
import { UnreadableFile, type InnerFile } from '../port.ts';

interface OutlookMessage {
  parserConfig: { readonly ansiEncoding: string };
  getFileData(): FieldsData;
  getAttachment(attachment: FieldsData): { readonly fileName: string; readonly content: Uint8Array };
}

type MessageClass = new (bytes: ArrayBuffer) => OutlookMessage;

const loadReader = async (): Promise<MessageClass> => {
  // The package is CommonJS: its class is the default export under a bundler, and nested in it under Node.js.
  const loaded: unknown = (await import('@kenjiuno/msgreader')).default;
  const inner = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : loaded;
  return inner as MessageClass;
};

/** Charset of strings that are not Unicode. The Internet code page may be one that Windows has no strings in. */
const stringCharset = ({ messageCodepage, internetCodepage = 1252 }: FieldsData): string => {
  const charset = charsetOfCodePage(messageCodepage ?? internetCodepage);
  return charset === 'iso-2022-jp' ? 'shift_jis' : charset;
};

/** Opens a message with its strings in the declared charset, unless they are not valid in it. */
const openMessage = async (bytes: Uint8Array): Promise<OutlookMessage> => {
  const Reader = await loadReader();
  const openIn = (ansiEncoding: string): OutlookMessage => {
    const message = new Reader(new Uint8Array(bytes).buffer);
    message.parserConfig = { ansiEncoding };
    return message;
  };
  const message = openIn(western);
  const charset = stringCharset(message.getFileData());
  if (charset === western) return message;
  const recoded = openIn(charset);
  const { subject = '', body = '' } = recoded.getFileData();
  return subject.includes('\uFFFD') || body.includes('\uFFFD') ? message : recoded;
};

const personOf = (name: string | undefined, address: string | undefined): string => {
  if (name === undefined || name === address) return address ?? '';
  return address === undefined || !address.includes('@') ? name : `${name} <${address}>`;
};

const recipientsOf = (fields: FieldsData, type: string): string =>
  (fields.recipients ?? [])
    .filter(({ recipType }) => recipType === type)
    .map(({ name, smtpAddress, email }) => personOf(name, smtpAddress ?? email))
    .join(', ');

const htmlOf = async ({ bodyHtml, html, internetCodepage }: FieldsData): Promise<string> => {
  if (bodyHtml !== undefined || html === undefined) return bodyHtml ?? '';
  const charset = internetCodepage === undefined ? '' : `; charset=${charsetOfCodePage(internetCodepage)}`;
  return (await decodeText({ bytes: html, filename: '', contentType: `text/html${charset}` })) ?? '';
};

const toMessage = async (message: OutlookMessage): Promise<MailMessage> => {
  const fields = message.getFileData();
  if (fields.dataType !== 'msg') throw new UnreadableFile('The Outlook message is damaged');
  const headers = [
    ['From', personOf(fields.senderName, fields.senderSmtpAddress ?? fields.senderEmail)],
    ['To', recipientsOf(fields, 'to')],
    ['Cc', recipientsOf(fields, 'cc')],
    ['Date', fields.messageDeliveryTime ?? fields.clientSubmitTime ?? ''],
  ] as const;
  const attachments = (fields.attachments ?? [])
    .filter(({ attachmentHidden }) => attachmentHidden !== true)
    .map((attachment): InnerFile => {
      const { fileName, content } = message.getAttachment(attachment);
      return { bytes: content, filename: fileName, contentType: attachment.attachMimeTag ?? '' };
    });
  return {
    subject: fields.subject ?? '',
    headers: headers.filter(([, value]) => value !== '').map(([title, value]) => `${title}: ${value}`),
    text: fields.body ?? '',
    html: await htmlOf(fields),
    attachments,
  };
};

/** Reads an Outlook message (MSG) with its attachments, which may be messages. */
export const readMsg: FormatReader = async ({ bytes }, context) => {
  const messages = async function* () {
    try {
      yield { message: await toMessage(await openMessage(bytes)), place: {} };
    } catch (error) {
      if (error instanceof UnreadableFile) throw error;
      throw new UnreadableFile('The Outlook message is damaged', error);
    }
  };
  return openMessages(messages(), context);
};
