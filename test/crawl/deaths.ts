import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyPoint } from '../support/every-point.ts';
import { html } from './site.ts';
import type { Stage } from './stage.ts';

/** Crawls whose run dies. @param stride Between the requests at which it does. */
export const testDeaths = (stage: () => Stage, stride: number): void => {
  test('wherever a crawl dies, it goes on to the same end: every page once, every page counted once', async () => {
    const { site, world } = stage();
    await stage().clear();
    site.pages.set('/', { body: html('Home', ['/a', '/b', '/moved']) });
    site.pages.set('/a', { body: html('Page a', ['/', '/copy']) });
    site.pages.set('/copy', { body: html('Page a', ['/', '/']) });
    site.pages.set('/moved', { status: 301, headers: { location: '/c' } });
    site.pages.set('/b', { headers: { 'content-type': 'text/plain' }, body: 'Words of a plain page.' });
    site.pages.set('/c', { body: html('Page c') });
    const points = await everyPoint({ step: stride }, async (fault) => {
      const host = `s${fault.request}-${fault.kind.slice(0, 3)}.example.com`;
      const counted = await world.countedPages();
      site.visits.length = 0;
      const id = await world.start(site.url('/', host), { page_limit: 10, max_depth: 2 });
      const reached = await world.dieAt(fault, async () => {
        while ((await world.turn()) > 0 || world.cloud.delayed('crawl') > 0) world.cloud.advance(30);
        await world.applyLog();
      });
      world.cloud.advance(1_200);
      await world.sweep();
      await world.crawlOn();
      const { status, error, pages_found } = await world.get(id);
      assert.deepEqual([status, error, pages_found], ['completed', null, 4]);
      assert.equal(await world.countedPages(), counted + 4);
      const mine = (await world.storedUrls()).filter((url) => url.includes(host));
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
};
