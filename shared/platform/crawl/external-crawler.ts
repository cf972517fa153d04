import * as z from 'zod';
import { fetch } from 'undici';
import { isTransientStatus } from '../../kernel/http-status.ts';
import { readBounded } from '../../kernel/read-bounded.ts';

/** One page that an outside crawler came to. */
export interface ExternalPage {
  readonly url: string;
  readonly title: string | null;
  /** Null where the page could not be read. */
  readonly markdown: string | null;
  /** Status with which its site answered; null where the service does not say. */
  readonly status: number | null;
  /** Whether robots.txt forbids it. */
  readonly isDisallowed: boolean;
  /** Reason that the service gives for a page that it could not read. */
  readonly error: string | null;
}

/** Where a crawl at an outside crawler stands. */
export interface ExternalStatus {
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled';
  readonly error: string | null;
  readonly pages: readonly ExternalPage[];
  /** Where more pages are; null where these are all for now. */
  readonly next: string | null;
}

/** A crawler that does the work elsewhere, over Firecrawl's HTTP interface. */
export interface ExternalCrawler {
  /** Whether new crawls are to be given to it. */
  isUsed(): Promise<boolean>;
  /** Begins a crawl and gives its id; a repeat with the same key begins no second one where the service knows keys. */
  start(crawl: {
    readonly key: string;
    readonly url: string;
    readonly pageLimit: number;
    readonly maxDepth: number;
  }): Promise<string>;
  /** @param next Where a status before said that more pages are. */
  status(id: string, next: string | null): Promise<ExternalStatus>;
  /** Stops a crawl; one that has ended or is unknown is no error. */
  cancel(id: string): Promise<void>;
}

/** A refusal that no repeat would mend; the message is shown to the user. */
export class ExternalRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'OutsideRefusal';
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
  /** Where `/crawl` is, without a slash at the end: `https://api.firecrawl.dev/v2`. */
  readonly baseUrl: string;
  /** Gives the API key; empty for none. */
  readonly readKey: () => Promise<string>;
}

const requestMs = 30_000;
const maxResponseBytes = 64 * 1024 * 1024;
const tooLong = (): Error => new Error('the outside crawler answered too much at once');

/** Passes here, as far as anybody knows: the service may be at another request for the same crawl. */
const conflict = 409;

/** More pages are asked for at the same service alone, whatever an answer says: the key goes with the request. */
const nextPath = (baseUrl: string, next: string): string => {
  const { pathname, search } = new URL(next, `${baseUrl}/`);
  const base = new URL(`${baseUrl}/`).pathname;
  return `/${pathname.startsWith(base) ? pathname.slice(base.length) : pathname.replace(/^\//, '')}${search}`;
};

type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, key?: string) => Promise<unknown>;

/** Sends one request; throws `OutsideRefusal` where no repeat would mend the answer, and any other error where one may. */
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
    if (status === conflict || isTransientStatus(status)) throw new Error(`the outside crawler answered ${status}`);
    throw new ExternalRefusal(`The outside crawler refused the request with status ${status}`);
  };

/** Pages that a crawl could not read, which its result does not hold; none where the service does not tell. */
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
