import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { after, before, test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { rememberedLinks, singleSlashed, siteOf, toPageAddress } from '../../shared/crawls/index.ts';
import { patternCounter, isRepeatingPath, urlPatternOf } from '../../shared/crawls/trap-detection.ts';
import { openWebClient } from '../../shared/platform/crawl/web-client.ts';
import { readPage } from '../../shared/platform/crawl/read-page.ts';
import { forbidsIndex } from '../../shared/platform/crawl/robots-directives.ts';
import { readSitemap } from '../../shared/platform/crawl/read-sitemap.ts';
import { parseRobots, type Robots, compileRobots } from '../../shared/platform/crawl/robots-txt.ts';
import { assertLinear, assertUsual } from '../support/cpu-time.ts';
import { listening } from '../support/emulated-cloud.ts';

const readRobots = (url: string, text: string): Robots => compileRobots(parseRobots(url, text));

let connections = 0;
const server = createServer((_, response) => response.end('here')).on('connection', () => (connections += 1));
let port = 0;

before(async () => {
  port = Number(new URL(await listening(server)).port);
});
after(() => server.close());

const anything = () => 1_000;
const resolvesTo =
  (...answers: readonly string[]) =>
  () =>
    Promise.resolve(answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

test('no spelling, name, port or second DNS response leads to a private network', async () => {
  const closed = openWebClient({ timeoutMs: 1_000, localAddress: '', resolve: resolvesTo('127.0.0.1') });
  const open = openWebClient({
    timeoutMs: 1_000,
    localAddress: `127.0.0.1:${port + 1}`,
    resolve: resolvesTo('127.0.0.1'),
  });
  const hosts = [
    '127.0.0.1', '127.1', '0x7f000001', '2130706433', '0', '[::1]', '[::ffff:127.0.0.1]', '[::127.0.0.1]',
    '[64:ff9b::7f00:1]', '[2002:7f00:1::]', 'localhost', 'public.example.com', '10.0.0.1', '169.254.169.254',
    '169.254.170.2', '[fd00:ec2::254]', '100.64.0.1', '192.168.0.1', '0.0.0.0',
  ]; // prettier-ignore
  for (const web of [closed, open]) {
    for (const host of hosts) {
      for (const protocol of ['http', 'https']) {
        const answer = await web.fetch({ url: `${protocol}://${host}:${port}/`, limitBytes: anything });
        assert.deepEqual(answer, { failure: 'address_not_allowed' }, `${protocol}://${host}`);
      }
    }
  }
  // One public answer among private ones, and one that turns private after it was looked at.
  const mixed = openWebClient({
    timeoutMs: 1_000,
    localAddress: '',
    resolve: resolvesTo('93.184.215.14', '127.0.0.1'),
  });
  const both = await mixed.fetch({ url: `http://mixed.example.com:${port}/`, limitBytes: anything });
  assert.deepEqual(both, { failure: 'address_not_allowed' });
  let asked = 0;
  const turning = openWebClient({
    timeoutMs: 300,
    localAddress: '',
    resolve: () => resolvesTo(asked++ === 0 ? '192.0.2.1' : '127.0.0.1')(),
  });
  for (const _ of [1, 2, 3]) {
    const answer = await turning.fetch({ url: `http://turning.example.com:${port}/`, limitBytes: anything });
    assert.ok('failure' in answer);
  }
  assert.equal(connections, 0);
  const allowed = openWebClient({
    timeoutMs: 1_000,
    localAddress: `127.0.0.1:${port}`,
    resolve: resolvesTo('127.0.0.1'),
  });
  const answer = await allowed.fetch({ url: `http://site.example.com:${port}/`, limitBytes: anything });
  assert.deepEqual('status' in answer && [answer.status, Buffer.from(answer.body ?? []).toString()], [200, 'here']);
  const other = await allowed.fetch({ url: `http://127.0.0.2:${port}/`, limitBytes: anything });
  assert.deepEqual(other, { failure: 'address_not_allowed' });
});

test('a site that does not respond times out', async () => {
  const silent = createServer(() => undefined);
  const address = new URL(await listening(silent)).host;
  const web = openWebClient({ timeoutMs: 200, localAddress: address, resolve: resolvesTo('127.0.0.1') });
  const answer = await web.fetch({ url: `http://silent.example.com:${address.split(':')[1]}/`, limitBytes: anything });
  assert.deepEqual(answer, { failure: 'timeout' });
  silent.closeAllConnections();
  silent.close();
});

/** The web as far as one server goes, and an address there. */
const webOf = async (context: TestContext, answer: RequestListener, times: { timeoutMs: number; maxMs?: number }) => {
  const site = createServer(answer);
  const address = new URL(await listening(site)).host;
  context.after(() => {
    site.closeAllConnections();
    site.close();
  });
  const web = openWebClient({ ...times, localAddress: address, resolve: resolvesTo('127.0.0.1') });
  return { web, url: `http://slow.example.com:${address.split(':')[1]}/` };
};

test('a slow body is read to its end, and one that stops or takes too long times out', async (context) => {
  const pieces = 8;
  const drip: RequestListener = ({ url }, response) => {
    let left = url === '/stops' ? 2 : pieces;
    const timer = setInterval(() => {
      response.write('piece');
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      if (url === '/') response.end();
    }, 100);
  };
  const { web, url } = await webOf(context, drip, { timeoutMs: 500 });
  const whole = await web.fetch({ url, limitBytes: anything });
  assert.ok('body' in whole && whole.body !== null && whole.body.length === 5 * pieces, JSON.stringify(whole));
  for (const request of [{ url: `${url}stops` }, { url, maxMs: 300 }])
    assert.deepEqual(await web.fetch({ ...request, limitBytes: anything }), { failure: 'timeout' });
  const cut = await web.fetch({ url, limitBytes: () => 12 });
  assert.deepEqual('status' in cut && [cut.tooLarge, cut.body], [true, null]);
  const beginning = await web.fetch({ url, limitBytes: () => 12, keepsBeginning: true });
  assert.equal('body' in beginning && Buffer.from(beginning.body ?? []).toString(), 'piecepiecepi');
});

test('response headers are decoded as sent, and a PDF is detected by its first bytes', async (context) => {
  const said = new Map<string, readonly [readonly string[], string | Uint8Array]>([
    ['/utf8', [['location', Buffer.from('/café').toString('latin1')], '']],
    ['/latin1', [['location', '/caf\u00e9'], '']],
    ['/lines', [['x-robots-tag', 'otherbot: noindex', 'X-Robots-Tag', 'nofollow', 'content-type', 'text/html', 'content-type', 'text/plain'], 'x']],
    ['/report', [['content-type', 'application/octet-stream'], '%PDF-1.7 and so on']],
    ['/unnamed', [[], '%PDF-1.7 and so on']],
    ['/former', [['content-type', 'application/x-pdf'], '%PDF-1.7 and so on']],
    ['/charset', [['content-type', 'text/html', 'content-encoding', 'UTF-8, none'], 'a page']],
    ['/policies', [['content-type', 'text/html', 'content-security-policy', 'x'.repeat(40_000)], 'a page']],
    ['/twice', [['content-type', 'text/html, text/html; charset=utf-8'], 'a page']],
    ['/program', [['content-type', 'application/octet-stream'], 'MZ and so on']],
    ['/cut', [['content-type', 'text/html', 'content-encoding', 'gzip'], gzipSync('a page').subarray(0, -4)]],
  ]); // prettier-ignore
  const answer: RequestListener = ({ url }, response) => {
    const [headers, body] = said.get(url ?? '') ?? [[], ''];
    response.writeHead(200, [...headers]).end(body);
  };
  const { web, url } = await webOf(context, answer, { timeoutMs: 5_000 });
  const get = async (path: string) => {
    const limitBytes = (type: string) => (type === 'application/octet-stream' ? 0 : 1_000);
    const found = await web.fetch({ url: new URL(path, url).href, limitBytes });
    assert.ok('status' in found, path);
    return { ...found, text: found.body === null ? null : Buffer.from(found.body).toString() };
  };
  assert.deepEqual([(await get('/utf8')).location, (await get('/latin1')).location], ['/café', '/café']);
  const { robotsTag, contentType } = await get('/lines');
  assert.deepEqual([robotsTag, contentType], ['otherbot: noindex\nnofollow', 'text/html']);
  assert.deepEqual([forbidsIndex('otherbot: noindex\nnone'), forbidsIndex('otherbot: noindex\nall')], [true, false]);
  for (const path of ['/charset', '/policies', '/twice']) {
    const page = await get(path);
    assert.deepEqual([page.contentType, page.text], ['text/html', 'a page'], path);
  }
  for (const path of ['/report', '/unnamed', '/former']) {
    const report = await get(path);
    assert.deepEqual([report.contentType, report.text], ['application/pdf', '%PDF-1.7 and so on'], path);
  }
  assert.deepEqual([(await get('/program')).text, (await get('/cut')).text], [null, 'a page']);
});

test('all spellings of an address have one key, and different pages have different keys', () => {
  const key = (url: string): string | undefined => toPageAddress(url, 'https://example.com/base/')?.key;
  const same = [
    'https://example.com/a/b?x=1&y=2', 'http://EXAMPLE.com:80/a/b?y=2&x=1', 'https://www.example.com:443/a//b/?x=1&y=2#top',
    'https://example.com./a/b?utm_source=n&x=1&y=2&gclid=7', 'https://example.com/a/./c/../b?x=1&&y=2',
    '/%61/b;jsessionid=12?x=1&y=2&PHPSESSID=3',
  ]; // prettier-ignore
  assert.deepEqual([...new Set(same.map(key))], ['example.com/a/b?x=1&y=2']);
  const archived = toPageAddress('https://example.com//web/http://example.org//x/');
  const { url, key: archivedKey } = archived ?? assert.fail('no address');
  assert.deepEqual(
    [url, archivedKey],
    ['https://example.com//web/http://example.org//x/', 'example.com/web/http:/example.org/x'],
  );
  assert.equal(singleSlashed(`${url}?a=//`), 'https://example.com/web/http:/example.org/x/?a=//');
  assert.deepEqual(
    ['/', '//', '/a//'].map((path) => key(`https://example.com${path}`)),
    ['example.com', 'example.com', 'example.com/a'],
  );
  const others = ['/a/b', '/a/B?x=1&y=2', '/a/b?x=2&y=1', '/a%2Fb?x=1&y=2', 'https://example.com:8443/a/b?x=1&y=2'];
  assert.equal(new Set([...others.map(key), key(same[0] ?? '')]).size, others.length + 1);
  for (const link of [
    'mailto:a@example.com',
    'javascript:0',
    'ftp://example.com/',
    'https://u:p@example.com/',
    'http://',
  ])
    assert.equal(toPageAddress(link), null, link);
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
      const address = toPageAddress(url);
      if (address === null) return;
      const again = toPageAddress(address.url);
      assert.deepEqual(again, address);
      assert.ok(address.key.startsWith(siteOf(url)));
    }),
    { seed: 5, numRuns: 300 },
  );
});

