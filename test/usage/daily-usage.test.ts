import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { getIndexMetrics } from '../../functions/indexes/get-metrics.ts';
import { listDailyUsage } from '../../functions/organization/list-daily-usage.ts';
import { getOrganizationUsage } from '../../functions/organization/get-usage.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { lastRecallWrite } from '../../shared/search/last-recall.ts';
import {
  addDays,
  addHistograms,
  countMessages,
  dateOf,
  newUsageCounters,
  summarizeLatencies,
  usageWrite,
} from '../../shared/usage/index.ts';
import { bucketOf } from '../../shared/usage/latency-histogram.ts';
import { answerOf, callOk, machine, person } from '../support/call.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { randomFrom } from '../support/random.ts';
import { putReadyIndex } from '../support/ready-index.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

type Day = Readonly<Record<string, number>> & { readonly date: string; readonly index_id: string };

const holding = (vectors: number) => ({ vectors, denseBytes: 4 * vectors, sparseBytes: vectors, originalBytes: 0 });

test('the usage of the days of a month adds up to its usage, for an organization and for each index', async (t) => {
  const { runtime } = cloud;
  const { usage } = makeDeps({ usage: usageWrite }, runtime);
  const seed = 20261127;
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const organizationId = newId('org', runtime.clock.now());
  const owner = person(organizationId, 'owner');
  const indexes = [1, 2, 3].map(() => ({ id: newId('idx', runtime.clock.now()), held: 0, account: newUsageCounters }));
  const start = dateOf(runtime.clock.now());
  for (let day = 0; day < 34; day += 1) {
    for (const index of indexes) {
      const at = runtime.clock.now();
      if (random() < 0.4) {
        const written = Math.ceil(random() * 50);
        const used = { vectors_written: written, pages: 2, ocr_credits: 1, crawl_pages: 3, embedding_tokens: 7 };
        const message = { receiptId: `${day}`, used };
        index.account = countMessages({ usage: index.account, held: holding(index.held) }, [message], at.toISOString());
        index.held += written;
        await usage.saveIndex({ organizationId, id: index.id }, holding(index.held), index.account, at.toISOString());
      }
      if (random() < 0.4) await usage.countSearch(organizationId, index.id, 'dense', 5, Math.ceil(random() * 9));
      if (random() < 0.2) {
        const job = { id: newId('job', at), indexId: index.id, at, isStored: () => Promise.resolve(false) };
        await usage.reserveFileJob(organizationId, 'developer', job);
      }
    }
    cloud.advance(86_400);
  }
  const range = { from: start, to: addDays(start, 60) };
  const page = async (query: Readonly<Record<string, string>>, caller = owner) => {
    const { statusCode, body, headers } = await answerOf(runtime, listDailyUsage, caller, { query });
    assert.equal(statusCode, 200, body);
    return { days: JSON.parse(body) as readonly Day[], next: headers['x-next-cursor'] };
  };
  const { days, next } = await page({ ...range, limit: '1000' });
  assert.equal(next, undefined);
  const dates = days.map(({ date }) => date);
  assert.deepEqual(dates, dates.toSorted());
  assert.equal(dates.at(-1), dateOf(runtime.clock.now()));

  const figures = ['vectors_written', 'pages', 'ocr_credits', 'crawl_pages', 'embedding_tokens', 'file_jobs'];
  const sumsOf = (some: readonly Day[]) => {
    const sum = (name: string): number => some.reduce((total, day) => total + (day[name] ?? 0), 0);
    return [...figures, 'searches'].map(sum);
  };
  for (const month of new Set(dates.map((date) => date.slice(0, 7)))) {
    const inMonth = days.filter(({ date }) => date.startsWith(month));
    for (const [caller, some] of [
      [owner, inMonth],
      ...indexes.map(
        ({ id }) =>
          [{ ...machine(organizationId), indexIds: [id] }, inMonth.filter(({ index_id: of }) => of === id)] as const,
      ),
    ] as const) {
      const told = await callOk(runtime, getOrganizationUsage, caller, { query: { month } });
      const { dense } = told['searches'] as { readonly dense: number };
      assert.deepEqual(sumsOf(some), [...figures.map((name) => told[name]), dense], month);
      const last = some.filter(({ date }) => date === some.at(-1)?.date);
      assert.equal(
        last.reduce((sum, { vectors = 0 }) => sum + vectors, 0),
        told['vectors_stored'],
        month,
      );
    }
  }
  const paged: Day[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const found = await page({ ...range, limit: '17', ...(cursor === '' ? {} : { cursor }) });
    paged.push(...found.days);
    cursor = found.next;
  }
  assert.deepEqual(paged, days);
  const [one] = indexes;
  const ofOne = days.filter(({ index_id: id }) => id === one?.id);
  assert.deepEqual((await page({ ...range, limit: '1000', index_id: one?.id ?? '' })).days, ofOne);
  const restricted = { ...machine(organizationId), indexIds: [one?.id ?? ''] };
  assert.deepEqual((await page({ ...range, limit: '1000' }, restricted)).days, ofOne);
});

