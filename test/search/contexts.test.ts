import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareContexts } from './support/explore-contexts.ts';

// `node test/search/run-contexts.ts` runs more of them.
test('the text around hits is that of their files: no foreign or stale rows, nothing twice, nothing cut', async () => {
  let compared = 0;
  for (let seed = 1; seed <= 6; seed += 1) compared += await compareContexts(seed, 25);
  assert.ok(compared > 200, String(compared));
});
