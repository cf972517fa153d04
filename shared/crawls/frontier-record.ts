import { flagOf, textOf } from '../db/read-item.ts';
import type { Condition } from '../db/condition.ts';
import type { Item } from '../db/contracts.ts';
import type { SkipReason } from './skip-reason.ts';

/** What became of an address. */
export type Outcome =
  /** In the index, new or changed; or as it was. */
  | 'stored'
  | 'unchanged'
  /** Another address has its content. */
  | 'duplicate'
  | 'redirected'
  /** 404 or 410. */
  | 'gone'
  /** robots.txt forbids to read it, or the page itself forbids to keep it. */
  | 'disallowed'
  | 'noindex'
  /** It leads to another site, or into a private network. */
  | 'offsite'
  | 'not_public'
  /** Any other refusal of the site. */
  | 'refused'
  | 'unsupported'
  | 'too_large'
  | 'empty'
  /** Its content takes too much time or memory, or breaks its parser. */
  | 'unreadable'
  /** No answer, however often it was asked. */
  | 'failed'
  /** A sitemap that has been read. */
  | 'listed'
  /** A page of an earlier crawl that stays as it is, because this one has found as many as it may keep. */
  | 'unasked'
  /** A link that is not followed: it is remembered for the report alone. */
  | 'passed_over';

/** What has become of a page. */
export interface Ending {
  readonly outcome: Outcome;
  readonly textHash: string | null;
  /** Hash of the address that is read in its place. */
  readonly gaveWayTo?: string;
  /** Of a page that names another of the site as its original: the hash of that, and a fingerprint of its own text. */
  readonly original?: string;
  readonly fingerprint?: string;
  /** Why the address was left out, where the outcome does not say it. */
  readonly reason?: SkipReason;
  /** A status, a type or an address, as the reason has it. */
  readonly detail?: string;
}

/** One address that a crawl knows of. */
export interface FrontierEntry {
  readonly hash: string;
  readonly key: string;
  readonly url: string;
  readonly kind: 'page' | 'sitemap';
  /**
   * Kin: a page of its own kind led here, as pages of a calendar do. Successor: another address gave its place to it.
   * Remembered: an earlier crawl has found it.
   */
  readonly foundAs: 'named' | 'kin' | 'successor' | 'remembered';
  /** Links from the first page. */
  readonly depth: number;
  /** Sorts addresses in the order in which they are read. */
  readonly rank: string;
  /** Redirects on the way here. */
  readonly redirects: number;
  /** Requests that failed for a passing reason. */
  readonly attempts: number;
  /** Not before; empty for at once. */
  readonly notBefore: string;
  /** Null while it waits. */
  readonly outcome: Outcome | null;
  /** Of what was read, where something was. */
  readonly textHash: string | null;
  /** Hash of the address that it leads to, or that is to be read in its place as long as that is not sure. */
  readonly gaveWayTo: string | null;
  /** Whether it is read whatever it names as its original, since that could not be. */
  readonly stands: boolean;
  /** Hash of the page of the site that it has named as its original, and a fingerprint of its text; null where it has named none. */
  readonly original: string | null;
  readonly fingerprint: string | null;
  /** Why it was left out; null while it waits, and for what is in the index or is no page. */
  readonly reason: SkipReason | null;
  readonly detail: string | null;
}

export const frontierPartition = (crawlId: string): string => `CRAWL#${crawlId}`;

export const entryPrefix = 'PAGE#';

export const entryKey = (crawlId: string, hash: string) => ({
  pk: frontierPartition(crawlId),
  sk: `${entryPrefix}${hash}`,
});

/** Stored in place of a reason with a page that has not been read yet. */
const waitingReason = 'waiting';

const reasonIn = (item: Item): SkipReason | null => {
  const reason = textOf(item, 'reason');
  return reason === waitingReason ? null : (reason as SkipReason | null);
};

/** Whether a report lists an address, if it is never read: pages of earlier crawls stay in the index then. */
export const isReported = ({ kind, outcome, reason, foundAs }: FrontierEntry): boolean =>
  kind === 'page' && (reason !== null || (outcome === null && foundAs !== 'remembered'));

/** That a report lists an item: also of what has not been read, where that is over. */
export const reported = (isOver: boolean): Condition => ({
  reason: isOver ? { exists: true } : [{ exists: true }, { ne: waitingReason }],
});

/** An address that was left out, as a report has it. */
export interface SkippedPage {
  readonly url: string;
  readonly reason: SkipReason;
  readonly detail: string | null;
}

/** @param unread The reason of an address that was never read. */
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
});
