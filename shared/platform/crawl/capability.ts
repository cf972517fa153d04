import { capability } from '../../kernel/capability.ts';
import { secretNames } from '../../kernel/names.ts';
import { openSecretReader } from '../aws/secret-parameter.ts';
import { openWebClient } from './web-client.ts';
import { openExternalCrawler, type ExternalCrawler } from './external-crawler.ts';
import type { WebClient } from './port.ts';

const requestTimeoutMs = 15_000;

/** Client of the public web. A site that does not respond for 15 seconds times out. */
export const publicWeb = capability<WebClient>(['network.public'], ({ config: { crawl } }) =>
  openWebClient({ timeoutMs: requestTimeoutMs, localAddress: crawl.localAddress }),
);

/** The external crawler, if the deployment configures one. */
export const externalCrawler = capability<ExternalCrawler>(['crawls.outside'], (runtime) => {
  const { provider, baseUrl } = runtime.config.crawl;
  return openExternalCrawler({
    isUsed: provider === 'firecrawl',
    baseUrl,
    readKey: openSecretReader(runtime, secretNames.crawl, runtime.config.region),
  });
});
