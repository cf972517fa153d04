import type { Block } from '../../cut-units.ts';
import { tableBlocks } from '../../table.ts';
import { textOfLines } from './line-of.ts';
import type { LayoutBlock } from './paragraphs.ts';

/** Text blocks of a paragraph or table. */
export const toBlocks = (block: LayoutBlock): readonly Block[] => {
  if (block.kind === 'table') return tableBlocks(block);
  const text = textOfLines(block.lines);
  return text === '' ? [] : [{ text, level: null }];
};
