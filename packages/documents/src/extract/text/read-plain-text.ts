import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { openUnderlines } from './underlined-headings.ts';

/**
 * Paragraphs of plain text, separated by blank lines or form feeds, and headings with a line of signs below them.
 * Indentation is kept, since it may be layout.
 */
export const paragraphsOf = function* (segments: Iterable<string>): Generator<Block> {
  const headingOf = openUnderlines();
  const toBlocks = (lines: readonly string[]): readonly Block[] => {
    const heading = headingOf(lines);
    const rest = lines.slice(heading?.lines ?? 0).join('\n');
    return [
      ...(heading === null ? [] : [{ text: heading.title, level: heading.level }]),
      ...(rest === '' ? [] : [{ text: rest, level: null }]),
    ];
  };
  let lines: string[] = [];
  for (const segment of segments) {
    for (const [line] of segment.matchAll(/[^\n\f]*[\n\f]|[^\n\f]+$/g)) {
      if (line.trim() !== '') lines.push(line.trimEnd());
      else if (lines.length > 0) {
        yield* toBlocks(lines);
        lines = [];
      }
    }
  }
  yield* toBlocks(lines);
};

/** Paragraphs of a text in memory. */
export const plainTextBlocks = (text: string): Iterable<Block> => paragraphsOf([text]);

/** Reads plain text, paragraph by paragraph. */
export const readPlainText: FormatReader = async (_, { segments }) => openBlocks(paragraphsOf(segments()));
