import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exploreSearches } from './support/explore-searches.ts';

test('searches of random contents in segments, tables and branches equal their definition, with filters, phrases and fusion', async () => {
  const counts = await exploreSearches(3, 400);
  for (const mixture of ['segments', 'table', 'table and segments'] as const)
    for (const name of [mixture, `branch, ${mixture}`] as const)
      assert.ok((counts.get(name) ?? 0) > 10, `${name}: ${counts.get(name) ?? 0}`);
});
