import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCells } from '../../bench/documents/find-cells.ts';

test('a cell asked for by row and column is first in sparse and hybrid search of a long table in every format', async () => {
  const results = await findCells(['sparse', 'hybrid'], 6);
  assert.equal(results.length, 10);
  for (const { format, queries, found } of results)
    assert.deepEqual({ format, ...found }, { format, sparse: queries, hybrid: queries });
});
