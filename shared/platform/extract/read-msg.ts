import type { FieldsData } from '@kenjiuno/msgreader';
import type { FormatReader } from './format.ts';
import { openLetters, type Letter } from './open-letters.ts';
import { UnreadableFile, type SourceFile } from './port.ts';

interface Message {
  getFileData(): FieldsData;
  getAttachment(attachment: FieldsData): { readonly fileName: string; readonly content: Uint8Array };
}

const openMessage = async (bytes: Uint8Array): Promise<Message> => {
  // The package is CommonJS; under a bundler its class is the default export, under Node.js one step further in.
  const loaded: unknown = (await import('@kenjiuno/msgreader')).default;
  const inner = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : loaded;
  const Reader = inner as new (bytes: ArrayBuffer) => Message;
  return new Reader(new Uint8Array(bytes).buffer);
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

const htmlOf = ({ bodyHtml, html }: FieldsData): string =>
  bodyHtml ?? (html === undefined ? '' : new TextDecoder().decode(html));

const toLetter = (message: Message): Letter => {
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
    .map((attachment): SourceFile => {
      const { fileName, content } = message.getAttachment(attachment);
      return { bytes: content, filename: fileName, contentType: attachment.attachMimeTag ?? '' };
    });
  return {
    subject: fields.subject ?? '',
    headers: headers.filter(([, value]) => value !== '').map(([title, value]) => `${title}: ${value}`),
    text: fields.body ?? '',
    html: htmlOf(fields),
    attachments,
  };
};

/** Reads a message of Outlook (MSG) with its attachments, messages among them. */
export const readMsg: FormatReader = async ({ bytes }, context) => {
  const message = await openMessage(bytes);
  const letters = async function* () {
    try {
      yield { letter: toLetter(message), place: {} };
    } catch (error) {
      if (error instanceof UnreadableFile) throw error;
      throw new UnreadableFile('The Outlook message is damaged', error);
    }
  };
  return openLetters(letters(), context);
};
