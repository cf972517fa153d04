import { epochSecondsAfter } from '../db/due.ts';
import { absent } from '../db/condition.ts';
import { openSealed, sealFirst } from '../db/sealed-field.ts';
import { openTable } from '../db/table.ts';
import { capability } from '../kernel/capability.ts';
import { laterBy } from '../kernel/clock.ts';
import { dayMs } from '../kernel/durations.ts';
import type { Key } from '../db/contracts.ts';
import { type CrawlAddress, crawlKey, type CrawlRecord } from './record.ts';
import { headersField, scheduleKey } from './schedule-record.ts';
import type { CrawlHeaders } from './header-schemas.ts';
import { siteOf } from './page-address.ts';

/*
 * Headers of a crawl may authenticate it, so they are sealed like the credentials of a connector. Their names are not
 * secret. A crawl of a schedule reads those of its schedule.
 */

/** Time after which the key of a crawl's headers is deleted, longer than any crawl. */
const keyMs = 14 * dayMs;

/** Seals headers of new crawls and schedules. */
export interface HeaderDeposit {
  /** Stores the key and returns the sealed headers. `secret`: 32 random bytes. `at`: creation of a crawl; null: a schedule. */
  seal(key: Key, headers: CrawlHeaders, secret: Buffer, at: Date | null): Promise<string>;
}

export const crawlHeadersSeal = capability<HeaderDeposit>(['secrets.write'], (runtime) => {
  const secrets = openTable(runtime, 'secrets');
  return {
    seal: async (key, headers, secret, at) => {
      const expiry = at === null ? {} : { expires_at_epoch: epochSecondsAfter(laterBy(at, keyMs)) };
      await secrets.put({ ...key, key: secret.toString('base64'), ...expiry }, absent);
      return sealFirst(key, headers, secret);
    },
  };
});

/** Headers as the crawl worker sees them. */
export interface HeaderReader {
  /** Returns the headers of a crawl; null if they were deleted. */
  read(crawl: CrawlRecord): Promise<CrawlHeaders | null>;
  /** Deletes the headers of an ended crawl. Those of a schedule stay. */
  delete(address: CrawlAddress): Promise<void>;
}

export const crawlHeadersRead = capability<HeaderReader>(
  ['crawls.read', 'secrets.read', 'secrets.write'],
  (runtime) => {
    const table = openTable(runtime, 'crawls');
    const secrets = openTable(runtime, 'secrets');
    return {
      read: async ({ id, organizationId, indexId, scheduleId, headerNames }) => {
        if (headerNames.length === 0) return {};
        const owner = { organizationId, indexId };
        const key = scheduleId === null ? crawlKey({ ...owner, crawlId: id }) : scheduleKey({ ...owner, scheduleId });
        const item = await table.get(key);
        return item === null ? null : ((await openSealed(secrets, item, headersField)) as CrawlHeaders | null);
      },
      delete: (address) => secrets.delete(crawlKey(address)).then(() => undefined),
    };
  },
);

/**
 * Returns the headers for an address: none for another site than that of the crawl's `url`, and none over `http` if that
 * was `https`.
 */
export const headersTo = (
  url: string,
  { url: start }: Pick<CrawlRecord, 'url'>,
  headers: CrawlHeaders,
): CrawlHeaders => {
  const isDowngraded = new URL(start).protocol === 'https:' && new URL(url).protocol !== 'https:';
  return siteOf(url) === siteOf(start) && !isDowngraded ? headers : {};
};
