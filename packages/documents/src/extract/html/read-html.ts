import type { Handler, Parser } from 'htmlparser2';
import { oneLine } from '../../../../../shared/kernel/text.ts';
import { trimArticle } from './article-lines.ts';
import { statesArticle } from './article-page.ts';
import { collectBlocks, type DomNode, openCollector } from './collect-blocks.ts';
import { openBlocks, type Block } from '../cut-units.ts';
import type { FormatReader } from '../format.ts';
import { plainVisibility, surveyVisibility, type Visibility } from './hidden-elements.ts';
import { markElements, removeBoilerplate, retainedMarks } from './page-boilerplate.ts';
import { type Extent, readExtent, removeBeside, surveyExtent } from './page-extent.ts';
import { type DomDocument, openShadows, prepareTree } from './prepare-tree.ts';
import { shownName } from './tag-names.ts';
import { plainTextBlocks } from '../text/read-plain-text.ts';

interface Article {
  readonly title: string;
  /** Marks of the elements that belong to it. */
  readonly marks: ReadonlySet<string>;
}

// Readability takes time in proportion to elements × depth²: about 2 s at this bound, hours at ten times the depth.
// Beyond it, or with more elements than the memory allows, a page is data rather than an article.
const articleWork = 100_000_000;
const articleElements = 50_000;
const articleChars = 200;

interface Survey {
  readonly title: string;
  readonly extent: Extent;
  readonly visibility: Visibility;
  readonly elements: number;
  readonly depth: number;
}

/** Adds the elements that the author omitted, since the parser doesn't. */
const complete = (html: string): string => {
  if (/<html\b/i.test(html)) return html;
  return `<!doctype html><html>${/<(?:body|head)\b/i.test(html) ? html : `<head></head><body>${html}</body>`}</html>`;
};

const parseDocument = async (html: string, { extent, visibility }: Survey): Promise<DomDocument> => {
  const { DOMParser } = await import('linkedom');
  // The types of linkedom need those of browsers.
  const document: DomDocument = new DOMParser().parseFromString(complete(html), 'text/html');
  openShadows(document);
  if (extent !== 'all') removeBeside(document.documentElement);
  prepareTree(document, visibility);
  return document;
};

/** Finds the main article of a page; null if there is too little. Modifies the document. */
const findArticle = async (document: DomNode): Promise<Article | null> => {
  const { Readability } = await import('@mozilla/readability');
  try {
    // Readability expects a browser's document and returns a browser's node.
    const reader = new Readability<DomNode>(document, {
      serializer: (node: DomNode) => node,
    });
    const article = reader.parse();
    if (article?.content == null || (article.textContent ?? '').trim().length < articleChars) return null;
    return { title: article.title ?? '', marks: retainedMarks(article.content) };
  } catch {
    // A page that makes it fail is read as a whole.
    return null;
  }
};

// The parser takes time in proportion to the square of the depth: more than 1 s at this depth.
const maxDepth = 12_000;
const segmentChars = 32_768;

/** Cuts a page into segments that end with a tag, since a text cut in two would become two texts. */
const segmentsOf = function* (html: string): Generator<string> {
  for (let at = 0; at < html.length;) {
    const tagEnd = html.indexOf('>', at + segmentChars);
    const end = tagEnd === -1 ? html.length : tagEnd + 1;
    yield html.slice(at, end);
    at = end;
  }
};

/** Measures a page, and stops at the maximum depth. */
const survey = async (html: string): Promise<Survey> => {
  const { Parser } = await import('htmlparser2');
  const found = { title: '', elements: 0, depth: 0 };
  const about = surveyExtent();
  const seen = surveyVisibility();
  const open: string[] = [];
  let titles = 0;
  const parser = new Parser({
    onopentag: (tag, attributes) => {
      const name = shownName(tag, attributes);
      found.elements += 1;
      about.open(name, (attribute) => attributes[attribute]);
      seen.open(name, (attribute) => attributes[attribute]);
      open.push(name);
      found.depth = Math.max(found.depth, open.length);
      if (name === 'title' && open.at(-2) !== 'svg') titles += 1;
    },
    ontext: (text) => {
      about.text(text);
      if (open.at(-1) === 'style') seen.style(text);
      if (titles === 1 && open.at(-1) === 'title' && open.at(-2) !== 'svg') found.title += text;
    },
    onclosetag: () => {
      about.close();
      open.pop();
    },
  });
  for (const segment of segmentsOf(html)) {
    parser.write(segment);
    if (found.depth > maxDepth) break;
  }
  return { ...found, title: oneLine(found.title), extent: about.extent(), visibility: seen.visibility() };
};

