import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { listening } from '../support/emulated-cloud.ts';
import { makePdf } from '../support/make-pdf.ts';

/** Response of the site for one URL. */
export interface SitePage {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Ends the connection without an answer. */
  readonly breaks?: boolean;
}

interface Visit {
  readonly path: string;
  readonly status: number;
  readonly at: number;
}

const words = ['harbour', 'lantern', 'granite', 'meadow', 'copper', 'saddle', 'orchard', 'violin', 'walnut', 'glacier'];

/** Sentences that no other page has. */
export const prose = (name: string): string =>
  Array.from(
    { length: 6 },
    (_, at) =>
      `The ${words[(name.length + at) % words.length]} of ${name} is told of in sentence ${at + 1} of its page.`,
  ).join(' ');

export const html = (name: string, links: readonly string[] = [], head = ''): string =>
  `<!doctype html><html><head><title>${name}</title>${head}</head><body><nav><a href="/">Home</a></nav>` +
  `<main><h1>${name}</h1><p>${prose(name)}</p>` +
  `<ul>${links.map((link) => `<li><a href="${link}">go</a></li>`).join('')}</ul></main></body></html>`;

/** Web server with pages that a test can change; it records requests. */
export class Site {
  readonly pages = new Map<string, SitePage | ((request: IncomingMessage, url: URL) => SitePage)>();
  readonly visits: Visit[] = [];
  /** Pages that are answered with an etag, and 304 where it is sent back. */
  conditional = false;
  /** Response in place of a page, such as to a request without a credential; null for the page. */
  guard: ((request: IncomingMessage) => SitePage | null) | null = null;
  port = 0;
  now: () => number = Date.now;
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => this.answer(request, response));
  }

  async open(): Promise<this> {
    this.port = Number(new URL(await listening(this.server)).port);
    return this;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  url(path: string, host = 'docs.example.com'): string {
    return `http://${host}:${this.port}${path}`;
  }

  /** How often each path was answered with a status. */
  asked(status: number): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const visit of this.visits)
      if (visit.status === status) counts.set(visit.path, (counts.get(visit.path) ?? 0) + 1);
    return counts;
  }

  private pageAt(request: IncomingMessage, url: URL): SitePage {
    const found =
      this.pages.get(url.pathname + url.search) ??
      this.pages.get(url.pathname) ??
      [...this.pages].findLast(([path]) => path.endsWith('*') && url.pathname.startsWith(path.slice(0, -1)))?.[1];
    if (found === undefined) return { status: 404, body: 'nothing here' };
    return typeof found === 'function' ? found(request, url) : found;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://site');
    const page = this.guard?.(request) ?? this.pageAt(request, url);
    if (page.breaks === true) {
      this.visits.push({ path: url.pathname + url.search, status: 0, at: this.now() });
      response.destroy();
      return;
    }
    const body = Buffer.from(page.body ?? '');
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
    const status = page.status ?? 200;
    const unchanged = this.conditional && status === 200 && request.headers['if-none-match'] === etag;
    this.visits.push({ path: url.pathname + url.search, status: unchanged ? 304 : status, at: this.now() });
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      ...(this.conditional && status === 200 && body.length < 100_000 ? { etag } : {}),
      ...page.headers,
    };
    if (unchanged) response.writeHead(304, { ...headers }).end();
    else response.writeHead(status, headers).end(body);
  }
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1);

const redirect = (location: string, status = 301): SitePage => ({ status, headers: { location } });

/** Fills a site with pages of every kind that a crawl can get lost in. Returns the addresses that belong into an index. */
export const addTraps = async (site: Site, guides: number, privatePort: number): Promise<readonly string[]> => {
  const { pages } = site;
  const set = (path: string, page: string | SitePage): void => {
    pages.set(path, typeof page === 'string' ? { body: page } : page);
  };
  const wanted: string[] = [];
  const want = (path: string, page: string | SitePage): void => {
    set(path, page);
    wanted.push(site.url(path));
  };
  const guidesPerSection = Math.ceil(guides / 5);
  pages.set('/robots.txt', {
    headers: { 'content-type': 'text/plain' },
    body: [
      'User-agent: other-bot', 'Disallow: /', '', 'User-agent: *', 'Disallow: /private/', 'Allow: /private/open/',
      'Disallow: /*.bak$', `Sitemap: ${site.url('/sitemap-index.xml')}`,
      `Sitemap: http://elsewhere.example.com:${site.port}/sitemap.xml`,
    ].join('\n'),
  }); // prettier-ignore
  want('/', html('Home', [
    ...range(5).map((at) => `/section/${at}`), '/traps', '/notes.txt', '/latin1', '/noindex', '/busy', '/missing', '/gone',
    '/broken', '/cut', '/huge', '/bomb', '/picture.png', '/data', 'mailto:a@example.com', 'javascript:void(0)',
    `http://elsewhere.example.com:${site.port}/`, '/private/1', '/private/open/1', '/old.bak',
  ])); // prettier-ignore
  for (const section of range(5)) {
    const from = (section - 1) * guidesPerSection;
    const own = range(guidesPerSection).map((at) => `/guide/${from + at}`);
    const extra = section === 1 ? range(3).map((at) => `/files/${at}.pdf`) : [];
    want(`/section/${section}`, html(`Section ${section}`, [...own, ...extra, `/guide/${from + 1}/?utm_source=x#top`]));
    for (const path of own) want(path, html(`Guide ${path}`, ['/', `${path}#part`, `${path}?fbclid=1`]));
  }
  for (const at of range(3))
    want(`/files/${at}.pdf`, {
      headers: { 'content-type': 'application/pdf' },
      body: await makePdf([prose(`file ${at}`)]),
    });
  want('/notes.txt', { headers: { 'content-type': 'text/plain' }, body: prose('notes') });
  want('/latin1', {
    headers: { 'content-type': 'text/html; charset=iso-8859-1' },
    body: Buffer.from(html('Café Grüße'), 'latin1'),
  });
  set('/noindex', html('Hidden', ['/from-noindex'], '<meta name="robots" content="noindex">'));
  want('/from-noindex', html('From noindex'));
  let busy = 0;
  pages.set('/busy', () => {
    busy += 1;
    return busy === 1 ? { status: 503, headers: { 'retry-after': '20' } } : { body: html('Busy') };
  });
  wanted.push(site.url('/busy'));
  set('/gone', { status: 410 });
  set('/broken', { status: 500 });
  set('/cut', { breaks: true });
  set('/huge', html('Huge') + 'x'.repeat(12 * 1024 * 1024));
  set('/bomb', { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(12 * 1024 * 1024, 'a')) });
  set('/data', { headers: { 'content-type': 'application/octet-stream' }, body: 'data' });
  set('/private/1', html('Private'));
  want('/private/open/1', html('Open'));
  set('/old.bak', html('Old'));
  setLoops(site, set, want, privatePort);
  setSitemaps(site, set, want);
  return wanted.toSorted((a, b) => a.localeCompare(b));
};

