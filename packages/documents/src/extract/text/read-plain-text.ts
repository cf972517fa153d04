import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';

/** Paragraphs of plain text, separated by blank lines or form feeds. Indentation is kept, since it may be layout. */
export const paragraphsOf = function* (segments: Iterable<string>): Generator<Block> {
  let lines: string[] = [];
  for (const segment of segments) {
    for (const [line] of segment.matchAll(/[^\n\f]*[\n\f]|[^\n\f]+$/g)) {
      if (line.trim() !== '') lines.push(line.trimEnd());
      else if (lines.length > 0) {
        yield { text: lines.join('\n'), level: null };
        lines = [];
      }
    }
  }
  if (lines.length > 0) yield { text: lines.join('\n'), level: null };
};

/** Paragraphs of a text in memory. */
export const plainTextBlocks = (text: string): Iterable<Block> => paragraphsOf([text]);

/** Reads plain text, paragraph by paragraph. */
export const readPlainText: FormatReader = async (_, { segments }) => openBlocks(paragraphsOf(segments()));