test('repeating paths and endless URL patterns are distinguished from ordinary ones', () => {
  const at = (path: string) => toPageAddress(`https://example.com${path}`) ?? assert.fail(path);
  assert.ok(
    isRepeatingPath(at(`/${'a/b/'.repeat(4)}`)) &&
      isRepeatingPath(at(`/${Array.from({ length: 30 }, (_, n) => n).join('/')}`)),
  );
  assert.ok(!isRepeatingPath(at('/docs/v1/docs/guide')));
  const deep = at('/a/a/a/a/x');
  assert.deepEqual(
    [isRepeatingPath(deep), isRepeatingPath(at('/a/a/a/a/y'), deep), isRepeatingPath(at('/a/a/a/a/a'), deep)],
    [true, false, true],
  );
  assert.equal(urlPatternOf(at('/calendar/2024/01'))?.name, urlPatternOf(at('/calendar/2031/12'))?.name);
  assert.equal(urlPatternOf(at('/list?page=1'))?.name, urlPatternOf(at('/list?page=2&sort=a'))?.name);
  for (const path of ['/guide/7', '/about', '/index.php?title=Copper', `/${encodeURI('กขค')}/`, '/?q=%C3%BC'])
    assert.equal(urlPatternOf(at(path)), null, path);
  for (const [pageLimit, most] of [
    [10, 100],
    [2_000, 500],
  ] as const) {
    const kinds = patternCounter(pageLimit);
    const days = Array.from({ length: most }, (_, day) => at(`/days/2024/${day}`));
    const [day = at('/days/2024/1')] = days;
    for (const place of days) {
      assert.ok(!kinds.isExhausted(place));
      kinds.note(place);
    }
    assert.ok(kinds.isExhausted(day) && !kinds.isExhausted(at('/weeks/2024/1')));
    assert.deepEqual(
      [kinds.isSamePattern(day, at('/days/2023/9')), kinds.isSamePattern(day, at('/days'))],
      [true, false],
    );
  }
});

