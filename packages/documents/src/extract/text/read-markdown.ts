import type { Lexer, MarkedToken, Token, Tokens } from 'marked';
import { openBlocks, type Block } from '../cut-units.ts';
import { openEntities } from './decode-entities.ts';
import type { FormatReader } from '../format.ts';
import { pageBlocks } from '../html/read-html.ts';
import { plainTextBlocks } from './read-plain-text.ts';
import { tableBlocks } from '../table.ts';
import { rowLine } from '../table-rows.ts';
import { raisedEnd, raisedStart, renderRaised } from './superscript.ts';

// The parser takes quadratic time on hostile inline markup: 0.1 s at this length. Longer text keeps its markup.
const inlineChars = 4_000;

// YAML or TOML.
const frontMatter = /^(?:---\n([\s\S]*?)\n(?:---|\.\.\.)|\+\+\+\n([\s\S]*?)\n\+\+\+)(?:\n|$)/;

interface Markup {
  readonly lexer: Lexer;
  readonly decodeEntities: (text: string) => string;
}

/** Text in place of a tag within a paragraph. */
const tagText = (tag: string): string => {
  if (/^<br\b/i.test(tag)) return '\n';
  if (/^<sup\b/i.test(tag)) return raisedStart;
  return /^<\/sup\b/i.test(tag) ? raisedEnd : '';
};

const wordsOf = (markup: Markup, token: MarkedToken): string => {
  if (token.type === 'br') return '\n';
  if (token.type === 'html') return tagText(token.raw);
  if ('tokens' in token && token.tokens !== undefined && token.tokens.length > 0)
    return wordsOfAll(markup, token.tokens);
  const text = 'text' in token ? token.text : token.raw;
  return (token.type === 'codespan' ? text : markup.decodeEntities(text)).replace(/\s+/g, ' ');
};

// Cast: without extensions the parser returns only its own tokens.
const wordsOfAll = (markup: Markup, tokens: readonly Token[]): string =>
  tokens.map((token) => wordsOf(markup, token as MarkedToken)).join('');

/** Text of inline markup: link texts without addresses, no emphasis marks, no tags, no soft line ends. */
const plainInline = (markup: Markup, text: string): string =>
  text.length > inlineChars
    ? text
    : renderRaised(wordsOfAll(markup, markup.lexer.inlineTokens(text)))
        .replace(/ *\n */g, '\n')
        .trim();

const plainList = (markup: Markup, list: Tokens.List): string =>
  list.items
    .map((item, index) => {
      const marker = list.ordered ? `${(list.start || 1) + index}.` : '-';
      // If blank lines separate the items, the parser leaves a task's checkbox in its text.
      const box = item.tokens[0]?.type === 'checkbox' ? item.tokens[0].raw : '';
      return `${marker} ${box}${plainBlocks(markup, item.tokens, '\n').replaceAll('\n', '\n  ')}`;
    })
    .join('\n');

const plainRow = (markup: Markup, cells: readonly Tokens.TableCell[]): string =>
  rowLine(cells.map(({ text }) => plainInline(markup, text).replaceAll('\n', ' ')));

const markdownTable = (markup: Markup, { header, rows }: Tokens.Table): readonly Block[] => {
  const [head = [], ...lines] = [header, ...rows].map((row) =>
    row.map(({ text }) => plainInline(markup, text).replaceAll('\n', ' ')),
  );
  const hasHead = head.some((cell) => cell !== '');
  return tableBlocks(hasHead ? { rows: [head, ...lines], headRows: 1 } : { rows: lines, headRows: 0 });
};

const isFootnote = (label: string): boolean => label.startsWith('^');

const plainBlock = (markup: Markup, token: MarkedToken): string => {
  switch (token.type) {
    case 'heading':
    case 'paragraph':
    case 'text':
      return plainInline(markup, token.text);
    case 'code':
      return token.text.trimEnd();
    case 'list':
      return plainList(markup, token);
    case 'table':
      return [token.header, ...token.rows].map((row) => plainRow(markup, row)).join('\n');
    case 'blockquote':
      return plainBlocks(markup, token.tokens, '\n\n');
    case 'html':
      return markup.decodeEntities(token.text.replace(/<[^>]*>/g, ' ')).trim();
    case 'def':
      // A footnote of one word or address is parsed as a link definition.
      return isFootnote(token.tag) ? plainInline(markup, token.raw.trim()) : '';
    default:
      return '';
  }
};

const plainBlocks = (markup: Markup, tokens: readonly Token[], separator: string): string =>
  tokens
    .map((token) => plainBlock(markup, token as MarkedToken))
    .filter((text) => text !== '')
    .join(separator);

// Pandoc, kramdown and others: `## Title {#anchor .class}`, also with signs that close the heading before them.
const attributes = /(?:\s+#+)?\s*\{:?\s*[#.][^{}]*\}\s*$/;

const withoutAttributes = (heading: Tokens.Heading): Tokens.Heading => ({
  ...heading,
  text: heading.text.replace(attributes, ''),
});

const parseBlocks = async (markdown: string): Promise<readonly Block[]> => {
  const { Lexer } = await import('marked');
  const lexer = new Lexer({ gfm: true });
  const markup = { lexer, decodeEntities: await openEntities() };
  const tokens = lexer.blockTokens(markdown) as readonly MarkedToken[];
  for (const label of Object.keys(lexer.tokens.links).filter(isFootnote)) delete lexer.tokens.links[label];
  const blocks: Block[] = [];
  for (const token of tokens) {
    if (token.type === 'html') {
      for (const block of await pageBlocks(token.text)) blocks.push(block);
      continue;
    }
    if (token.type === 'table') {
      for (const block of markdownTable(markup, token)) blocks.push(block);
      continue;
    }
    const text = plainBlock(markup, token.type === 'heading' ? withoutAttributes(token) : token);
    const level = token.type === 'heading' ? token.depth : null;
    if (text !== '') blocks.push({ text: level === null ? text : text.replaceAll('\n', ' '), level });
  }
  return blocks;
};

/**
 * Headings and texts of a Markdown file as plain text, without emphasis marks, link addresses and tags. Code is
 * unchanged, lists keep their markers, table cells are separated by ` | `, front matter is text.
 */
export const markdownBlocks = async (markdown: string): Promise<readonly Block[]> => {
  const matter = frontMatter.exec(markdown);
  const front = matter === null ? [] : [...plainTextBlocks(matter[1] ?? matter[2] ?? '')];
  const body = markdown.slice(matter?.[0].length ?? 0);
  try {
    return [...front, ...(await parseBlocks(body))];
  } catch (error) {
    // Quotes and lists nested deeper than the call stack: the text is kept whole, with its markup.
    if (error instanceof RangeError) return [...plainTextBlocks(markdown)];
    throw error;
  }
};

/** Reads Markdown. */
export const readMarkdown: FormatReader = async (_, { text }) => openBlocks(await markdownBlocks(text));
