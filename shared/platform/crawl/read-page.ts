import { createHash } from 'node:crypto';
import { Parser } from 'htmlparser2';
import { mostUrlCharacters } from '../../kernel/bounds.ts';
import { oneLine } from '../../kernel/text.ts';
import { decodeText } from '../extract/text/decode-text.ts';
import { keptTitle, longestTitle } from './page-title.ts';
import { crawlerToken } from './port.ts';

/** What a crawl needs to know of a web page; its content is read by whoever puts it into an index. */
export interface PageFacts {
  readonly title: string | null;
  /** As it stands in the page, whole. */
  readonly canonical: string | null;
  /** Where it leads by itself within seconds. */
  readonly refresh: string | null;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** Whole web addresses without fragments, in order, each once. */
  readonly links: readonly string[];
  /** SHA-256 of what is there to read besides navigation; null where there is nothing. */
  readonly textHash: string | null;
}

/** Most links of one page that are looked at. */
const mostLinks = 2_000;

/** A head is none of them: its end may be left out, and nothing else in it is text. */
const silentTags: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg', 'title']);
const frameTags: ReadonlySet<string> = new Set(['nav', 'footer']);

/** What frames a page, and within its content is content: the head of an article, a note beside it. */
const outerFrameTags: ReadonlySet<string> = new Set(['header', 'aside']);
const contentTags: ReadonlySet<string> = new Set(['main', 'article']);

/** Less than that does not tell a page from others: all of its text then does. */
const fewestCharacters = 200;
const smallestShare = 1 / 10;

interface Found {
  title: string;
  base: string;
  /** The first base alone counts, whatever it names. Source: HTML, "The base element". */
  hasBase: boolean;
  canonical: string | null;
  refresh: string | null;
  robots: string[];
  links: Set<string>;
  main: string[];
  all: string[];
}

/** The web address that a page names, without its fragment; null for what is none, or would not fit where pages are remembered. */
const whole = (href: string, base: string): string | null => {
  if (href.length > mostUrlCharacters || !URL.canParse(href, base)) return null;
  const url = new URL(href, base);
  url.hash = '';
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.href.length <= mostUrlCharacters ? url.href : null;
};

/** Pages that change by themselves after longer than that are there to be read. */
const longestRefreshSeconds = 10;

