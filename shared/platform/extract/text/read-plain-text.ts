import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';

/** Paragraphs of plain text: what blank lines or form feeds part. Indentation stays, for it may be a layout. */
export const plainTextBlocks = function* (text: string): Generator<Block> {
  let lines: string[] = [];
  for (const [line] of text.matchAll(/[^\n\f]*(?:[\n\f]|$)/g)) {
    if (line.trim() !== '') lines.push(line.trimEnd());
    else if (lines.length > 0) {
      yield { text: lines.join('\n'), level: null };
      lines = [];
    }
  }
  // The text ends with a match of nothing, which has ended the last paragraph.
};

/** Reads plain text, paragraph by paragraph. */
export const readPlainText: FormatReader = async (_, { text }) => openBlocks(plainTextBlocks(text));
