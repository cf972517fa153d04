import type { Handler, Parser } from 'htmlparser2';
import { oneLine } from '../../kernel/text.ts';
import { collectBlocks, type DomNode, openCollector } from './collect-blocks.ts';
import { openBlocks, type Block } from './cut-units.ts';
import type { FormatReader } from './format.ts';
import { plainTextBlocks } from './read-plain-text.ts';

interface Article {
  readonly title: string;
  readonly root: DomNode;
}

// Readability's time grows with elements × depth²: about 2 s at this bound, hours at ten times the depth. Beyond it, and
// beyond the elements that memory has room for as a tree, a page is data rather than an article.
const articleWork = 100_000_000;
const articleElements = 50_000;
const articleChars = 200;

/** Puts around a page what its author left out, for the parser doesn't. */
const complete = (html: string): string => {
  if (/<html\b/i.test(html)) return html;
  return `<!doctype html><html>${/<(?:body|head)\b/i.test(html) ? html : `<head></head><body>${html}</body>`}</html>`;
};

interface DomElement {
  className: string;
  readonly childNodes: Iterable<DomNode>;
  append(...nodes: readonly DomNode[]): void;
  replaceWith(element: DomElement): void;
}

interface DomDocument extends DomNode {
  querySelectorAll(selector: string): Iterable<DomElement>;
  createElement(name: string, options: object): DomElement;
}

/** Readability takes every aside for a thing beside the page; within the main content they are its notes and warnings. */
const keepNotes = (document: DomDocument): DomNode => {
  for (const aside of document.querySelectorAll('main aside, article aside')) {
    const note = document.createElement('div', {});
    // By its class it is still told whether it is a note or an advertisement.
    note.className = aside.className;
    note.append(...aside.childNodes);
    aside.replaceWith(note);
  }
  return document;
};

const parseDocument = async (html: string): Promise<DomNode> => {
  const { DOMParser } = await import('linkedom');
  // linkedom's types stand on those of browsers.
  return keepNotes(new DOMParser().parseFromString(complete(html), 'text/html'));
};

/** The main content of a page, or null where it has none to speak of. Takes the document apart. */
const findArticle = async (document: DomNode): Promise<Article | null> => {
  const { Readability } = await import('@mozilla/readability');
  try {
    // Readability asks for a browser's document and hands out a browser's node.
    const reader = new Readability<DomNode>(document, {
      serializer: (node: DomNode) => node,
    });
    const article = reader.parse();
    if (article?.content == null || (article.textContent ?? '').trim().length < articleChars) return null;
    return { title: article.title ?? '', root: article.content };
  } catch {
    // What it stumbles over is read as a whole.
    return null;
  }
};

// The parser's time grows with the square of the depth: more than 1 s at this one.
const deepest = 12_000;
const portionChars = 32_768;

/** A page in portions that end with a tag: a text that is cut in two would be two texts. */
const portionsOf = function* (html: string): Generator<string> {
  for (let at = 0; at < html.length;) {
    const tagEnd = html.indexOf('>', at + portionChars);
    const end = tagEnd === -1 ? html.length : tagEnd + 1;
    yield html.slice(at, end);
    at = end;
  }
};

interface Survey {
  readonly title: string;
  readonly elements: number;
  readonly depth: number;
}

/** What a page has, as far as it is no deeper than can be read in good time. */
const survey = async (html: string): Promise<Survey> => {
  const { Parser } = await import('htmlparser2');
  const found = { title: '', elements: 0, depth: 0 };
  const open: string[] = [];
  let titles = 0;
  const parser = new Parser({
    onopentagname: (name) => {
      found.elements += 1;
      open.push(name);
      found.depth = Math.max(found.depth, open.length);
      if (name === 'title') titles += 1;
    },
    ontext: (text) => {
      if (titles === 1 && open.at(-1) === 'title') found.title += text;
    },
    onclosetag: () => open.pop(),
  });
  for (const portion of portionsOf(html)) {
    parser.write(portion);
    if (found.depth > deepest) break;
  }
  return { ...found, title: oneLine(found.title) };
};

const wordsOf = (html: string): string =>
  html.replace(/<(script|style)\b[^<>]*>[^<]*<\/\1>/gi, ' ').replace(/<[^<>]*>/g, ' ');

const readTags = function* (html: string, makeParser: (handler: Partial<Handler>) => Parser): Generator<Block> {
  const { open, text, close, take, end } = openCollector();
  const parser = makeParser({ onopentagname: (name) => open(name.toUpperCase()), ontext: text, onclosetag: close });
  for (const portion of portionsOf(html)) {
    parser.write(portion);
    yield* take();
  }
  parser.end();
  yield* end();
};

/** What reads a whole page, or a part of one: its headings and texts. */
export type PageReader = (html: string) => Iterable<Block>;

/** Makes ready to read pages of which no tree is made. */
export const openPageReader = async (): Promise<PageReader> => {
  const { Parser } = await import('htmlparser2');
  return (html) => readTags(html, (handler) => new Parser(handler));
};

/** Headings and texts of a whole page, such as a chapter of a book, or of a part of one. */
export const pageBlocks = async (html: string): Promise<Iterable<Block>> => (await openPageReader())(html);

/** Headings and texts of a whole web page; without what its tags mean where it is deeper than can be read in good time. */
export const wholePageBlocks = async (html: string): Promise<Iterable<Block>> => {
  const { depth } = await survey(html);
  return depth > deepest ? plainTextBlocks(wordsOf(html)) : pageBlocks(html);
};

const withTitle = function* (title: string, blocks: Iterable<Block>): Generator<Block> {
  let isMissing = title !== '';
  for (const block of blocks) {
    if (isMissing && block.text !== title) yield { text: title, level: 0 };
    isMissing = false;
    yield block;
  }
  if (isMissing) yield { text: title, level: 0 };
};

/**
 * Headings and texts of a web page: its main content, or all of it where no main content stands out. The page's title is
 * the outermost heading.
 */
const htmlBlocks = async (html: string): Promise<Iterable<Block>> => {
  const { title, elements, depth } = await survey(html);
  if (depth > deepest) return plainTextBlocks(wordsOf(html));
  const mayBeArticle = elements <= articleElements && elements * depth ** 2 <= articleWork;
  const article = mayBeArticle ? await findArticle(await parseDocument(html)) : null;
  if (article === null) return withTitle(title, await pageBlocks(html));
  return withTitle(oneLine(article.title), collectBlocks(article.root));
};

/** Reads web pages: headings, paragraphs, lists and tables of their main content. */
export const readHtml: FormatReader = async (_, { text }) => openBlocks(await htmlBlocks(text));
