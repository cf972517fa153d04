import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { html, type SitePage } from './site.ts';
import { CrawlFixture } from './fixture.ts';

let opened: CrawlFixture | null = null;
const fixture = (): CrawlFixture => {
  if (opened === null) throw new Error('the fixture is not open');
  return opened;
};

type SitePageOf = Exclude<Parameters<CrawlFixture['site']['pages']['set']>[1], SitePage>;

type Pages = Readonly<Record<string, string | SitePage>>;

const setPages = (pages: Pages): void => {
  for (const [path, page] of Object.entries(pages))
    fixture().site.pages.set(path, typeof page === 'string' ? { body: page } : page);
};

const urlset = (paths: readonly string[]): string =>
  `<urlset>${paths.map((path) => `<url><loc>${fixture().site.url(path)}</loc></url>`).join('')}</urlset>`;

const crawlOnce = async (path: string, options: { page_limit?: number; max_depth?: number } = {}) => {
  const { site, app } = fixture();
  site.visits.length = 0;
  const id = await app.start(site.url(path), options);
  await app.crawlOn();
  return app.get(id);
};

/** Paths of the pages that have file jobs. */
const stored = async (): Promise<readonly string[]> =>
  (await fixture().app.storedUrls()).map((url) => new URL(url).pathname + new URL(url).search);

const times = (count: number, path: (at: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, at) => path(at));

