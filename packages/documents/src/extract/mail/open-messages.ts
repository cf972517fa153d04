import { headOf, oneLine } from '../../../../../shared/kernel/text.ts';
import { toParts, cutUnits, type Block } from '../cut-units.ts';
import { attachmentName, type OpenedFile, type ReadContext } from '../format.ts';
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

// If the HTML has this many times the words, the text is a fraction of it.
const maxRatio = 3;

// If the HTML has less of the words of the text, the two are different messages.
const minShare = 0.5;

const wordsOf = (blocks: Iterable<Block>): readonly string[] =>
  Array.from(blocks, ({ text }) =>
    text
      .replace(/https?:\/\/\S+/g, ' ')
      .toLowerCase()
      .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}]+/gu),
  ).flatMap((words) => words ?? []);

const shareOf = (words: readonly string[], others: ReadonlySet<string>): number =>
  words.length === 0 ? 1 : words.filter((word) => others.has(word)).length / words.length;

/**
 * Body of a message: its plain text, unless its HTML says more or something else, which is what a mail program shows, or
 * has tables. The HTML is read whole, since the main content found in it may be a disclaimer or a quoted message.
 */
const bodyBlocks = async ({ text, html }: MailMessage): Promise<readonly Block[]> => {
  const page = html.trim() === '' ? [] : [...(await wholePageBlocks(html))];
  const written = [...plainTextBlocks(text)];
  if (written.length === 0 || page.length === 0) return written.length === 0 ? page : written;
  const [shown, plain] = [wordsOf(page), wordsOf(written)];
  // A picture of text has no words, so that the text is all there is.
  if (shown.length === 0) return written;
  const isOther = shown.length > maxRatio * plain.length || shareOf(plain, new Set(shown)) < minShare;
  return isOther || page.some(({ head }) => head !== undefined) ? page : written;
};

const armor = /^-----(BEGIN|END) PGP (?:MESSAGE|SIGNATURE)-----\s*$/;

/** Removes text that is encrypted, and signatures of text. */
const withoutArmor = (text: string): string => {
  if (!text.includes('-----END PGP ')) return text;
  let isArmor = false;
  const kept = text.split('\n').filter((line) => {
    const [, border] = armor.exec(line) ?? [];
    if (border === 'BEGIN') isArmor = true;
    const isKept = !isArmor;
    if (border === 'END') isArmor = false;
    return isKept;
  });
  return kept.join('\n');
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
  for await (const { message: received, place } of messages) {
    const message = { ...received, text: withoutArmor(received.text) };
    if (/^-----BEGIN PGP MESSAGE-----/m.test(received.text) && message.text !== received.text)
      notes.push('Encrypted text of a message was left out.');
    units.addText(toParts([...cutUnits(await messageBlocks(message, place))].flat()));
    for (const attachment of message.attachments) {
      const name = attachmentName(attachment);
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
