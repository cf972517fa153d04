import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { allEndpoints } from '../contract/support/document.ts';
import { openContractService } from '../contract/support/service.ts';
import { runFuzz } from './run-fuzz.ts';

const seed = 20_251_121;
/** As many as the whole run of the tests can afford; `npm run test:fuzz` sends 300. */
const requestsPerEndpoint = 2;

const service = await openContractService();
after(() => service.close());

test(`no generated request gets a 5xx or an answer that is not documented (seed ${seed})`, async () => {
  const results = await runFuzz(service, { seed, requestsPerEndpoint });
  assert.deepEqual(
    results.flatMap(({ failures }) => failures),
    [],
  );
  assert.equal(results.length, allEndpoints.length);
});
