import { oneLine } from '../../../kernel/text.ts';
import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { visitXml } from '../parse-xml.ts';
import { openPageReader, type PageReader } from '../html/read-html.ts';

type Attributes = Readonly<Record<string, string>>;

interface Level {
  readonly name: string;
  readonly attributes: Attributes;
  /** How many lines there were when it began. */
  readonly start: number;
  /** All that lies in it, as it stands. */
  joined: string;
  /** The same with its children parted from each other. */
  parted: string;
  /** Its own words since the last of its children. */
  own: string;
  children: number;
  hasWords: boolean;
}

// Longer than any paragraph: words that stray between the sections of a document make no sentence of it.
const mostProse = 20_000;

/** A line to be, or null where a paragraph ends. */
type Line = { readonly title: string; readonly words: string } | null;

const attributeText = (attributes: Attributes, pattern: RegExp): string =>
  Object.entries(attributes)
    .filter(([name, value]) => !/^xmlns\b|^xsi:/.test(name) && pattern.test(value) && !/^\w+:\/\//.test(value))
    .map(([, value]) => value)
    .join(' ');

// What begins on a line of its own even where no white space says so, in the common vocabularies of prose.
const apart: ReadonlySet<string> = new Set([
  'br',
  'lb',
  'break',
  'p',
  'para',
  'simpara',
  'l',
  'li',
  'item',
  'listitem',
  'list-item',
  'tr',
  'row',
  'td',
  'entry',
]);

/** What an element is in the middle of a sentence; an empty one, such as a picture, is what its attributes tell of it. */
const inSentence = ({ name, attributes, joined, parted, children, hasWords }: Level): string => {
  if (apart.has(name)) return attributes['break'] === 'no' ? joined : ` ${joined} `;
  if (children === 0 && joined === '') {
    const told = attributeText(attributes, /\p{L}\s/u);
    return told === '' ? '' : ` ${told} `;
  }
  return hasWords || children < 2 ? joined : ` ${parted} `;
};

const feeds: ReadonlySet<string> = new Set(['rss', 'feed', 'RDF']);
const entries: ReadonlySet<string> = new Set(['item', 'entry']);

const isPage = (text: string): boolean => /<\/?[a-z][^<>]*>|&(?:[a-z]+|#x?[\da-f]+);/i.test(text);

/** The words of what an entry of a feed says, which may be a piece of a web page. */
const wordsOfEntry = (text: string, readPage: PageReader): string =>
  isPage(text) ? Array.from(readPage(text), (block) => block.text).join('\n') : oneLine(text);

const toBlocks = function* (lines: readonly Line[], wordsOf: (text: string) => string): Generator<Block> {
  let texts: string[] = [];
  for (const line of lines) {
    const words = line === null ? '' : wordsOf(line.words);
    if (line === null && texts.length > 0) {
      yield { text: texts.join('\n'), level: null };
      texts = [];
    }
    if (line !== null && words !== '') texts.push(line.title === '' ? words : `${line.title}: ${words}`);
  }
};

/**
 * Reads XML of any vocabulary: an element with words and elements in it is prose, and one line with all that lies in it;
 * else what stands in one element is a line named by it. The children of the root begin paragraphs of their own, and so
 * do the entries of a feed, which are read without the tags of web pages.
 */
export const readXml: FormatReader = async (_, { text }) => {
  const lines: Line[] = [];
  const stack: Level[] = [];
  let isFeed = false;
  const endLine = (level: Level, title: string): void => {
    if (/\S/.test(level.own)) lines.push({ title, words: level.own });
    level.own = '';
  };
  await visitXml(text, {
    open: (name, attributes) => {
      const outer = stack.at(-1);
      if (outer === undefined) isFeed = feeds.has(name);
      else endLine(outer, '');
      if (isFeed && entries.has(name)) lines.push(null);
      const words = attributeText(attributes, /\p{L}{3}/u);
      if (words !== '') lines.push({ title: name, words });
      const start = lines.length;
      stack.push({ name, attributes, start, joined: '', parted: '', own: '', children: 0, hasWords: false });
    },
    text: (words) => {
      const level = stack.at(-1);
      if (level === undefined) return;
      level.joined += words;
      level.own += words;
      level.hasWords ||= /\S/.test(words);
    },
    close: () => {
      const level = stack.pop();
      if (level === undefined) return;
      endLine(level, level.children === 0 ? level.name : '');
      // Only now is it known to be prose: the lines that its elements made are in it.
      if (level.hasWords && level.children > 0 && level.joined.length <= mostProse) {
        lines.length = level.start;
        lines.push({ title: '', words: level.joined });
      }
      const outer = stack.at(-1);
      if (outer !== undefined) {
        const words = inSentence(level);
        outer.joined += words;
        if (words !== '') outer.parted += ` ${words}`;
        outer.children += 1;
      }
      if (stack.length <= 1 || (isFeed && entries.has(level.name))) lines.push(null);
    },
  });
  const readPage = await openPageReader();
  return openBlocks(toBlocks(lines, (words) => (isFeed ? wordsOfEntry(words, readPage) : oneLine(words))));
};
