import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plan } from '../../functions/workers/plan/worker.ts';
import { filesWrite } from '../../shared/files/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { randomFrom } from '../support/random.ts';
import { openTable } from '../../shared/db/table.ts';
import { crawlStore, hashOf, siteOf, toPageAddress } from '../../shared/crawls/index.ts';
import { memoryPartition } from '../../shared/crawls/site-memory.ts';
import { html } from './site.ts';
import type { CrawlFixture } from './fixture.ts';

const crawlOnce = async ({ site, app }: CrawlFixture, path = '/', depth = 3): Promise<number> => {
  const id = await app.start(site.url(path), { page_limit: 50, max_depth: depth });
  await app.crawlOn();
  await app.work();
  const { status, error, pages_found } = await app.get(id);
  assert.deepEqual([status, error], ['completed', null]);
  return pages_found;
};

/** Titles of what the index holds, by address. */
const indexed = async ({ app }: CrawlFixture): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries((await app.sources.rows()).map(({ metadata }) => [metadata['url'], metadata['title'] as string]));

/** Crawls of a site that has been crawled before. */
export const testRecrawls = (
  fixture: () => CrawlFixture,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
): void => {
  test(`after random changes of a site, the next crawl updates the index and requests nothing twice (seed ${seed})`, async () => {
    const { site, app } = fixture();
    await fixture().clear();
    site.conditional = true;
    const random = randomFrom(seed);
    const pick = (count: number): number => Math.floor(random() * count);
    const names = Array.from({ length: 7 }, (_, at) => `/page-${at}`);
    /** Version of each page that exists, and whether the first page has a link to it. */
    const model = new Map(names.slice(0, 5).map((name) => [name, { version: 1, linked: true }]));
    let known = new Set<string>();
    let counted = 0;
    for (let round = 0; round < rounds; round += 1) {
      const before = await indexed(fixture());
      site.visits.length = 0;
      site.pages.clear();
      for (const [name, { version }] of model) site.pages.set(name, { body: html(`${name} version ${version}`) });
      const linked = [...model].filter(([, page]) => page.linked).map(([name]) => name);
      site.pages.set('/', { body: html('Home', linked) });
      const found = await crawlOnce(fixture());
      const expected = new Map([[site.url('/'), 'Home']]);
      for (const [name, page] of model)
        if (page.linked || known.has(name)) expected.set(site.url(name), `${name} version ${page.version}`);
      const index = await indexed(fixture());
      assert.deepEqual(index, Object.fromEntries(expected), `round ${round}`);
      counted += found;
      assert.deepEqual([found, await app.countedPages()], [expected.size, counted]);
      for (const [path, times] of site.asked(200)) {
        assert.equal(times, 1, path);
        const url = site.url(path);
        if (path !== '/') assert.notEqual(before[url], index[url], `${path} was read again though it had not changed`);
      }
      known = new Set([...expected.keys()].map((url) => new URL(url).pathname));
      for (const name of names) {
        const page = model.get(name);
        const fate = pick(6);
        if (page === undefined && fate < 3) model.set(name, { version: 10 * round + 10, linked: true });
        else if (page !== undefined && fate === 0) model.delete(name);
        else if (page !== undefined && fate === 1) page.version += 1;
        else if (page !== undefined && fate === 2) page.linked = !page.linked;
      }
    }
  });

  test('a page that has not changed by its sitemap is not requested for a week, and stays in the index', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    const sitemap = (times: Readonly<Record<string, string>>): void => {
      const rows = Object.entries(times).map(
        ([path, time]) => `<url><loc>${site.url(path)}</loc><lastmod>${time}</lastmod></url>`,
      );
      site.pages.set('/sitemap.xml', { body: `<?xml version="1.0"?><urlset>${rows.join('')}</urlset>` });
    };
    const asked = async (): Promise<readonly string[]> => {
      site.visits.length = 0;
      await crawlOnce(fixture());
      return [...site.asked(200).keys()].filter((path) => /^\/[a-d]$/.test(path)).toSorted();
    };
    const old = '2020-01-01T00:00:00Z';
    site.pages.set('/', { body: html('Home', ['/a', '/b']) });
    for (const path of ['/a', '/b', '/c', '/d']) site.pages.set(path, { body: html(`Page ${path}`) });
    sitemap({ '/a': old, '/c': old, '/d': '2020-01' });
    assert.deepEqual(await asked(), ['/a', '/b', '/c', '/d']);
    app.sources.cloud.advance(3_600);
    // Those without a time are requested again.
    assert.deepEqual(await asked(), ['/b', '/d']);
    site.pages.set('/a', { body: html('Page /a, new') });
    sitemap({ '/a': app.sources.clock.now().toISOString(), '/c': old });
    assert.deepEqual(await asked(), ['/a', '/b', '/d']);
    assert.equal((await indexed(fixture()))[site.url('/a')], 'Page /a, new');
    app.sources.cloud.advance(8 * 86_400);
    assert.deepEqual(await asked(), ['/a', '/b', '/c', '/d']);
    assert.deepEqual(
      Object.keys(await indexed(fixture())).toSorted(),
      ['/', '/a', '/b', '/c', '/d'].map((path) => site.url(path)).toSorted(),
    );
  });

  test('a page that was deleted from the index by hand is stored again by the next crawl although it is unchanged', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    site.conditional = true;
    site.pages.set('/', { body: html('Home', ['/a']) });
    site.pages.set('/a', { body: html('Page /a') });
    await crawlOnce(fixture());
    const gone = await app.loseOne();
    assert.ok(!(await app.indexedUrls()).includes(gone));
    await crawlOnce(fixture());
    assert.ok((await app.indexedUrls()).includes(gone));
  });

  test('a page that a crawl no longer finds is checked again although another crawl found it by a longer path', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    const pages = { '/': ['/one', '/near'], '/one': ['/two'], '/two': ['/page'], '/near': ['/page'], '/page': [] };
    for (const [path, links] of Object.entries(pages)) site.pages.set(path, { body: html(`Page ${path}`, links) });
    await crawlOnce(fixture(), '/near', 1);
    site.pages.set('/near', { body: html('Page /near') });
    await crawlOnce(fixture());
    assert.ok((await app.indexedUrls()).includes(site.url('/page')));
    site.pages.delete('/page');
    await crawlOnce(fixture(), '/near', 1);
    assert.ok(!(await app.indexedUrls()).includes(site.url('/page')));
  });

  test('crawls at their page limit each check other known pages, from a position that a retry repeats', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    const paths = ['/a', '/b', '/c', '/d', '/e'];
    for (const path of paths) site.pages.set(path, { body: html(`Page ${path}`) });
    site.pages.set('/', { body: html('Home', paths) });
    await crawlOnce(fixture(), '/', 1);
    const { work } = makeDeps({ work: crawlStore }, app.cloud.runtime);
    const { owner, indexId } = app.sources;
    const memory = { organizationId: owner.organizationId, indexId, site: siteOf(site.url('/')) };
    const hashesFrom = async (place?: string): Promise<readonly string[]> => {
      const pages = await Array.fromAsync(work.allRemembered(memory, place));
      return pages.map(({ hash }) => hash);
    };
    const hashes = await hashesFrom();
    assert.deepEqual(hashes, hashes.toSorted());
    for (const [at, place] of hashes.entries())
      assert.deepEqual(await hashesFrom(place), [...hashes.slice(at + 1), ...hashes.slice(0, at + 1)]);
    site.pages.set('/', { body: html('Home', ['/a']) });
    for (const _ of [1, 2]) {
      site.visits.length = 0;
      const id = await app.start(site.url('/'), { page_limit: 2 });
      await app.crawlOn();
      const asked = site.visits.map(({ path }) => path).filter((path) => paths.includes(path) && path !== '/a');
      const around = (await hashesFrom(hashOf(id))).flatMap((hash) =>
        paths.filter((path) => path !== '/a' && toPageAddress(site.url(path))?.hash === hash),
      );
      assert.deepEqual(asked, around.slice(0, 2));
    }
  });

  test('the site memory stores a bounded number of first pages for a page, and concurrent crawls lose none', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    site.pages.set('/', { body: html('Home', ['/b']) });
    site.pages.set('/b', { body: html('Page /b', ['/']) });
    await crawlOnce(fixture());
    const { work } = makeDeps({ work: crawlStore }, app.cloud.runtime);
    const { owner, indexId } = app.sources;
    const memory = { organizationId: owner.organizationId, indexId, site: siteOf(site.url('/')) };
    const hash = toPageAddress(site.url('/'))?.hash ?? '';
    const home = async () => (await work.remembered(memory, hash)) ?? assert.fail('the page was forgotten');
    const page = await home();
    const rememberFrom = (start: string, depth: number) =>
      work.remember(memory, { ...page, starts: new Map([[hashOf(start), depth]]) });
    const names = Array.from({ length: 4 }, (_, at) => `start ${at}`);
    await Promise.all(names.flatMap((name) => [rememberFrom(name, 3), rememberFrom(name, 2), rememberFrom(name, 4)]));
    const found = names.map((name) => [hashOf(name), 2] as const);
    assert.deepEqual((await home()).starts, new Map([...page.starts, ...found]));
    // Nearly as full as an item can be; of long strings, since the emulator takes seconds for ten thousand short ones.
    const starts = Array.from({ length: 1_000 }, (_, at) => `${hashOf(`earlier ${at}`).repeat(12)}#1`);
    const table = openTable(app.cloud.runtime, 'crawls');
    const partition = memoryPartition(memory.organizationId, memory.indexId, memory.site);
    await table.update({ pk: partition, sk: hash }, { include: { starts } });
    await rememberFrom('one more', 5);
    const after = (await home()).starts;
    assert.deepEqual([after.size, after.get(hashOf('one more'))], [200, 5]);
    await rememberFrom('another', 6);
    const last = (await home()).starts;
    assert.deepEqual([last.size, last.get(hashOf('another'))], [200, 6]);
    assert.equal([...after.keys()].filter((start) => !last.has(start)).length, 1);
    assert.equal(await crawlOnce(fixture(), '/b'), 2);
  });

  test('a page that forbids indexing, redirects or names a canonical leaves the index', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    site.conditional = true;
    site.pages.set('/', { body: html('Home', ['/a', '/b', '/c', '/d']) });
    for (const name of ['/a', '/b', '/c', '/d']) site.pages.set(name, { body: html(`Page ${name}`) });
    await crawlOnce(fixture());
    const all = ['/', '/a', '/b', '/c', '/d'].map((path) => site.url(path));
    assert.deepEqual(await app.indexedUrls(), all);
    site.pages.set('/a', { headers: { 'x-robots-tag': 'noindex' }, body: html('Page /a') });
    site.pages.set('/b', { status: 301, headers: { location: '/d' } });
    site.pages.set('/c', { body: html('Page /c', [], '<link rel="canonical" href="/d">') });
    await crawlOnce(fixture());
    assert.deepEqual(await app.indexedUrls(), [site.url('/'), site.url('/d')]);
    site.pages.set('/robots.txt', {
      headers: { 'content-type': 'text/plain' },
      body: 'User-agent: strata-crawler\nDisallow: /d',
    });
    await crawlOnce(fixture());
    assert.deepEqual(await app.indexedUrls(), [site.url('/')]);
  });

  test('a crawl continues after a page whose document is being replaced', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    site.pages.set('/', { body: html('First') });
    await crawlOnce(fixture());
    site.pages.set('/', { body: html('Second') });
    await app.start(site.url('/'));
    await app.crawlOn();
    await app.sources.work([plan]);
    const { files } = makeDeps({ files: filesWrite }, app.cloud.runtime);
    const { indexId, owner } = app.sources;
    const { jobs } = await files.list(owner.organizationId, indexId, { limit: 1, after: null });
    const second = { organizationId: owner.organizationId, indexId, jobId: jobs[0]?.id ?? '' };
    assert.ok(await files.lockReplacement(second));
    site.pages.set('/', { body: html('Third') });
    const id = await app.start(site.url('/'));
    await assert.rejects(app.crawlOn(), { code: 'conflict' });
    assert.equal((await app.get(id)).status, 'running');
    await files.unlockReplacement(second);
    await app.crawlOn();
    await app.work();
    assert.equal((await app.get(id)).status, 'completed');
    assert.deepEqual(await indexed(fixture()), { [site.url('/')]: 'Third' });
  });
};
