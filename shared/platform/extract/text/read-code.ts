import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import type { Mark } from '../port.ts';

// A definition that is longer than this, or data, is cut between two lines.
const mostBlockChars = 30_000;

/** Lines that stand together, without the blank ones around them, every line marked with its number. */
const blockOf = (lines: readonly string[], startLine: number): Block | undefined => {
  const first = lines.findIndex((line) => line !== '');
  if (first === -1) return undefined;
  const marks: Mark[] = [];
  let at = 0;
  for (const [index, line] of lines.entries()) {
    if (index < first) continue;
    const number = startLine + index;
    if (line !== '') marks.push({ at, first: { line_start: number }, last: { line_end: number } });
    at += line.length + 1;
  }
  return { text: lines.slice(first).join('\n').trimEnd(), level: null, marks };
};

/**
 * Reads source code as it stands. A block ends at a blank line that is followed by a line without indentation, which
 * is where the next definition begins in every language that is laid out at all.
 */
export const readCode: FormatReader = async (_, { text }) => {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let startLine = 1;
  let chars = 0;
  const flush = (): void => {
    const block = blockOf(lines, startLine);
    if (block !== undefined) blocks.push(block);
    startLine += lines.length;
    lines = [];
    chars = 0;
  };
  for (const line of text.split('\n')) {
    const isBegin = /^[^\s})\]]/.test(line) && lines.at(-1) === '';
    if (isBegin || chars + line.length > mostBlockChars) flush();
    lines.push(line.trimEnd());
    chars += line.length + 1;
  }
  flush();
  return openBlocks(blocks);
};
