import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { siteSourceId } from '../../shared/crawls/index.ts';
import { openTable } from '../../shared/db/table.ts';
import { documentKey } from '../../shared/documents/record.ts';
import { plans } from '../../shared/kernel/plans.ts';
import { fileJobsKey, monthOf } from '../../shared/usage/items.ts';
import { openExternalCrawler } from '../../shared/platform/crawl/external-crawler.ts';
import { listening } from '../support/emulated-cloud.ts';
import { prose } from './site.ts';
import type { CrawlFixture } from './fixture.ts';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly key: string;
  readonly body: Record<string, unknown>;
}

const calls: Call[] = [];
let status = 'scraping';
let refuse = 0;
/** Names of all pages of the result, returned two at a time; null for a short crawl. */
let listed: string[] | null = null;
/** Titles of pages that are not called by their names. */
const titles = new Map<string, string>();
/** Names of pages that could not be read. */
let failing: string[] = [];
let baseUrl = '';
const base = () => `${baseUrl}/v2`;

const pageOf = (name: string, statusCode = 200) => ({
  markdown: `# ${name}\n\n${prose(name)}`,
  metadata: {
    title: titles.get(name) ?? name,
    sourceURL: `https://docs.example.com/${name}`,
    url: `https://docs.example.com/${name}`,
    statusCode,
  },
});

const answer = (path: string): object => {
  if (path.endsWith('/errors')) return { errors: failing.map((name) => ({ url: `https://docs.example.com/${name}` })) };
  if (listed !== null) {
    const from = Number(new URL(path, base()).searchParams.get('skip') ?? 0);
    const data = listed.slice(from, from + 2).map((name) => pageOf(name));
    const more = status !== 'completed' || from + 2 < listed.length;
    return { status, data, ...(more ? { next: `${base()}/crawl/abc-1?skip=${from + data.length}` } : {}) };
  }
  const done = status === 'completed';
  const common = {
    success: true,
    status,
    total: 4,
    completed: done ? 4 : 1,
    creditsUsed: 1,
    expiresAt: '2027-01-01T00:00:00Z',
  };
  if (path.includes('skip=2')) return { ...common, data: [pageOf('three'), pageOf('broken', 404), pageOf('one')] };
  // As behind a proxy that the service knows nothing of.
  const next = done ? `https://api.elsewhere.example/v2/crawl/abc-1?skip=2` : null;
  return { ...common, next, data: done ? [pageOf('one'), pageOf('two')] : [pageOf('one')] };
};

const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  let text = '';
  request.setEncoding('utf8').on('data', (part: string) => (text += part));
  request.on('end', () => {
    const path = request.url ?? '';
    const { authorization = '', 'x-idempotency-key': key = '' } = request.headers;
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    calls.push({ method: request.method ?? '', path, authorization, key: String(key), body });
    const send = (code: number, value: object): void => {
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (refuse > 0) send(refuse, { success: false, error: 'no' });
    else if (request.method === 'POST') send(200, { success: true, id: 'abc-1', url: `${base()}/crawl/abc-1` });
    else if (request.method === 'DELETE') send(200, { status: 'cancelled' });
    else send(200, answer(path));
  });
});