test('robots.txt rules are parsed and matched as RFC 9309 requires', () => {
  const robots = readRobots(
    'https://example.com/robots.txt',
    [
      '\uFEFFUser-agent: *', 'Disallow: /', 'Crawl-delay: 9', '', 'user-agent: Strata-Crawler', 'User-Agent: other',
      'Disallow: /a', 'Allow: /a/open', 'Disallow: /*.pdf$', 'Disallow: /search?*q=', 'Crawl-delay: 2.5', 'nonsense',
      'Sitemap: https://example.com/s.xml',
    ].join('\r\n'),
  ); // prettier-ignore
  const allowed = ['/', '/b', '/a/open/1', '/x.pdf?y', '/search?p=1'];
  const refused = ['/a', '/a/b', '/x.pdf', '/search?p=1&q=2'];
  for (const path of allowed) assert.ok(robots.isAllowed(`https://example.com${path}`), path);
  for (const path of refused) assert.ok(!robots.isAllowed(`https://example.com${path}`), path);
  assert.deepEqual([robots.crawlDelaySeconds, robots.sitemaps], [2.5, ['https://example.com/s.xml']]);
  const named = readRobots(
    'https://example.com/robots.txt',
    [
      'User-agent: other', 'User-agent: STRATA-crawler/2.0', '# a note', 'Disallow: /caf\u00e9', 'Disallow: /%7euser',
      'Allow: /caf%c3%a9/menu', 'Disallow: /*/*/end$', 'Disallow: /same', 'Allow: /same', 'Sitemap: /map.xml # here',
      'Sitemap: https://', 'User-agent: *', 'Disallow: /', 'Disallow:',
    ].join('\r'),
  ); // prettier-ignore
  const open = ['/caf%C3%A9/menu/1', '/same/1', '/a/b/end/', '/a/end', '/map'];
  const closed = ['/café', '/caf%c3%A9s', '/~user/x', '/a/b/end', '/a/b/end/c/end'];
  for (const path of open) assert.ok(named.isAllowed(`https://example.com${path}`), path);
  for (const path of closed) assert.ok(!named.isAllowed(`https://example.com${path}`), path);
  assert.deepEqual(named.sitemaps, ['https://example.com/map.xml']);
  const none = readRobots('https://example.com/robots.txt', '<html>not found</html>');
  assert.deepEqual([none.isAllowed('https://example.com/a'), none.crawlDelaySeconds], [true, null]);
});

