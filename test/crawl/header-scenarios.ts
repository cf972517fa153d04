import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { createCrawlSchedule } from '../../functions/crawls/create-schedule.ts';
import { deleteCrawlSchedule } from '../../functions/crawls/delete-schedule.ts';
import { getCrawlSchedule } from '../../functions/crawls/get-schedule.ts';
import { listCrawlSchedules } from '../../functions/crawls/list-schedules.ts';
import { listCrawlJobs } from '../../functions/crawls/list.ts';
import { updateCrawlSchedule } from '../../functions/crawls/update-schedule.ts';
import { openTable } from '../../shared/db/table.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { crawlsErase } from '../../shared/crawls/index.ts';
import { randomOf } from '../connectors/scenarios.ts';
import { everyPoint } from '../support/every-point.ts';
import type { CrawlFixture } from './fixture.ts';
import { html } from './site.ts';

/** Sites behind a header of their own. */
export const testHeaders = (
  fixture: () => CrawlFixture,
  { stride, seed }: { readonly stride: number; readonly seed: number },
): void => {
  const secret = 'hunter2-Hunter2-hunter2';
  const headers = { 'X-Docs-Key': secret, cookie: 'door=open' };
  const ownHost = /^(www\.)?docs\.example\.com:/;

  /** Requests of other hosts that had one of the headers. */
  const leaks: string[] = [];
  const hasKey = (request: IncomingMessage, key: string): boolean =>
    request.headers['x-docs-key'] === key && (request.headers.cookie ?? '').split('; ').includes('door=open');
  /** Admits requests to the site with the key alone, and records requests to other hosts that have it. */
  const guard = (key: () => string) => {
    leaks.length = 0;
    fixture().site.guard = (request) => {
      const { host = '', cookie = '' } = request.headers;
      if (ownHost.test(host)) return hasKey(request, key()) ? null : { status: 401, body: 'no key' };
      if (request.headers['x-docs-key'] !== undefined || cookie.includes('door')) leaks.push(`${host}${request.url}`);
      return null;
    };
  };
  const partitions = () => {
    const { owner, indexId } = fixture().app.sources;
    return ['INDEX', 'SCHEDULES'].map((kind) => `${kind}#${owner.organizationId}#${indexId}`);
  };
  const itemsOf = async (table: 'crawls' | 'secrets') => {
    const opened = openTable(fixture().app.cloud.runtime, table);
    return (await Promise.all(partitions().map((pk) => Array.fromAsync(opened.all(pk))))).flat();
  };
  const index = () => ({ index_id: fixture().app.sources.indexId });
  const paths = async () =>
    (await fixture().app.indexedUrls()).map((url) => new URL(url).host + new URL(url).pathname).toSorted();
  const hosted = (path: string, host = 'docs.example.com') => `${host}:${fixture().site.port}${path}`;
  const finish = async () => {
    await fixture().app.crawlOn();
    await fixture().app.work();
  };

  test('headers of a crawl reach all of its site, and no other host', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    guard(() => secret);
    const other = site.url('/x', 'other.example.com');
    site.pages.set('/', { headers: { 'set-cookie': 'seen=1' }, body: html('Home', ['/a', '/moved', '/leave', other]) });
    site.pages.set('/a', (request) => ({
      body: html('a', request.headers.cookie === 'door=open; seen=1' ? ['/with-both-cookies'] : []),
    }));
    site.pages.set('/with-both-cookies', { body: html('both') });
    site.pages.set('/moved', { status: 301, headers: { location: site.url('/b', 'www.docs.example.com') } });
    site.pages.set('/b', { body: html('b') });
    site.pages.set('/leave', { status: 302, headers: { location: other } });
    site.pages.set('/robots.txt', { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /no' });
    site.pages.set('/sitemap.xml', { body: `<urlset><url><loc>${site.url('/listed')}</loc></url></urlset>` });
    site.pages.set('/listed', { body: html('listed') });
    const id = await app.start(site.url('/'), { page_limit: 50, max_depth: 4, headers });
    const answers = [await app.get(id)];
    await finish();
    answers.push(await app.get(id));
    assert.equal(answers.at(-1)?.status, 'completed');
    const own = ['/', '/a', '/listed', '/with-both-cookies'].map((path) => hosted(path));
    assert.deepEqual(await paths(), [...own, hosted('/b', 'www.docs.example.com')].toSorted());
    assert.deepEqual(leaks, []);
    assert.deepEqual((answers[0] as unknown as Record<string, unknown>)['header_names'], ['x-docs-key', 'cookie']);
    const seen = [...answers, ...(await app.skipped(id)), ...(await itemsOf('crawls')), ...app.sources.logged];
    for (const text of [...seen, await app.sources.rows()].map((value) => JSON.stringify(value)))
      assert.ok(!text.includes(secret) && !text.includes('door=open'), text);
    // The key is deleted with the end of the crawl.
    assert.deepEqual(await itemsOf('secrets'), []);
    // Without the headers, pages that are known already stay.
    const without = await app.start(site.url('/'), { page_limit: 50, max_depth: 4 });
    await finish();
    assert.equal((await app.get(without)).error, 'The site refused the first page');
    assert.equal((await paths()).length, 5);
  });

  test('headers do not follow a first page or a robots.txt that has moved to another host', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    guard(() => secret);
    const elsewhere = (request: IncomingMessage, path: string) =>
      ownHost.test(request.headers.host ?? '')
        ? { status: 302, headers: { location: site.url(path, 'other.example.com') } }
        : null;
    site.pages.set('/robots.txt', (request) => elsewhere(request, '/robots.txt') ?? { body: '' });
    site.pages.set('/', (request) => elsewhere(request, '/') ?? { body: html('Elsewhere', ['/one']) });
    site.pages.set('/one', { body: html('one') });
    await app.start(site.url('/'), { page_limit: 5, max_depth: 2, headers });
    await finish();
    assert.deepEqual(
      await paths(),
      ['/', '/one'].map((path) => hosted(path, 'other.example.com')),
    );
    assert.deepEqual(leaks, []);
  });

  test('a crawl with headers that crashes at any write completes and leaves no key', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    guard(() => secret);
    site.pages.set('/', { body: html('Home', ['/a']) });
    site.pages.set('/a', { body: html('a') });
    const points = await everyPoint({ step: stride }, async (fault) => {
      const id = await app.start(site.url('/'), { page_limit: 5, max_depth: 2, headers });
      const reached = await app.dieAt(fault, async () => {
        while ((await app.turn()) > 0 || app.cloud.delayed('crawl') > 0) app.cloud.advance(30);
        await app.applyLog();
      });
      app.cloud.advance(1_200);
      await app.sweep();
      await app.crawlOn();
      const { status, error, pages_found } = await app.get(id);
      assert.deepEqual([status, error, pages_found], ['completed', null, 2]);
      assert.deepEqual(await itemsOf('secrets'), []);
      return reached;
    });
    assert.ok(points > 1);
    // Neither does a cancelled one.
    await app.cancel(await app.start(site.url('/'), { headers }));
    assert.equal((await itemsOf('secrets')).length, 1);
    await app.crawlOn();
    assert.deepEqual(await itemsOf('secrets'), []);
  });

  test('a schedule follows 20 changes of a site and of its key, whose change may crash, and a deleted one ends its crawl', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    const random = randomOf(seed);
    let key = secret;
    guard(() => key);
    const held = new Map<string, string>();
    const put = (path: string, text: string): void => {
      held.set(path, text);
      site.pages.set(path, { body: html(text) });
      site.pages.set('/', { body: html('Home', [...held.keys()]) });
    };
    const remove = (path: string): void => {
      held.delete(path);
      site.pages.delete(path);
      site.pages.set('/', { body: html('Home', [...held.keys()]) });
    };
    for (let page = 0; page < 4; page += 1) put(`/p${page}`, `first text of ${page}`);
    const schedule = { url: site.url('/'), page_limit: 60, max_depth: 2, interval_hours: 6, headers };
    const created = await app.sources.call(createCrawlSchedule, index(), schedule);
    const path = { ...index(), schedule_id: created['id'] as string };
    const answers: unknown[] = [created];
    const rotate = (next: string) => {
      key = next;
      const body = { headers: { ...headers, 'X-Docs-Key': next } };
      return app.sources.call(updateCrawlSchedule, path, body);
    };
    const requests = await app.sources.requestsOf(() => rotate(`${secret}-0`));
    for (let change = 1; change <= 20; change += 1) {
      const kind = random(3);
      const chosen = [...held.keys()][random(held.size)] ?? '/p0';
      if (kind === 0) put(`/n${change}`, `new text ${change}`);
      else if (kind === 1 && held.size > 2) remove(chosen);
      else put(chosen, `changed text ${change}`);
      const fault = {
        request: (change % requests) + 1,
        kind: change % 2 === 0 ? 'not applied' : 'reply lost',
      } as const;
      await app.dieAt(fault, () => rotate(`${secret}-${change}`));
      answers.push(await rotate(key));
      assert.equal((await itemsOf('secrets')).length, 1, `change ${change}`);
      answers.push(
        await app.sources.call(updateCrawlSchedule, path, { starts_at: app.sources.clock.now().toISOString() }),
      );
      await app.sweep();
      await finish();
      assert.deepEqual(await paths(), ['/', ...held.keys()].map((at) => hosted(at)).toSorted());
      const rows = JSON.stringify(await app.sources.rows());
      for (const text of held.values()) assert.ok(rows.includes(text), `change ${change}`);
    }
    const crawls = (await app.sources.call(listCrawlJobs, index())) as unknown as readonly Record<string, unknown>[];
    assert.ok(crawls.length >= 20 && crawls.every(({ status }) => status === 'completed'));
    answers.push(crawls, await app.sources.call(getCrawlSchedule, path));
    answers.push(
      await app.sources.call(listCrawlSchedules, index()),
      ...(await itemsOf('crawls')),
      ...app.sources.logged,
    );
    for (const text of answers.map((value) => JSON.stringify(value))) assert.ok(!text.includes(secret), text);
    assert.deepEqual(leaks, []);
    // Its headers are deleted with it, so a crawl that still runs can send none.
    await app.sources.call(updateCrawlSchedule, path, { starts_at: app.sources.clock.now().toISOString() });
    await app.sweep();
    await app.sources.call(deleteCrawlSchedule, path);
    assert.deepEqual(await itemsOf('secrets'), []);
    await finish();
    const [last] = (await app.sources.call(listCrawlJobs, index())) as unknown as readonly Record<string, unknown>[];
    assert.deepEqual(
      [last?.['status'], last?.['error']],
      ['failed', 'The headers of the crawl were deleted, such as with its schedule'],
    );
    assert.equal((await paths()).length, held.size + 1);
  });

  test('headers of crawls and schedules are deleted with their index', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    await app.start(site.url('/'), { headers });
    await app.sources.call(createCrawlSchedule, index(), { url: site.url('/'), headers });
    assert.equal((await itemsOf('secrets')).length, 2);
    const { crawled } = makeDeps({ crawled: crawlsErase }, app.cloud.runtime);
    assert.ok(await crawled.removeAll(app.sources.owner.organizationId, app.sources.indexId));
    assert.deepEqual([await itemsOf('secrets'), await itemsOf('crawls')], [[], []]);
    app.cloud.take('crawl');
  });
};
