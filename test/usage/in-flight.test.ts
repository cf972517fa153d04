import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTable } from '../../shared/db/table.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { type Plan, plans, type RequestWeight } from '../../shared/kernel/plans.ts';
import { recallWeight, searchWeight } from '../../shared/search/index.ts';
import { planTerms, rateLimiter } from '../../shared/usage/index.ts';
import { Cloud } from '../support/emulated-cloud.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

type RateLimiter = ReturnType<typeof rateLimiter.make>;

/** Functions that search for an organization and share nothing but the table. */
const newFunctions = (count: number): readonly RateLimiter[] =>
  Array.from({ length: count }, () => rateLimiter.make(cloud.runtime));

/** Begins a search. Returns how it is ended; null if it is refused for what is in flight. */
const begin = async (
  limiter: RateLimiter,
  organizationId: string,
  { plan = 'developer', weight }: { readonly plan?: Plan; readonly weight?: RequestWeight } = {},
): Promise<(() => Promise<void>) | null> => {
  const counted = await limiter.count(organizationId, ['requests', 'searches'], weight);
  try {
    await counted.enforce(planTerms[plan]);
    return () => counted.end();
  } catch (error) {
    await counted.end();
    assert.ok(error instanceof AppError && error.code === 'rate_limited', String(error));
    assert.equal(error.headers?.['retry-after'], '1');
    assert.equal(error.headers['ratelimit-limit'], String(plans[plan].inFlight.searches));
    return null;
  }
};

/** Moves the clock to the start of a minute, so that what follows is counted in one. */
const atMinute = (): void => cloud.advance(60.001 - ((cloud.runtime.clock.now().getTime() / 1000) % 60));

const newOrganization = (): string => newId('org', cloud.runtime.clock.now());

const bound = plans.developer.inFlight.searches;

test('an organization has no more searches in flight than its plan allows, and finished ones make room', async () => {
  atMinute();
  const [organizationId, other] = [newOrganization(), newOrganization()];
  const functions = newFunctions(bound + 8);
  for (let round = 0; round < 3; round += 1) {
    const ends: (() => Promise<void>)[] = [];
    for (const limiter of functions) {
      const end = await begin(limiter, organizationId);
      if (end !== null) ends.push(end);
    }
    assert.equal(ends.length, bound, `round ${round}`);
    assert.notEqual(await begin(rateLimiter.make(cloud.runtime), other), null);
    for (const end of ends) await end();
  }
});

test('searches that follow one another cost one write each, however many functions they were', async () => {
  atMinute();
  const organizationId = newOrganization();
  const functions = newFunctions(8);
  cloud.faults.arm(null);
  for (let search = 0; search < 80; search += 1) {
    const end = await begin(functions[search % 8] ?? rateLimiter.make(cloud.runtime), organizationId);
    await end?.();
  }
  assert.equal(cloud.faults.count, 80);
});

test('what killed functions had in flight is free again in the next minute', async () => {
  atMinute();
  const organizationId = newOrganization();
  for (const limiter of newFunctions(bound)) assert.notEqual(await begin(limiter, organizationId), null);
  const [next = rateLimiter.make(cloud.runtime)] = newFunctions(1);
  assert.equal(await begin(next, organizationId), null);
  cloud.advance(60);
  assert.notEqual(await begin(next, organizationId), null);
});

test('a search that begins in one minute and ends in the next is in flight no more', async () => {
  atMinute();
  const organizationId = newOrganization();
  const functions = newFunctions(bound);
  const begun = await Promise.all(functions.map((limiter) => begin(limiter, organizationId)));
  cloud.advance(60);
  for (const end of begun) await end?.();
  for (const limiter of newFunctions(bound)) assert.notEqual(await begin(limiter, organizationId), null);
});

test('heavy requests count as several, in flight and against the rate of a minute', async () => {
  atMinute();
  const organizationId = newOrganization();
  const weight = searchWeight('{"vector":[1],"exact":true}');
  const ends: ((() => Promise<void>) | null)[] = [];
  for (const limiter of newFunctions(8)) ends.push(await begin(limiter, organizationId, { weight }));
  assert.equal(ends.filter((end) => end !== null).length, Math.floor(bound / weight.inFlight));
  const minute = String(Math.floor(cloud.runtime.clock.now().getTime() / 60_000));
  const item = await openTable(cloud.runtime, 'usage').get({ pk: `RATE#${organizationId}#0`, sk: minute });
  assert.deepEqual([item?.['requests'], item?.['searches']], [8, 8 * weight.rate]);
});

test('the weight of a request depends on its body, however its fields are written', () => {
  const exact = { rate: 5, inFlight: 5 };
  assert.deepEqual(searchWeight('{"text":"exact"}'), { rate: 1, inFlight: 1 });
  assert.deepEqual(searchWeight('{"text":"a","exact":true}'), exact);
  assert.deepEqual(searchWeight(String.raw`{"\u0065xact":true}`), exact);
  assert.deepEqual(searchWeight('no json, exact'), { rate: 1, inFlight: 1 });
  assert.deepEqual(recallWeight('{}'), { rate: 240, inFlight: 8 });
  assert.deepEqual(recallWeight('{"queries":1}').rate, 12);
  assert.deepEqual(recallWeight('{"vectors":[[1],[2]],"queries":90}').rate, 24);
  assert.deepEqual(recallWeight('{"queries":null}').rate, 240);
  assert.deepEqual(recallWeight('{"queries":1e9}'), { rate: 1, inFlight: 1 });
});

test('a plan whose searches are counted in several places allows its bound of them in flight, about', async () => {
  atMinute();
  const organizationId = newOrganization();
  const allowed = plans.enterprise.inFlight.searches;
  let begun = 0;
  const functions = newFunctions(allowed + 100);
  // Each knows the plan after its first request.
  for (const limiter of functions) await (await begin(limiter, organizationId, { plan: 'enterprise' }))?.();
  for (const limiter of functions) {
    const counted = await limiter.count(organizationId, ['requests', 'searches']);
    begun += await counted.enforce(planTerms.enterprise).then(
      () => 1,
      () => 0,
    );
  }
  assert.ok(begun <= allowed && begun > allowed / 2, `${begun} of ${allowed}`);
});

test('requests of every rate have a limit in flight of their own', async () => {
  for (const key of ['requests', 'searches', 'vector_writes', 'file_jobs'] as const) {
    atMinute();
    const organizationId = newOrganization();
    const limiter = rateLimiter.make(cloud.runtime);
    const allowed = plans.developer.inFlight[key];
    const rates = key === 'requests' ? ([key] as const) : (['requests', key] as const);
    const ends: (() => Promise<void>)[] = [];
    let refusals = 0;
    for (let at = 0; at < allowed + 3; at += 1) {
      const counted = await limiter.count(organizationId, rates);
      try {
        await counted.enforce(planTerms.developer);
        ends.push(() => counted.end());
      } catch (error) {
        await counted.end();
        assert.ok(error instanceof AppError);
        assert.equal(error.headers?.['ratelimit-limit'], String(allowed), key);
        refusals += 1;
      }
    }
    assert.deepEqual([ends.length, refusals], [allowed, 3], key);
    for (const end of ends) await end();
    const next = await limiter.count(organizationId, rates);
    await next.enforce(planTerms.developer);
    await next.end();
  }
});
