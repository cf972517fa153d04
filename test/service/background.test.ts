import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/shared-service.ts';
import { call, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

test('functions of files and events run at a lower priority than those of requests, and these at a lower one than the host', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = (await call(key, 'POST', '/v1/indexes', { name: 'quiet', dimensions: 2 })).body.id;
  const written = await call(key, 'POST', `/v1/indexes/${index}/vectors`, [{ id: 'a', vector: [1, 0] }]);
  assert.equal(written.status, 200);
  const found = await call(key, 'POST', `/v1/indexes/${index}/search/dense`, { vector: [1, 0] });
  assert.equal(found.status, 200);
  const priorities = async (id: string): Promise<readonly number[]> => {
    const { body } = await call({ baseUrl, bearer: null }, 'GET', '/_local/health');
    return body.processes
      .filter((process: { readonly function: string }) => process.function === id)
      .map(({ pid }: { readonly pid: number }) => getPriority(pid));
  };
  // The event of the index is on its way while the requests are answered.
  await eventually(
    () => priorities('relay'),
    ({ length }) => length > 0,
  );
  for (const [id, expected] of [
    ['relay', 10],
    ['index-writer', 3],
    ['upsert-vectors', 3],
    ['dense-search', 3],
  ] as const) {
    const those = await priorities(id);
    assert.ok(those.length > 0 && those.every((priority) => priority === expected), `${id}: ${those.join()}`);
  }
});
