import { headOf, oneLine } from '../../../kernel/text.ts';
import { asParts, cutUnits, type Block } from '../cut-units.ts';
import type { OpenedFile, ReadContext } from '../format.ts';
import { openUnitList } from '../join-units.ts';
import { UnreadableFile, type Place, type InnerFile } from '../port.ts';
import { wholePageBlocks } from '../html/read-html.ts';
import { plainTextBlocks } from '../text/read-plain-text.ts';

/** One message of whatever mail format, decoded. */
export interface Letter {
  readonly subject: string;
  /** Lines such as `From: Erna <erna@example.com>`. */
  readonly headers: readonly string[];
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly InnerFile[];
}

const mostNamed = 10;

// A text that only says that the message is elsewhere, or that is a fraction of it.
const mostTimes = 3;

const countWords = (blocks: Iterable<Block>): number => {
  let words = 0;
  for (const { text } of blocks) words += text.replace(/https?:\/\/\S+/g, ' ').match(/\p{L}+/gu)?.length ?? 0;
  return words;
};

/**
 * The message as text, which is what was written where there is one, unless its HTML says far more. That is read as a
 * whole: what stands out in it may be the disclaimer, or a message that it answers.
 */
const bodyBlocks = async ({ text, html }: Letter): Promise<readonly Block[]> => {
  const page = html.trim() === '' ? [] : [...(await wholePageBlocks(html))];
  if (text.trim() === '') return page;
  const written = [...plainTextBlocks(text)];
  return countWords(page) > mostTimes * countWords(written) ? page : written;
};

const letterBlocks = async (letter: Letter, place: Place): Promise<readonly Block[]> => {
  const subject = headOf(oneLine(letter.subject), 300);
  const headers = letter.headers.map((line) => headOf(oneLine(line), 500)).join('\n');
  const body = await bodyBlocks(letter);
  return [
    ...(subject === '' ? [] : [{ text: subject, level: 0, place }]),
    ...(headers === '' ? [] : [{ text: headers, level: null, place }]),
    ...Array.from(body, ({ text, level }) => ({ text, level: level === null ? null : Math.max(1, level), place })),
  ];
};

const skippedNote = (skipped: readonly string[]): string => {
  const named = skipped.slice(0, mostNamed).join('; ');
  const rest = skipped.length > mostNamed ? `; and ${skipped.length - mostNamed} more` : '';
  return `${skipped.length} ${skipped.length === 1 ? 'attachment was' : 'attachments were'} skipped: ${named}${rest}.`;
};

/**
 * Opens mail: every message with its headers and body, followed by what its attachments say. An attachment that can't
 * be read is left out and noted.
 * @param letters In order; `place` tells them apart where there are several.
 */
export const openLetters = async (
  letters: AsyncIterable<{ readonly letter: Letter; readonly place: Place }>,
  { openInner }: Pick<ReadContext, 'openInner'>,
): Promise<OpenedFile> => {
  const units = openUnitList();
  const notes: string[] = [];
  const skipped: string[] = [];
  for await (const { letter, place } of letters) {
    units.addText(asParts([...cutUnits(await letterBlocks(letter, place))].flat()));
    for (const attachment of letter.attachments) {
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
