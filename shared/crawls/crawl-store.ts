import type { StoredCookie } from '../platform/crawl/cookie-jar.ts';
import type { Ending, FrontierEntry } from './frontier-record.ts';
import type { CrawlAddress, CrawlRecord } from './record.ts';
import type { RememberedPage } from './site-memory.ts';
import type { SkipCounts } from './skip-reason.ts';

/** A crawl as whoever works on it sees it. */
export interface CrawlState extends CrawlRecord {
  /** Whoever held it last. */
  readonly holder: string | null;
  /** What it stays within; the first page's redirect may move it. */
  readonly site: string;
  /** The page that was counted last, and what became of it; null before the first. */
  readonly last: (Ending & { readonly hash: string }) | null;
  /** Hash of the address that a run was visiting when it died. */
  readonly fetching: string | null;
  /** Whether robots.txt was asked for sitemaps, and whether pages of earlier crawls were added. */
  readonly seeded: boolean;
  readonly revisited: boolean;
  /** Where the pages of an outside crawl go on; empty for its beginning. */
  readonly externalNext: string;
  /** Whether its pages are in the books. */
  readonly counted: boolean;
}

/** Another run has the crawl, or it has ended: nothing more is to be done for it here. */
export class LeaseLost extends Error {}

/** A crawl in the hands of one run. */
export interface CrawlLease {
  readonly address: CrawlAddress;
  /** The run's own name. */
  readonly holder: string;
}

/** How a crawl ends. */
export interface CrawlEnd {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly error: string | null;
  readonly skipped?: SkipCounts;
}

/**
 * Whether a host may be asked now. `busy`: it is the turn of another crawl, which ends at an unknown time within `waitMs`.
 * `resting`: the pause between two requests, or one that the site has asked for, lasts for `waitMs`.
 */
export type HostSlot = { readonly state: 'taken' } | { readonly state: 'busy' | 'resting'; readonly waitMs: number };

/** What a site's robots.txt said, as it was read for one crawl. */
export interface StoredRobots {
  readonly url: string;
  readonly text: string;
}

/**
 * The work on crawls. One run at a time holds a crawl; every change that counts holds only while it does, so that a run
 * that was taken for dead changes nothing more.
 */
export interface CrawlStore {
  /** Takes a crawl that nobody holds; null where somebody does, it is in the books, or it is gone. */
  claim(lease: CrawlLease): Promise<CrawlState | null>;
  /**
   * Holds a crawl for longer. Null where it was lost or has ended.
   * @param fetching Hash of the address that the run is about to fetch.
   */
  renew(lease: CrawlLease, fetching?: string): Promise<CrawlState | null>;
  /** Notes something that is not about a page. Null where the crawl was lost or has ended. */
  update(lease: CrawlLease, change: CrawlUpdate): Promise<CrawlState | null>;
  /** Counts a page, once. Null where the crawl was lost; a crawl that was cancelled meanwhile still counts it. */
  countPage(lease: CrawlLease, hash: string, ending: Ending): Promise<CrawlState | null>;
  /** `running` → its end. Null where the crawl was lost or has ended. */
  end(lease: CrawlLease, end: CrawlEnd): Promise<CrawlState | null>;
  /** `queued | running` → `failed`, whoever holds it. */
  fail(address: CrawlAddress, error: string): Promise<void>;
  /** Lets go; the sweep looks after it from `dueAt` on. */
  release(lease: CrawlLease, dueAt: Date): Promise<void>;
  /** All addresses of a crawl that is held: as a run of this process has left them, where no other has taken it since. */
  entries(lease: CrawlLease): AsyncIterable<FrontierEntry>;
  /** Remembers all addresses of a crawl, as they have been written, for the next run of this process. */
  cacheEntries(lease: CrawlLease, entries: readonly FrontierEntry[]): void;
  addEntry(crawlId: string, entry: FrontierEntry): Promise<void>;
  saveEntry(crawlId: string, entry: FrontierEntry): Promise<void>;
  robots(crawlId: string, origin: string): Promise<StoredRobots | null>;
  saveRobots(crawlId: string, origin: string, robots: StoredRobots): Promise<void>;
  cookies(crawlId: string): Promise<readonly StoredCookie[]>;
  saveCookies(crawlId: string, cookies: readonly StoredCookie[]): Promise<void>;
  /** Takes a host's turn for one request, for `busyMs` at most, or a place in the line of crawls that wait for it. */
  acquireHost(lease: CrawlLease, host: string, busyMs: number): Promise<HostSlot>;
  /** Gives up the place in the line. */
  leaveHostQueue(lease: CrawlLease, host: string): Promise<void>;
  /** Gives a host's turn back; the next one begins after a pause. Without effect where another run has the turn by now. */
  releaseHost(lease: CrawlLease, host: string, pauseMs: number): Promise<void>;
  remembered(site: MemoryAddress, hash: string): Promise<RememberedPage | null>;
  /** All pages of a site in order of their hashes: those after `place` first, then those up to it. */
  allRemembered(site: MemoryAddress, place?: string): AsyncIterable<RememberedPage>;
  /** Writes down a page as it is now; of its starts those that other crawls have added, too, as far as there is room. */
  remember(site: MemoryAddress, page: RememberedPage): Promise<void>;
  forget(site: MemoryAddress, hash: string): Promise<void>;
  /** Crawls that should have moved on by now, longest waiting first. */
  overdue(limit: number): Promise<readonly CrawlAddress[]>;
  /** Puts off the next look at a crawl; null where it is gone or done with. */
  postpone(address: CrawlAddress): Promise<CrawlRecord | null>;
}

export interface CrawlUpdate {
  readonly fetching?: string | undefined;
  readonly site?: string;
  readonly seeded?: boolean;
  readonly revisited?: boolean;
  readonly providerJobId?: string;
  readonly externalNext?: string;
  readonly skipped?: SkipCounts;
}

/** Where what is remembered of a site is kept. */
export interface MemoryAddress {
  readonly organizationId: string;
  readonly indexId: string;
  readonly site: string;
}
