import { collectBlocks, walk, type DomNode } from './collect-blocks.ts';
import { openBlocks, type Block } from './cut-units.ts';
import type { FormatReader } from './format.ts';
import { plainTextBlocks } from './read-plain-text.ts';

interface DomDocument extends DomNode {
  readonly body: DomNode | null;
  querySelector(selector: string): DomNode | null;
}

interface Article {
  readonly title: string;
  readonly root: DomNode;
}

// Readability's time grows with elements × depth²: about 2 s at these bounds, hours at ten times the depth. Beyond them a
// page is data rather than an article.
const articleElements = 10_000;
const articleDepth = 100;
const articleChars = 200;

/** Puts around a page what its author left out, for the parser doesn't. */
const complete = (html: string): string => {
  if (/<html\b/i.test(html)) return html;
  return `<!doctype html><html>${/<(?:body|head)\b/i.test(html) ? html : `<head></head><body>${html}</body>`}</html>`;
};

const parseDocument = async (html: string): Promise<DomDocument> => {
  const { DOMParser } = await import('linkedom');
  // linkedom's types stand on those of browsers.
  return new DOMParser().parseFromString(complete(html), 'text/html');
};

const depthOf = (root: DomNode): number => {
  let depth = 0;
  let deepest = 0;
  walk(root, {
    enter: () => {
      depth += 1;
      deepest = Math.max(deepest, depth);
      return true;
    },
    leave: () => {
      depth -= 1;
    },
  });
  return deepest;
};

/** The main content of a page, or null where it has none to speak of. Takes the document apart. */
const findArticle = async (document: DomDocument): Promise<Article | null> => {
  if (depthOf(document) > articleDepth) return null;
  const { Readability } = await import('@mozilla/readability');
  try {
    // Readability asks for a browser's document and hands out a browser's node.
    const reader = new Readability<DomNode>(document, {
      maxElemsToParse: articleElements,
      serializer: (node: DomNode) => node,
    });
    const article = reader.parse();
    if (article?.content == null || (article.textContent ?? '').trim().length < articleChars) return null;
    return { title: article.title ?? '', root: article.content };
  } catch {
    // Too many elements: the page is then read as a whole.
    return null;
  }
};

// The parser's time grows with the square of the depth: more than 1 s at this one.
const treeDepth = 12_000;
const probeChars = 32_768;

/** Whether a page nests deeper than a tree can be made of in good time. */
const isTooDeep = async (html: string): Promise<boolean> => {
  const { Parser } = await import('htmlparser2');
  const depth = { now: 0, most: 0 };
  const parser = new Parser({
    onopentagname: () => {
      depth.now += 1;
      depth.most = Math.max(depth.most, depth.now);
    },
    onclosetag: () => {
      depth.now -= 1;
    },
  });
  for (let at = 0; at < html.length; at += probeChars) {
    parser.write(html.slice(at, at + probeChars));
    if (depth.most > treeDepth) return true;
  }
  return false;
};

const wordsOf = (html: string): string =>
  html.replace(/<(script|style)\b[^<>]*>[^<]*<\/\1>/gi, ' ').replace(/<[^<>]*>/g, ' ');

/** Headings and texts of a part of a page, such as the markup inside a Markdown file. */
export const fragmentBlocks = async (html: string): Promise<readonly Block[]> => {
  const document = await parseDocument(`<html><head></head><body>${html}</body></html>`);
  return document.body === null ? [] : collectBlocks(document.body);
};

/** Headings and texts of a whole page, such as a chapter of a book. */
export const pageBlocks = async (html: string): Promise<readonly Block[]> => {
  const document = await parseDocument(html);
  return collectBlocks(document.body ?? document);
};

/**
 * Headings and texts of a web page: its main content, or all of its body where no main content stands out. The page's
 * title is the outermost heading.
 */
export const htmlBlocks = async (html: string): Promise<readonly Block[]> => {
  const article = await findArticle(await parseDocument(html));
  const document = await parseDocument(html);
  const blocks = collectBlocks(article?.root ?? document.body ?? document);
  const title = (article?.title ?? document.querySelector('title')?.textContent ?? '').replace(/\s+/g, ' ').trim();
  return title === '' || blocks[0]?.text === title ? blocks : [{ text: title, level: 0 }, ...blocks];
};

/** Reads web pages: headings, paragraphs, lists and tables of their main content. */
export const readHtml: FormatReader = async (_, { text }) =>
  openBlocks((await isTooDeep(text)) ? await plainTextBlocks(wordsOf(text)) : await htmlBlocks(text));
