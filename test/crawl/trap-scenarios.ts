import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { listening } from '../support/emulated-cloud.ts';
import { html, addTraps, type SitePage } from './site.ts';
import type { CrawlFixture } from './fixture.ts';

/** Pages of traps that are real pages of their own; what matters is how many of them are taken. */
const trapPages = /\/(?:calendar\?|days\/|winding\/|session\?)/;

const robotsPath = '/robots.txt';

/** A site that crawls get lost in. @param guides Pages among its pages; with 150 it has some two hundred to keep. */
export const testTraps = (fixture: () => CrawlFixture, guides: number): void => {
  test('a site full of traps is crawled completely: each page once, no private connection, one request at a time', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    let innerConnections = 0;
    const inner = createServer((_, response) => response.end('secret')).on('connection', () => (innerConnections += 1));
    const wanted = await addTraps(site, guides, Number(new URL(await listening(inner)).port));
    const id = await app.start(site.url('/'), { page_limit: 500, max_depth: 4 });
    await app.crawlOn();
    const crawl = await app.get(id);
    assert.deepEqual(
      [crawl.status, crawl.error],
      ['completed', '1 address did not respond; 1 address responded with an error'],
    );
    const stored = await app.storedUrls();
    const trapped = stored.filter((url) => trapPages.test(url));
    assert.deepEqual(
      stored.filter((url) => !trapPages.test(url)),
      wanted,
    );
    assert.ok(trapped.length < 20, `${trapped.length} pages of traps`);
    assert.equal(crawl.pages_found, stored.length);
    assert.equal(await app.countedPages(), stored.length);

    inner.close();
    assert.equal(innerConnections, 0);
    for (const [path, times] of site.asked(200)) assert.equal(times, 1, `${path} was read ${times} times`);
    assert.deepEqual(
      [site.asked(0).get('/cut'), site.asked(500).get('/broken'), site.asked(503).get('/busy')],
      [4, 4, 1],
    );
    const paths = new Set(site.visits.map(({ path }) => path));
    for (const path of ['/private/1', '/private/2', '/old.bak', '/picture.png', '/only-from-copy', '/sitemap.xml'])
      assert.ok(!paths.has(path), `${path} was asked for`);
    const turns = site.visits.filter(({ path }) => path !== robotsPath);
    const pauses = turns.slice(1).map(({ at }, before) => at - (turns[before]?.at ?? 0));
    assert.ok(Math.min(...pauses) >= 500, `two requests within ${Math.min(...pauses)} ms`);
    const busyAt = site.visits.findIndex(({ path }) => path === '/busy');
    assert.ok(
      (site.visits[busyAt + 1]?.at ?? 0) - (site.visits[busyAt]?.at ?? 0) >= 20_000,
      'Retry-After was not kept',
    );
  });

  test('the page limit is exact although several runs work on a crawl at once', async () => {
    const { site, app } = fixture();
    const id = await app.start(site.url('/section/1'), { page_limit: 4, max_depth: 5 });
    const [message] = app.cloud.take('crawl');
    assert.ok(message !== undefined);
    await Promise.all(Array.from({ length: 4 }, () => app.deliver(message.body)));
    await app.crawlOn();
    const { status, pages_found } = await app.get(id);
    assert.deepEqual([status, pages_found], ['completed', 4]);
  });

  test('a cancelled crawl fetches no further page and counts the pages so far', async () => {
    const { site, app } = fixture();
    const counted = await app.countedPages();
    const id = await app.start(site.url('/section/2'), { page_limit: 50, max_depth: 3 });
    const cancelling: Promise<void>[] = [];
    const asked = site.visits.length;
    site.pages.set('/section/2', () => {
      cancelling.push(app.cancel(id));
      return { body: html('Section 2', ['/guide/1', '/guide/2']) };
    });
    await app.crawlOn();
    await Promise.all(cancelling);
    await app.crawlOn();
    const { status, pages_found } = await app.get(id);
    assert.equal(status, 'cancelled');
    assert.equal(await app.countedPages(), counted + pages_found);
    assert.deepEqual(
      site.visits.slice(asked).map(({ path }) => path),
      [robotsPath, '/section/2'],
    );
  });

  test('doubled slashes are requested as written, and collapsed if that fails', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    const set = (path: string, page: SitePage): void => void site.pages.set(path, page);
    const to = (location: string): SitePage => ({ status: 301, headers: { location } });
    const first = '/web/http://example.org/x';
    set('/robots.txt', { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /private/\n' });
    set(first, {
      body: html('X', ['y', '/sloppy//page', '/both//page', '/turn//x', '/lost//x', site.url('//private/x')]),
    });
    set('/web/http:/example.org/x', to(first));
    set('/web/http://example.org/y', { body: html('Y') });
    set('/sloppy/page', { body: html('Sloppy') });
    set('/both//page', to('/both/page'));
    set('/both/page', { body: html('Both') });
    set('/turn//x', to('/turn/x'));
    set('/turn/x', to('/turn//x'));
    set('/lost/x', to('/lost//x'));
    set('//private/x', { body: html('Private') });
    const id = await app.start(site.url(first), { page_limit: 20, max_depth: 1 });
    await app.crawlOn();
    const { status, error } = await app.get(id);
    assert.deepEqual([status, error], ['completed', null]);
    const wanted = ['/both/page', '/sloppy/page', first, '/web/http://example.org/y'];
    assert.deepEqual(
      await app.storedUrls(),
      wanted.map((path) => site.url(path)),
    );
    // Two addresses that lead to each other are left after five steps.
    assert.deepEqual([site.asked(301).get('/turn//x'), site.asked(301).get('/turn/x')], [3, 3]);
    assert.deepEqual([site.asked(404).get('/lost//x'), site.asked(301).get('/lost/x')], [3, 2]);
    assert.ok(!site.visits.some(({ path }) => path.includes('private')));
  });
};