test('a hostile robots.txt is parsed in linear time', async () => {
  const fill = (line: string): string => line.repeat(Math.floor((500 * 1024) / line.length));
  const path = 'a'.repeat(2_000);
  for (const text of [
    `User-agent: *\n${fill(`Disallow: /${'*a'.repeat(95)}z\n`)}`,
    `User-agent: *\n${fill(`Disallow: *b${'a'.repeat(900)}\n`)}`,
    `User-agent: *\nDisallow: ${fill('*a')}z`,
    `${fill('User-agent: *\n').slice(0, 250_000)}\n${fill('Allow: /b\n').slice(0, 250_000)}`,
    `Disallow${fill(' ')}`,
  ]) {
    const read = (robots: string) => readRobots('https://e.com/robots.txt', robots).isAllowed(`https://e.com/${path}`);
    assert.ok(read(text));
    // Matching every way took sixteen seconds.
    await assertUsual(
      () => read(text),
      () => read(`User-agent: *\n${fill('Disallow: /b\n')}`),
      text.slice(0, 40),
    );
  }
});

test('the times of pages in sitemaps and feeds are read, of a date its end anywhere on earth', async () => {
  const times = {
    a: '2026-06-15',
    b: '2026-06-15T10:00:00Z',
    c: '2026-06-15T10:00:00.5+02:00',
    d: '2026-06-15T10:00:00',
    e: '2026-06',
    f: 'yesterday',
    g: '2026-13-45',
  };
  const list = Object.entries(times).map(
    ([name, time], at) =>
      `<url>${at % 2 === 0 ? '' : `<lastmod>${time}</lastmod>`}<loc>https://e.com/${name}</loc>${at % 2 === 0 ? `<lastmod> ${time} </lastmod>` : ''}</url>`,
  );
  const sitemap = await readSitemap(
    Buffer.from(`<urlset>${list.join('')}<url><loc>https://e.com/h</loc></url></urlset>`),
  );
  assert.deepEqual(sitemap?.modified, {
    'https://e.com/a': '2026-06-16T12:00:00.000Z',
    'https://e.com/b': '2026-06-15T10:00:00.000Z',
    'https://e.com/c': '2026-06-15T08:00:00.500Z',
    'https://e.com/d': '2026-06-15T22:00:00.000Z',
  });
  const atom =
    '<feed><updated>2026-01-01T00:00:00Z</updated><entry><link href="https://e.com/1"/><updated>2026-06-15T10:00:00Z</updated></entry></feed>';
  assert.deepEqual((await readSitemap(Buffer.from(atom)))?.modified, { 'https://e.com/1': '2026-06-15T10:00:00.000Z' });
});

