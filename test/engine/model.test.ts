import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exploreTrees } from './support/explore-tree.ts';

test('any sequence of writes, branches, promotions, folds, drops, maintenance and restarts shows what plain maps show', async () => {
  const { sequences, steps } = await exploreTrees(42, 15);
  assert.equal(sequences, 15);
  assert.ok(steps.size === 8, [...steps.keys()].join(' '));
});
