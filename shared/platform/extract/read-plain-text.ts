import { openBlocks, type Block } from './cut-units.ts';
import type { FormatReader } from './format.ts';

/** Paragraphs of plain text: what blank lines or form feeds part. Indentation stays, for it may be a layout. */
export const plainTextBlocks = async (text: string): Promise<readonly Block[]> => {
  const paragraphs: string[] = [];
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) paragraphs.push(lines.join('\n'));
    lines = [];
  };
  for (const line of text.split(/[\n\f]/)) {
    if (line.trim() === '') flush();
    else lines.push(line.trimEnd());
  }
  flush();
  return paragraphs.map((paragraph) => ({ text: paragraph, level: null }));
};

/** Reads plain text, paragraph by paragraph. */
export const readPlainText: FormatReader = async (_, { text }) => openBlocks(await plainTextBlocks(text));
