import assert from 'node:assert/strict';
import { test } from 'node:test';
import { branchCost } from './support/branch-cost.ts';

test('a branch of 20,000 rows asks of the object store what a branch of 10 rows asks', async () => {
  const few = await branchCost(10);
  assert.ok(Object.keys(few).length > 0);
  assert.deepEqual(await branchCost(20_000), few);
});
