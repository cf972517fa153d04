import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCrawlSchedule } from '../../functions/crawls/create-schedule.ts';
import { deleteCrawlSchedule } from '../../functions/crawls/delete-schedule.ts';
import { getCrawlSchedule } from '../../functions/crawls/get-schedule.ts';
import { listCrawlJobs } from '../../functions/crawls/list.ts';
import { updateCrawlSchedule } from '../../functions/crawls/update-schedule.ts';
import { sweepCrawls } from '../../functions/workers/crawl/schedule.ts';
import { office } from '../../packages/documents/test/extract/make-office.ts';
import type { CrawlFixture } from './fixture.ts';
import { html } from './site.ts';

/** What a crawl reads, and when. */
export const testPaths = (fixture: () => CrawlFixture): void => {
  const run = async (options: object, path = '/') => {
    const { site, app } = fixture();
    const id = await app.start(site.url(path), { page_limit: 50, max_depth: 4, ...options });
    await app.crawlOn();
    await app.work();
    const { status } = await app.get(id);
    assert.equal(status, 'completed');
    const skipped = Object.fromEntries(
      (await app.skipped(id)).map(({ url, reason }) => [new URL(url).pathname, reason]),
    );
    const urls = (await app.indexedUrls()).map((url) => new URL(url).pathname).toSorted();
    return { urls, skipped };
  };

  test('a crawl with paths reads exactly the pages that match, and the first page for its links', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    const links = ['/docs/a', '/docs/deep/b', '/docs/old/c', '/blog/d', '/moved', '/docs/feed.xml'];
    site.pages.set('/', { body: html('Home', links) });
    for (const path of ['/docs/a', '/docs/deep/b', '/docs/old/c', '/blog/d', '/docs/e', '/blog/f'])
      site.pages.set(path, { body: html(path, path === '/blog/d' ? ['/docs/hidden'] : []) });
    site.pages.set('/docs/hidden', { body: html('hidden') });
    site.pages.set('/moved', { status: 301, headers: { location: '/docs/a' } });
    const sitemap = ['/docs/e', '/blog/f'].map((path) => `<item><link>${site.url(path)}</link></item>`).join('');
    site.pages.set('/sitemap.xml', { body: `<?xml version="1.0"?><rss><channel>${sitemap}</channel></rss>` });
    const paths = { include_paths: ['/docs/*'], exclude_paths: ['/docs/old/*'], metadata: { team: 'support' } };
    const { urls, skipped } = await run(paths);
    assert.deepEqual(urls, ['/docs/a', '/docs/deep/b', '/docs/e']);
    for (const path of ['/', '/docs/old/c', '/blog/d', '/moved']) assert.equal(skipped[path], 'excluded', path);
    const asked = new Set(site.visits.map(({ path }) => path));
    assert.equal(asked.has('/blog/d') || asked.has('/blog/f') || asked.has('/docs/old/c'), false);
    assert.ok((await app.sources.rows()).every(({ metadata }) => metadata['team'] === 'support'));
    // A crawl with other paths leaves these pages as they are.
    const others = await run({ include_paths: ['/blog/*'] });
    assert.deepEqual(others.urls, ['/blog/d', '/blog/f', '/docs/a', '/docs/deep/b', '/docs/e']);
  });

  test('pages that say they do not exist or ask to sign in are left out, and linked documents are read', async () => {
    const { site } = fixture();
    await fixture().clear();
    const links = ['/gone', '/weg', '/private', '/about-404', '/plan.docx', '/signup'];
    site.pages.set('/', { body: html('Home', links) });
    const short = (title: string, body = '') =>
      `<html><title>${title}</title><body><h1>${title}</h1>${body}</body></html>`;
    site.pages.set('/gone', { body: short('Page not found', '<p>Sorry.</p>') });
    site.pages.set('/weg', { body: short('404 – Seite nicht gefunden') });
    site.pages.set('/private', { body: short('Sign in', '<form><input name=u><input type="password"></form>') });
    site.pages.set('/about-404', { body: html('404 pages and how to write them').repeat(3) });
    site.pages.set('/signup', {
      body: html('Sign up', []).replace('</main>', '<input type="password"></main>').repeat(3),
    });
    const paragraph = '<w:p><w:r><w:t>The plan of the harbour.</w:t></w:r></w:p>';
    const bytes = office('wordprocessingml.document', 'word/document.xml', {
      'word/document.xml': `<w:document><w:body>${paragraph}</w:body></w:document>`,
    });
    const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    site.pages.set('/plan.docx', { headers: { 'content-type': type }, body: bytes });
    const { urls, skipped } = await run({});
    assert.deepEqual(urls, ['/', '/about-404', '/plan.docx', '/signup']);
    assert.deepEqual(
      [skipped['/gone'], skipped['/weg'], skipped['/private']],
      ['soft_404', 'soft_404', 'login_required'],
    );
  });

  test('a schedule starts one crawl at each time, through crashes and pauses, and every page is counted once', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    site.pages.set('/', { body: html('Home', ['/one']) });
    site.pages.set('/one', { body: html('one') });
    const index = { index_id: app.sources.indexId };
    const before = await app.countedPages();
    const schedule = { url: site.url('/'), page_limit: 20, max_depth: 2, interval_hours: 6 };
    const { id } = await app.sources.call(createCrawlSchedule, index, schedule);
    const path = { ...index, schedule_id: id as string };
    const crawls = async () =>
      (await app.sources.call(listCrawlJobs, index)) as unknown as readonly Record<string, unknown>[];
    const finish = async () => {
      await app.crawlOn();
      await app.work();
    };
    /** Lets time pass until the next crawl is due. */
    const untilNext = async (): Promise<void> => {
      const { next_run_at: at } = await app.sources.call(getCrawlSchedule, path);
      const now = app.cloud.runtime.clock.now().getTime();
      app.cloud.advance(Math.max(0, (Date.parse(at as string) - now) / 1000));
    };
    const requests = await app.sources.requestsOf(() => app.cloud.tick(sweepCrawls));
    await finish();
    assert.equal((await crawls()).length, 1);
    for (let request = 1; request <= requests; request += 1) {
      await untilNext();
      const kind = request % 2 === 0 ? 'not applied' : 'reply lost';
      await app.sources.dieAt({ request, kind }, () => app.cloud.tick(sweepCrawls));
      // Another sweep, and one beside it.
      await Promise.all([app.cloud.tick(sweepCrawls), app.cloud.tick(sweepCrawls)]);
      await finish();
      const started = await crawls();
      assert.equal(started.length, request + 1, `dead at ${request}`);
      assert.ok(started.every(({ status, schedule_id: by }) => status === 'completed' && by === id));
    }
    assert.equal((await app.countedPages()) - before, 2 * (requests + 1));
    // Missed times are left out, also those of a pause.
    app.cloud.advance(5 * 24 * 3_600);
    await app.cloud.tick(sweepCrawls);
    await finish();
    assert.equal((await crawls()).length, requests + 2);
    const paused = await app.sources.call(updateCrawlSchedule, path, { paused: true });
    assert.equal(paused['next_run_at'], null);
    app.cloud.advance(24 * 3_600);
    await app.cloud.tick(sweepCrawls);
    assert.equal((await crawls()).length, requests + 2);
    await app.sources.call(updateCrawlSchedule, path, { paused: false, interval_hours: 1 });
    app.cloud.advance(3_600);
    await app.cloud.tick(sweepCrawls);
    // The crawl is still running at the next time.
    app.cloud.advance(3_600);
    await app.cloud.tick(sweepCrawls);
    assert.equal((await crawls()).length, requests + 3);
    assert.equal((await app.sources.call(getCrawlSchedule, path))['error'], 'The last crawl was still running');
    await finish();
    await app.sources.call(deleteCrawlSchedule, path);
    app.cloud.advance(3_600);
    await app.cloud.tick(sweepCrawls);
    assert.equal((await crawls()).length, requests + 3);
    await app.start(site.url('/'), {});
    await finish();
    const runs = await app.sources.call(listCrawlJobs, index, undefined, { schedule_id: id as string, limit: '3' });
    assert.deepEqual(
      (runs as unknown as readonly Record<string, unknown>[]).map(({ schedule_id: by }) => by),
      [id, id, id],
    );
  });

  test('a paused schedule stays paused, whatever is changed beside the pause', async () => {
    const { site, app } = fixture();
    const index = { index_id: app.sources.indexId };
    const schedule = { url: site.url('/'), page_limit: 20, max_depth: 2, interval_hours: 6 };
    const { id } = await app.sources.call(createCrawlSchedule, index, schedule);
    const path = { ...index, schedule_id: id as string };
    const update = async (body: object) => await app.sources.call(updateCrawlSchedule, path, body);
    const changes = [
      { starts_at: '2030-01-01T00:00:00Z' },
      { interval_hours: 12 },
      { headers: { authorization: 'Bearer key' } },
    ];
    for (const change of changes) {
      await update({ paused: false });
      await Promise.allSettled([update({ paused: true }), update(change), update({ interval_hours: 7 })]);
      const { paused, next_run_at: next } = await app.sources.call(getCrawlSchedule, path);
      assert.deepEqual([paused, next], [true, null], Object.keys(change).join());
    }
    await app.sources.call(deleteCrawlSchedule, path);
  });
};
