import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/shared-service.ts';
import { eventually } from '../support/eventually.ts';
import { call, newOrganization } from './support/organization.ts';

const { baseUrl, siteUrl } = await startService();

test('searches find the pages of a site that a crawl has read under the roles of the deployment', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = (await call(key, 'POST', '/v1/indexes', { name: 'harbour' })).body.id;
  const crawls = `/v1/indexes/${index}/crawl-jobs`;
  const { status, body } = await call(key, 'POST', crawls, { url: siteUrl, page_limit: 10 });
  assert.equal(status, 201, JSON.stringify(body));
  const ended = await eventually(async () => {
    const crawl = (await call(key, 'GET', `${crawls}/${body.id}`)).body;
    return ['completed', 'failed'].includes(crawl.status) ? crawl : null;
  });
  assert.deepEqual([ended.status, ended.error, ended.pages_found], ['completed', null, 3]);
  await eventually(
    async () =>
      (await call(key, 'POST', `/v1/indexes/${index}/search/sparse`, { text: 'mooring for a night' })).body.results,
    (results: readonly { readonly text: string }[]) => results.some(({ text }) => text.includes('twelve euros')),
  );
});
