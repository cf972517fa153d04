import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { testEngine } from '../../scripts/support/test-engine.ts';
import { servedEndpoints } from './support/document.ts';
import { runMatrix, surprisesOf } from './support/matrix.ts';
import { openContractService } from './support/service.ts';
import { newAuthorizationFixture } from './support/fixture.ts';
import { openSharedIndex, runTenants } from '../service/support/tenants.ts';

const service = await openContractService();
after(() => service.close());

/** Selected one of every twelve endpoints, to limit the duration. `npm run test:matrix` tests all endpoints. */
const seed = Number(process.env['MATRIX_SEED'] ?? 4);

/** Endpoints that the engine of a run of `npm run test:engines` refuses. */
const lacking = new Set([
  'branch-index',
  'diff-index',
  'promote-index',
  'measure-recall',
  'list-versions',
  'restore-index',
]);

const ruleOf = ({ auth, method }: Endpoint): string => `${auth.needs} ${auth.unrestricted === true} ${method}`;
// Endpoints of one rule are adjacent, so the selection covers as many rules as possible.
const byRule = servedEndpoints
  .filter(({ id }) => testEngine === undefined || !lacking.has(id))
  .toSorted((a, b) => ruleOf(a).localeCompare(ruleOf(b)));
const asked = byRule.filter((_, at) => at % 12 === seed % 12);

test('representative endpoints authorize every caller on every target as specified', async (t) => {
  t.diagnostic(`seed ${seed}: ${asked.map(({ id }) => id).join(', ')}`);
  const rows = await runMatrix(await newAuthorizationFixture(service, service.inProcess), asked);
  assert.deepEqual(surprisesOf(rows), []);
  assert.equal(rows.length, asked.length);
});

test('two keys that are bound to rows of one index see and change nothing of each other', async () => {
  // `npm run test:tenants` sends many more requests.
  const shared = await openSharedIndex(service, service.inProcess, seed);
  await runTenants(shared, seed, 200);
});
