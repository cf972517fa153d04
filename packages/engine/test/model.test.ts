import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exploreTrees, openBuilding } from './support/explore-tree.ts';

test('any sequence of writes, branches, promotions, drops, maintenance and restarts matches a model of plain maps while a builder merges and folds', async () => {
  const building = openBuilding(9);
  const { sequences, steps } = await exploreTrees(42, 15, building.open);
  assert.equal(sequences, 15);
  assert.ok(steps.size === 12, [...steps.keys()].join(' '));
  assert.ok(building.folds() > 5, `${building.folds()} folds`);
});
