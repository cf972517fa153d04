import assert from 'node:assert/strict';
import { glob, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { denseSearch } from '../../functions/search/dense.ts';
import { sparseSearch } from '../../functions/search/sparse.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { usageRead } from '../../shared/usage/index.ts';
import { type Desk, openDesk } from '../support/desk.ts';

let desk: Desk;
before(async () => {
  desk = await openDesk();
});
after(() => desk.close());

const vector = [1, 2, 3, 4];

test('a search is counted once it is answered, and not where its answer is too long or the index cannot be read', async () => {
  const { runtime } = desk.cloud;
  const index = await desk.newIndex();
  const { organizationId } = await desk.record(index);
  const month = runtime.clock.now().toISOString().slice(0, 7);
  const { usage } = makeDeps({ usage: usageRead }, runtime);
  /** Status of the answer, and the dense and sparse searches that are counted then. */
  const search = async (endpoint: Endpoint, body: object): Promise<readonly unknown[]> => {
    const { status } = await desk.call(endpoint, { index_id: index }, body);
    const counted = (await usage.indexMonth(organizationId, month, index))?.searches;
    return [status, counted?.dense, counted?.sparse];
  };
  // As long as metadata can be, which makes the answer to 200 of them longer than a function's can be.
  const long = 'herring '.repeat(4_900);
  for (let part = 0; part < 5; part += 1) {
    const items = Array.from({ length: 40 }, (_, at) => ({ id: `${part}-${at}`, vector, metadata: { long } }));
    assert.equal((await desk.upsert(index, items)).status, 200);
  }
  assert.deepEqual(await search(denseSearch, { vector }), [200, 1, 0]);
  assert.deepEqual(await search(sparseSearch, { text: 'herring' }), [200, 1, 1]);
  assert.deepEqual(await search(denseSearch, { vector, top_k: 200 }), [413, 1, 1]);
  const manifests = join(runtime.config.vectorsDirectory ?? '', '*', organizationId, '*.lance', '_versions', '*');
  for await (const manifest of glob(manifests)) await writeFile(manifest, 'no manifest');
  assert.deepEqual(await search(denseSearch, { vector }), [503, 1, 1]);
  assert.deepEqual(await search(sparseSearch, { text: 'herring' }), [503, 1, 1]);
});
