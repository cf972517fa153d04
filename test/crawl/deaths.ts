import assert from 'node:assert/strict';
import { test } from 'node:test';
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
    let points = 0;
    for (const kind of ['not applied', 'reply lost'] as const) {
      for (let request = 1, reached = true; reached; request += stride) {
        const host = `s${request}-${kind.slice(0, 3)}.example.com`;
        const counted = await world.countedPages();
        site.visits.length = 0;
        const id = await world.start(site.url('/', host), { page_limit: 10, max_depth: 2 });
        reached = await world.dieAt({ request, kind }, async () => {
          while ((await world.turn()) > 0 || world.cloud.delayed('crawl') > 0) world.cloud.advance(30);
          await world.applyLog();
        });
        world.cloud.advance(1_200);
        await world.sweep();
        await world.crawlOn();
        const where = `died at request ${request}, ${kind}`;
        const { status, error, pages_found } = await world.get(id);
        assert.deepEqual([status, error, pages_found], ['completed', null, 4], where);
        assert.equal(await world.countedPages(), counted + 4, where);
        const mine = (await world.storedUrls()).filter((url) => url.includes(host));
        assert.deepEqual(
          mine,
          ['/', '/a', '/b', '/c'].map((path) => site.url(path, host)),
          where,
        );
        const again = [...site.asked(200).values()].reduce((sum, times) => sum + times - 1, 0);
        assert.ok(again <= 1, `${where}: ${again} pages were read again`);
        points += 1;
      }
    }
    assert.ok(points > 4);
  });
};
