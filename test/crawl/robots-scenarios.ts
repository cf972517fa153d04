import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from './site.ts';
import type { CrawlFixture } from './fixture.ts';

const listOf = (urls: readonly string[]) => ({
  headers: { 'content-type': 'application/xml' },
  body: `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`,
});

/** Scenarios of the robots.txt policy. */
export const testRobotsPolicy = (fixture: () => CrawlFixture): void => {
  const crawl = async (): Promise<{ readonly status: string; readonly paths: readonly string[] }> => {
    const { site, app } = fixture();
    const id = await app.start(site.url('/'), { page_limit: 20, max_depth: 1 });
    await app.crawlOn();
    const { status } = await app.get(id);
    return { status, paths: site.visits.map(({ path }) => path) };
  };

  test('a robots.txt that is too long is obeyed up to the size limit', async () => {
    const { site } = fixture();
    await fixture().clear();
    const rules = 'User-agent: *\nDisallow: /private/\n';
    const last = 'Disallow: /page/';
    const notes = `# ${'a note '.repeat(1_000)}\n`.repeat(80);
    // The last rule is cut off where it would say more than it does.
    const body = `${rules}${notes.slice(0, 500 * 1024 - rules.length - last.length + 4)}\n${last}`;
    site.pages.set('/robots.txt', { headers: { 'content-type': 'text/plain' }, body: `${body}1\n${notes}` });
    site.pages.set('/', { body: html('Home', ['/private/x', '/page/2']) });
    site.pages.set('/private/x', { body: html('Secret') });
    site.pages.set('/page/2', { body: html('Open') });
    const { status, paths } = await crawl();
    assert.equal(status, 'completed');
    assert.ok(!paths.includes('/private/x') && paths.includes('/page/2'), paths.join());
  });

  test('a Retry-After of robots.txt delays the crawl', async () => {
    const { site } = fixture();
    await fixture().clear();
    const openAt = site.now() + 600_000;
    site.pages.set('/robots.txt', () =>
      site.now() < openAt ? { status: 429, headers: { 'retry-after': '600' } } : { body: '' },
    );
    site.pages.set('/', { body: html('Home') });
    const { status } = await crawl();
    assert.equal(status, 'completed');
    const early = site.visits.filter(({ at }) => at < openAt);
    assert.deepEqual([early.length, early[0]?.status], [1, 429]);
  });

  test('a 408 or 425 of a page or robots.txt is retried', async () => {
    const { site } = fixture();
    await fixture().clear();
    const once = (status: number, body: string) => {
      let asked = 0;
      return () => (asked++ === 0 ? { status } : { body });
    };
    site.pages.set('/robots.txt', once(408, 'User-agent: *\nDisallow: /private/\n'));
    site.pages.set('/', { body: html('Home', ['/private/x', '/page/2']) });
    site.pages.set('/private/x', { body: html('Secret') });
    site.pages.set('/page/2', once(425, html('Early')));
    const { status, paths } = await crawl();
    assert.equal(status, 'completed');
    assert.deepEqual(
      ['/robots.txt', '/private/x', '/page/2'].map((asked) => paths.filter((path) => path === asked).length),
      [2, 0, 2],
    );
  });

  test('a sitemap is found by a relative path in robots.txt, and at /sitemap.xml if robots.txt names none of the site', async () => {
    const { site } = fixture();
    for (const [line, map] of [
      ['/maps/one.xml', '/maps/one.xml'],
      ['https://elsewhere.example.net/map.xml', '/sitemap.xml'],
      ['https://', '/sitemap.xml'],
    ] as const) {
      await fixture().clear();
      site.pages.set('/robots.txt', { body: `Sitemap: ${line}\n` });
      site.pages.set('/', { body: html('Home') });
      site.pages.set('/listed', { body: html('Listed') });
      // Its addresses may leave out the site that it is of.
      site.pages.set(map, listOf([map === '/sitemap.xml' ? site.url('/listed') : '/listed']));
      const { paths } = await crawl();
      assert.ok(paths.includes('/listed'), line);
    }
  });

  test('a sitemap of fourteen megabytes is read', async () => {
    const { site } = fixture();
    await fixture().clear();
    const { headers, body } = listOf([site.url('/listed')]);
    site.pages.set('/sitemap.xml', { headers, body: body.replace('<url>', `${' '.repeat(14 * 1024 * 1024)}<url>`) });
    site.pages.set('/', { body: html('Home') });
    site.pages.set('/listed', { body: html('Listed') });
    assert.ok((await crawl()).paths.includes('/listed'));
  });

  test('a crawl that reaches its deadline reports how many addresses waited, and keeps pages of earlier crawls', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    site.pages.set('/', { body: html('Home', ['/old']) });
    site.pages.set('/old', { body: html('Page /old') });
    const old = await app.start(site.url('/'), { page_limit: 50 });
    await app.crawlOn();
    assert.equal((await app.get(old)).pages_found, 2);
    const body = 'User-agent: *\nCrawl-delay: 60\n';
    site.pages.set('/robots.txt', { headers: { 'content-type': 'text/plain' }, body });
    const paths = ['/a', '/b', '/c'];
    site.pages.set('/', { body: html('Home', paths) });
    for (const path of paths) site.pages.set(path, { body: html(`Page ${path}`) });
    site.pages.delete('/old');
    const id = await app.start(site.url('/'), { page_limit: 50 });
    // The first page, the sitemap that is not there, and one more.
    for (const _ of [1, 2, 3]) {
      await app.turn();
      app.cloud.advance(61);
    }
    app.cloud.advance(10 * 86_400);
    await app.crawlOn();
    const { status, error, pages_found } = await app.get(id);
    assert.deepEqual([status, error, pages_found], ['completed', '2 addresses still waited after ten days', 2]);
    assert.deepEqual(
      await app.storedUrls(),
      ['/', '/a', '/old'].map((path) => site.url(path)),
    );
  });

  test('beyond the page limit, a known page with noindex leaves the index', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    site.pages.set('/', { body: html('Home', ['/a', '/b']) });
    for (const path of ['/a', '/b']) site.pages.set(path, { body: html(`Page ${path}`) });
    await crawl();
    site.pages.set('/b', { body: html('Page /b', [], '<meta name="robots" content="noindex">') });
    await app.start(site.url('/'), { page_limit: 2, max_depth: 1 });
    await app.crawlOn();
    assert.deepEqual(await app.storedUrls(), [site.url('/'), site.url('/a')]);
  });
};