test('sitemaps of every format are read, and other files are rejected', async () => {
  const xml = '<?xml version="1.0"?><s:urlset xmlns:s="x"><s:url><s:loc> https://e.com/a?b=1&amp;c=2 </s:loc></s:url>';
  const withImage = `${xml}<s:url><s:loc><![CDATA[https://e.com/d]]></s:loc><i:image xmlns:i="y"><i:loc>https://e.com/i.png</i:loc></i:image></s:url></s:urlset>`;
  const expected = { kind: 'pages', urls: ['https://e.com/a?b=1&c=2', 'https://e.com/d'] };
  assert.deepEqual(await readSitemap(Buffer.from(withImage)), expected);
  assert.deepEqual(await readSitemap(gzipSync(withImage)), expected);
  assert.deepEqual(await readSitemap(Buffer.from('https://e.com/1\r\n\nhttps://e.com/2\n')), {
    kind: 'pages',
    urls: ['https://e.com/1', 'https://e.com/2'],
  });
  const marked = Buffer.from(`\uFEFF${withImage}`, 'utf16le');
  for (const utf16 of [marked, marked.subarray(2), Buffer.from(marked).swap16()])
    assert.deepEqual(await readSitemap(utf16), expected);
  // A comment of any length may precede the root element.
  for (const note of ['c'.repeat(5_000), '<urlset> is written by a machine '.repeat(5_000)]) {
    const noted = withImage.replace('?>', `?>\n<!-- ${note} -->\n`);
    assert.deepEqual(await readSitemap(Buffer.from(noted)), expected);
    const index = `<!-- ${note} --><sitemapindex><sitemap><loc>https://e.com/1.xml</loc></sitemap></sitemapindex>`;
    assert.deepEqual(await readSitemap(gzipSync(index)), { kind: 'sitemaps', urls: ['https://e.com/1.xml'] });
    assert.equal(await readSitemap(Buffer.from(`<!-- ${note} --><html></html>`)), null);
  }
  assert.deepEqual(await readSitemap(Buffer.from('<?xml version="1.0"?><urlset/>')), { kind: 'pages', urls: [] });
  for (const bytes of [Buffer.from('<html></html>'), Buffer.from([0x1f, 0x8b, 1, 2]), Buffer.alloc(0)])
    assert.equal(await readSitemap(bytes), null);
  // Of what is cut off or damaged, that which came before.
  const urls = Array.from({ length: 60_000 }, (_, at) => `https://e.com/${at}`);
  const list = `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}`;
  const many = await readSitemap(Buffer.from(list));
  assert.deepEqual([many?.urls.length, many?.urls.at(-1)], [50_000, 'https://e.com/49999']);
  const cut = Buffer.from(list.slice(0, list.indexOf('/100</loc>')));
  assert.equal((await readSitemap(cut, true))?.urls.length, 100);
  assert.equal((await readSitemap(Buffer.from('https://e.com/1\nhttps://e.com/2'), true))?.urls.length, 1);
  const packed = await readSitemap(gzipSync(list).subarray(0, 40_000));
  assert.ok(packed !== null && packed.urls.length > 1_000);
  // A line that is put together again with every piece takes half a minute.
  await assertLinear(
    async (mebibytes) => {
      assert.equal(await readSitemap(gzipSync(Buffer.alloc(mebibytes * 1024 * 1024, ' '))), null);
    },
    51,
    'one line of many pieces',
  );
  const [line] = (await readSitemap(Buffer.from(`${'x'.repeat(200_000)}\r\n https://e.com/a\r\n`)))?.urls ?? [];
  assert.equal(line, 'https://e.com/a');
  const halves = 'https://e.com/long\n'.repeat(8_000);
  assert.deepEqual([...new Set((await readSitemap(Buffer.from(halves)))?.urls)], ['https://e.com/long']);
  const long = `<urlset><url><loc>https://e.com/</loc></url>${' '.repeat(51 * 1024 * 1024)}`;
  assert.deepEqual((await readSitemap(gzipSync(long)))?.urls, ['https://e.com/']);
});

