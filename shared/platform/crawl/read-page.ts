import { createHash } from 'node:crypto';
import { Parser } from 'htmlparser2';
import { maxUrlCharacters } from '../../kernel/bounds.ts';
import { type Extent, surveyExtent } from '../extract/html/page-extent.ts';
import { shownName } from '../extract/html/tag-names.ts';
import { decodeText } from '../extract/text/decode-text.ts';
import { collectWords, squeezedAtOnce, type Words } from './collect-words.ts';
import { cleanTitle, maxTitleLength } from './page-title.ts';
import { crawlerToken } from './port.ts';
import { readRefresh } from './refresh.ts';
import { fingerprintOf } from './text-fingerprint.ts';
import { headerDirectives, metaDirectives } from './robots-directives.ts';

/** What a crawl needs to know of a web page; its content is read by whoever puts it into an index. */
export interface PageFacts {
  /** Its title, or where it has none its first heading. */
  readonly title: string | null;
  /** As it stands in the page, whole. */
  readonly canonical: string | null;
  /** Where it leads by itself within seconds. */
  readonly refresh: string | null;
  /** Whether it does so without a pause, as a redirect. */
  readonly refreshesAtOnce: boolean;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** Whole web addresses without fragments, in order, each once. */
  readonly links: readonly string[];
  /** Whether it runs scripts; without a text it may get one by these. */
  readonly hasScripts: boolean;
  /** SHA-256 of what may be indexed of it; null where there is nothing. */
  readonly textHash: string | null;
  /** Fingerprint of its text, where it names an original; null where it names none or has no text. */
  readonly fingerprint: string | null;
}

/** A page as its site answered. */
export interface ReadablePage {
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly robotsTag: string | null;
  /** The `Refresh` header. */
  readonly refresh?: string | null;
}

/** Most links of one page that are looked at. */
const maxLinks = 2_000;

/** A head is none of them: its end may be left out, and nothing else in it is text. */
const silentTags: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg', 'title']);

/** Less than that does not tell a page from others: all of its text then does. */
const minCharacters = 200;
const minShare = 1 / 10;

interface Found {
  title: string;
  /** Text of the first first-level heading that has one. */
  heading: string;
  base: string;
  /** The first base alone counts, whatever it names. Source: HTML, "The base element". */
  hasBase: boolean;
  canonical: string | null;
  refresh: string | null;
  refreshesAtOnce: boolean;
  robots: string[];
  links: Set<string>;
  hasScripts: boolean;
  content: Words;
  all: Words;
  extent: Extent;
}

/** The web address that a page names, without its fragment; null for what is none, or would not fit where pages are remembered. */
const whole = (href: string, base: string): string | null => {
  if (href.length > maxUrlCharacters || !URL.canParse(href, base)) return null;
  const url = new URL(href, base);
  url.hash = '';
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.href.length <= maxUrlCharacters ? url.href : null;
};

/** Pages that change by themselves after longer than that are there to be read. */
const maxRefreshSeconds = 10;

/** Notes where a page leads by itself, the first time that it says so. */
const noteRefresh = (found: Found, content: string): void => {
  const refresh = readRefresh(content);
  if (refresh === null || refresh.seconds > maxRefreshSeconds || found.refresh !== null) return;
  found.refresh = whole(refresh.href, found.base);
  found.refreshesAtOnce = refresh.seconds === 0;
};

const addLink = ({ links }: Found, link: string | null): void => {
  if (link !== null && links.size < maxLinks) links.add(link);
};

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
    noteRefresh(found, content);
    addLink(found, found.refresh);
  } else if (name === 'frame') {
    addLink(found, whole((attributes['src'] ?? '').trim(), found.base));
  } else if ((name === 'a' || name === 'area') && href !== '' && !rels.includes('nofollow'))
    addLink(found, whole(href.trim(), found.base));
};

/** The parser's time grows with the depth of a page; of what lies deeper the words alone are taken. */
const maxDepth = 2_000;