test('the metrics of an index contain the latencies that its counts stored and its last recall', async () => {
  const { runtime, faults } = cloud;
  const { usage, recall } = makeDeps({ usage: usageWrite, recall: lastRecallWrite }, runtime);
  const owner = person(newId('org', runtime.clock.now()), 'owner');
  const { organizationId } = owner;
  const id = await putReadyIndex(runtime, organizationId);
  const metrics = () => callOk(runtime, getIndexMetrics, owner, { path: { index_id: id } });
  const none = { all: null, dense: null, sparse: null, hybrid: null };
  const unused = await metrics();
  assert.deepEqual([unused['search_latency'], unused['last_recall']], [none, null]);
  faults.arm(null);
  for (const [mode, ms] of [
    ['dense', 10],
    ['dense', 10],
    ['sparse', 2],
  ] as const) {
    usage.recordLatency(organizationId, id, mode, ms);
    const undo = await usage.countSearch(organizationId, id, mode, 0);
    if (mode === 'sparse') await undo();
  }
  // One write for each count, and one that undoes the last.
  assert.equal(faults.count, 4);
  const latencies = { queries: 1, recall: 1, lowest: 1, default_search: { p50_ms: 1, p95_ms: 1 } };
  const measured = (measuredAt: string, topK: number, key: string) => {
    const comparison = { ...latencies, exact_search: latencies.default_search };
    const filtered = { ...comparison, filter: { [key]: 'tea' }, matches: 1 };
    const common = { seed: 1, vectors: 9, searches: 4, took_ms: 5, unfiltered: comparison, filtered };
    return { measured_at: measuredAt, top_k: topK, ...common };
  };
  const index = { organizationId, id };
  await recall.save(index, measured('2026-01-02T00:00:00.000Z', 7, 'topic'));
  // A measurement that ended earlier.
  await recall.save(index, measured('2026-01-01T00:00:00.000Z', 8, 'topic'));
  const used = await metrics();
  const { all, dense, sparse, hybrid } = used['search_latency'] as Record<string, { measured: number; p50_ms: number }>;
  assert.deepEqual([all?.measured, dense?.measured, sparse?.measured, hybrid], [3, 2, 1, null]);
  assert.ok(Math.abs((dense?.p50_ms ?? 0) - 10) < 2.6, String(dense?.p50_ms));
  const days = used['days'] as readonly { searches: number; search_latency: unknown }[];
  assert.deepEqual([days.length, days.at(-1)?.searches, days.at(-1)?.search_latency], [30, 2, all]);
  assert.deepEqual(used['last_recall'], measured('2026-01-02T00:00:00.000Z', 7, 'topic'));
  await recall.save(index, measured('2026-01-03T00:00:00.000Z', 9, 'long'.repeat(2_000)));
  const last = (await metrics())['last_recall'] as { top_k: number; filtered: { filter: unknown } };
  assert.deepEqual([last.top_k, last.filtered.filter], [9, null]);
  await usage.releaseIndex(organizationId, id);
  assert.equal((await metrics())['last_recall'], null);
});

test('a range of more than 92 days, or one that ends before it begins, is refused', async () => {
  const owner = person(newId('org', cloud.runtime.clock.now()), 'owner');
  const statusOf = async (query: Readonly<Record<string, string>>) =>
    (await answerOf(cloud.runtime, listDailyUsage, owner, { query })).statusCode;
  assert.equal(await statusOf({ from: '2026-01-01', to: '2026-04-02' }), 200);
  assert.equal(await statusOf({ from: '2026-01-01', to: '2026-04-03' }), 422);
  assert.equal(await statusOf({ from: '2026-01-02', to: '2026-01-01' }), 422);
  assert.equal(await statusOf({ from: '2026-02-30', to: '2026-03-01' }), 422);
});

test('percentiles of a latency histogram differ from the exact ones by less than a bucket', () => {
  const random = randomFrom(7);
  // Milliseconds between 0.1 and 10,000, evenly by their logarithm.
  const latencies = Array.from({ length: 5_000 }, () => 10 ** (random() * 5 - 1)).toSorted((one, other) => one - other);
  const summary = summarizeLatencies(addHistograms(latencies.map((ms) => new Map([[bucketOf(ms), 1]]))));
  assert.equal(summary?.measured, latencies.length);
  for (const [share, ms] of [
    [0.5, summary.p50_ms],
    [0.95, summary.p95_ms],
    [0.99, summary.p99_ms],
  ] as const) {
    const exact = latencies[Math.ceil(share * latencies.length) - 1] ?? 0;
    assert.ok(ms / exact < 2 ** (1 / 3) && exact / ms < 2 ** (1 / 3), `${ms} instead of ${exact}`);
  }
  assert.equal(summarizeLatencies(new Map()), null);
  assert.deepEqual([0, 0.5, 1, 1e9].map(bucketOf), [0, 0, 3, 48]);
});
