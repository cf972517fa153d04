import { createHash } from 'node:crypto';
import { Parser } from 'htmlparser2';
import { maxUrlCharacters } from '../../kernel/bounds.ts';
import { type Extent, surveyExtent, shownName, decodeText } from '#documents';
import { collectWords, collapsedAtOnce, type Words } from './collect-words.ts';
import { cleanTitle, maxTitleLength } from './page-title.ts';
import { crawlerToken } from './port.ts';
import { readRefresh } from './refresh.ts';
import { fingerprintOf } from './text-fingerprint.ts';
import { headerDirectives, metaDirectives } from './robots-directives.ts';

/** Facts about a web page that a crawl needs. The content itself is extracted by the file pipeline. */
export interface PageFacts {
  /** Title; if it has none, the first heading. */
  readonly title: string | null;
  /** Canonical URL, absolute. */
  readonly canonical: string | null;
  /** Target of its `refresh`, if that follows within seconds. */
  readonly refresh: string | null;
  /** Whether the refresh is immediate, like a redirect. */
  readonly refreshesAtOnce: boolean;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** Absolute URLs without fragments, in order, without duplicates. */
  readonly links: readonly string[];
  /** Whether it runs scripts, which may add text to an empty page. */
  readonly hasScripts: boolean;
  /** Page that is shown in place of another: of one that does not exist, or of one that needs a login; null for none. */
  readonly standIn: 'not_found' | 'login' | null;
  /** SHA-256 of its indexable text; null if it has none. */
  readonly textHash: string | null;
  /** Fingerprint of its text; null if it names no canonical or has no text. */
  readonly fingerprint: string | null;
}

/** A page as it was received. */
export interface ReadablePage {
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly robotsTag: string | null;
  /** The `Refresh` header. */
  readonly refresh?: string | null;
}

/** Maximum number of links of a page that are read. */
const maxLinks = 2_000;

/** Tags whose text is not shown. A head is excluded, since its end may be missing and it contains no other text. */
const silentTags: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg', 'title']);

/**
 * Minimum characters, and minimum share of all text, of the main content. If it has less, all text of the page counts.
 */
const minCharacters = 200;
const minShare = 1 / 10;

interface Found {
  title: string;
  /** Text of the first `h1` that has any. */
  heading: string;
  base: string;
  /** Only the first base counts, even if it is invalid. Source: HTML, "The base element". */
  hasBase: boolean;
  canonical: string | null;
  refresh: string | null;
  refreshesAtOnce: boolean;
  robots: string[];
  links: Set<string>;
  hasScripts: boolean;
  hasPassword: boolean;
  content: Words;
  all: Words;
  extent: Extent;
}

/** Returns an absolute URL without its fragment. Null if it is invalid or longer than the maximum. */
const absoluteUrl = (href: string, base: string): string | null => {
  if (href.length > maxUrlCharacters || !URL.canParse(href, base)) return null;
  const url = new URL(href, base);
  url.hash = '';
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.href.length <= maxUrlCharacters ? url.href : null;
};

/** Maximum delay of a refresh, in seconds. A page with a longer one is there to be read. */
const maxRefreshSeconds = 10;

/** Records the first refresh of a page. */
const noteRefresh = (found: Found, content: string): void => {
  const refresh = readRefresh(content);
  if (refresh === null || refresh.seconds > maxRefreshSeconds || found.refresh !== null) return;
  found.refresh = absoluteUrl(refresh.href, found.base);
  found.refreshesAtOnce = refresh.seconds === 0;
};

const addLink = ({ links }: Found, link: string | null): void => {
  if (link !== null && links.size < maxLinks) links.add(link);
};

/** Reads a tag that describes the page or links to others. */
const noteTag = (found: Found, name: string, attributes: Readonly<Record<string, string>>): void => {
  const { href = '', rel = '', content = '' } = attributes;
  const rels = rel.toLowerCase().split(/\s+/);
  if (name === 'base' && attributes['href'] !== undefined && !found.hasBase) {
    found.hasBase = true;
    found.base = absoluteUrl(href, found.base) ?? found.base;
  } else if (name === 'link' && rels.includes('canonical') && href.trim() !== '')
    found.canonical ??= absoluteUrl(href.trim(), found.base);
  else if (name === 'meta' && ['robots', crawlerToken].includes((attributes['name'] ?? '').toLowerCase()))
    for (const directive of metaDirectives(content)) found.robots.push(directive);
  else if (name === 'meta' && attributes['http-equiv']?.toLowerCase() === 'refresh') {
    noteRefresh(found, content);
    addLink(found, found.refresh);
  } else if (name === 'frame') {
    addLink(found, absoluteUrl((attributes['src'] ?? '').trim(), found.base));
  } else if ((name === 'a' || name === 'area') && href !== '' && !rels.includes('nofollow'))
    addLink(found, absoluteUrl(href.trim(), found.base));
};

/** Maximum depth that is parsed, since the parser's time grows with it. Deeper parts contribute their words only. */
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
  hasPassword: false,
  content: collectWords(),
  all: collectWords(),
  extent: 'all',
});

/** Whether a script is a program. Embedded data has another type. */
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
      if (name === 'input' && /^password$/i.test(attributes['type'] ?? '')) found.hasPassword = true;
      if (name === 'title' && within.svg === 0) titles += 1;
      // A refresh for visitors without scripts seldom leads to the content.
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
      if (isTitle && found.title.length < maxTitleLength) found.title += text.slice(0, collapsedAtOnce);
      about.text(text);
      if (within.silent > 0) return;
      take(text);
      if (within.h1 > 0 && !isHeaded && found.heading.length < maxTitleLength)
        found.heading += text.slice(0, collapsedAtOnce);
    },
  });
  parser.end(html);
  return { ...found, extent: about.extent() };
};

/** Returns the indexable text: the main content, or the whole text if the main content is too small. */
const textOf = ({ content, all, extent }: Found): string => {
  const [inner, whole] = [content.text(), all.text()];
  const hasMainContent = extent !== 'all' && inner.length >= Math.max(minCharacters, whole.length * minShare);
  return hasMainContent ? inner : whole;
};

/** Titles and headings of pages that say that there is no such page, in the languages of most sites. */
const notFound =
  /^\W*(?:(?:error|fehler|erreur)\W*)?404\b|\b(?:page|seite|file|document)\b.{0,20}\b(?:not found|nicht gefunden|does(?: no|n['’])t exist|existiert nicht)\b|^\W*not found\W*$|\bpage introuvable\b|\bpágina no encontrada\b|\bpagina non trovata\b|\bpágina não encontrada\b/i;

/** Maximum characters of the text of a page that is shown in place of another. One with more is there to be read. */
const maxStandInLength = 600;

const standInOf = (found: Found, text: string): PageFacts['standIn'] => {
  if (text.length > maxStandInLength) return null;
  if (notFound.test(found.title.trim()) || notFound.test(found.heading.trim())) return 'not_found';
  return found.hasPassword ? 'login' : null;
};

/** Parses a page in one pass. Null if it is no text. */
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
    standIn: standInOf(found, text),
    fingerprint: text === '' || found.canonical === null ? null : fingerprintOf(text),
    textHash: text === '' ? null : createHash('sha256').update([title, text].join('\n')).digest('hex'),
  };
};