test('title, canonical, links and robots directives of a page are read in any charset', async () => {
  const html = `<html><head><base href="/docs/"><title>Über\n uns</title><link rel="canonical" href="./about">
    <meta name="ROBOTS" content="NoFollow, noarchive"></head><body><nav>Menu 1</nav><svg><title>Icon</title></svg><title>Another</title>
    <p>${'Words of the page that are no menu. '.repeat(6)}</p><a href="a#x">1</a><a href="a#x">1</a><a rel="nofollow ugc" href="b">2</a><a href="https://other.example/">3</a>
    <script>var s = "<a href='/no'>";</script></body></html>`;
  const page = { url: 'https://e.com/x/y', bytes: Buffer.from(html, 'latin1'), robotsTag: null };
  const facts = await readPage({ ...page, contentType: 'text/html; charset=windows-1252' });
  assert.deepEqual([facts?.title, facts?.canonical], ['Über uns', 'https://e.com/docs/about']);
  assert.deepEqual(facts?.links, ['https://e.com/docs/a', 'https://other.example/']);
  assert.deepEqual([facts?.noindex, facts?.nofollow], [false, true]);
  const other = Buffer.from(html.replace('Menu 1', 'Menu 2'), 'latin1');
  const again = await readPage({ ...page, bytes: other, contentType: 'text/html', robotsTag: 'googlebot: noindex' });
  assert.deepEqual([again?.textHash, again?.noindex], [facts?.textHash, false]);
  const tagged = await readPage({
    ...page,
    contentType: 'text/html',
    robotsTag: 'googlebot: none, strata-crawler: noindex',
  });
  assert.equal(tagged?.noindex, true);
});

test('a page with an unclosed head is read by its content, as is one with a head in its body', async () => {
  const page = { url: 'https://e.com/', contentType: 'text/html', robotsTag: null };
  const factsOf = (html: string) => readPage({ ...page, bytes: Buffer.from(html) });
  const head = '<head prefix="og: https://ogp.me/ns#"><script>1</script><style>p {}</style><title>Harbour</title>';
  const body = '<h1>Harbour</h1><p>Lanterns of the harbour.<p><a href=/a>a</a>';
  const whole = await factsOf(`<html>${head}</head><body>${body}</body></html>`);
  assert.ok(whole?.textHash != null);
  for (const html of [`<html>${head}${body}`, `<html>${head}</head><body><head><meta charset=utf-8>${body}`])
    assert.deepEqual(await factsOf(html), whole);
  assert.equal((await factsOf(`<html>${head}`))?.textHash, null);
  const inside = (kind: string) =>
    `<x-a><template ${kind}><p>Lanterns of the harbour.<a href=/a>a</a></p></template></x-a>`;
  assert.ok((await factsOf(inside('shadowrootmode=open')))?.textHash != null);
  assert.equal((await factsOf(inside('id=t')))?.textHash, null);
});

