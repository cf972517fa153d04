import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { allEndpoints } from './support/document.ts';
import { runMatrix, surprisesOf } from './support/matrix.ts';
import { openContractService } from './support/service.ts';
import { newWorld } from './support/world.ts';

const service = await openContractService();
after(() => service.close());

test('every endpoint answers every caller on every target as the specification says', async () => {
  const rows = await runMatrix(await newWorld(service, service.inProcess));
  assert.deepEqual(surprisesOf(rows), []);
  assert.equal(rows.length, allEndpoints.length);
});
