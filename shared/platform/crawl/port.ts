/** One GET of a page, a sitemap or robots.txt. */
export interface PageRequest {
  readonly url: string;
  /** Validators of an earlier response, sent as conditions. */
  readonly etag?: string | null;
  readonly lastModified?: string | null;
  /** Headers of the user for this address, by name in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Value of the `Cookie` header. */
  readonly cookie?: string | null;
  /** Returns the maximum bytes of a body with a content type; 0 reads none of it. */
  readonly limitBytes: (contentType: string) => number;
  /** Whether to return the beginning of a body that is too large. */
  readonly keepsBeginning?: boolean;
  /** Timeout from the DNS lookup to the last byte, in milliseconds, if shorter than the default. */
  readonly maxMs?: number;
}

/** Reason for a missing or incomplete response. */
export type FetchFailure = 'timeout' | 'address_not_allowed' | 'connection_failed';

/** Response of a site. */
export interface PageResponse {
  readonly status: number;
  /** As the site declares it. A PDF without a declared type is detected by its first bytes. */
  readonly contentType: string;
  readonly location: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly retryAfter: string | null;
  readonly refresh: string | null;
  /** One entry for each cookie. */
  readonly setCookies: readonly string[];
  /** One line for each header with this name. */
  readonly robotsTag: string | null;
  /** Decoded; null if it was not requested or exceeds the limit. */
  readonly body: Uint8Array | null;
  /** Whether the body exceeds the limit of its type. */
  readonly tooLarge: boolean;
}

/** Client of the public web. */
export interface WebClient {
  /** Fetches one address. Follows no redirect, connects to public addresses only, and never throws. */
  fetch(request: PageRequest): Promise<PageResponse | { readonly failure: FetchFailure }>;
  /** Waits between two requests to a host. */
  wait(ms: number): Promise<void>;
}

/** User agent of the crawler in robots.txt. */
export const crawlerToken = 'strata-crawler';

export const crawlerUserAgent = `Mozilla/5.0 (compatible; ${crawlerToken}/1.0)`;
