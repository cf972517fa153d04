import { headOf, oneLine } from '../../../kernel/text.ts';
import { toParts, cutUnits, type Block } from '../cut-units.ts';
import type { OpenedFile, ReadContext } from '../format.ts';
import { openUnitList } from '../join-units.ts';
import { UnreadableFile, type Place, type InnerFile } from '../port.ts';
import { wholePageBlocks } from '../html/read-html.ts';
import { plainTextBlocks } from '../text/read-plain-text.ts';

/** Decoded message of any mail format. */
export interface MailMessage {
  readonly subject: string;
  /** Lines such as `From: Erna <erna@example.com>`. */
  readonly headers: readonly string[];
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly InnerFile[];
}

const maxNamed = 10;

// If the HTML has this many times the words, the text only says that the message is elsewhere, or is a fraction of it.
const maxRatio = 3;

const countWords = (blocks: Iterable<Block>): number => {
  let words = 0;
  for (const { text } of blocks) words += text.replace(/https?:\/\/\S+/g, ' ').match(/\p{L}+/gu)?.length ?? 0;
  return words;
};

/**
 * Body of a message: its plain text, unless its HTML has far more words. The HTML is read whole, since the main content
 * found in it may be a disclaimer or a quoted message.
 */
const bodyBlocks = async ({ text, html }: MailMessage): Promise<readonly Block[]> => {
  const page = html.trim() === '' ? [] : [...(await wholePageBlocks(html))];
  if (text.trim() === '') return page;
  const written = [...plainTextBlocks(text)];
  return countWords(page) > maxRatio * countWords(written) ? page : written;
};

const messageBlocks = async (message: MailMessage, place: Place): Promise<readonly Block[]> => {
  const subject = headOf(oneLine(message.subject), 300);
  const headers = message.headers.map((line) => headOf(oneLine(line), 500)).join('\n');
  const body = await bodyBlocks(message);
  return [
    ...(subject === '' ? [] : [{ text: subject, level: 0, place }]),
    ...(headers === '' ? [] : [{ text: headers, level: null, place }]),
    ...body.map((block) => ({ ...block, level: block.level === null ? null : Math.max(1, block.level), place })),
  ];
};

const skippedNote = (skipped: readonly string[]): string => {
  const named = skipped.slice(0, maxNamed).join('; ');
  const rest = skipped.length > maxNamed ? `; and ${skipped.length - maxNamed} more` : '';
  return `${skipped.length} ${skipped.length === 1 ? 'attachment was' : 'attachments were'} skipped: ${named}${rest}.`;
};

/**
 * Opens mail: every message with its headers and body, followed by the text of its attachments. Unreadable attachments
 * are skipped and noted.
 * @param messages In order; `place` distinguishes them if there are several.
 */
export const openMessages = async (
  messages: AsyncIterable<{ readonly message: MailMessage; readonly place: Place }>,
  { openInner }: Pick<ReadContext, 'openInner'>,
): Promise<OpenedFile> => {
  const units = openUnitList();
  const notes: string[] = [];
  const skipped: string[] = [];
  for await (const { message, place } of messages) {
    units.addText(toParts([...cutUnits(await messageBlocks(message, place))].flat()));
    for (const attachment of message.attachments) {
      const name = headOf(oneLine(attachment.filename), 200);
      try {
        const file = await openInner(attachment);
        await units.addFile(file, { ...place, attachment: name });
        notes.push(...file.notes.map((note) => `${name}: ${note}`));
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        skipped.push(`${name} (${error.message})`);
      }
    }
  }
  return units.close(skipped.length === 0 ? notes : [...notes, skippedNote(skipped)]);
};
