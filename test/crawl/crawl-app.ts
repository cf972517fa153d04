import type { LookupAddress } from 'node:dns';
import { join } from 'node:path';
import { cancelCrawlJob } from '../../functions/crawls/cancel.ts';
import { createCrawlJob } from '../../functions/crawls/create.ts';
import { listSkippedPages } from '../../functions/crawls/list-skipped.ts';
import { getCrawlJob } from '../../functions/crawls/get.ts';
import { deleteFile } from '../../functions/files/delete.ts';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import { sweepCrawls } from '../../functions/workers/crawl/schedule.ts';
import { crawl } from '../../functions/workers/crawl/worker.ts';
import { openTable } from '../../shared/db/table.ts';
import { indexesRead } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { openWebClient } from '../../shared/platform/crawl/web-client.ts';
import type { ExternalCrawler } from '../../shared/platform/crawl/external-crawler.ts';
import { createSiteReader } from '../../shared/platform/crawl/site-reader.ts';
import type { WebClient } from '../../shared/platform/crawl/port.ts';
import type { Fault } from '../support/emulated-cloud.ts';
import { packages } from '../../packages/documents/test/extract/read.ts';
import { SyncFixture } from '../connectors/sync-fixture.ts';

/** A crawl as the API returns it. */
export interface CrawlAnswer {
  readonly id: string;
  readonly status: string;
  readonly pages_found: number;
  readonly error: string | null;
  readonly provider_job_id: string | null;
  readonly pages_skipped: number;
  readonly skipped_reasons: Readonly<Record<string, number>>;
}

/** An address that a crawl has left out. */
export interface SkippedPage {
  readonly url: string;
  readonly reason: string;
  readonly detail: string | null;
}

interface Options {
  /** The one address of this machine that crawls may read. */
  readonly localAddress: string;
  readonly resolve: (hostname: string) => Promise<readonly LookupAddress[]>;
}

const thisMachine: LookupAddress = { address: '127.0.0.1', family: 4 };

/** Names of a test: everything under example.com is on this machine, inner.example.com in a private network. */
export const testNames = (hostname: string): Promise<readonly LookupAddress[]> =>
  Promise.resolve([hostname === 'inner.example.com' ? { address: '10.1.2.3', family: 4 } : thisMachine]);

/** How the sources of the site reader run in place of their bundle. */
export const siteReaderSources = {
  assetsDirectory: packages,
  processPath: join(import.meta.dirname, 'run-site-reader.ts'),
  codeDirectory: join(import.meta.dirname, '../..'),
} as const;

/** Crawls of one organization over emulators of all that they talk to; time passes where a crawl waits. */
export class CrawlApp {
  readonly sources: SyncFixture;
  private readonly web: WebClient;
  reader = createSiteReader(siteReaderSources);
  /** External crawler of the deployment; null for the built-in one. */
  externalCrawler: ExternalCrawler | null = null;

  private constructor(sources: SyncFixture, options: Options) {
    this.sources = sources;
    const { localAddress, resolve } = options;
    this.web = {
      ...openWebClient({ timeoutMs: 60_000, localAddress, resolve }),
      wait: (ms) => this.wait(ms),
    };
  }

  /** Runs of the worker at this moment, and those of them that wait for a time. */
  private running = 0;
  private readonly waiting: { readonly at: number; readonly wake: () => void }[] = [];

  private now(): number {
    return this.cloud.runtime.clock.now().getTime();
  }