/** Crawls that a service with the interface of Firecrawl does. */
export const testExternalCrawler = (fixture: () => CrawlFixture): void => {
  after(() => server.close());
  test('an external crawl starts once, is polled, and stores every page once', async () => {
    const { app } = fixture();
    await fixture().clear();
    baseUrl = await listening(server);
    app.externalCrawler = openExternalCrawler({
      isUsed: true,
      baseUrl: base(),
      readKey: () => Promise.resolve('fc-secret'),
    });
    const id = await app.start('https://docs.example.com/', { page_limit: 3, max_depth: 2 });
    await app.turn();
    const begun = await app.get(id);
    assert.deepEqual([begun.status, begun.provider_job_id, begun.pages_found], ['running', 'abc-1', 0]);
    const [start] = calls;
    assert.deepEqual([start?.method, start?.path, start?.authorization], ['POST', '/v2/crawl', 'Bearer fc-secret']);
    assert.match(start?.key ?? '', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
    const { url, limit, maxDiscoveryDepth } = start?.body ?? {};
    assert.deepEqual([url, limit, maxDiscoveryDepth], ['https://docs.example.com/', 3, 2]);
    app.cloud.advance(20);
    await app.turn();
    assert.equal((await app.get(id)).pages_found, 1);
    status = 'completed';
    await app.crawlOn();
    const { status: end, pages_found, error } = await app.get(id);
    assert.deepEqual([end, pages_found, error], ['completed', 3, null]);
    assert.equal(calls.filter(({ method }) => method === 'POST').length, 1);
    assert.ok(calls.every(({ authorization }) => authorization === 'Bearer fc-secret'));
    await app.work();
    assert.deepEqual(
      await app.indexedUrls(),
      ['one', 'three', 'two'].map((name) => `https://docs.example.com/${name}`),
    );
    assert.equal(await app.countedPages(), 3);
  });

  test('a long external result is read once, and pages missing from it leave the index unless they could not be read', async () => {
    const { app } = fixture();
    await fixture().clear();
    app.externalCrawler = openExternalCrawler({ isUsed: true, baseUrl: base(), readKey: () => Promise.resolve('') });
    const crawl = async (names: readonly string[], limit = 20): Promise<readonly string[]> => {
      status = 'scraping';
      listed = names.slice(0, 3);
      calls.length = 0;
      const id = await app.start('https://docs.example.com/', { page_limit: limit, max_depth: 2 });
      for (const _ of [1, 2, 3]) {
        await app.turn();
        app.cloud.advance(20);
      }
      [listed, status] = [[...names], 'completed'];
      await app.crawlOn();
      assert.equal((await app.get(id)).status, 'completed');
      await app.work();
      return (await app.indexedUrls()).map((url) => url.replace('https://docs.example.com/', ''));
    };
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    assert.deepEqual(await crawl(names), names);
    const asked = (skip: string): number => calls.filter(({ path }) => path.endsWith(skip)).length;
    assert.deepEqual([asked('/crawl/abc-1'), asked('skip=2'), asked('skip=5')], [1, 1, 1]);
    failing = ['g'];
    assert.deepEqual(await crawl(['a', 'b', 'c', 'd', 'h']), ['a', 'b', 'c', 'd', 'g', 'h']);
    failing = [];
    // Pages beyond a limit may still exist.
    assert.deepEqual(await crawl(['a', 'b'], 2), ['a', 'b', 'c', 'd', 'g', 'h']);
    assert.deepEqual(await crawl(['a', 'b'], 3), ['a', 'b']);
    listed = null;
  });

  test('an external crawl does not start without remaining file jobs, and stops when none remain', async () => {
    const { app } = fixture();
    await fixture().clear();
    app.externalCrawler = openExternalCrawler({ isUsed: true, baseUrl: base(), readKey: () => Promise.resolve('') });
    [listed, status] = [['a', 'b', 'c'], 'scraping'];
    calls.length = 0;
    const { organizationId, plan } = app.sources.owner;
    const month = fileJobsKey(organizationId, monthOf(app.cloud.runtime.clock.now().toISOString()));
    const usage = openTable(app.cloud.runtime, 'usage');
    const setLeft = (count: number) =>
      usage.update(month, { set: { file_jobs: plans[plan].limits.file_jobs_per_month - count } });
    const asked = (): readonly string[] => calls.map(({ method, path }) => `${method} ${path}`);
    const crawl = async (left: number): Promise<readonly unknown[]> => {
      const before = await usage.get(month);
      await setLeft(left);
      const id = await app.start('https://docs.example.com/', { page_limit: 20 });
      await app.crawlOn();
      await usage.update(month, { set: { file_jobs: before?.['file_jobs'] ?? 0 } });
      const { status: end, error, pages_found } = await app.get(id);
      return [end, error, pages_found];
    };
    const refused = `The plan allows ${plans[plan].limits.file_jobs_per_month} file jobs a month`;
    assert.deepEqual(await crawl(0), ['failed', refused, 0]);
    assert.deepEqual(asked(), []);
    assert.deepEqual(await crawl(2), ['failed', refused, 2]);
    assert.deepEqual(asked(), [
      'POST /v2/crawl',
      'GET /v2/crawl/abc-1',
      'GET /v2/crawl/abc-1?skip=2',
      'DELETE /v2/crawl/abc-1',
    ]);
    calls.length = 0;
    listed = null;
  });

  test('an external crawl stores the pages of its paths with its metadata, and gets no headers', async () => {
    const { app } = fixture();
    await fixture().clear();
    app.externalCrawler = openExternalCrawler({ isUsed: true, baseUrl: base(), readKey: () => Promise.resolve('') });
    [listed, status, calls.length] = [['a', 'b'], 'completed', 0];
    const url = 'https://docs.example.com/';
    const refused = await app.start(url, { headers: { authorization: 'Bearer hunter2' } });
    await app.crawlOn();
    assert.equal((await app.get(refused)).error, 'The external crawler takes no headers');
    assert.deepEqual(calls, []);
    const metadata = { team: 'support' };
    const id = await app.start(url, { page_limit: 9, max_depth: 2, exclude_paths: ['/a'], metadata });
    await app.crawlOn();
    await app.work();
    assert.deepEqual(await app.indexedUrls(), [`${url}b`]);
    assert.deepEqual(
      (await app.skipped(id)).map(({ reason }) => reason),
      ['excluded'],
    );
    assert.ok((await app.sources.rows()).every((row) => row.metadata['team'] === 'support'));
    // Pages of other paths that an earlier crawl stored stay.
    listed = ['c'];
    await app.start(url, { page_limit: 9, max_depth: 2, include_paths: ['/c'] });
    await app.crawlOn();
    await app.work();
    assert.deepEqual(await app.indexedUrls(), [`${url}b`, `${url}c`]);
  });

  test('an endless title is cut, and a page that cannot be processed does not end an external crawl', async () => {
    const { app } = fixture();
    await fixture().clear();
    app.externalCrawler = openExternalCrawler({ isUsed: true, baseUrl: base(), readKey: () => Promise.resolve('') });
    titles.set('b', 'Title\n'.repeat(75_000));
    [listed, status] = [['a', 'b', 'c', 'd'], 'completed'];
    const { owner, indexId } = app.sources;
    const source = { organizationId: owner.organizationId, indexId, sourceId: siteSourceId('docs.example.com') };
    const documents = openTable(app.cloud.runtime, 'documents');
    const unreadable = documentKey(source, 'docs.example.com/c');
    await documents.put(unreadable);
    const crawl = async (): Promise<readonly [string, number]> => {
      const id = await app.start('https://docs.example.com/', { page_limit: 20 });
      await app.crawlOn();
      await app.work();
      const { status: end, pages_found } = await app.get(id);
      return [end, pages_found];
    };
    assert.deepEqual(await crawl(), ['completed', 3]);
    const kept = new Map((await app.sources.rows()).map(({ metadata }) => [metadata['url'], metadata['title']]));
    const url = (name: string): string => `https://docs.example.com/${name}`;
    assert.deepEqual(await app.indexedUrls(), ['a', 'b', 'd'].map(url));
    assert.equal(kept.get(url('b')), 'Title '.repeat(84).slice(0, 500));
    await documents.delete(unreadable);
    assert.deepEqual(await crawl(), ['completed', 4]);
    assert.deepEqual(await app.indexedUrls(), ['a', 'b', 'c', 'd'].map(url));
    listed = null;
  });

  test('a cancelled crawl is cancelled at the external crawler, and an error of the external crawler is reported', async () => {
    const { app } = fixture();
    status = 'scraping';
    const id = await app.start('https://docs.example.com/', { page_limit: 3 });
    await app.turn();
    await app.cancel(id);
    await app.crawlOn();
    assert.equal((await app.get(id)).status, 'cancelled');
    assert.deepEqual(
      calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path),
      ['/v2/crawl/abc-1'],
    );
    refuse = 402;
    const other = await app.start('https://docs.example.com/', {});
    await app.crawlOn();
    const { status: end, error } = await app.get(other);
    assert.deepEqual([end, error], ['failed', 'The external crawler rejected the request with status 402']);
  });
};