type SetPage = (path: string, page: string | SitePage) => void;

const setLoops = (site: Site, set: SetPage, want: SetPage, privatePort: number): void => {
  want('/traps', html('Traps', [
    '/old/1', '/loop/a', '/to-private', '/to-metadata', '/to-port', '/to-name', '/to-file', '/copy/1', '/copy/2',
    '/guide/2?print=1', '/canon/a', '/calendar?month=1', '/days/2024/01/01', '/winding/', '/session?sid=0', '/slash', '/HOP',
  ])); // prettier-ignore
  set('/old/1', redirect('/guide/1'));
  set('/loop/a', redirect('/loop/b'));
  set('/loop/b', redirect('/loop/a', 302));
  set('/to-private', redirect('http://10.0.0.1/'));
  set('/to-metadata', redirect('http://169.254.169.254/latest/meta-data/', 307));
  set('/to-port', redirect(`http://127.0.0.1:${privatePort}/secret`, 302));
  set('/to-name', redirect(`http://inner.example.com:${site.port}/`, 308));
  set('/to-file', redirect('file:///etc/passwd'));
  set('/copy/1', html('Guide /guide/1', ['/only-from-copy', '/only-from-copy', '/only-from-copy']));
  set('/copy/2', html('Guide /guide/2', ['/', '/', '/']));
  set('/guide/2?print=1', html('Print', [], '<link rel="canonical" href="/guide/2">'));
  set('/canon/a', html('Canon A', [], '<link rel="canonical" href="/canon/b">'));
  want('/canon/b', html('Canon B', [], '<link rel="canonical" href="/canon/a">'));
  site.pages.set('/calendar', (_, url) => {
    const month = Number(url.searchParams.get('month'));
    return { body: html(`Month ${month}`, [`/calendar?month=${month + 1}`, `/calendar?month=${month - 1}`]) };
  });
  site.pages.set('/days/*', (_, url) => {
    const day = Number(url.pathname.split('/').at(-1));
    return { body: html(`Day ${day}`, [`/days/2024/01/${day + 1}`]) };
  });
  site.pages.set('/winding/*', (_, url) => ({ body: html(`Winding ${url.pathname}`, ['round/']) }));
  site.pages.set('/session', () => ({
    body: html('Session', range(30).map((at) => `/session?sid=${at}-${site.visits.length}`)),
  })); // prettier-ignore
  set('/slash', redirect('/slash/'));
  want('/slash/', html('Slash'));
  set('/HOP', redirect('/hop'));
  want('/hop', html('Hop'));
};

const setSitemaps = (site: Site, set: SetPage, want: SetPage): void => {
  const xml = { 'content-type': 'application/xml' };
  const orphans = range(6).map((at) => `/orphan/${at}`);
  for (const path of orphans) want(path, html(`Orphan ${path}`));
  const list = (tag: string, inner: string, paths: readonly string[]): string =>
    `<?xml version="1.0"?><${tag} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` +
    paths.map((path) => `<${inner}><loc>${site.url(path)}</loc></${inner}>`).join('') +
    `</${tag}>`;
  set('/sitemap-index.xml', {
    headers: xml,
    body: list('sitemapindex', 'sitemap', ['/sitemap-1.xml.gz', '/sitemap-bomb.xml.gz', '/sitemap-index.xml']),
  });
  set('/sitemap-1.xml.gz', {
    headers: { 'content-type': 'application/gzip' },
    body: gzipSync(list('urlset', 'url', [...orphans, '/private/2'])),
  });
  set('/sitemap-bomb.xml.gz', {
    headers: { 'content-type': 'application/gzip' },
    body: gzipSync(Buffer.alloc(51 * 1024 * 1024, ' ')),
  });
};
