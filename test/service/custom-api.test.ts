import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { startService } from '../support/shared-service.ts';
import { eventually } from '../support/eventually.ts';
import { call, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

const items = [
  { id: 1, title: 'Moorings', body: 'A mooring for a night costs twelve euros.', updated_at: '2026-01-01T00:00:00Z' },
  { id: 2, title: 'Tides', body: 'High water is an hour later every day.', updated_at: '2026-01-02T00:00:00Z' },
];

/** An API of this machine that lists the items for those who know the token. */
const openApi = async (): Promise<string> => {
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization === 'Bearer harbour-token';
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? { data: items, next: null } : {}));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

test('searches find the items of a custom API that a sync has read under the roles of the deployment', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = (await call(key, 'POST', '/v1/indexes', { name: 'harbour' })).body.id;
  const made = await call(key, 'POST', `/v1/indexes/${index}/connectors/custom-api`, {
    name: 'Harbour',
    base_url: await openApi(),
    auth: { type: 'bearer', token: 'harbour-token' },
    list: { path: '/items', items: '/data', next: '/next' },
    item: { id: '/id', title: '/title', text: '/body', updated_at: '/updated_at' },
  });
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
