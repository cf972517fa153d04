import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { startService } from '../support/whole-service.ts';
import { call, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

test('functions that queues and the clock drive give way to those that answer requests', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = (await call(key, 'POST', '/v1/indexes', { name: 'quiet', dimensions: 2 })).body.id;
  const written = await call(key, 'POST', `/v1/indexes/${index}/vectors`, [{ id: 'a', vector: [1, 0] }]);
  assert.equal(written.status, 200);
  const { body } = await call({ baseUrl, bearer: null }, 'GET', '/_local/health');
  const priorities = (id: string): readonly number[] =>
    body.processes
      .filter((process: { readonly function: string }) => process.function === id)
      .map(({ pid }: { readonly pid: number }) => getPriority(pid));
  const [writers, upserts] = [priorities('index-writer'), priorities('upsert-vectors')];
  assert.ok(writers.length > 0 && writers.every((priority) => priority === 5), String(writers));
  assert.ok(upserts.length > 0 && upserts.every((priority) => priority === 0), String(upserts));
});
