import { openBlocks, type Block } from './cut-units.ts';
import type { FormatReader } from './format.ts';
import { visitXml } from './parse-xml.ts';

interface Level {
  readonly name: string;
  text: string;
  hasChildren: boolean;
}

const attributeText = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .filter(([name, value]) => !/^xmlns\b|^xsi:/.test(name) && /\p{L}{3}/u.test(value) && !/^\w+:\/\//.test(value))
    .map(([, value]) => value)
    .join(' ');

/**
 * Reads XML of any vocabulary: what stands in one element is a line, named by the element where the file is data rather
 * than prose; the children of the root begin paragraphs of their own.
 */
export const readXml: FormatReader = async (_, { text }) => {
  const blocks: Block[] = [];
  const stack: Level[] = [];
  let lines: string[] = [];
  const endBlock = (): void => {
    if (lines.length > 0) blocks.push({ text: lines.join('\n'), level: null });
    lines = [];
  };
  const endLine = (level: Level | undefined): void => {
    const words = level?.text.replace(/\s+/g, ' ').trim() ?? '';
    if (level === undefined || words === '') return;
    lines.push(level.hasChildren ? words : `${level.name}: ${words}`);
    level.text = '';
  };
  await visitXml(text, {
    open: (name, attributes) => {
      const outer = stack.at(-1);
      if (outer !== undefined) outer.hasChildren = true;
      endLine(outer);
      stack.push({ name, text: '', hasChildren: false });
      const words = attributeText(attributes);
      if (words !== '') lines.push(`${name}: ${words}`);
    },
    text: (words) => {
      const level = stack.at(-1);
      if (level !== undefined) level.text += words;
    },
    close: () => {
      endLine(stack.pop());
      if (stack.length <= 1) endBlock();
    },
  });
  endBlock();
  return openBlocks(blocks);
};
