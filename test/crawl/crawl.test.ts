import { after, before, describe } from 'node:test';
import { testRecrawls } from './recrawl-scenarios.ts';
import { testCrashes } from './crash-scenarios.ts';
import { testExternalCrawler } from './external-crawler.ts';
import { testRobotsPolicy } from './robots-scenarios.ts';
import { testSharedHost } from './shared-host.ts';
import { CrawlFixture } from './fixture.ts';
import { testHeaders } from './header-scenarios.ts';
import { testPaths } from './path-scenarios.ts';
import { testTraps } from './trap-scenarios.ts';

/** `npm run test:crawl` sets all of them higher. */
const guides = Number(process.env['CRAWL_GUIDES'] ?? 6);
const rounds = Number(process.env['CRAWL_ROUNDS'] ?? 2);
const stride = Number(process.env['CRAWL_STRIDE'] ?? 149);
const seed = Number(process.env['CRAWL_SEED'] ?? 11);

let opened: CrawlFixture | null = null;
const fixture = (): CrawlFixture => {
  if (opened === null) throw new Error('the fixture is not open');
  return opened;
};

describe('crawls', { concurrency: false, timeout: 1_800_000 }, () => {
  before(async () => {
    opened = await CrawlFixture.open();
  });
  after(() => opened?.close());
  testTraps(fixture, guides);
  testRobotsPolicy(fixture);
  testRecrawls(fixture, { rounds, seed });
  testSharedHost(fixture);
  testExternalCrawler(fixture);
  testCrashes(fixture, stride);
  testPaths(fixture);
  testHeaders(fixture, { stride, seed });
});