  private wait(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.waiting.push({ at: this.now() + ms, wake });
      this.passTime();
    });
  }

  /** Advances the clock to the end of the shortest wait once all runs wait. */
  private passTime(): void {
    if (this.waiting.length === 0 || this.waiting.length < this.running) return;
    const first = Math.min(...this.waiting.map(({ at }) => at));
    this.cloud.advance(Math.max(0, first - this.now()) / 1000);
    const [next] = this.waiting.splice(
      this.waiting.findIndex(({ at }) => at === first),
      1,
    );
    next?.wake();
  }

  static async open(options: Options): Promise<CrawlApp> {
    return new CrawlApp(await SyncFixture.open(), options);
  }

  close(): Promise<void> {
    return this.sources.close();
  }

  get cloud() {
    return this.sources.cloud;
  }

  async start(url: string, options: object = {}) {
    const { indexId } = this.sources;
    const answer = await this.sources.call(createCrawlJob, { index_id: indexId }, { url, ...options });
    return answer['id'] as string;
  }

  private path = (id: string) => ({ index_id: this.sources.indexId, crawl_id: id });

  async get(id: string): Promise<CrawlAnswer> {
    return (await this.sources.call(getCrawlJob, this.path(id))) as unknown as CrawlAnswer;
  }

  /** All that a crawl reports as left out, in order of the addresses. */
  async skipped(id: string): Promise<readonly SkippedPage[]> {
    const pages = (await this.sources.call(listSkippedPages, this.path(id))) as unknown as readonly SkippedPage[];
    return pages.toSorted((one, other) => one.url.localeCompare(other.url));
  }

  async cancel(id: string): Promise<void> {
    await this.sources.call(cancelCrawlJob, this.path(id));
  }

  deps() {
    const external = this.externalCrawler === null ? {} : { externalCrawler: this.externalCrawler };
    const made = makeDeps(crawl.uses, this.cloud.runtime);
    return {
      ...made,
      ...this.sources.documentDeps(),
      indexes: made['indexes'],
      web: this.web,
      reader: this.reader,
      ...external,
    };
  }

  /** One run of the worker for a message. */
  async deliver(body: unknown): Promise<void> {
    // As long as a run of the worker has.
    const run = { ...this.cloud.run(), remainingMs: () => crawl.timeoutSeconds * 1_000 };
    const delivery = { message: crawl.message.parse(body) as unknown, messageId: 'message', attempt: 1 };
    this.running += 1;
    try {
      await crawl.handle({ deliveries: [delivery], deps: this.deps(), run });
    } finally {
      this.running -= 1;
      this.passTime();
    }
  }

  /** One run of the worker for each message that waits. */
  async turn(): Promise<number> {
    const messages = this.cloud.take('crawl');
    for (const { body } of messages) await this.deliver(body);
    return messages.length;
  }

  async sweep(): Promise<void> {
    await this.cloud.tick(sweepCrawls);
  }

  /** Works on crawls alone, as many at once as have messages, until none has any for now or soon. */
  async crawlTogether(): Promise<void> {
    while ((await this.deliverTogether()) > 0 || this.cloud.delayed('crawl') > 0) this.cloud.advance(1);
  }

  private async deliverTogether(): Promise<number> {
    const messages = this.cloud.take('crawl');
    await Promise.all(messages.map(({ body }) => this.deliver(body)));
    return messages.length;
  }

  /** Works on crawls alone until nothing waits any more, also for later. */
  async crawlOn(): Promise<void> {
    for (let idle = 0; idle < 2;) {
      for (;;) {
        const waits = this.cloud.delayed('crawl') > 0;
        if (waits) this.cloud.advance(60);
        if ((await this.turn()) === 0) break;
        idle = 0;
      }
      await this.sources.work([indexWriter]);
      this.cloud.advance(1_200);
      await this.sweep();
      idle += 1;
    }
  }

  /** Applies what waits in the logs of indexes. */
  applyLog(): Promise<void> {
    return this.sources.work([indexWriter]);
  }

  /** Deletes one page's file as a person may; its address. */
  async loseOne(): Promise<string> {
    const { organizationId } = this.sources.owner;
    const { indexId } = this.sources;
    const pk = `INDEX#${organizationId}#${indexId}`;
    const [item] = await Array.fromAsync(openTable(this.cloud.runtime, 'files').all(pk));
    const job_id = item?.sk ?? '';
    const deleting = this.sources.call(deleteFile, { index_id: indexId, job_id });
    const ended = new AbortController();
    const end = deleting.finally(() => ended.abort());
    while (!ended.signal.aborted) await this.work();
    await end;
    return (JSON.parse(item?.['metadata'] as string) as { url: string }).url;
  }

  /** Brings what was crawled into the index. */
  work(): Promise<void> {
    return this.sources.work();
  }

  dieAt(fault: Fault, act: () => Promise<unknown>): Promise<boolean> {
    return this.sources.dieAt(fault, act);
  }

  /** Addresses of the pages that have file jobs, each as often as it has one. */
  async storedUrls(): Promise<readonly string[]> {
    const pk = `INDEX#${this.sources.owner.organizationId}#${this.sources.indexId}`;
    const items = await Array.fromAsync(openTable(this.cloud.runtime, 'files').all(pk));
    return items
      .map((item) => (JSON.parse(item['metadata'] as string) as { url: string }).url)
      .toSorted((a, b) => a.localeCompare(b));
  }

  /** Addresses of the pages whose rows are in the index. */
  async indexedUrls(): Promise<readonly string[]> {
    const urls = (await this.sources.rows()).map(({ metadata }) => metadata['url'] as string);
    return [...new Set(urls)].toSorted((a, b) => a.localeCompare(b));
  }

  /** Pages of crawls that are in the books. */
  async countedPages(): Promise<number> {
    const { indexes } = makeDeps({ indexes: indexesRead }, this.cloud.runtime);
    const index = await indexes.get(this.sources.owner.organizationId, this.sources.indexId);
    return index?.usage.totals.crawl_pages ?? 0;
  }
}
