/** One GET of a page, a sitemap or robots.txt. */
export interface PageRequest {
  readonly url: string;
  /** What an earlier answer said of its version; sent as conditions. */
  readonly etag?: string | null;
  readonly lastModified?: string | null;
  /** Value of the `Cookie` header. */
  readonly cookie?: string | null;
  /** Most bytes of a body with this content type; 0 reads none of it. */
  readonly limitBytes: (contentType: string) => number;
  /** Whether of a body that is longer its beginning is of use. */
  readonly keepsBeginning?: boolean;
  /** From the lookup to the last byte, in milliseconds, where that is less than a page may take. */
  readonly maxMs?: number;
}

/** Why there was no whole answer. */
export type FetchFailure = 'timeout' | 'address_not_allowed' | 'connection_failed';

/** What a site answered. */
export interface PageResponse {
  readonly status: number;
  /** As the site says; a PDF of which it says nothing is known by its first bytes. */
  readonly contentType: string;
  readonly location: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly retryAfter: string | null;
  readonly refresh: string | null;
  /** A line for each cookie. */
  readonly setCookies: readonly string[];
  /** A line for each header of the name. */
  readonly robotsTag: string | null;
  /** Decoded; null where it was not wanted or is longer than the limit. */
  readonly body: Uint8Array | null;
  /** Whether the body is longer than the limit for its type. */
  readonly tooLarge: boolean;
}

/** The public web as a crawl sees it. */
export interface WebClient {
  /** Fetches one address, follows no redirect, connects to no address that is not public, and never throws. */
  fetch(request: PageRequest): Promise<PageResponse | { readonly failure: FetchFailure }>;
  /** Lets time pass between two requests to a host. */
  wait(ms: number): Promise<void>;
}

/** What the crawler is called in robots.txt. */
export const crawlerToken = 'strata-crawler';

export const crawlerUserAgent = `Mozilla/5.0 (compatible; ${crawlerToken}/1.0)`;
