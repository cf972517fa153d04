import { flagOf, textOf } from '../db/read-item.ts';
import type { Condition } from '../db/condition.ts';
import type { Item } from '../db/contracts.ts';
import type { SkipReason } from './skip-reason.ts';

/** Outcome of an address. */
export type Outcome =
  /** In the index: new or changed, or unchanged. */
  | 'stored'
  | 'unchanged'
  /** Another address has the same content. */
  | 'duplicate'
  | 'redirected'
  /** 404 or 410. */
  | 'gone'
  /** robots.txt disallows the address, or the page forbids indexing. */
  | 'disallowed'
  | 'noindex'
  /** It redirects to another site, or resolves to a private network. */
  | 'offsite'
  /** Its path is not one that the crawl reads. */
  | 'excluded'
  | 'not_public'
  /** Any other error status of the site. */
  | 'refused'
  | 'unsupported'
  | 'too_large'
  | 'empty'
  /** Its content takes too much time or memory, or crashes its parser. */
  | 'unreadable'
  /** No response after all attempts. */
  | 'failed'
  /** A sitemap that has been read. */
  | 'listed'
  /** A page of an earlier crawl that stays unchanged, because this crawl has reached its page limit. */
  | 'unasked'
  /** A link that is not followed; stored for the report alone. */
  | 'passed_over';

/** How an address ended. */
export interface Ending {
  readonly outcome: Outcome;
  readonly textHash: string | null;
  /** Hash of the address that is read in its place. */
  readonly gaveWayTo?: string;
  /** Hash of the canonical page on the site that the page names, and the fingerprint of its own text. */
  readonly original?: string;
  readonly fingerprint?: string;
  /** Reason for skipping the address, if the outcome does not imply it. */
  readonly reason?: SkipReason;
  /** A status, content type or address, depending on the reason. */
  readonly detail?: string;
}

/** One address in the frontier of a crawl. */
export interface FrontierEntry {
  readonly hash: string;
  readonly key: string;
  readonly url: string;
  readonly kind: 'page' | 'sitemap';
  /**
   * How the address was found. `kin`: linked from a page with the same URL pattern. `successor`: target of another
   * address.
   * `remembered`: from an earlier crawl.
   */
  readonly foundAs: 'named' | 'kin' | 'successor' | 'remembered';
  /** Links from the first page. */
  readonly depth: number;
  /** Sorts addresses in the order in which they are read. */
  readonly rank: string;
  /** Latest time at which the page may have changed, as a sitemap states; absent if none does. */
  readonly modifiedAt?: string;
  /** Redirects that led here. Stored as `hops`. */
  readonly redirects: number;
  /** Attempts that failed with a transient error. */
  readonly attempts: number;
  /** Earliest time of the next attempt; empty for at once. */
  readonly notBefore: string;
  /** Null while it waits. */
  readonly outcome: Outcome | null;
  /** Hash of the text, if the page was read. */
  readonly textHash: string | null;
  /** Hash of its redirect target, or of the canonical page until it is known whether that can be read. */
  readonly gaveWayTo: string | null;
  /** Whether the page is read although it names a canonical, because that could not be read. */
  readonly stands: boolean;
  /** Hash of the canonical page on the site that it named, and the fingerprint of its text; null if it named none. */
  readonly original: string | null;
  readonly fingerprint: string | null;
  /** Reason for skipping it; null while it waits, and for stored pages and sitemaps. */
  readonly reason: SkipReason | null;
  readonly detail: string | null;
}

export const frontierPartition = (crawlId: string): string => `CRAWL#${crawlId}`;

export const entryPrefix = 'PAGE#';

export const entryKey = (crawlId: string, hash: string) => ({
  pk: frontierPartition(crawlId),
  sk: `${entryPrefix}${hash}`,
});

/** Stored in place of a reason while a page waits. */
const waitingReason = 'waiting';

const reasonIn = (item: Item): SkipReason | null => {
  const reason = textOf(item, 'reason');
  return reason === waitingReason ? null : (reason as SkipReason | null);
};

/**
 * Whether a report lists an address that is never read. Pages of earlier crawls are excluded, since they stay in the
 * index.
 */
export const isReported = ({ kind, outcome, reason, foundAs }: FrontierEntry): boolean =>
  kind === 'page' && (reason !== null || (outcome === null && foundAs !== 'remembered'));

/** Condition for items that a report lists. Waiting pages are included once the crawl is over. */
export const reported = (isOver: boolean): Condition => ({
  reason: isOver ? { exists: true } : [{ exists: true }, { ne: waitingReason }],
});

/** A skipped address in a report. */
export interface SkippedPage {
  readonly url: string;
  readonly reason: SkipReason;
  readonly detail: string | null;
}

/** @param unread Reason of an address that was never read. */
export const toSkippedPage = ({ url, reason, detail }: FrontierEntry, unread: SkipReason): SkippedPage => ({
  url,
  reason: reason ?? unread,
  detail,
});

export const toEntry = (item: Item): FrontierEntry => ({
  hash: item.sk.slice(entryPrefix.length),
  key: item['key'] as string,
  url: item['url'] as string,
  kind: item['kind'] as FrontierEntry['kind'],
  foundAs: (item['found_as'] as FrontierEntry['foundAs'] | undefined) ?? 'named',
  depth: item['depth'] as number,
  rank: item['rank'] as string,
  redirects: item['hops'] as number,
  attempts: item['attempts'] as number,
  notBefore: item['not_before'] as string,
  outcome: (item['outcome'] as Outcome | undefined) ?? null,
  textHash: textOf(item, 'text_hash'),
  gaveWayTo: textOf(item, 'gave_way_to'),
  stands: flagOf(item, 'stands'),
  original: textOf(item, 'original'),
  fingerprint: textOf(item, 'fingerprint'),
  reason: reasonIn(item),
  detail: textOf(item, 'detail'),
  ...(textOf(item, 'modified_at') === null ? {} : { modifiedAt: item['modified_at'] as string }),
});

export const toEntryAttributes = (entry: FrontierEntry) => ({
  key: entry.key,
  url: entry.url,
  kind: entry.kind,
  found_as: entry.foundAs,
  depth: entry.depth,
  rank: entry.rank,
  hops: entry.redirects,
  attempts: entry.attempts,
  not_before: entry.notBefore,
  ...(entry.outcome === null ? {} : { outcome: entry.outcome }),
  ...(entry.textHash === null ? {} : { text_hash: entry.textHash }),
  ...(entry.gaveWayTo === null ? {} : { gave_way_to: entry.gaveWayTo }),
  ...(entry.stands ? { stands: true } : {}),
  ...(entry.original === null ? {} : { original: entry.original }),
  ...(entry.fingerprint === null ? {} : { fingerprint: entry.fingerprint }),
  ...(isReported(entry) ? { reason: entry.reason ?? waitingReason } : {}),
  ...(entry.detail === null ? {} : { detail: entry.detail }),
  ...(entry.modifiedAt === undefined ? {} : { modified_at: entry.modifiedAt }),
});
