import { createHash } from 'node:crypto';
import { maxUrlCharacters } from '../kernel/bounds.ts';

/** Address of a page and its identity. */
export interface PageAddress {
  /** URL that is fetched. */
  readonly url: string;
  /**
   * Identical for all spellings of one address: without protocol, `www.`, tracking parameters, doubled slashes and
   * fragment.
   * Query parameters are sorted.
   */
  readonly key: string;
  /** Hash of the key, 32 hexadecimal digits. */
  readonly hash: string;
}

/** Tracking parameters: they identify the visitor's origin and never change the page. */
const tracking =
  /^(?:utm_\w+|gclid|gclsrc|dclid|fbclid|msclkid|yclid|twclid|igshid|mc_[ce]id|_ga|_gl|_hs(?:enc|mi)|phpsessid|jsessionid)$/i;

const hex = /%([0-9a-f]{2})/gi;
const unreserved = /[A-Za-z0-9\-._~]/;

/** Normalizes escapes: upper-case digits, and none for unreserved characters. Source: RFC 3986, section 6.2.2. */
const sameEscapes = (text: string): string =>
  text.replace(hex, (escape, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return unreserved.test(character) ? character : escape.toUpperCase();
  });

const cleanPath = (path: string): string => sameEscapes(path).replace(/;jsessionid=[^/;]*/gi, '');

const withSingleSlashes = (path: string): string => path.replace(/\/{2,}/g, '/');

/** Collapses doubled slashes in a path. Some sites need them, such as archives of `/web/http://example.org/`. */
export const singleSlashed = (address: string): string => {
  const url = new URL(address);
  url.pathname = withSingleSlashes(url.pathname);
  return url.href;
};

/** Returns `name=value` pairs without tracking parameters, in order. */
const kept = (search: string): readonly string[] =>
  sameEscapes(search.slice(1))
    .split('&')
    .filter((pair) => pair !== '' && !tracking.test(pair.split('=', 1)[0] ?? ''));

/** Returns the site of a URL: its host without `www.`, with the port if it is not the default. */
export const siteOf = (url: string): string => {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/\.$/, '').replace(/^www\./, '');
  return port === '' ? host : `${host}:${port}`;
};

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/**
 * Returns the address of a link. Null for other protocols, for URLs with a user name, and for those that are too long.
 */
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
 * File extensions that are no pages. Extensions such as `/docs/next.js` or `/spec/feed.json` are excluded, since they
 * occur in
 * page addresses; the content type decides there.
 */
const otherFiles =
  /\.(?:7z|apk|avi|avif|bmp|bz2|css|csv|deb|dmg|eot|eps|epub|exe|flac|gif|gz|ico|iso|jar|jpe?g|m4[av]|mov|mp[34]|mpe?g|msi|og[agv]|otf|png|psd|rar|rpm|rss|tar|tgz|tiff?|ttf|wasm|wav|web[mp]|wmv|woff2?|xls|xz|zip)$/i;

/** Whether an address looks like a page or a PDF by its file extension. */
export const looksLikePage = ({ url }: Pick<PageAddress, 'url'>): boolean => !otherFiles.test(new URL(url).pathname);
