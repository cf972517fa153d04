import { oneLine } from '../../kernel/text.ts';
import { openBlocks, type Block } from './cut-units.ts';
import type { FormatReader } from './format.ts';
import { visitXml } from './parse-xml.ts';
import { openPageReader, type PageReader } from './read-html.ts';

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

const feeds: ReadonlySet<string> = new Set(['rss', 'feed', 'RDF']);
const entries: ReadonlySet<string> = new Set(['item', 'entry']);

const isPage = (text: string): boolean => /<\/?[a-z][^<>]*>|&(?:[a-z]+|#x?[\da-f]+);/i.test(text);

/** The words of what an entry of a feed says, which may be a piece of a web page. */
const wordsOfEntry = (text: string, readPage: PageReader): string =>
  isPage(text) ? Array.from(readPage(text), (block) => block.text).join('\n') : oneLine(text);

/**
 * Reads XML of any vocabulary: what stands in one element is a line, named by the element where the file is data rather
 * than prose; the children of the root begin paragraphs of their own, and so do the entries of a feed,
 * which are read without the tags of web pages.
 */
export const readXml: FormatReader = async (_, { text }) => {
  const blocks: Block[] = [];
  const stack: Level[] = [];
  let lines: string[] = [];
  let isFeed = false;
  const readPage = await openPageReader();
  const endBlock = (): void => {
    if (lines.length > 0) blocks.push({ text: lines.join('\n'), level: null });
    lines = [];
  };
  const endLine = (level: Level | undefined): void => {
    if (level === undefined) return;
    const words = isFeed ? wordsOfEntry(level.text, readPage) : oneLine(level.text);
    if (words === '') return;
    lines.push(level.hasChildren ? words : `${level.name}: ${words}`);
    level.text = '';
  };
  await visitXml(text, {
    open: (name, attributes) => {
      const outer = stack.at(-1);
      if (outer === undefined) isFeed = feeds.has(name);
      else outer.hasChildren = true;
      endLine(outer);
      if (isFeed && entries.has(name)) endBlock();
      stack.push({ name, text: '', hasChildren: false });
      const words = attributeText(attributes);
      if (words !== '') lines.push(`${name}: ${words}`);
    },
    text: (words) => {
      const level = stack.at(-1);
      if (level !== undefined) level.text += words;
    },
    close: (name) => {
      endLine(stack.pop());
      if (stack.length <= 1 || (isFeed && entries.has(name))) endBlock();
    },
  });
  endBlock();
  return openBlocks(blocks);
};
