import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTable } from '../../shared/db/table.ts';
import { inParallel } from '../../shared/kernel/in-parallel.ts';
import { type Plan, plans, type RateLimitKey } from '../../shared/kernel/plans.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { planTerms, rateLimiter } from '../../shared/usage/index.ts';
import { Cloud } from '../support/emulated-cloud.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const clients = 8;
const plan = 'developer';

test('eight clients together are allowed the requests of the plan, and responses say when to retry', async () => {
  const organizationId = newId('org', cloud.runtime.clock.now());
  const limit = plans[plan].rateLimits.file_jobs;
  const refusals: AppError[] = [];
  let [asked, accepted] = [0, 0];
  // Each client is a function of its own, which remembers nothing of the others.
  const client = async (): Promise<void> => {
    const limiter = rateLimiter.make(cloud.runtime);
    while (asked < limit + 60) {
      asked += 1;
      const counted = await limiter.count(organizationId, ['requests', 'file_jobs']);
      try {
        await counted.enforce(planTerms[plan]);
        accepted += 1;
      } catch (error) {
        assert.ok(error instanceof AppError);
        refusals.push(error);
      } finally {
        await counted.end();
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  assert.deepEqual([accepted, refusals.length], [limit, asked - limit]);
  const leftSeconds = 60 - cloud.runtime.clock.now().getUTCSeconds();
  for (const { code, headers } of refusals) {
    assert.equal(code, 'rate_limited');
    assert.deepEqual(headers, {
      'retry-after': String(leftSeconds),
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(leftSeconds),
    });
  }
  cloud.advance(leftSeconds);
  const next = await rateLimiter.make(cloud.runtime).count(organizationId, ['requests', 'file_jobs']);
  assert.equal((await next.enforce(planTerms[plan]))['ratelimit-remaining'], String(limit - 1));
});

/** An organization on whose items of the minute so much of every rate is left. */
const organizationWith = async (large: Plan, left: number) => {
  const organizationId = newId('org', cloud.runtime.clock.now());
  const minute = String(Math.floor(cloud.runtime.clock.now().getTime() / 60_000));
  const [table, { rateLimits }] = [openTable(cloud.runtime, 'usage'), plans[large]];
  const shards = rateLimits.requests / 30_000;
  for (let shard = 0; shard < shards; shard += 1) {
    const used = (rate: RateLimitKey): number => Math.min(30_000, rateLimits[rate]) - left;
    const counts = { requests: used('requests'), searches: used('searches'), vector_writes: used('vector_writes') };
    await table.put({ pk: `RATE#${organizationId}#${shard}`, sk: minute, ...counts, file_jobs: used('file_jobs') });
  }
  /** Remaining requests that each of `requests` responses reports; null for a refused request. */
  const ask = async (kind: RateLimitKey, requests: number): Promise<readonly (number | null)[]> => {
    const limiter = rateLimiter.make(cloud.runtime);
    const rates = kind === 'requests' ? ([kind] as const) : (['requests', kind] as const);
    return inParallel(Array.from({ length: requests }), 8, async () => {
      const counted = await limiter.count(organizationId, rates);
      try {
        return Number((await counted.enforce(planTerms[large]))['ratelimit-remaining']);
      } catch (error) {
        assert.ok(error instanceof AppError && error.code === 'rate_limited');
        return null;
      } finally {
        await counted.end();
      }
    });
  };
  return { ask, shards };
};

const admitted = (told: readonly (number | null)[]): number => told.filter((left) => left !== null).length;

for (const large of ['scale', 'enterprise'] as const) {
  test(`the plan ${large} lets through every request that it promises, and not one more`, async () => {
    for (const kind of ['requests', 'searches', 'vector_writes', 'file_jobs'] as const) {
      const { ask } = await organizationWith(large, 6);
      const shards = Math.ceil(plans[large].rateLimits[kind] / 30_000);
      assert.equal(admitted(await ask(kind, 6 * shards + 30)), 6 * shards, kind);
      // Another process, which knows nothing of that.
      assert.equal(admitted(await ask(kind, 5)), 0, kind);
    }
  });
}

test('searches and writes together use up what the plan promises for all requests', async () => {
  const { ask, shards } = await organizationWith('scale', 5);
  assert.deepEqual([admitted(await ask('searches', 5)), admitted(await ask('vector_writes', 5))], [5, 5]);
  assert.equal(admitted(await ask('requests', 10)), 5 * shards - 10);
});

test('the remainder of a rate that one item can count is reported exactly, at one write for each request', async () => {
  const { ask } = await organizationWith('scale', 20);
  cloud.faults.arm(null);
  const told = await ask('file_jobs', 20);
  assert.equal(cloud.faults.count, 20);
  assert.deepEqual(
    told.toSorted((one, other) => Number(other) - Number(one)),
    Array.from({ length: 20 }, (_, at) => 19 - at),
  );
});

test('at a high rate, a process counts more and more requests in one write, and still reports the exact remainder', async () => {
  const organizationId = newId('org', cloud.runtime.clock.now());
  const [limiter, rates] = [rateLimiter.make(cloud.runtime), ['requests', 'searches'] as const];
  const limit = plans.scale.rateLimits.searches;
  const left = async (): Promise<number> => {
    const counted = await limiter.count(organizationId, rates);
    const headers = await counted.enforce(planTerms.scale);
    await counted.end();
    return Number(headers['ratelimit-remaining']);
  };
  // The plan is not known at the first request.
  assert.equal(await left(), limit - 1);
  cloud.faults.arm(null);
  for (let asked = 2; asked <= 48; asked += 1) assert.equal(await left(), limit - asked);
  // 1, 2, 4, 8, 16 and 16 of them.
  assert.equal(cloud.faults.count, 6);
  const other = await rateLimiter.make(cloud.runtime).count(organizationId, rates);
  assert.equal((await other.enforce(planTerms.scale))['ratelimit-remaining'], String(limit - 49));
  cloud.advance(60);
  assert.equal(await left(), limit - 1);
});
