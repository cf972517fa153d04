import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import type { Mark } from '../port.ts';

// A definition, or data, that is longer than this is cut between two lines.
const maxBlockChars = 30_000;

/** Makes a block of lines, without the blank lines around them, with a mark for every line's number. */
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
 * Reads source code unchanged. A block ends at a blank line before a line without indentation, which is where the next
 * definition begins in most layouts.
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
    if (isBegin || chars + line.length > maxBlockChars) flush();
    lines.push(line.trimEnd());
    chars += line.length + 1;
  }
  flush();
  return openBlocks(blocks);
};
