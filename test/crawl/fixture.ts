import { createIndex } from '../../functions/indexes/create.ts';
import { CrawlApp, testNames } from './crawl-app.ts';
import { Site } from './site.ts';

/** One site and its crawls, shared by the tests of a file. Each test begins without pages and rows. */
export class CrawlFixture {
  readonly site: Site;
  readonly app: CrawlApp;

  private constructor(site: Site, app: CrawlApp) {
    this.site = site;
    this.app = app;
  }

  static async open(): Promise<CrawlFixture> {
    const site = await new Site().open();
    const app = await CrawlApp.open({ localAddress: `127.0.0.1:${site.port}`, resolve: testNames });
    site.now = () => app.cloud.runtime.clock.now().getTime();
    return new CrawlFixture(site, app);
  }

  async close(): Promise<void> {
    await this.app.close();
    this.site.close();
  }

  /** An empty index and a site without pages. */
  async clear(): Promise<void> {
    this.site.pages.clear();
    this.site.visits.length = 0;
    this.site.conditional = false;
    this.site.guard = null;
    this.app.externalCrawler = null;
    // Discards messages of earlier tests.
    this.app.cloud.take('plan');
    const { id } = await this.app.sources.call(createIndex, {}, { name: 'crawls', dimensions: 8 });
    this.app.sources.indexId = id as string;
    await this.app.work();
  }
}
