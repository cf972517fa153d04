import type { Lexer, MarkedToken, Token, Tokens } from 'marked';
import { openBlocks, type Block } from './cut-units.ts';
import type { FormatReader } from './format.ts';
import { pageBlocks } from './read-html.ts';
import { plainTextBlocks } from './read-plain-text.ts';
import { rowLine } from './table-rows.ts';

// The parser takes quadratic time on hostile inline markup: 0.1 s at this length. What is longer keeps its markup.
const inlineChars = 4_000;

const frontMatter = /^---\n([\s\S]*?)\n(?:---|\.\.\.)(?:\n|$)/;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi,
    (entity, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? entity;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : entity;
    },
  );

const withoutTags = (html: string): string => decodeEntities(html.replace(/<[^>]*>/g, ' '));

const wordsOf = (token: MarkedToken): string => {
  if (token.type === 'br') return '\n';
  if (token.type === 'html') return /^<br\b/i.test(token.raw) ? '\n' : '';
  if ('tokens' in token && token.tokens !== undefined && token.tokens.length > 0) return wordsOfAll(token.tokens);
  const text = 'text' in token ? token.text : token.raw;
  return (token.type === 'codespan' ? text : decodeEntities(text)).replace(/\s+/g, ' ');
};

// Without extensions the parser gives no tokens but its own.
const wordsOfAll = (tokens: readonly Token[]): string => tokens.map((token) => wordsOf(token as MarkedToken)).join('');

/** The words of inline markup: link texts without addresses, no emphasis marks, no tags, no soft line ends. */
const plainInline = (lexer: Lexer, text: string): string =>
  text.length > inlineChars
    ? text
    : wordsOfAll(lexer.inlineTokens(text))
        .replace(/ *\n */g, '\n')
        .trim();

const plainList = (lexer: Lexer, list: Tokens.List): string =>
  list.items
    .map((item, index) => {
      const marker = list.ordered ? `${(list.start || 1) + index}.` : '-';
      return `${marker} ${plainBlocks(lexer, item.tokens, '\n').replaceAll('\n', '\n  ')}`;
    })
    .join('\n');

const plainRow = (lexer: Lexer, cells: readonly Tokens.TableCell[]): string =>
  rowLine(cells.map(({ text }) => plainInline(lexer, text).replaceAll('\n', ' ')));

const plainBlock = (lexer: Lexer, token: MarkedToken): string => {
  switch (token.type) {
    case 'heading':
    case 'paragraph':
    case 'text':
      return plainInline(lexer, token.text);
    case 'code':
      return token.text.trimEnd();
    case 'list':
      return plainList(lexer, token);
    case 'table':
      return [token.header, ...token.rows].map((row) => plainRow(lexer, row)).join('\n');
    case 'blockquote':
      return plainBlocks(lexer, token.tokens, '\n\n');
    case 'html':
      return withoutTags(token.text).trim();
    default:
      return '';
  }
};

const plainBlocks = (lexer: Lexer, tokens: readonly Token[], separator: string): string =>
  tokens
    .map((token) => plainBlock(lexer, token as MarkedToken))
    .filter((text) => text !== '')
    .join(separator);

const parseBlocks = async (markdown: string): Promise<readonly Block[]> => {
  const { Lexer } = await import('marked');
  const lexer = new Lexer({ gfm: true });
  const blocks: Block[] = [];
  for (const token of lexer.blockTokens(markdown) as readonly MarkedToken[]) {
    if (token.type === 'html') {
      for (const block of await pageBlocks(token.text)) blocks.push(block);
      continue;
    }
    const text = plainBlock(lexer, token);
    const level = token.type === 'heading' ? token.depth : null;
    if (text !== '') blocks.push({ text: level === null ? text : text.replaceAll('\n', ' '), level });
  }
  return blocks;
};

/**
 * Headings and texts of a Markdown file as plain words: no emphasis marks, link addresses or tags; code as it stands,
 * lists with their markers, tables as rows with ` | ` between cells, front matter as text.
 */
export const markdownBlocks = async (markdown: string): Promise<readonly Block[]> => {
  const matter = frontMatter.exec(markdown);
  const front = matter === null ? [] : [...plainTextBlocks(matter[1] ?? '')];
  const body = markdown.slice(matter?.[0].length ?? 0);
  try {
    return [...front, ...(await parseBlocks(body))];
  } catch (error) {
    // Quotes and lists that nest deeper than a call stack: then every word is kept, with its markup.
    if (error instanceof RangeError) return [...plainTextBlocks(markdown)];
    throw error;
  }
};

/** Reads Markdown. */
export const readMarkdown: FormatReader = async (_, { text }) => openBlocks(await markdownBlocks(text));