/** Where a page leads by itself: `0; url=/docs`. Source: HTML, "Refresh state". */
const refreshOf = (content: string, base: string): string | null => {
  const [, seconds, rest] = /^\s*(\d+)(?:\.[\d.]*)?\s*[;,]\s*url\s*=(.*)$/is.exec(content) ?? [];
  if (rest === undefined || Number(seconds) > longestRefreshSeconds) return null;
  const href = rest.trim();
  return whole(/^(["'])(.*?)(?:\1|$)/s.exec(href)?.[2]?.trim() ?? href, base);
};

const addLink = ({ links }: Found, link: string | null): void => {
  if (link !== null && links.size < mostLinks) links.add(link);
};

/** A value stays with its directive: `max-image-preview: none` is about pictures alone. */
const metaDirectives = (content: string): readonly string[] =>
  content
    .toLowerCase()
    .replace(/:\s+/g, ':')
    .split(/[\s,]+/);

/** Takes in a tag that is about the page or leads out of it. */
const noteTag = (found: Found, name: string, attributes: Readonly<Record<string, string>>): void => {
  const { href = '', rel = '', content = '' } = attributes;
  const rels = rel.toLowerCase().split(/\s+/);
  if (name === 'base' && attributes['href'] !== undefined && !found.hasBase) {
    found.hasBase = true;
    found.base = whole(href, found.base) ?? found.base;
  } else if (name === 'link' && rels.includes('canonical') && href.trim() !== '')
    found.canonical ??= whole(href.trim(), found.base);
  else if (name === 'meta' && ['robots', crawlerToken].includes((attributes['name'] ?? '').toLowerCase()))
    for (const directive of metaDirectives(content)) found.robots.push(directive);
  else if (name === 'meta' && attributes['http-equiv']?.toLowerCase() === 'refresh') {
    found.refresh ??= refreshOf(content, found.base);
    addLink(found, found.refresh);
  } else if ((name === 'a' || name === 'area') && href !== '' && !rels.includes('nofollow'))
    addLink(found, whole(href.trim(), found.base));
};

/** The parser's time grows with the depth of a page; what lies deeper is not looked at. */
const deepest = 2_000;

const collect = (html: string, url: string): Found => {
  const found: Found = {
    title: '',
    base: url,
    hasBase: false,
    canonical: null,
    refresh: null,
    robots: [],
    links: new Set(),
    main: [],
    all: [],
  };
  const depth = { all: 0, silent: 0, frame: 0, content: 0, title: 0, svg: 0, noscript: 0 };
  const step = (name: string, by: 1 | -1): void => {
    depth.all += by;
    if (silentTags.has(name)) depth.silent = Math.max(0, depth.silent + by);
    if (contentTags.has(name)) depth.content = Math.max(0, depth.content + by);
    if (frameTags.has(name) || (outerFrameTags.has(name) && depth.content === 0))
      depth.frame = Math.max(0, depth.frame + by);
    if (name === 'noscript') depth.noscript = Math.max(0, depth.noscript + by);
    if (name === 'svg') depth.svg = Math.max(0, depth.svg + by);
    if (name === 'title' && depth.svg === 0) depth.title = Math.max(0, depth.title + by);
  };
  const parser = new Parser({
    onopentag: (name, attributes) => {
      step(name, 1);
      if (depth.all > deepest) parser.pause();
      // Where a page sends visitors without scripts is seldom where its content is.
      if (depth.noscript === 0 || attributes['http-equiv'] === undefined) noteTag(found, name, attributes);
    },
    onclosetag: (name) => step(name, -1),
    ontext: (text) => {
      if (depth.title > 0 && found.title.length < longestTitle) found.title += text;
      if (depth.silent > 0) return;
      found.all.push(text);
      if (depth.frame === 0) found.main.push(text);
    },
  });
  parser.end(html);
  return found;
};

/** What is there to read: what stands outside of menus, or everything where that is next to nothing. */
const textOf = ({ main, all }: Found): string => {
  const [content, whole] = [oneLine(main.join(' ')), oneLine(all.join(' '))];
  return content.length < Math.max(fewestCharacters, whole.length * smallestShare) ? whole : content;
};

/** Directives with a value are no names of crawlers, and the `none` of one forbids no page. */
const valued = /^(?:unavailable_after|max-[\w-]+)\s*:/;

/** Directives of an `X-Robots-Tag` for every crawler or this one. Source: Google, "Robots meta tag specifications". */
const lineDirectives = (line: string): readonly string[] => {
  let forUs = true;
  return line.split(',').flatMap((part) => {
    const directive = part.trim();
    if (valued.test(directive)) return [];
    const [named = '', agent] = /^([\w-]+):(?!\s*\d)/.exec(directive) ?? [];
    if (agent !== undefined) forUs = agent === crawlerToken;
    return forUs ? [directive.slice(named.length).trim()] : [];
  });
};

/** The same of several headers, each a line: none speaks for the crawler that another one names. */
const headerDirectives = (headers: string | null): readonly string[] =>
  (headers ?? '').toLowerCase().split('\n').flatMap(lineDirectives);

/** Whether a header forbids an answer to be kept, whatever it holds. */
export const forbidsIndex = (robotsTag: string | null): boolean =>
  headerDirectives(robotsTag).some((directive) => directive === 'noindex' || directive === 'none');

/** Reads what a crawl wants to know of a page, in one pass; null for what is no text. */
export const readPage = async (page: {
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly robotsTag: string | null;
}): Promise<PageFacts | null> => {
  const html = await decodeText({ bytes: page.bytes, filename: 'page.html', contentType: page.contentType });
  if (html === null) return null;
  const found = collect(html, page.url);
  const directives = new Set([...found.robots, ...headerDirectives(page.robotsTag)]);
  const title = keptTitle(found.title);
  const text = textOf(found);
  return {
    title,
    canonical: found.canonical,
    refresh: found.refresh,
    noindex: directives.has('noindex') || directives.has('none'),
    nofollow: directives.has('nofollow') || directives.has('none'),
    links: [...found.links],
    textHash: text === '' ? null : createHash('sha256').update([title, text].join('\n')).digest('hex'),
  };
};