const wordsOf = (html: string): string =>
  html.replace(/<(script|style)\b[^<>]*>[^<]*<\/\1>/gi, ' ').replace(/<[^<>]*>/g, ' ');

type MakeParser = (handler: Partial<Handler>) => Parser;

/** Parts of a page to read. Default: the whole page, without rules of its style sheets. */
type Reading = Partial<Pick<Survey, 'extent' | 'visibility'>>;

const readTags = function* (html: string, makeParser: MakeParser, reading: Reading): Generator<Block> {
  const { extent = 'all', visibility = plainVisibility } = reading;
  const collector = openCollector(visibility);
  const parser = makeParser(readExtent(collector, extent));
  for (const segment of segmentsOf(html)) {
    parser.write(segment);
    yield* collector.take();
  }
  parser.end();
  yield* collector.end();
};

/** Reads the headings and texts of a page or a part of one. */
export type PageReader = (html: string, reading?: Reading) => Iterable<Block>;

/** Loads a page reader that builds no tree. */
export const openPageReader = async (): Promise<PageReader> => {
  const { Parser } = await import('htmlparser2');
  return (html, reading = {}) => readTags(html, (handler) => new Parser(handler), reading);
};

/** Headings and texts of a whole page, such as a chapter of a book, or of a fragment. */
export const pageBlocks = async (html: string): Promise<Iterable<Block>> => (await openPageReader())(html);

/** Headings and texts of a whole web page. A page beyond the maximum depth is read as plain text. */
export const wholePageBlocks = async (html: string): Promise<Iterable<Block>> => {
  const { depth, visibility } = await survey(html);
  return depth > maxDepth ? plainTextBlocks(wordsOf(html)) : (await openPageReader())(html, { visibility });
};

/** Adds a title before the blocks, unless they begin with it. A heading that repeats it is left out. */
const withTitle = function* (title: string, blocks: Iterable<Block>): Generator<Block> {
  let isMissing = title !== '';
  let isAdded = false;
  for (const block of blocks) {
    if (isMissing && block.text !== title) {
      yield { text: title, level: 0 };
      isAdded = true;
    }
    isMissing = false;
    if (!isAdded || block.level !== 1 || block.text !== title) yield block;
  }
  if (isMissing) yield { text: title, level: 0 };
};

/**
 * Reads a page by its tree: its main article and the other content, without boilerplate. Null if nothing remains. The
 * article alone would lack the content beside it.
 */
const contentBlocks = async (html: string, page: Survey): Promise<Iterable<Block> | null> => {
  const document = await parseDocument(html, page);
  const isStated = statesArticle(document);
  markElements(document);
  const whole = document.documentElement.cloneNode(true);
  const article = await findArticle(document);
  if (article === null && page.extent === 'all') return null;
  const isArticle = article !== null && isStated;
  removeBoilerplate(whole, article?.marks ?? null, { extent: page.extent, isArticle });
  const all = collectBlocks(whole);
  const blocks = isArticle ? trimArticle(all) : all;
  if (blocks.length === 0) return null;
  // Readability finds a title only within `<head>`.
  return withTitle(oneLine(article?.title ?? '') || page.title, blocks);
};

/**
 * Headings and texts of a web page: its content without menus, headers and footers, or all of it if nothing else
 * remains. The page's title is the outermost heading.
 */
const htmlBlocks = async (html: string): Promise<Iterable<Block>> => {
  const page = await survey(html);
  const { title, elements, depth } = page;
  if (depth > maxDepth) return plainTextBlocks(wordsOf(html));
  const hasTree = elements <= articleElements && elements * depth ** 2 <= articleWork;
  const blocks = hasTree ? await contentBlocks(html, page) : null;
  return blocks ?? withTitle(title, (await openPageReader())(html, page));
};

/** Reads web pages: headings, paragraphs, lists and tables of their content. */
export const readHtml: FormatReader = async (_, { text }) => openBlocks(await htmlBlocks(text));
