import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exploreTrees } from './support/explore-tree.ts';

test('any sequence of writes, branches, promotions, materializations, drops, maintenance and restarts matches a model of plain maps', async () => {
  const { sequences, steps } = await exploreTrees(42, 15);
  assert.equal(sequences, 15);
  assert.ok(steps.size === 8, [...steps.keys()].join(' '));
});
