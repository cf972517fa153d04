import { after, before, describe } from 'node:test';
import { testAgain } from './recrawl-scenarios.ts';
import { testDeaths } from './crash-scenarios.ts';
import { testElsewhere } from './external-crawler.ts';
import { testRules } from './robots-scenarios.ts';
import { testSharedHost } from './shared-host.ts';
import { Stage } from './fixture.ts';
import { testTraps } from './trap-scenarios.ts';

/** `npm run test:crawl` sets all of them higher. */
const guides = Number(process.env['CRAWL_GUIDES'] ?? 10);
const rounds = Number(process.env['CRAWL_ROUNDS'] ?? 2);
const stride = Number(process.env['CRAWL_STRIDE'] ?? 149);
const seed = Number(process.env['CRAWL_SEED'] ?? 11);

let opened: Stage | null = null;
const stage = (): Stage => {
  if (opened === null) throw new Error('the stage is not open');
  return opened;
};

describe('crawls', { concurrency: false, timeout: 1_800_000 }, () => {
  before(async () => {
    opened = await Stage.open();
  });
  after(() => opened?.close());
  testTraps(stage, guides);
  testRules(stage);
  testAgain(stage, { rounds, seed });
  testSharedHost(stage);
  testElsewhere(stage);
  testDeaths(stage, stride);
});
