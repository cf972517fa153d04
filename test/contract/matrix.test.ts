import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { allEndpoints } from './support/document.ts';
import { runMatrix, surprisesOf } from './support/matrix.ts';
import { openContractService } from './support/service.ts';
import { newWorld } from './support/world.ts';

const service = await openContractService();
after(() => service.close());

/** Which of every twelve endpoints is asked: as many as the whole run can afford; `npm run test:matrix` asks all. */
const seed = Number(process.env['MATRIX_SEED'] ?? 4);

const ruleOf = ({ auth, method }: Endpoint): string => `${auth.needs} ${auth.unrestricted === true} ${method}`;
// Those of one rule stand together, so that the choice comes by as many rules as it can.
const byRule = allEndpoints.toSorted((a, b) => ruleOf(a).localeCompare(ruleOf(b)));
const asked = byRule.filter((_, at) => at % 12 === seed % 12);

test('representative endpoints authorize every caller on every target as specified', async (t) => {
  t.diagnostic(`seed ${seed}: ${asked.map(({ id }) => id).join(', ')}`);
  const rows = await runMatrix(await newWorld(service, service.inProcess), asked);
  assert.deepEqual(surprisesOf(rows), []);
  assert.equal(rows.length, asked.length);
});
