import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../shared/kernel/clock.ts';
import { readConfig } from '../../shared/kernel/config.ts';
import { silentLogger } from '../../shared/kernel/log.ts';
import { openOrganizations } from '../../shared/organizations/index.ts';
import { ask, headersOf, newIndex, newPerson } from '../contract/support/fixture.ts';
import { openContractService } from '../contract/support/service.ts';

/*
 * One key of an organization searches at full load, above its limit in flight. Another key sends 500 searches at once. None
 * of them may fail, and none of the first key may be refused by another limit than its own.
 */

const searchesAtOnce = 500;
const loaders = 150;
const inFlight = 100;

const service = await openContractService();
const send = service.overHttp;

/** Sends a search. Returns its status, and the detail of an error. */
const search = async (bearer: string, index: string): Promise<string> => {
  const { status, text } = await send({
    method: 'POST',
    url: `/v1/indexes/${index}/search/dense`,
    headers: headersOf(bearer, 'application/json'),
    body: JSON.stringify({ vector: [1, 0, 0] }),
  });
  return status === 200 ? '200' : `${status} ${String((JSON.parse(text) as { detail: unknown }).detail)}`;
};

const countOf = (outcomes: readonly string[]): string =>
  Object.entries(Object.groupBy(outcomes, (outcome) => outcome))
    .map(([outcome, all = []]) => `${all.length} × ${outcome}`)
    .join(', ');

try {
  const { bearer: owner, organizationId } = await newPerson(service, service.inProcess);
  const runtime = { config: readConfig(process.env), clock: systemClock, log: silentLogger };
  await openOrganizations(runtime).setPlan(organizationId, 'enterprise');
  const index = await newIndex(send, owner, 'shared by keys');
  const rows = ['a', 'b'].map((tenant) => ({ id: `${tenant}:1`, vector: [1, 0, 0], metadata: { tenant } }));
  await ask(send, owner, 'POST', `/v1/indexes/${index}/vectors`, rows);
  const newKey = async (tenant: string, limits: object): Promise<string> =>
    (
      await ask(send, owner, 'POST', '/v1/api-keys', {
        name: tenant,
        permissions: ['read'],
        index_ids: [index],
        filter: { tenant },
        ...limits,
      })
    ).token;
  const [loading, calm] = [await newKey('a', { in_flight: inFlight }), await newKey('b', {})];
  const loaded: string[] = [];
  const over = new AbortController();
  const load = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const outcome = await search(loading, index);
      loaded.push(outcome);
      // A client waits before it repeats a refused request.
      if (outcome !== '200') await delay(50);
    }
  };
  const running = Promise.all(Array.from({ length: loaders }, load));
  while (loaded.length < 1_000) await delay(50);
  const before = loaded.length;
  const startedMs = performance.now();
  const outcomes = await Promise.all(Array.from({ length: searchesAtOnce }, () => search(calm, index)));
  const seconds = (performance.now() - startedMs) / 1_000;
  const meanwhile = loaded.slice(before);
  over.abort();
  await running;
  console.log(`the calm key: ${countOf(outcomes)}, in ${seconds.toFixed(1)} s`);
  console.log(`the loading key meanwhile: ${countOf(meanwhile)}`);
  console.log(`the loading key in total: ${countOf(loaded)}`);
  assert.deepEqual(countOf(outcomes), `${searchesAtOnce} × 200`);
  const own = `429 This credential allows ${inFlight} requests at a time`;
  assert.ok(meanwhile.includes('200'));
  assert.deepEqual(
    loaded.filter((outcome) => outcome !== '200' && !outcome.startsWith(own)),
    [],
  );
  console.log(`${searchesAtOnce} passed, 0 failed`);
} finally {
  await service.close();
}