test('only the first base of a page counts, and an invalid canonical is ignored', async () => {
  const factsOf = async (head: string) => {
    const bytes = Buffer.from(`<head>${head}</head><a href=a>a</a>`);
    return readPage({ url: 'https://e.com/docs/x', bytes, contentType: 'text/html', robotsTag: null });
  };
  for (const [bases, link] of [
    ['<base target=_blank><base href="/one/"><base href="/two/">', 'https://e.com/one/a'],
    ['<base href=""><base href="/two/">', 'https://e.com/docs/a'],
    ['<base href="data:text/html,x"><base href="/two/">', 'https://e.com/docs/a'],
  ] as const)
    assert.deepEqual((await factsOf(bases))?.links, [link], bases);
  for (const empty of ['', ' \n', '" media="print'])
    assert.equal((await factsOf(`<base href="/"><link rel="canonical" href="${empty}">`))?.canonical, null);
  const named = await factsOf('<base href="/"><link rel="canonical" href=""><link rel="canonical" href=" y ">');
  assert.equal(named?.canonical, 'https://e.com/y');
});

test('the first heading is the title of a page without a title, or with an empty one', async () => {
  const titleOf = async (html: string) =>
    (await readPage({ url: 'https://e.com/', bytes: Buffer.from(html), contentType: 'text/html', robotsTag: null }))
      ?.title;
  const headings = '<h1><img alt=x></h1><h1>The <b>old</b> harbour</h1><h1>Another</h1><h2>Below</h2>';
  for (const head of ['', '<title></title>', '<title> \n </title>', '<svg><title>Icon</title></svg>'])
    assert.equal(await titleOf(`${head}<p>Words</p>${headings}`), 'The old harbour', head);
  assert.equal(await titleOf(`<title>Named</title>${headings}`), 'Named');
  assert.equal(await titleOf('<p>Words</p><h2>Below</h2>'), null);
});

test('frames of a frameset are links, and an iframe is none', async () => {
  const bytes = Buffer.from('<iframe src=/ad></iframe><frameset><frame src="/menu"><frame src=main.html></frameset>');
  const facts = await readPage({ url: 'https://e.com/', bytes, contentType: 'text/html', robotsTag: null });
  assert.deepEqual(facts?.links, ['https://e.com/menu', 'https://e.com/main.html']);
});

test('robots directives with values are no crawler names, and their values are no directives', async () => {
  const forbidding = [
    'max-image-preview:large, noindex', 'max-snippet:-1, noindex', 'MAX-VIDEO-PREVIEW:-1, none', 'max-snippet: 20, noindex',
    'unavailable_after: 25 Jun 2010 15:00:00 PST, noindex', 'strata-crawler: max-snippet:-1, noindex',
  ]; // prettier-ignore
  const allowing = ['max-image-preview:none', 'max-image-preview: none, all', 'googlebot: max-snippet:-1, noindex'];
  for (const tag of forbidding) assert.ok(forbidsIndex(tag), tag);
  for (const tag of allowing) assert.ok(!forbidsIndex(tag), tag);
  const wishesOf = async (content: string) => {
    const bytes = Buffer.from(`<meta name=robots content="${content}">`);
    const facts = await readPage({ url: 'https://e.com/', bytes, contentType: 'text/html', robotsTag: null });
    return [facts?.noindex, facts?.nofollow];
  };
  assert.deepEqual(await wishesOf('max-image-preview: none, max-snippet: -1'), [false, false]);
  assert.deepEqual(await wishesOf('max-image-preview: large noindex'), [true, false]);
});

test('links of a page are found although its markup is hostile', async () => {
  const page = { url: 'https://e.com/', contentType: 'text/html; charset=utf-8', robotsTag: null };
  const factsOf = (html: string) => readPage({ ...page, bytes: Buffer.from(html) });
  const refresh = (content: string) => factsOf(`<meta http-equiv=refresh content='${content}'><a href=/a>a</a>`);
  const spaces = ' '.repeat(20_000);
  assert.equal((await refresh(`0;url=${spaces}/x`))?.refresh, 'https://e.com/x');
  assert.equal((await refresh(`0;url="/x"${spaces}y`))?.refresh, 'https://e.com/x');
  for (const content of [`${'9'.repeat(200_000)}x`, `0${spaces}x`, `0;url=${spaces}${'x'.repeat(5_000)}"`]) {
    const facts = await refresh(content);
    assert.deepEqual([facts?.refresh, facts?.links], [null, ['https://e.com/a']]);
  }
  const deep = await factsOf(`<title>Deep</title><a href=/a>a</a>${'<b>'.repeat(500_000)}<a href=/b>b</a>`);
  assert.deepEqual([deep?.title, deep?.links], ['Deep', ['https://e.com/a']]);
  const directives = await factsOf(`<meta name=robots content="${'all,'.repeat(500_000)}noindex">`);
  assert.equal(directives?.noindex, true);
  const nested = await readSitemap(
    Buffer.from(`<urlset><url><loc>https://e.com/a</loc></url>${'<a>'.repeat(500_000)}`),
  );
  assert.deepEqual(nested?.urls, ['https://e.com/a']);
});

