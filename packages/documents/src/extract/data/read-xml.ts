import { oneLine } from '../../../../../shared/kernel/text.ts';
import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { visitXml } from '../parse-xml.ts';
import { openPageReader, type PageReader } from '../html/read-html.ts';

type Attributes = Readonly<Record<string, string>>;

interface Level {
  readonly name: string;
  readonly attributes: Attributes;
  /** Number of lines when it began. */
  readonly start: number;
  /** Its text, unchanged. */
  joined: string;
  /** The same with spaces between its children. */
  parted: string;
  /** Its own text since the last child. */
  own: string;
  children: number;
  hasWords: boolean;
}

// Longer than any paragraph: stray words between the sections of a document do not make it one sentence.
const maxProseChars = 20_000;

/** Line to write, or null at the end of a paragraph. */
type Line = { readonly title: string; readonly words: string; readonly level?: number } | null;

// Articles and books of JATS, DocBook and their kin.
const documents: ReadonlySet<string> = new Set(['article', 'book', 'chapter', 'part', 'refentry', 'sect1', 'section']);
const sections =
  /^(?:article|body|book|part|chapter|appendix|preface|sec|section|sect[1-5]|simplesect|abstract|title-group)$/;
const titles = /^(?:title|article-title)$/;
const paragraphs =
  /^(?:p|para|simpara|table|informaltable|caption|list|itemizedlist|orderedlist|programlisting|fig|abstract)$/;
const maxLevel = 6;

const attributeText = (attributes: Attributes, pattern: RegExp): string =>
  Object.entries(attributes)
    .filter(([name, value]) => !/^xmlns\b|^xsi:/.test(name) && pattern.test(value) && !/^\w+:\/\//.test(value))
    .map(([, value]) => value)
    .join(' ');

// Elements of common prose vocabularies that begin a new line even without white space.
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

/** Text of an element within a sentence. An empty element, such as a picture, has the text of its attributes. */
const inSentence = ({ name, attributes, joined, parted, children, hasWords }: Level): string => {
  if (apart.has(name)) return attributes['break'] === 'no' ? joined : ` ${joined} `;
  if (children === 0 && joined === '') {
    const words = attributeText(attributes, /\p{L}\s/u);
    return words === '' ? '' : ` ${words} `;
  }
  return hasWords || children < 2 ? joined : ` ${parted} `;
};

const feeds: ReadonlySet<string> = new Set(['rss', 'feed', 'RDF']);
const entries: ReadonlySet<string> = new Set(['item', 'entry']);

const isPage = (text: string): boolean => /<\/?[a-z][^<>]*>|&(?:[a-z]+|#x?[\da-f]+);/i.test(text);

/** Text of a feed entry, which may be HTML. */
const wordsOfEntry = (text: string, readPage: PageReader): string =>
  isPage(text) ? Array.from(readPage(text), (block) => block.text).join('\n') : oneLine(text);

const toBlocks = function* (lines: readonly Line[], wordsOf: (text: string) => string): Generator<Block> {
  let texts: string[] = [];
  for (const line of lines) {
    const words = line === null ? '' : wordsOf(line.words);
    if (line?.level !== undefined && words !== '') {
      if (texts.length > 0) yield { text: texts.join('\n'), level: null };
      texts = [];
      yield { text: words, level: line.level };
      continue;
    }
    if (line === null && texts.length > 0) {
      yield { text: texts.join('\n'), level: null };
      texts = [];
    }
    if (line !== null && words !== '') texts.push(line.title === '' ? words : `${line.title}: ${words}`);
  }
};

/**
 * Reads XML of any vocabulary. An element that contains words and elements is prose, and becomes one line with all its
 * text. Other elements become a line named by the element. Children of the root begin new paragraphs, and so do the
 * entries of a feed, whose HTML is read without tags. Articles and books have the titles of their sections as headings.
 */
// oxlint-disable-next-line max-lines-per-function -- its callbacks share the open elements
export const readXml: FormatReader = async (_, { text }) => {
  const lines: Line[] = [];
  const stack: Level[] = [];
  let isFeed = false;
  let isDocument = false;
  const endLine = (level: Level, title: string): void => {
    if (/\S/.test(level.own)) lines.push({ title, words: level.own });
    level.own = '';
  };
  /** Titles of sections are headings, and the cells of a row are one line. */
  const endDocumentPart = (level: Level): void => {
    const own = (): string =>
      lines
        .splice(level.start)
        .flatMap((line) => line?.words ?? [])
        .map((words) => oneLine(words))
        .join(level.name === 'tr' || level.name === 'row' ? ' | ' : ' ');
    const depth = stack.filter(({ name }) => sections.test(name) && name !== 'body' && name !== 'title-group').length;
    if (titles.test(level.name) && sections.test(stack.at(-1)?.name ?? ''))
      lines.push({ title: '', words: own(), level: Math.min(maxLevel, depth - 1) });
    else if (level.name === 'tr' || level.name === 'row') lines.push({ title: '', words: own() });
    if (paragraphs.test(level.name)) lines.push(null);
  };
  await visitXml(text, {
    open: (name, attributes) => {
      const outer = stack.at(-1);
      if (outer === undefined) {
        isFeed = feeds.has(name);
        isDocument = documents.has(name);
      } else endLine(outer, '');
      if (isFeed && entries.has(name)) lines.push(null);
      const words = isDocument ? '' : attributeText(attributes, /\p{L}{3}/u);
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
      endLine(level, level.children === 0 && !isDocument ? level.name : '');
      // Only now it is known to be prose; it replaces the lines of its child elements.
      if (level.hasWords && level.children > 0 && level.joined.length <= maxProseChars) {
        lines.length = level.start;
        lines.push({ title: '', words: level.joined });
      }
      if (isDocument) endDocumentPart(level);
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
