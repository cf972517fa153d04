import { openBlocks, type Block } from './cut-units.ts';
import type { FormatReader } from './format.ts';

/**
 * Reads source code as it stands. A block ends at a blank line that is followed by a line without indentation, which
 * is where the next definition begins in every language that is laid out at all.
 */
export const readCode: FormatReader = async (_, { text }) => {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let startLine = 1;
  const flush = (endLine: number): void => {
    const code = lines.join('\n').replace(/^\n+/, '').trimEnd();
    if (code !== '') {
      blocks.push({
        text: code,
        level: null,
        bounds: { first: { line_start: startLine }, last: { line_end: endLine } },
      });
    }
    lines = [];
  };
  for (const [index, line] of text.split('\n').entries()) {
    const isBegin = /^[^\s})\]]/.test(line) && lines.at(-1)?.trim() === '';
    if (isBegin) {
      flush(index);
      startLine = index + 1;
    }
    lines.push(line.trimEnd());
  }
  flush(startLine + lines.length - 1);
  return openBlocks(blocks);
};
