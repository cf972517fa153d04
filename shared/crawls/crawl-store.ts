import type { StoredCookie } from '../platform/crawl/cookie-jar.ts';
import type { Ending, FrontierEntry } from './frontier-record.ts';
import type { CrawlAddress, CrawlRecord } from './record.ts';
import type { RememberedPage } from './site-memory.ts';
import type { SkipCounts } from './skip-reason.ts';

/** State of a crawl for its worker. */
export interface CrawlState extends CrawlRecord {
  /** Id of the run that leased it last. */
  readonly holder: string | null;
  /** Site of the crawl. A redirect of the first page may change it. */
  readonly site: string;
  /** The page that was counted last and its ending; null before the first. */
  readonly last: (Ending & { readonly hash: string }) | null;
  /** Hash of the address that a run is fetching, or was fetching when it crashed. Stored as `visiting`. */
  readonly fetching: string | null;
  /** Whether sitemaps were added, and whether pages of earlier crawls were added. */
  readonly seeded: boolean;
  readonly revisited: boolean;
  /** Position in the result of the external crawler; empty for its beginning. Stored as `outside_next`. */
  readonly externalNext: string;
  /** Whether its usage is recorded. */
  readonly counted: boolean;
}

/** The lease was lost: another run has it, or the crawl has ended. */
export class LeaseLost extends Error {}

/** Lease of a crawl by one run. */
export interface CrawlLease {
  readonly address: CrawlAddress;
  /** Id of the run. */
  readonly holder: string;
}

/** How a crawl ends. */
export interface CrawlEnd {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly error: string | null;
  readonly skipped?: SkipCounts;
}

/**
 * Result of acquiring a host. `busy`: another crawl uses it, for at most `waitMs`.
 * `resting`: the pause between two requests, or one that the site requested, lasts for `waitMs`.
 */
export type HostSlot = { readonly state: 'taken' } | { readonly state: 'busy' | 'resting'; readonly waitMs: number };

/** A site's robots.txt as it was fetched for one crawl. */
export interface StoredRobots {
  readonly url: string;
  readonly text: string;
}

/** Store of crawls for their worker. Only the run with the lease can change a crawl. */
export interface CrawlStore {
  /** Claims the lease of a crawl. Null if another run has it, its usage is recorded, or it does not exist. */
  claim(lease: CrawlLease): Promise<CrawlState | null>;
  /**
   * Renews the lease. Null if it was lost or the crawl has ended.
   * @param fetching Hash of the address that the run is about to fetch.
   */
  renew(lease: CrawlLease, fetching?: string): Promise<CrawlState | null>;
  /** Updates the crawl and renews the lease. Null if it was lost or the crawl has ended. */
  update(lease: CrawlLease, change: CrawlUpdate): Promise<CrawlState | null>;
  /** Counts a page once. Null if the lease was lost. A crawl that was cancelled meanwhile still counts it. */
  countPage(lease: CrawlLease, hash: string, ending: Ending): Promise<CrawlState | null>;
  /** `running` → its end. Null if the lease was lost or the crawl has ended. */
  end(lease: CrawlLease, end: CrawlEnd): Promise<CrawlState | null>;
  /** `queued | running` → `failed`, with or without a lease. */
  fail(address: CrawlAddress, error: string): Promise<void>;
  /** Releases the lease. The sweep resumes the crawl from `dueAt` on. */
  release(lease: CrawlLease, dueAt: Date): Promise<void>;
  /** Yields all frontier entries, from the cache if no other run has leased the crawl since. */
  entries(lease: CrawlLease): AsyncIterable<FrontierEntry>;
  /** Caches all entries, as written, for the next run of this process. */
  cacheEntries(lease: CrawlLease, entries: readonly FrontierEntry[]): void;
  addEntry(crawlId: string, entry: FrontierEntry): Promise<void>;
  saveEntry(crawlId: string, entry: FrontierEntry): Promise<void>;
  robots(crawlId: string, origin: string): Promise<StoredRobots | null>;
  saveRobots(crawlId: string, origin: string, robots: StoredRobots): Promise<void>;
  cookies(crawlId: string): Promise<readonly StoredCookie[]>;
  saveCookies(crawlId: string, cookies: readonly StoredCookie[]): Promise<void>;
  /** Acquires a host for one request and at most `busyMs`, or joins the queue of crawls that wait for it. */
  acquireHost(lease: CrawlLease, host: string, busyMs: number): Promise<HostSlot>;
  /** Leaves the queue of a host. */
  leaveHostQueue(lease: CrawlLease, host: string): Promise<void>;
  /** Releases a host; the next request may follow after a pause. Does nothing if another run has the host by now. */
  releaseHost(lease: CrawlLease, host: string, pauseMs: number): Promise<void>;
  remembered(site: MemoryAddress, hash: string): Promise<RememberedPage | null>;
  /** Yields all pages of a site by hash: those after `place` first, then those up to it. */
  allRemembered(site: MemoryAddress, place?: string): AsyncIterable<RememberedPage>;
  /** Stores a page. First pages that other crawls added are merged, up to a maximum. */
  remember(site: MemoryAddress, page: RememberedPage): Promise<void>;
  forget(site: MemoryAddress, hash: string): Promise<void>;
  /** Returns crawls that are overdue, longest waiting first. */
  overdue(limit: number): Promise<readonly CrawlAddress[]>;
  /** Postpones the next check of a crawl. Null if it does not exist or is done. */
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

/** Ids that address the memory of a site. */
export interface MemoryAddress {
  readonly organizationId: string;
  readonly indexId: string;
  readonly site: string;
}
