import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ReadablePage } from '../../shared/platform/crawl/read-page.ts';
import { createSiteReader, UnreadableContent } from '../../shared/platform/crawl/site-reader.ts';
import { siteReaderSources } from './crawl-app.ts';
import { html } from './site.ts';
import { CrawlFixture } from './fixture.ts';

/** As much memory as any page has, and time enough on a busy machine. */
const patient = { ...siteReaderSources, timeoutSeconds: 240 };

const tenMegabytes = 10_000_000;
const repeated = (text: string): string => text.repeat(Math.floor(tenMegabytes / text.length));

let fixture: CrawlFixture;
before(async () => {
  fixture = await CrawlFixture.open();
});
after(() => fixture.close());

const pageOf = (body: string): ReadablePage => ({
  url: 'https://example.com/',
  bytes: Buffer.from(body),
  contentType: 'text/html',
  robotsTag: null,
});

test('ten megabytes of hostile markup are parsed within the memory limit of a page', async () => {
  const reader = createSiteReader(patient);
  const bodies = [repeated('<'), repeated('<div>'), `<a ${repeated('b ')}>`, `<title>${repeated('x ')}`];
  for (const body of bodies) {
    const facts = await reader.page(pageOf(body));
    assert.deepEqual([facts?.links, facts?.noindex], [[], false], body.slice(0, 10));
  }
});

test('a sitemap with a million entries yields the first fifty thousand, and no URL of a megabyte', async () => {
  const reader = createSiteReader(patient);
  const entries = '<url><loc>https://example.com/a</loc></url>'.repeat(1_000_000);
  const sitemap = await reader.sitemap(Buffer.from(`<urlset>${entries}`), false);
  assert.deepEqual([sitemap?.kind, sitemap?.urls.length], ['pages', 50_000]);
  const long = `<urlset><url><loc>https://example.com/${'a'.repeat(1_000_000)}</loc></url></urlset>`;
  assert.deepEqual((await reader.sitemap(Buffer.from(long), false))?.urls, []);
});

test('content that exceeds the memory or time limit is rejected, and the next page is read', async () => {
  const small = createSiteReader({ ...patient, memoryMb: 160 });
  await assert.rejects(small.page(pageOf(repeated('<b>a'))), UnreadableContent);
  const hasty = createSiteReader({ ...siteReaderSources, timeoutSeconds: 0.001 });
  await assert.rejects(hasty.robots('https://example.com/robots.txt', 'Disallow: /'), UnreadableContent);
  assert.equal((await small.page(pageOf(html('Next'))))?.title, 'Next');
});

test('a page that exceeds the limits of its parser is reported as unreadable, and the crawl continues', async () => {
  const { site, app } = fixture;
  await fixture.clear();
  app.reader = createSiteReader({ ...patient, memoryMb: 160 });
  site.pages.set('/', { body: html('Home', ['/bomb', '/a']) });
  site.pages.set('/bomb', { body: repeated('<b>a') });
  site.pages.set('/a', { body: html('Page a') });
  const id = await app.start(site.url('/'));
  await app.crawlOn();
  const { status, error, pages_found } = await app.get(id);
  assert.deepEqual([status, error, pages_found], ['completed', '1 address could not be parsed', 2]);
  assert.equal(site.asked(200).get('/bomb'), 1);
  site.pages.clear();
  site.pages.set('/', { body: repeated('<b>a') });
  const alone = await app.start(site.url('/', 'other.example.com'));
  await app.crawlOn();
  const refused = await app.get(alone);
  const reason = 'The first page could not be parsed: it takes too much time or memory';
  assert.deepEqual([refused.status, refused.error], ['failed', reason]);
});

test('a page that crashes every run fails after four attempts, and the crawl continues', async () => {
  const { site, app } = fixture;
  await fixture.clear();
  site.pages.set('/', { body: html('Home', ['/killer', '/a']) });
  site.pages.set('/killer', () => {
    // From here on every request of the run fails, as after a crash.
    app.cloud.faults.arm({ request: 1, kind: 'not applied' });
    return { body: html('Killer') };
  });
  site.pages.set('/a', { body: html('Page a') });
  const id = await app.start(site.url('/'));
  for (let deaths = 0; deaths < 12 && (await app.get(id)).status !== 'completed'; deaths += 1) {
    await app.turn().catch(() => 0);
    app.cloud.faults.arm(null);
    app.cloud.advance(600);
    await app.sweep();
  }
  const { status, error, pages_found } = await app.get(id);
  assert.deepEqual([status, error, pages_found], ['completed', '1 address did not respond', 2]);
  assert.equal(site.asked(200).get('/killer'), 4);
});
