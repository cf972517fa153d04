import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { startService } from '../support/whole-service.ts';
import { call, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

test('functions that queues and the clock drive give way to those that answer requests, and small ones to searches', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = (await call(key, 'POST', '/v1/indexes', { name: 'quiet', dimensions: 2 })).body.id;
  const written = await call(key, 'POST', `/v1/indexes/${index}/vectors`, [{ id: 'a', vector: [1, 0] }]);
  assert.equal(written.status, 200);
  const found = await call(key, 'POST', `/v1/indexes/${index}/search/dense`, { vector: [1, 0] });
  assert.equal(found.status, 200);
  const { body } = await call({ baseUrl, bearer: null }, 'GET', '/_local/health');
  const priorities = (id: string): readonly number[] =>
    body.processes
      .filter((process: { readonly function: string }) => process.function === id)
      .map(({ pid }: { readonly pid: number }) => getPriority(pid));
  for (const [id, expected] of [
    ['index-writer', 10],
    ['upsert-vectors', 5],
    ['dense-search', 0],
  ] as const) {
    const those = priorities(id);
    assert.ok(those.length > 0 && those.every((priority) => priority === expected), `${id}: ${those.join()}`);
  }
});
