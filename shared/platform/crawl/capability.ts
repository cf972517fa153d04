import { capability } from '../../kernel/capability.ts';
import { secretNames } from '../../kernel/names.ts';
import { openSecretReader } from '../aws/secret-parameter.ts';
import { openWeb } from './fetch-page.ts';
import { openOutsideCrawler, type OutsideCrawler } from './outside.ts';
import type { Web } from './port.ts';

const requestTimeoutMs = 15_000;

/** The public web: a site that is silent for 15 seconds is given up. */
export const publicWeb = capability<Web>(['network.public'], ({ config: { crawl } }) =>
  openWeb({ timeoutMs: requestTimeoutMs, localAddress: crawl.localAddress }),
);

/** The crawler elsewhere that this deployment uses, if it does. */
export const outsideCrawler = capability<OutsideCrawler>(['crawls.outside'], (runtime) => {
  const { provider, baseUrl } = runtime.config.crawl;
  return openOutsideCrawler({
    isUsed: provider === 'firecrawl',
    baseUrl,
    readKey: openSecretReader(runtime, secretNames.crawl, runtime.config.region),
  });
});
