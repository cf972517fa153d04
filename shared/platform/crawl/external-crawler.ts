import * as z from 'zod';
import { fetch } from 'undici';
import { isTransientStatus } from '../../kernel/http-status.ts';
import { readBounded } from '../../kernel/read-bounded.ts';

/** A page that an external crawler returned. */
export interface ExternalPage {
  readonly url: string;
  readonly title: string | null;
  /** Null if the page could not be read. */
  readonly markdown: string | null;
  /** HTTP status of its site; null if the service does not report it. */
  readonly status: number | null;
  /** Whether robots.txt disallows it. */
  readonly isDisallowed: boolean;
  /** Reason that the service reports for an unreadable page. */
  readonly error: string | null;
}

/** Status of a crawl at an external crawler. */
export interface ExternalStatus {
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled';
  readonly error: string | null;
  readonly pages: readonly ExternalPage[];
  /** Position of more pages; null if these are all so far. */
  readonly next: string | null;
}

/** External crawler with Firecrawl's HTTP interface. */
export interface ExternalCrawler {
  /** Whether new crawls use it. */
  isUsed(): Promise<boolean>;
  /**
   * Starts a crawl and returns its id. A retry with the same key starts no second crawl if the service supports
   * idempotency keys.
   */
  start(crawl: {
    readonly key: string;
    readonly url: string;
    readonly pageLimit: number;
    readonly maxDepth: number;
  }): Promise<string>;
  /** @param next Position that an earlier status returned. */
  status(id: string, next: string | null): Promise<ExternalStatus>;
  /** Cancels a crawl. A crawl that has ended or is unknown is no error. */
  cancel(id: string): Promise<void>;
}

/** A permanent error of the external crawler. The message is shown to the user. */
export class ExternalRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ExternalRefusal';
  }
}

const Started = z.object({ id: z.string().min(1) });

const PageMetadata = z.object({
  title: z.union([z.string(), z.array(z.string())]).nullish(),
  sourceURL: z.string().nullish(),
  url: z.string().nullish(),
  statusCode: z.number().nullish(),
});

const Status = z.object({
  status: z.string(),
  error: z.string().nullish(),
  next: z.string().nullish(),
  data: z
    .array(z.object({ markdown: z.string().nullish(), metadata: PageMetadata.nullish() }))
    .nullish()
    .transform((data) => data ?? []),
});

const statuses: Readonly<Record<string, ExternalStatus['status']>> = {
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

const Errors = z.object({
  errors: z.array(z.object({ url: z.string(), error: z.string().nullish() })),
  robotsBlocked: z.array(z.string()).nullish(),
});

const toPages = ({ data }: z.output<typeof Status>): readonly ExternalPage[] =>
  data.flatMap(({ markdown, metadata }) => {
    const url = metadata?.sourceURL ?? metadata?.url ?? null;
    if (url === null) return [];
    const status = metadata?.statusCode ?? null;
    const title = Array.isArray(metadata?.title) ? metadata.title[0] : metadata?.title;
    const isRead = (status ?? 200) < 400 && markdown != null && markdown.trim() !== '';
    return [
      { url, title: title ?? null, markdown: isRead ? markdown : null, status, isDisallowed: false, error: null },
    ];
  });

interface ExternalOptions {
  readonly isUsed: boolean;
  /** Base URL of `/crawl`, without a trailing slash: `https://api.firecrawl.dev/v2`. */
  readonly baseUrl: string;
  /** Returns the API key; empty for none. */
  readonly readKey: () => Promise<string>;
}

const requestMs = 30_000;
const maxResponseBytes = 64 * 1024 * 1024;
const tooLong = (): Error => new Error('the response of the external crawler is too large');

/** A 409 is retried: the service may be processing another request for the same crawl. */
const conflict = 409;

/**
 * Returns the path of the next page. It is requested from the same service only, since the request carries the API key.
 */
const nextPath = (baseUrl: string, next: string): string => {
  const { pathname, search } = new URL(next, `${baseUrl}/`);
  const base = new URL(`${baseUrl}/`).pathname;
  return `/${pathname.startsWith(base) ? pathname.slice(base.length) : pathname.replace(/^\//, '')}${search}`;
};

type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, key?: string) => Promise<unknown>;

/** Sends one request. Throws `ExternalRefusal` for a permanent error, and any other error for a transient one. */
const callOf =
  ({ baseUrl, readKey }: ExternalOptions): Call =>
  async (method, path, body, key = '') => {
    const secret = await readKey();
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        ...(secret === '' ? {} : { authorization: `Bearer ${secret}` }),
        ...(key === '' ? {} : { 'x-idempotency-key': key }),
      },
      signal: AbortSignal.timeout(requestMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status } = answer;
    if (status >= 200 && status < 300) {
      const bytes = await readBounded(answer.body, maxResponseBytes, tooLong);
      return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    }
    await answer.body?.cancel();
    if (status === conflict || isTransientStatus(status))
      throw new Error(`the external crawler responded with status ${status}`);
    throw new ExternalRefusal(`The external crawler rejected the request with status ${status}`);
  };

/** Returns pages that a crawl could not read. Empty if the service does not report them. */
const failuresOf = async (call: Call, id: string): Promise<readonly ExternalPage[]> => {
  try {
    const { errors, robotsBlocked } = Errors.parse(await call('GET', `/crawl/${encodeURIComponent(id)}/errors`));
    const unread = { title: null, markdown: null, status: null };
    return [
      ...errors.map(({ url, error }) => ({ ...unread, url, isDisallowed: false, error: error ?? null })),
      ...(robotsBlocked ?? []).map((url) => ({ ...unread, url, isDisallowed: true, error: null })),
    ];
  } catch (error) {
    if (error instanceof ExternalRefusal || error instanceof z.ZodError) return [];
    throw error;
  }
};

/** Calls a Firecrawl-compatible service. Source: Firecrawl, API reference v2, "Crawl" and "Get Crawl Errors". */
export const openExternalCrawler = (options: ExternalOptions): ExternalCrawler => {
  const { isUsed, baseUrl } = options;
  const call = callOf(options);
  return {
    isUsed: () => Promise.resolve(isUsed),
    start: async ({ key, url, pageLimit, maxDepth }) => {
      const body = {
        url,
        limit: pageLimit,
        maxDiscoveryDepth: maxDepth,
        allowExternalLinks: false,
        scrapeOptions: { formats: ['markdown'], onlyMainContent: true },
      };
      return Started.parse(await call('POST', '/crawl', body, key)).id;
    },
    status: async (id, next) => {
      const path = next === null ? `/crawl/${encodeURIComponent(id)}` : nextPath(baseUrl, next);
      const answer = Status.parse(await call('GET', path));
      const status = statuses[answer.status] ?? 'running';
      const isLast = status === 'completed' && answer.next == null;
      return {
        status,
        error: answer.error ?? null,
        pages: [...toPages(answer), ...(isLast ? await failuresOf(call, id) : [])],
        next: answer.next ?? null,
      };
    },
    cancel: async (id) => {
      try {
        await call('DELETE', `/crawl/${encodeURIComponent(id)}`);
      } catch (error) {
        if (!(error instanceof ExternalRefusal)) throw error;
      }
    },
  };
};
