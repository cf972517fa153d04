import { flagOf, textOf } from '../db/read-item.ts';
import type { Item } from '../db/contracts.ts';

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
  | 'listed';

/** What has become of a page. */
export interface Ending {
  readonly outcome: Outcome;
  readonly textHash: string | null;
  /** Hash of the address that is read in its place. */
  readonly gaveWayTo?: string;
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
  readonly hops: number;
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
}

export const frontierPartition = (crawlId: string): string => `CRAWL#${crawlId}`;

export const entryKey = (crawlId: string, hash: string) => ({ pk: frontierPartition(crawlId), sk: `PAGE#${hash}` });

export const toEntry = (item: Item): FrontierEntry => ({
  hash: item.sk.slice('PAGE#'.length),
  key: item['key'] as string,
  url: item['url'] as string,
  kind: item['kind'] as FrontierEntry['kind'],
  foundAs: (item['found_as'] as FrontierEntry['foundAs'] | undefined) ?? 'named',
  depth: item['depth'] as number,
  rank: item['rank'] as string,
  hops: item['hops'] as number,
  attempts: item['attempts'] as number,
  notBefore: item['not_before'] as string,
  outcome: (item['outcome'] as Outcome | undefined) ?? null,
  textHash: textOf(item, 'text_hash'),
  gaveWayTo: textOf(item, 'gave_way_to'),
  stands: flagOf(item, 'stands'),
});

export const toEntryAttributes = (entry: FrontierEntry) => ({
  key: entry.key,
  url: entry.url,
  kind: entry.kind,
  found_as: entry.foundAs,
  depth: entry.depth,
  rank: entry.rank,
  hops: entry.hops,
  attempts: entry.attempts,
  not_before: entry.notBefore,
  ...(entry.outcome === null ? {} : { outcome: entry.outcome }),
  ...(entry.textHash === null ? {} : { text_hash: entry.textHash }),
  ...(entry.gaveWayTo === null ? {} : { gave_way_to: entry.gaveWayTo }),
  ...(entry.stands ? { stands: true } : {}),
});