test('links of a page are found although it has any number of anchors, data URLs and long addresses', async () => {
  const long = `/x?${'y'.repeat(450_000)}`;
  const junk = [
    `data:image/png;base64,${'A'.repeat(160_000)}`,
    long,
    'mailto:a@e.com',
    ...Array.from({ length: 2_100 }, (_, at) => `#h${at}`),
  ];
  const html = `<html><head><base href="data:text/html,x"><link rel="canonical" href="${long}"><title>Links</title></head><body>Words
    ${junk.map((href) => `<a href="${href}">x</a>`).join('')}<a href="/a#b">a</a><a href="/a">a</a></body></html>`;
  const facts = await readPage({
    url: 'https://e.com/',
    bytes: Buffer.from(html),
    contentType: 'text/html',
    robotsTag: null,
  });
  assert.deepEqual([facts?.canonical, facts?.links], [null, ['https://e.com/', 'https://e.com/a']]);
});

test('the links stored with a page are limited, and a long one does not exclude those after it', () => {
  const long = `https://e.com/${'x'.repeat(149_990)}`;
  assert.deepEqual(rememberedLinks([long, 'https://e.com/a']), ['https://e.com/a']);
});

test('the text hash of a page changes with the text that its reader extracts', async () => {
  const words = 'Long sentences about harbours and lanterns make up the content of this page. '.repeat(4);
  const hashOf = async (body: string) => {
    const html = `<html><head><title>Guide</title></head><body>${body}</body></html>`;
    const facts = await readPage({
      url: 'https://e.com/',
      bytes: Buffer.from(html),
      contentType: 'text/html',
      robotsTag: null,
    });
    return facts?.textHash;
  };
  const same = [
    [`<nav>One</nav><main>${words}</main>`, `<nav>Two</nav><main>${words}</main>`],
    [
      `<header>One</header><aside>One</aside><main>${words}</main>`,
      `<header>Two</header><aside>Two</aside><main>${words}</main>`,
    ],
  ];
  for (const banner of ['<div id="CybotCookiebotDialog">', '<section class="site-cookie-notice">', '<div class="cc-window">', '<div class="GdprPopup">', '<div role="dialog">', '<dialog open>'])
    same.push([`${banner}One</div></section></dialog><p>${words}`, `${banner}Two</div></section></dialog><p>${words}`]); // prettier-ignore
  for (const [one = '', two = ''] of same) assert.equal(await hashOf(one), await hashOf(two), one);
  const different = [
    [`<div>Skip</div><form><div>${words} One</div></form>`, `<div>Skip</div><form><div>${words} Two</div></form>`],
    [
      `<main>${words}<section id="cookie-notice">One</section></main>`,
      `<main>${words}<section id="cookie-notice">Two</section></main>`,
    ],
    [`<div class="has-cookie-banner">${words} One</div>`, `<div class="has-cookie-banner">${words} Two</div>`],
    [`<div class="cookie-recipes">${words} One</div>`, `<div class="cookie-recipes">${words} Two</div>`],
    [`<main>${words}<aside>One</aside></main>`, `<main>${words}<aside>Two</aside></main>`],
    [
      `<article><header><h1>One</h1></header>${words}</article>`,
      `<article><header><h1>Two</h1></header>${words}</article>`,
    ],
    [`<div>Loading</div><header>${words} One</header>`, `<div>Loading</div><header>${words} Two</header>`],
    [`<section><header>One</header>${words}</section>`, `<section><header>Two</header>${words}</section>`],
    [`<div role="main"><header>One</header>${words}</div>`, `<div role="main"><header>Two</header>${words}</div>`],
    [`<main>${words}${'<font>'.repeat(2_100)}One`, `<main>${words}${'<font>'.repeat(2_100)}Two`],
  ];
  for (const [one = '', two = ''] of different) assert.notEqual(await hashOf(one), await hashOf(two), one);
});
