import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/shared-service.ts';
import { eventually } from '../support/eventually.ts';
import { openItemApi } from './support/item-api.ts';
import { call, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

const items = [
  { id: 1, title: 'Moorings', body: 'A mooring for a night costs twelve euros.', updated_at: '2026-01-01T00:00:00Z' },
  { id: 2, title: 'Tides', body: 'High water is an hour later every day.', updated_at: '2026-01-02T00:00:00Z' },
];

test('searches find the items of a custom API that a sync has read under the roles of the deployment', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = (await call(key, 'POST', '/v1/indexes', { name: 'harbour' })).body.id;
  const body = await openItemApi(items);
  const made = await call(key, 'POST', `/v1/indexes/${index}/connectors/custom-api`, body);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await eventually(
    async () => (await call(key, 'GET', `/v1/indexes/${index}/connectors`)).body.connectors[0],
    ({ documents, error }) => {
      assert.equal(error, null);
      return documents === items.length;
    },
  );
  await eventually(
    async () =>
      (await call(key, 'POST', `/v1/indexes/${index}/search/sparse`, { text: 'mooring for a night' })).body.results,
    (results: readonly { readonly text: string }[]) => results.some(({ text }) => text.includes('twelve euros')),
  );
});