const noFinds = (url: string): Found => ({
  title: '',
  heading: '',
  base: url,
  hasBase: false,
  canonical: null,
  refresh: null,
  refreshesAtOnce: false,
  robots: [],
  links: new Set(),
  hasScripts: false,
  content: collectWords(),
  all: collectWords(),
  extent: 'all',
});

/** Whether a script is a program: data of a page have a type of their own. */
const isProgram = ({ type = '' }: Readonly<Record<string, string>>): boolean =>
  /^\s*(?:module|(?:text|application)\/(?:java|ecma)script)?\s*$/i.test(type);

const collect = (html: string, { url, refresh }: ReadablePage): Found => {
  const found = noFinds(url);
  if (refresh != null) noteRefresh(found, refresh);
  const about = surveyExtent();
  const open: string[] = [];
  let titles = 0;
  let isHeaded = false;
  const within = { silent: 0, noscript: 0, svg: 0, h1: 0 };
  const step = (name: string, by: 1 | -1): void => {
    if (silentTags.has(name)) within.silent += by;
    if (name === 'noscript' || name === 'svg' || name === 'h1') within[name] += by;
  };
  const take = (text: string): void => {
    found.all.add(text);
    if (!about.isBeside()) found.content.add(text);
  };
  const parser = new Parser({
    onopentag: (tag, attributes) => {
      const name = shownName(tag, attributes);
      open.push(name);
      about.open(name, (attribute) => attributes[attribute]);
      step(name, 1);
      if (name === 'script') found.hasScripts ||= isProgram(attributes);
      if (name === 'title' && within.svg === 0) titles += 1;
      // Where a page sends visitors without scripts is seldom where its content is.
      if (within.noscript === 0 || attributes['http-equiv'] === undefined) noteTag(found, name, attributes);
      if (open.length <= maxDepth) return;
      parser.pause();
      take(html.slice(parser.endIndex + 1).replace(/<[^<>]*>/g, ' '));
    },
    onclosetag: () => {
      about.close();
      step(open.pop() ?? '', -1);
      isHeaded ||= within.h1 === 0 && found.heading.trim() !== '';
    },
    ontext: (text) => {
      const isTitle = titles === 1 && within.svg === 0 && open.at(-1) === 'title';
      if (isTitle && found.title.length < maxTitleLength) found.title += text.slice(0, squeezedAtOnce);
      about.text(text);
      if (within.silent > 0) return;
      take(text);
      if (within.h1 > 0 && !isHeaded && found.heading.length < maxTitleLength)
        found.heading += text.slice(0, squeezedAtOnce);
    },
  });
  parser.end(html);
  return { ...found, extent: about.extent() };
};

/** What may be indexed: what stands beside the content only where that is next to nothing. */
const textOf = ({ content, all, extent }: Found): string => {
  const [inner, whole] = [content.text(), all.text()];
  const isTold = extent !== 'all' && inner.length >= Math.max(minCharacters, whole.length * minShare);
  return isTold ? inner : whole;
};

/** Reads what a crawl wants to know of a page, in one pass; null for what is no text. */
export const readPage = async (page: ReadablePage): Promise<PageFacts | null> => {
  const html = await decodeText({ bytes: page.bytes, filename: 'page.html', contentType: page.contentType });
  if (html === null) return null;
  const found = collect(html, page);
  const directives = new Set([...found.robots, ...headerDirectives(page.robotsTag)]);
  const title = cleanTitle(found.title) ?? cleanTitle(found.heading);
  const text = textOf(found);
  return {
    title,
    canonical: found.canonical,
    refresh: found.refresh,
    refreshesAtOnce: found.refresh !== null && found.refreshesAtOnce,
    noindex: directives.has('noindex') || directives.has('none'),
    nofollow: directives.has('nofollow') || directives.has('none'),
    links: [...found.links],
    hasScripts: found.hasScripts,
    fingerprint: text === '' || found.canonical === null ? null : fingerprintOf(text),
    textHash: text === '' ? null : createHash('sha256').update([title, text].join('\n')).digest('hex'),
  };
};
