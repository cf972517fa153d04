import { parseCookie } from 'undici';

/** A stored cookie. */
export interface StoredCookie {
  readonly name: string;
  readonly value: string;
  /** Host to which it is sent. */
  readonly host: string;
  /** Whether it is also sent to the host with or without `www.`. */
  readonly isShared: boolean;
  readonly path: string;
  readonly isSecure: boolean;
  /** Milliseconds since 1970; null until the end of the crawl. */
  readonly expiresAt: number | null;
}

/**
 * Maximum number of cookies of a crawl; the oldest are dropped. Maximum characters of a cookie's name and value
 * together.
 */
const maxCookies = 50;
const maxCookieCharacters = 4096;

/** The cookies of one crawl. */
export interface CookieJar {
  /** Value of the `Cookie` header for an address; null for none. */
  readonly headerFor: (url: string) => string | null;
  /** Stores cookies of `Set-Cookie` headers. Returns whether the jar has changed. */
  readonly take: (url: string, setCookies: readonly string[]) => boolean;
  readonly all: () => readonly StoredCookie[];
}

/** Returns the host under which cookies with a domain are stored. The crawl requests no other host of that domain. */
const bareHost = (host: string): string => host.replace(/^www\./, '');

/** Source: RFC 6265, section 5.1.4. */
const defaultPath = (pathname: string): string => pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));

const isPathWithin = (pathname: string, path: string): boolean =>
  pathname === path || (pathname.startsWith(path) && (path.endsWith('/') || pathname[path.length] === '/'));

const isDomainOf = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** Returns when a cookie expires. Max-Age takes precedence over Expires. */
const endOf = (maxAge: number | undefined, expires: Date | number | undefined, now: number): number | null => {
  if (maxAge !== undefined) return now + maxAge * 1000;
  return expires === undefined ? null : new Date(expires).getTime();
};

/**
 * Parses one `Set-Cookie` header. Null if it is invalid or for another host. Source: RFC 6265, sections 5.2 and 5.3.
 */
const readCookie = (header: string, { hostname, pathname, protocol }: URL, now: number): StoredCookie | null => {
  const cookie = header.length > 2 * maxCookieCharacters ? null : parseCookie(header);
  if (cookie === null || cookie.name === '' || cookie.name.length + cookie.value.length > maxCookieCharacters)
    return null;
  const domain = (cookie.domain ?? '').replace(/^\./, '').toLowerCase();
  if (domain !== '' && !isDomainOf(hostname, domain)) return null;
  const isSecure = cookie.secure === true;
  if (isSecure && protocol !== 'https:') return null;
  return {
    name: cookie.name,
    value: cookie.value,
    host: hostname,
    isShared: domain !== '' && isDomainOf(bareHost(hostname), domain),
    path: cookie.path?.startsWith('/') === true ? cookie.path : defaultPath(pathname),
    isSecure,
    expiresAt: endOf(cookie.maxAge, cookie.expires, now),
  };
};

const idOf = ({ name, host, isShared, path }: StoredCookie): string =>
  [name, isShared ? `.${bareHost(host)}` : host, path].join('\n');

const isFor = (cookie: StoredCookie, { hostname, pathname, protocol }: URL): boolean => {
  const isOfHost = cookie.isShared ? bareHost(cookie.host) === bareHost(hostname) : cookie.host === hostname;
  return isOfHost && isPathWithin(pathname, cookie.path) && (!cookie.isSecure || protocol === 'https:');
};

/**
 * Opens the cookies of a crawl. Each is sent to the host that set it; with a domain also to that host with or without
 * `www.`.
 * No cookie is sent to another host of its domain, so no list of public suffixes is needed.
 */
export const openCookieJar = (stored: readonly StoredCookie[], now: () => number): CookieJar => {
  const cookies = new Map(stored.map((cookie) => [idOf(cookie), cookie]));
  const isLive = ({ expiresAt }: StoredCookie): boolean => expiresAt === null || expiresAt > now();
  return {
    headerFor: (url) => {
      const address = new URL(url);
      const sent = [...cookies.values()].filter((cookie) => isLive(cookie) && isFor(cookie, address));
      // Longer paths come first. Source: RFC 6265, section 5.4.
      const inOrder = sent.toSorted((one, other) => other.path.length - one.path.length);
      return sent.length === 0 ? null : inOrder.map(({ name, value }) => `${name}=${value}`).join('; ');
    },
    take: (url, setCookies) => {
      let hasChanged = false;
      for (const header of setCookies) {
        const cookie = readCookie(header, new URL(url), now());
        if (cookie === null) continue;
        const id = idOf(cookie);
        const known = cookies.get(id);
        if (!isLive(cookie)) hasChanged = cookies.delete(id) || hasChanged;
        else if (known?.value !== cookie.value || known.isSecure !== cookie.isSecure) {
          cookies.set(id, cookie);
          hasChanged = true;
        }
      }
      for (const [id] of [...cookies].slice(0, Math.max(0, cookies.size - maxCookies))) cookies.delete(id);
      return hasChanged;
    },
    all: () => [...cookies.values()].filter(isLive),
  };
};
