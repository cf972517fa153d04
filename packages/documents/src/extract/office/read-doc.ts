import { openBlocks } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { openWordDocument } from './open-word-document.ts';
import { plainTextBlocks } from '../text/read-plain-text.ts';
import { UnreadableFile } from '../port.ts';

/** Adds a blank line between paragraphs, since the format marks nothing else. */
const spaced = (text: string): string => text.replace(/\r\n?|\n/g, '\n\n').replace(/\n{3,}/g, '\n\n');

/** Reads DOC of Word 97 to 2003: body, text boxes, then notes and comments. Headings are not identified. */
export const readDoc: FormatReader = async ({ bytes }) => {
  try {
    const document = await openWordDocument(bytes);
    const parts = [
      document.getBody(),
      document.getTextboxes({ includeHeadersAndFooters: false }),
      document.getFootnotes(),
      document.getEndnotes(),
      document.getAnnotations(),
    ];
    return openBlocks(plainTextBlocks(spaced(parts.join('\n'))));
  } catch (error) {
    throw new UnreadableFile('The Word document is damaged, protected by a password, or older than Word 97', error);
  }
};
