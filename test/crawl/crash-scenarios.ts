import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { crawlStore, type Discovery, LeaseLost, openFrontier, toPageAddress } from '../../shared/crawls/index.ts';
import type { CrawlStore } from '../../shared/crawls/crawl-store.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { everyPoint } from '../support/every-point.ts';
import { html } from './site.ts';
import type { CrawlFixture } from './fixture.ts';

/** Crawls whose run dies. @param stride Between the requests at which it does. */
export const testCrashes = (fixture: () => CrawlFixture, stride: number): void => {
  test('a crawl that crashes at any write completes with every page stored and counted once', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    site.pages.set('/', { body: html('Home', ['/a', '/b', '/moved']) });
    site.pages.set('/a', { body: html('Page a', ['/', '/copy']) });
    site.pages.set('/copy', { body: html('Page a', ['/', '/']) });
    site.pages.set('/moved', { status: 301, headers: { location: '/c' } });
    site.pages.set('/b', { headers: { 'content-type': 'text/plain' }, body: 'Words of a plain page.' });
    site.pages.set('/c', { body: html('Page c') });
    const points = await everyPoint({ step: stride }, async (fault) => {
      const host = `s${fault.request}-${fault.kind.slice(0, 3)}.example.com`;
      const counted = await app.countedPages();
      site.visits.length = 0;
      const id = await app.start(site.url('/', host), { page_limit: 10, max_depth: 2 });
      const reached = await app.dieAt(fault, async () => {
        while ((await app.turn()) > 0 || app.cloud.delayed('crawl') > 0) app.cloud.advance(30);
        await app.applyLog();
      });
      app.cloud.advance(1_200);
      await app.sweep();
      await app.crawlOn();
      const { status, error, pages_found } = await app.get(id);
      assert.deepEqual([status, error, pages_found], ['completed', null, 4]);
      assert.equal(await app.countedPages(), counted + 4);
      const mine = (await app.storedUrls()).filter((url) => url.includes(host));
      assert.deepEqual(
        mine,
        ['/', '/a', '/b', '/c'].map((path) => site.url(path, host)),
      );
      const again = [...site.asked(200).values()].reduce((sum, times) => sum + times - 1, 0);
      assert.ok(again <= 1, `${again} pages were read again`);
      return reached;
    });
    assert.ok(points > 4);
  });

  test('a cached frontier is used once, by the next run of its process, unless another run had the lease', async () => {
    const { site, app } = fixture();
    await fixture().clear();
    const { runtime } = app.cloud;
    const { organizationId } = app.sources.owner;
    const address = { organizationId, indexId: app.sources.indexId, crawlId: await app.start(site.url('/')) };
    const here = makeDeps({ work: crawlStore }, runtime).work;
    const there = makeDeps({ work: crawlStore }, { ...runtime }).work;
    const discovery = (path: string): Discovery => ({
      address: toPageAddress(site.url(path)) ?? assert.fail(),
      kind: 'page',
      depth: 0,
    });
    const open = async (work: CrawlStore) => {
      const lease = { address, holder: randomUUID() };
      assert.ok((await work.claim(lease)) !== null);
      return { lease, frontier: await openFrontier(work, lease, 10) };
    };
    /** One run that adds an address; those that it knew before. */
    const run = async (work: CrawlStore, path: string): Promise<readonly string[]> => {
      const { lease, frontier } = await open(work);
      const known = frontier.all() ?? assert.fail();
      await frontier.add([discovery(path)]);
      work.cacheEntries(lease, frontier.all() ?? assert.fail());
      await work.release(lease, runtime.clock.now());
      return known.map(({ url }) => new URL(url).pathname).toSorted();
    };
    assert.deepEqual(await run(here, '/a'), []);
    const entry = (await Array.fromAsync(there.entries({ address, holder: '' })))[0] ?? assert.fail();
    // Only the holder of the lease writes to a crawl. An unseen write proves that nothing is read again.
    await there.addEntry(address.crawlId, { ...entry, hash: 'x', url: site.url('/x') });
    assert.deepEqual(await run(here, '/b'), ['/a']);
    assert.deepEqual(await run(there, '/c'), ['/a', '/b', '/x']);
    assert.deepEqual(await run(here, '/d'), ['/a', '/b', '/c', '/x']);
    assert.deepEqual(await run(there, '/e'), ['/a', '/b', '/c', '/d', '/x']);
    // One that dies leaves nothing, and what could not be written is not left.
    const { frontier } = await open(there);
    app.cloud.advance(180);
    assert.ok((await here.claim({ address, holder: randomUUID() })) !== null);
    const many = Array.from({ length: 330 }, (_, at) => discovery(`/many/${at}`));
    await assert.rejects(frontier.add(many), LeaseLost);
    assert.equal(frontier.all(), null);
    app.cloud.advance(180);
    assert.equal((await run(there, '/f')).length, 6 + 320);
    await app.cancel(address.crawlId);
  });
};
