import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { allEndpoints } from './support/document.ts';
import { runMatrix, surprisesOf } from './support/matrix.ts';
import { openContractService } from './support/service.ts';
import { newWorld } from './support/world.ts';

const service = await openContractService();
after(() => service.close());

/** As many as the whole run of the tests can afford; `npm run test:matrix` asks all. */
const asked = allEndpoints.filter((_, at) => at % 6 === 0);

test('every sixth endpoint answers every caller on every target as the specification says', async () => {
  const rows = await runMatrix(await newWorld(service, service.inProcess), asked);
  assert.deepEqual(surprisesOf(rows), []);
  assert.equal(rows.length, asked.length);
});