describe('crawls of realistic sites', { concurrency: false, timeout: 900_000 }, () => {
  before(async () => {
    opened = await CrawlFixture.open();
  });
  after(() => opened?.close());

  test('numbered posts are all read, from links or a sitemap, and an endless calendar is not', async () => {
    await fixture().clear();
    const posts = times(44, (at) => `/?p=${at}`);
    setPages({ '/': html('Home', [...posts.slice(20), '/days?day=1']), '/sitemap.xml': urlset(posts) });
    for (const path of posts) setPages({ [path]: html(`Post ${path}`) });
    fixture().site.pages.set('/days', (_, { searchParams }) => {
      const day = Number(searchParams.get('day'));
      return {
        body: html(
          `Day ${day}`,
          times(60, (at) => `/days?day=${day + at}`),
        ),
      };
    });
    const { status, pages_found, error } = await crawlOnce('/', { page_limit: 150, max_depth: 3 });
    const found = await stored();
    assert.deepEqual([status, found.length], ['completed', pages_found]);
    assert.equal(error, '1 pattern of addresses had no end');
    assert.deepEqual(
      [...posts, '/'].filter((path) => !found.includes(path)),
      [],
    );
    assert.equal(found.filter((path) => path.startsWith('/days')).length, 41);
  });

  test('a page with a file extension or a repeating path is read if the caller or a sitemap names it', async () => {
    await fixture().clear();
    setPages({
      '/a/a/a/a/Node.js': html('Node', ['/docs/next.js', '/docs/feed.json', '/program.exe', '/a/a/a/a/x', '/moved']),
      '/docs/next.js': html('Next'),
      '/docs/feed.json': { headers: { 'content-type': 'application/json' }, body: '{}' },
      '/a/a/a/a/x': html('Winding'),
      '/moved': { status: 301, headers: { location: '/b/b/b/b/code.zip' } },
      '/b/b/b/b/code.zip': html('Code'),
    });
    const { status } = await crawlOnce('/a/a/a/a/Node.js');
    assert.equal(status, 'completed');
    assert.deepEqual(await stored(), ['/a/a/a/a/Node.js', '/a/a/a/a/x', '/b/b/b/b/code.zip', '/docs/next.js']);
    assert.ok(!fixture().site.visits.some(({ path }) => path === '/program.exe'));
  });

  test('pages that robots.txt now disallows leave the index, even all of a site', async () => {
    await fixture().clear();
    setPages({ '/': html('Home', ['/a', '/b']), '/a': html('A'), '/b': html('B') });
    await crawlOnce('/');
    assert.equal((await stored()).length, 3);
    setPages({ '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /' } });
    const { status, error } = await crawlOnce('/');
    assert.deepEqual([status, error], ['failed', "The site's robots.txt does not allow the first page to be read"]);
    assert.deepEqual(await stored(), []);
    assert.deepEqual([...fixture().site.asked(200).keys()], ['/robots.txt']);
  });

  test('a site that moved to another host keeps only those old pages that still respond', async () => {
    await fixture().clear();
    const { site, app } = fixture();
    const names = ['/', '/a', '/b', '/left'];
    setPages({ '/': html('Home', ['/a', '/b', '/left']), '/a': html('A'), '/b': html('B'), '/left': html('Left') });
    await crawlOnce('/');
    for (const path of ['/', '/a', '/b'])
      site.pages.set(path, ({ headers }) =>
        headers.host?.startsWith('docs.') === true
          ? { status: 301, headers: { location: site.url(path, 'new.example.com') } }
          : { body: html(`New ${path}`, ['/a', '/b']) },
      );
    const { status, pages_found } = await crawlOnce('/');
    assert.deepEqual([status, pages_found], ['completed', 3]);
    const expected = names.map((path) => site.url(path, path === '/left' ? undefined : 'new.example.com'));
    assert.deepEqual(
      await app.storedUrls(),
      expected.toSorted((a, b) => a.localeCompare(b)),
    );
  });

  test('a removed page leaves the index even if the crawl reached its page limit', async () => {
    await fixture().clear();
    const { site } = fixture();
    setPages({ '/': html('Home', ['/a', '/b', '/d']), '/a': html('A'), '/b': html('B'), '/d': html('D') });
    await crawlOnce('/', { page_limit: 4 });
    site.pages.delete('/a');
    setPages({ '/': html('Home 2', ['/b', '/c']), '/c': html('C') });
    const { status, pages_found } = await crawlOnce('/', { page_limit: 3 });
    assert.deepEqual([status, pages_found], ['completed', 3]);
    assert.deepEqual(await stored(), ['/', '/b', '/c', '/d']);
  });

  test('redirect targets are read at once, before other waiting addresses', async () => {
    await fixture().clear();
    const old = times(430, (at) => `/old-${at}`);
    const now = times(9, (at) => `/new-${at}`);
    setPages({ '/': html('Home'), '/sitemap.xml': urlset(old) });
    for (const path of old) setPages({ [path]: { status: 301, headers: { location: path.replace('old', 'new') } } });
    for (const path of now) setPages({ [path]: html(`Page ${path}`) });
    const { status, pages_found } = await crawlOnce('/');
    assert.deepEqual([status, pages_found], ['completed', 10]);
    assert.deepEqual(await stored(), ['/', ...now]);
    assert.equal(fixture().site.asked(301).size, 9);
  });

  test('a page is read if its canonical cannot be read, and links of a page with a canonical are followed', async () => {
    await fixture().clear();
    const canonical = (path: string) => `<link rel="canonical" href="${path}">`;
    setPages({
      '/': html('Home', ['/list', '/a', '/b'], canonical('/home')),
      '/home': { status: 302, headers: { location: '/' } },
      '/a': html('A', [], canonical('/gone')),
      '/b': html('B', [], canonical('/b2')),
      '/b2': { status: 301, headers: { location: '/b3' } },
      '/b3': html('B3', [], canonical('/b2')),
      '/list': html('List', ['/post-1', '/list?page=2'], canonical('/list')),
      '/list?page=2': html('List 2', ['/post-2'], canonical('/list')),
      '/post-1': html('Post 1'),
      '/post-2': html('Post 2'),
    });
    for (const _ of ['first', 'again']) {
      const { status, pages_found } = await crawlOnce('/', { max_depth: 4, page_limit: 50 });
      assert.deepEqual([status, pages_found], ['completed', 6]);
      assert.deepEqual(await stored(), ['/', '/a', '/b3', '/list', '/post-1', '/post-2']);
    }
    assert.deepEqual(
      [...fixture().site.asked(200).values()].toSorted((one, two) => one - two),
      [1, 1, 1, 1, 1, 1, 2, 2],
    );
    setPages({ '/gone': html('Not gone') });
    await crawlOnce('/', { max_depth: 4, page_limit: 50 });
    assert.deepEqual(await stored(), ['/', '/b3', '/gone', '/list', '/post-1', '/post-2']);
  });

  test('a page with a refresh is followed, and the first page with one counts as moved', async () => {
    await fixture().clear();
    const refresh = (content: string) => `<meta http-equiv="Refresh" content="${content}">`;
    setPages({
      '/': html('Redirecting', ['/other'], refresh('0; url=en/latest/')),
      '/en/latest/': html(
        'Docs',
        ['/en/latest/a'],
        `${refresh('300; url=/x')}<noscript>${refresh('0; url=/y')}</noscript>`,
      ),
      '/en/latest/a': html('A', [], refresh("5;URL='b'")),
      '/en/latest/b': html('B'),
    });
    const { status } = await crawlOnce('/');
    assert.equal(status, 'completed');
    assert.deepEqual(await stored(), ['/en/latest/', '/en/latest/a']);
    await fixture().clear();
    setPages({
      '/': html('Home', [], refresh('0;url=/a')),
      '/a': html('A', ['/b'], refresh('0;url=/')),
      '/b': html('B'),
    });
    await crawlOnce('/');
    assert.deepEqual(await stored(), ['/a', '/b']);
  });

  test('a crawl reports every skipped address with its reason, and counts each reason', async () => {
    await fixture().clear();
    const { site, app } = fixture();
    const canonical = '<link rel="canonical" href="/page">';
    const elsewhere = 'http://elsewhere.example.com/';
    setPages({
      '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /private/\n' },
      '/': html('Home', [
        '/page', '/huge', '/app', '/blank', '/forbidden', '/missing', '/broken', '/cut', '/loop/a', '/chain/0', '/private/x',
        '/hidden', elsewhere, '/leaving', '/print', '/copy', '/data', '/photo.png', '/old', '/a/a/a/a',
      ]),
      '/page': html('Page', ['/deep']),
      '/huge': html('Huge') + 'x'.repeat(11 * 1024 * 1024),
      '/app': '<title>App</title><div id="root"></div><noscript>Turn scripts on.</noscript><script src="/app.js"></script>',
      '/blank': '<title>Blank</title><script type="application/ld+json">{}</script>',
      '/forbidden': { status: 403 },
      '/broken': { status: 500 },
      '/cut': { breaks: true },
      '/loop/a': { status: 301, headers: { location: '/loop/b' } },
      '/loop/b': { status: 302, headers: { location: '/loop/a' } },
      '/hidden': html('Hidden', [], '<meta name="robots" content="noindex">'),
      '/leaving': { status: 301, headers: { location: elsewhere } },
      '/print': html('Print', [], canonical),
      '/copy': html('Page', ['/deep']),
      '/data': { headers: { 'content-type': 'application/json' }, body: '{}' },
      '/old': { status: 301, headers: { location: '/page' } },
    }); // prettier-ignore
    site.pages.set('/chain/*', (_, { pathname }) => {
      const at = Number(pathname.split('/').at(-1));
      return { status: 302, headers: { location: `/chain/${at + 1}` } };
    });
    const { id, status, pages_found, pages_skipped, skipped_reasons } = await crawlOnce('/', { page_limit: 50 });
    assert.deepEqual([status, pages_found], ['completed', 2]);
    const skipped = await app.skipped(id);
    const place = (url: string): string => url.replace(site.url(''), '');
    const reasons = Object.fromEntries(
      skipped.map(({ url, reason, detail }) => [place(url), detail === null ? reason : `${reason} ${place(detail)}`]),
    );
    assert.deepEqual(reasons, {
      '/a/a/a/a': 'too_many_alike',
      '/app': 'needs_javascript',
      '/blank': 'empty',
      '/broken': 'http_status 500',
      ...Object.fromEntries(times(6, (at) => `/chain/${at}`).map((path, at) => [path, `too_many_redirects /chain/${at + 1}`])),
      '/copy': 'duplicate /page',
      '/cut': 'no_answer connection_failed',
      '/data': 'unsupported_type application/json',
      '/deep': 'max_depth',
      '/forbidden': 'http_status 403',
      '/hidden': 'noindex',
      '/huge': 'too_large over 10485760 bytes',
      '/leaving': `out_of_scope ${elsewhere}`,
      '/loop/a': 'too_many_redirects /loop/b',
      '/loop/b': 'too_many_redirects /loop/a',
      '/missing': 'http_status 404',
      '/old': 'redirected /page',
      '/photo.png': 'unsupported_type',
      '/print': 'canonical /page',
      '/private/x': 'robots_txt',
      [elsewhere]: 'out_of_scope',
    }); // prettier-ignore
    assert.equal(pages_skipped, skipped.length);
    const counts = Map.groupBy(skipped, ({ reason }) => reason);
    assert.deepEqual(skipped_reasons, Object.fromEntries([...counts].map(([reason, { length }]) => [reason, length])));
  });

  test('a crawl reports addresses beyond its page limit, and a failed crawl reports its error', async () => {
    await fixture().clear();
    const { site, app } = fixture();
    setPages({ '/': html('Home', ['/a', '/b', '/c']), '/a': html('A'), '/b': html('B'), '/c': html('C') });
    const { id, skipped_reasons } = await crawlOnce('/', { page_limit: 2 });
    assert.deepEqual(skipped_reasons, { page_limit: 2 });
    assert.deepEqual(
      (await app.skipped(id)).map(({ url, reason }) => [url, reason]),
      ['/b', '/c'].map((path) => [site.url(path), 'page_limit']),
    );
    const inner = await app.start(site.url('/', 'inner.example.com'));
    await app.crawlOn();
    const { status, skipped_reasons: failed } = await app.get(inner);
    assert.deepEqual([status, failed], ['failed', { not_public: 1 }]);
  });

  test('a link beyond the maximum depth is read if a shorter path to it exists', async () => {
    await fixture().clear();
    setPages({ '/': html('Home', ['/a']), '/a': html('A', ['/b']), '/b': html('B') });
    setPages({ '/sitemap.xml': urlset(['/late']), '/late': { status: 301, headers: { location: '/b' } } });
    const { status, skipped_reasons } = await crawlOnce('/', { max_depth: 1 });
    assert.deepEqual([status, skipped_reasons], ['completed', { redirected: 1 }]);
    assert.deepEqual(await stored(), ['/', '/a', '/b']);
  });

  test('a site whose pages all name the home page as canonical is read completely and stably', async () => {
    await fixture().clear();
    const { site, app } = fixture();
    const home = '<link rel="canonical" href="/">';
    const names = ['/harbour', '/lantern-makers', '/stone', '/the-old-orchard'];
    setPages({ '/': html('Home', names, home) });
    for (const path of names) setPages({ [path]: html(`About ${path}`, [], home) });
    for (const reads of [2, 1]) {
      const { id, status, pages_found } = await crawlOnce('/', { page_limit: 20 });
      assert.deepEqual([status, pages_found], ['completed', names.length + 1]);
      assert.deepEqual(await app.skipped(id), []);
      assert.deepEqual(await stored(), ['/', ...names]);
      // The first page is read again once the second one contradicts it.
      assert.equal(site.asked(200).get('/harbour'), reads);
    }
  });

  test('variants of a page with other parameters or nearly the same text are skipped for their canonical', async () => {
    await fixture().clear();
    const canonical = '<link rel="canonical" href="/page">';
    const text = times(12, (at) => `<p>Words of the page that stand in paragraph ${at} of it.</p>`).join('');
    const variant = (note: string) => `<title>Page</title><main>${text}<p>${note}</p></main>`;
    setPages({
      '/': html('Home', ['/page', '/alias/one', '/alias/two', '/page?sort=name', '/page?sort=date']),
      '/page': variant('As it is.'),
      '/alias/one': canonical + variant('Led on from one.'),
      '/alias/two': canonical + variant('Led on from two.'),
      '/page?sort=name': html('By name', [], canonical),
      '/page?sort=date': html('Sorted by their dates', [], canonical),
    });
    const { skipped_reasons } = await crawlOnce('/', { page_limit: 20 });
    assert.deepEqual(await stored(), ['/', '/page']);
    assert.deepEqual(skipped_reasons, { canonical: 4 });
  });

  test('a session cookie of a redirect is kept for one crawl and its host', async () => {
    await fixture().clear();
    const { site, app } = fixture();
    const sent: (string | undefined)[] = [];
    const needing =
      (cookie: string, otherwise: SitePage, page: string): SitePageOf =>
      ({ headers }) => {
        sent.push(headers.cookie);
        return headers.cookie?.includes(cookie) === true ? { body: page } : otherwise;
      };
    const to = (location: string, cookie?: string): SitePage => ({
      status: 302,
      headers: { location, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) },
    });
    site.pages.set(
      '/',
      needing('seen=1', to('/', 'seen=1; Path=/; HttpOnly'), html('Home', ['/a', '/members', '/closed'])),
    );
    site.pages.set('/a', needing('seen=1', { status: 403 }, html('A')));
    site.pages.set('/members', needing('member=', to('/welcome?to=/members'), html('Members')));
    site.pages.set('/welcome', () => to('/members', 'member=7; Max-Age=3600'));
    site.pages.set('/closed', needing('never=', to('/enter'), html('Closed')));
    site.pages.set('/enter', () => to('/closed', `try=${site.visits.length}`));
    for (const _ of ['first', 'second']) {
      sent.length = 0;
      const { id, status, pages_found } = await crawlOnce('/', { page_limit: 20 });
      assert.deepEqual([status, pages_found], ['completed', 3]);
      assert.equal(sent[0], undefined);
      assert.deepEqual(await stored(), ['/', '/a', '/members']);
      const reasons = (await app.skipped(id)).map(({ url, reason }) => [url.replace(site.url(''), ''), reason]);
      assert.deepEqual(reasons, [
        ['/closed', 'too_many_redirects'],
        ['/enter', 'too_many_redirects'],
        ['/welcome?to=/members', 'redirected'],
      ]);
    }
  });

  test('an immediate refresh, in the head or a header, is a redirect on any page within the site', async () => {
    await fixture().clear();
    const { site, app } = fixture();
    const refresh = (content: string) => `<meta http-equiv="refresh" content="${content}">`;
    setPages({
      '/': html('Home', ['/moved', '/header', '/away', '/ring/a', '/chain/0', '/self', '/soon']),
      '/moved': html('Moved', [], refresh('0; url=/new')),
      '/new': html('New'),
      '/header': { headers: { refresh: '0;url=/by-header' }, body: html('Header') },
      '/by-header': html('By header'),
      '/away': html('Away', [], refresh('0;url=https://elsewhere.example.com/')),
      '/ring/a': html('Ring a', [], refresh('0;url=/ring/b')),
      '/ring/b': html('Ring b', [], refresh('0;url=/ring/a')),
      '/self': html('Self', [], refresh('0;url=/self')),
      '/soon': html('Soon', [], refresh('5;url=/new')),
    });
    site.pages.set('/chain/*', (_, { pathname }) => {
      const at = Number(pathname.split('/').at(-1));
      return { body: html(`Chain ${at}`, [], refresh(`0;url=/chain/${at + 1}`)) };
    });
    const { id, status } = await crawlOnce('/', { page_limit: 50 });
    assert.equal(status, 'completed');
    assert.deepEqual(await stored(), ['/', '/by-header', '/new', '/ring/b', '/self', '/soon']);
    const reasons = (await app.skipped(id)).map(({ url, reason }) => [url.replace(site.url(''), ''), reason]);
    assert.deepEqual(reasons, [
      ['/away', 'out_of_scope'],
      ...times(6, (at) => `/chain/${at}`).map((path) => [path, 'too_many_redirects']),
      ['/header', 'redirected'],
      ['/moved', 'redirected'],
      ['/ring/a', 'redirected'],
    ]);
  });

  test('a cookie banner is no text of a page, and a page without a title gets that of its first heading', async () => {
    await fixture().clear();
    const { app } = fixture();
    const ask = (marks: string) => `<div ${marks}><p>We value your privacy.</p><button>Accept</button></div>`;
    const words = times(20, (at) => `<p>The harbour of this page is told of in paragraph ${at}.</p>`).join('');
    const marks = ['class="cookie-banner"', 'id="onetrust-consent-sdk"', 'class="box CookieConsent_root__x1"', 'role="alertdialog"', 'role="dialog" class="x"']; // prettier-ignore
    setPages({
      '/': `<nav>Menu</nav>${marks.map(ask).join('')}<h1>The <b>Harbour</b></h1>${words}<p>Cookies are baked here.</p>`,
    });
    await crawlOnce('/');
    await app.work();
    const rows = await app.sources.rows();
    const text = rows.map((row) => JSON.stringify(row)).join();
    assert.ok(text.includes('paragraph 19') && text.includes('baked here'), text);
    assert.ok(!text.includes('privacy'), text);
    assert.deepEqual([...new Set(rows.map(({ metadata }) => metadata['title']))], ['The Harbour']);
  });
});
