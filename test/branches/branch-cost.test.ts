import assert from 'node:assert/strict';
import { test } from 'node:test';
import { branchCost } from './support/branch-cost.ts';

test('creating a branch of 20,000 rows sends the same requests to the object store as one of 10 rows', async () => {
  const few = await branchCost(10);
  assert.ok(Object.keys(few).length > 0);
  assert.deepEqual(await branchCost(20_000), few);
});
