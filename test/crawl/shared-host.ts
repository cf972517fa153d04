import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../shared/kernel/errors.ts';
import { html } from './site.ts';
import type { CrawlFixture } from './fixture.ts';

const pagesOf = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `/${name}/${at}`);

/** Crawls of one host that run beside each other. */
export const testSharedHost = (fixture: () => CrawlFixture): void => {
  /** Starts a crawl of each part of the site, and works on all until they have ended. Returns how long that took. */
  const crawlParts = async (parts: readonly string[], count: number): Promise<number> => {
    const { site, app } = fixture();
    site.visits.length = 0;
    const startedAt = site.now();
    const ids: string[] = [];
    for (const part of parts) ids.push(await app.start(site.url(`/${part}/0`), { page_limit: count, max_depth: 1 }));
    await app.crawlTogether();
    const tookMs = site.now() - startedAt;
    for (const id of ids) {
      const { status, pages_found } = await app.get(id);
      assert.deepEqual([status, pages_found], ['completed', count]);
    }
    return tookMs;
  };

  const setParts = async (parts: readonly string[], count: number, robots = ''): Promise<void> => {
    await fixture().clear();
    const { pages } = fixture().site;
    pages.set('/robots.txt', { headers: { 'content-type': 'text/plain' }, body: robots });
    for (const part of parts)
      for (const path of pagesOf(part, count)) pages.set(path, { body: html(path, pagesOf(part, count)) });
  };

  const pauses = (): readonly number[] => {
    const turns = fixture().site.visits.filter(({ path }) => path !== '/robots.txt');
    return turns.slice(1).map(({ at }, before) => at - (turns[before]?.at ?? 0));
  };

  const parts = ['one', 'two', 'three'];

  test('crawls of one host alternate after each page, and take the time of all their pages', async () => {
    const count = 15;
    await setParts(['alone', ...parts], count);
    const aloneMs = await crawlParts(['alone'], count);
    const togetherMs = await crawlParts(parts, count);
    assert.ok(togetherMs <= 1.5 * parts.length * aloneMs, `${togetherMs} ms, one alone ${aloneMs} ms`);
    assert.ok(Math.min(...pauses()) >= 500, 'two requests follow each other too soon');
    const halfway = fixture().site.visits.slice(0, (parts.length * count) / 2);
    for (const part of parts)
      assert.ok(halfway.filter(({ path }) => path.startsWith(`/${part}/`)).length >= 3, `${part} has had no turn`);
  });

  test('the crawl delay of a site applies to the requests of all crawls', async () => {
    await setParts(parts, 2, 'User-agent: *\nCrawl-delay: 4\n');
    await crawlParts(parts, 2);
    assert.ok(Math.min(...pauses()) >= 4_000, pauses().join());
    await setParts(parts, 2);
    const { site } = fixture();
    const busyAt: number[] = [];
    site.pages.set('/two/0', () => {
      busyAt.push(site.now());
      return busyAt.length === 1
        ? { status: 429, headers: { 'retry-after': '40' } }
        : { body: html('/two/0', pagesOf('two', 2)) };
    });
    await crawlParts(parts, 2);
    const [first = 0] = busyAt;
    assert.deepEqual(
      site.visits.filter(({ at }) => at > first && at < first + 40_000),
      [],
    );
  });

  test('a host is released after the usual pause although the run that used it failed', async () => {
    const { site, app } = fixture();
    await setParts(parts, 1);
    const { reader } = app;
    app.reader = {
      ...reader,
      page: () => Promise.reject(new AppError('conflict', 'not now', { headers: { 'retry-after': '1' } })),
    };
    await app.start(site.url('/one/0'), { max_depth: 0 });
    await assert.rejects(app.turn(), { message: 'not now' });
    app.reader = reader;
    const id = await app.start(site.url('/two/0'), { max_depth: 0 });
    const startedAt = site.now();
    await app.turn();
    assert.equal((await app.get(id)).status, 'completed');
    assert.ok(site.now() - startedAt < 5_000);
    await app.crawlOn();
  });
};
