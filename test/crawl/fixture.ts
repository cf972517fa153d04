import { createIndex } from '../../functions/indexes/create.ts';
import { CrawlWorld, testNames } from './crawl-app.ts';
import { Site } from './site.ts';

/** One site and the crawls of it, shared by the tests of a file, each of which begins with neither pages nor rows. */
export class Stage {
  readonly site: Site;
  readonly world: CrawlWorld;

  private constructor(site: Site, world: CrawlWorld) {
    this.site = site;
    this.world = world;
  }

  static async open(): Promise<Stage> {
    const site = await new Site().open();
    const world = await CrawlWorld.open({ localAddress: `127.0.0.1:${site.port}`, resolve: testNames });
    site.now = () => world.cloud.runtime.clock.now().getTime();
    return new Stage(site, world);
  }

  async close(): Promise<void> {
    await this.world.close();
    this.site.close();
  }

  /** An empty index and a site without pages. */
  async clear(): Promise<void> {
    this.site.pages.clear();
    this.site.visits.length = 0;
    this.site.conditional = false;
    this.world.outside = null;
    // What an earlier test has stored is nobody's concern any more.
    this.world.cloud.take('plan');
    const { id } = await this.world.sources.call(createIndex, {}, { name: 'crawls', dimensions: 8 });
    this.world.sources.indexId = id as string;
    await this.world.work();
  }
}
