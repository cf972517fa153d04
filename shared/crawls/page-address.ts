import { createHash } from 'node:crypto';
import { maxUrlCharacters } from '../kernel/bounds.ts';

/** Where a page is, and what tells it from every other. */
export interface PageAddress {
  /** What is fetched. */
  readonly url: string;
  /** The same for all spellings of one address: no protocol, `www.`, tracking, doubled slash, fragment; queries in order. */
  readonly key: string;
  /** Of the key: 32 hexadecimal digits. */
  readonly hash: string;
}

/** Parameters that tell where a visitor comes from, never what a page holds. */
const tracking =
  /^(?:utm_\w+|gclid|gclsrc|dclid|fbclid|msclkid|yclid|twclid|igshid|mc_[ce]id|_ga|_gl|_hs(?:enc|mi)|phpsessid|jsessionid)$/i;

const hex = /%([0-9a-f]{2})/gi;
const unreserved = /[A-Za-z0-9\-._~]/;

/** Escapes in one spelling: capital digits, and none for what needs none. Source: RFC 3986, section 6.2.2. */
const sameEscapes = (text: string): string =>
  text.replace(hex, (escape, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return unreserved.test(character) ? character : escape.toUpperCase();
  });

const cleanPath = (path: string): string => sameEscapes(path).replace(/;jsessionid=[^/;]*/gi, '');

const withSingleSlashes = (path: string): string => path.replace(/\/{2,}/g, '/');

/** What an address with doubled slashes mostly means; some sites need them, as archives of `/web/http://example.org/`. */
export const singleSlashed = (address: string): string => {
  const url = new URL(address);
  url.pathname = withSingleSlashes(url.pathname);
  return url.href;
};

/** `name=value` pairs without tracking, as they stand in the address. */
const kept = (search: string): readonly string[] =>
  sameEscapes(search.slice(1))
    .split('&')
    .filter((pair) => pair !== '' && !tracking.test(pair.split('=', 1)[0] ?? ''));

/** The host without `www.` and its port, where that is not the protocol's own: what a crawl stays within. */
export const siteOf = (url: string): string => {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/\.$/, '').replace(/^www\./, '');
  return port === '' ? host : `${host}:${port}`;
};

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The address that a link leads to; null for what is no web address, holds a user name, or is too long to keep. */
export const toPageAddress = (link: string, base?: string): PageAddress | null => {
  if (!URL.canParse(link, base)) return null;
  const url = new URL(link, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (url.username !== '' || url.password !== '' || url.hostname === '') return null;
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  url.pathname = cleanPath(url.pathname);
  const pairs = kept(url.search);
  url.search = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  const text = url.toString();
  if (text.length > maxUrlCharacters) return null;
  const path = withSingleSlashes(url.pathname).replace(/\/$/, '');
  const query = pairs.length === 0 ? '' : `?${pairs.toSorted().join('&')}`;
  const key = `${siteOf(text)}${path}${query}`;
  return { url: text, key, hash: hashOf(key) };
};

/**
 * Endings that pages don't have. Those of pages about programs, `/docs/next.js` or `/spec/feed.json`, are no such ones:
 * what they lease is told by its type.
 */
const otherFiles =
  /\.(?:7z|apk|avi|avif|bmp|bz2|css|csv|deb|dmg|docx?|eot|eps|epub|exe|flac|gif|gz|ico|iso|jar|jpe?g|m4[av]|mov|mp[34]|mpe?g|msi|og[agv]|otf|png|pptx?|psd|rar|rpm|rss|tar|tgz|tiff?|ttf|wasm|wav|web[mp]|wmv|woff2?|xlsx?|xz|zip)$/i;

/** Whether an address looks like a page or a PDF by the name of its file. */
export const looksLikePage = ({ url }: Pick<PageAddress, 'url'>): boolean => !otherFiles.test(new URL(url).pathname);
