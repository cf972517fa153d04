import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { listening } from '../support/emulated-cloud.ts';
import { html, setTraps, type SitePage } from './site.ts';
import type { Stage } from './fixture.ts';

/** Pages of traps that are real pages of their own; what matters is how many of them are taken. */
const trapPages = /\/(?:calendar\?|days\/|winding\/|session\?)/;

const robotsPath = '/robots.txt';

/** A site that crawls get lost in. @param guides Pages among its pages; with 150 it has some two hundred to keep. */
export const testTraps = (stage: () => Stage, guides: number): void => {
  test('a site full of traps is read to its end: each page once, no private connection, one request at a time', async () => {
    const { site, world } = stage();
    await stage().clear();
    let innerConnections = 0;
    const inner = createServer((_, response) => response.end('secret')).on('connection', () => (innerConnections += 1));
    const wanted = await setTraps(site, guides, Number(new URL(await listening(inner)).port));
    const id = await world.start(site.url('/'), { page_limit: 500, max_depth: 4 });
    await world.crawlOn();
    const crawl = await world.get(id);
    assert.deepEqual([crawl.status, crawl.error], ['completed', '2 addresses gave no answer']);
    const stored = await world.storedUrls();
    const trapped = stored.filter((url) => trapPages.test(url));
    assert.deepEqual(
      stored.filter((url) => !trapPages.test(url)),
      wanted,
    );
    assert.ok(trapped.length < 20, `${trapped.length} pages of traps`);
    assert.equal(crawl.pages_found, stored.length);
    assert.equal(await world.countedPages(), stored.length);

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

  test('the page limit is kept to the page, however many runs work on a crawl at once', async () => {
    const { site, world } = stage();
    const id = await world.start(site.url('/section/1'), { page_limit: 4, max_depth: 5 });
    const [message] = world.cloud.take('crawl');
    assert.ok(message !== undefined);
    await Promise.all(Array.from({ length: 4 }, () => world.deliver(message.body)));
    await world.crawlOn();
    const { status, pages_found } = await world.get(id);
    assert.deepEqual([status, pages_found], ['completed', 4]);
  });

  test('a crawl that is cancelled reads no further page and counts what it has read', async () => {
    const { site, world } = stage();
    const counted = await world.countedPages();
    const id = await world.start(site.url('/section/2'), { page_limit: 50, max_depth: 3 });
    const cancelling: Promise<void>[] = [];
    const asked = site.visits.length;
    site.pages.set('/section/2', () => {
      cancelling.push(world.cancel(id));
      return { body: html('Section 2', ['/guide/1', '/guide/2']) };
    });
    await world.crawlOn();
    await Promise.all(cancelling);
    await world.crawlOn();
    const { status, pages_found } = await world.get(id);
    assert.equal(status, 'cancelled');
    assert.equal(await world.countedPages(), counted + pages_found);
    assert.deepEqual(
      site.visits.slice(asked).map(({ path }) => path),
      [robotsPath, '/section/2'],
    );
  });

  test('doubled slashes are asked for as they are written, and where they are too many, without', async () => {
    const { site, world } = stage();
    await stage().clear();
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
    const id = await world.start(site.url(first), { page_limit: 20, max_depth: 1 });
    await world.crawlOn();
    const { status, error } = await world.get(id);
    assert.deepEqual([status, error], ['completed', null]);
    const wanted = ['/both/page', '/sloppy/page', first, '/web/http://example.org/y'];
    assert.deepEqual(
      await world.storedUrls(),
      wanted.map((path) => site.url(path)),
    );
    // Two addresses that lead to each other are left after five steps.
    assert.deepEqual([site.asked(301).get('/turn//x'), site.asked(301).get('/turn/x')], [3, 3]);
    assert.deepEqual([site.asked(404).get('/lost//x'), site.asked(301).get('/lost/x')], [3, 2]);
    assert.ok(!site.visits.some(({ path }) => path.includes('private')));
  });
};
