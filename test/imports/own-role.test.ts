import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { SourceRefused } from '../../shared/platform/object-sources/port.ts';
import { openS3Source } from '../../shared/platform/object-sources/s3-source.ts';
import { listening } from '../events/support/cloud.ts';

let asked = 0;
/** A token service that gives every role to anybody, as the roles of one's own account do that trust all of it. */
const server = createServer((_, response) => {
  asked += 1;
  response.writeHead(403).end();
});
before(async () => {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_STS: await listening(server),
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
});
after(() => {
  server.closeAllConnections();
  server.close();
});

test('a role of the account of the service is not even asked for', async () => {
  const settings = { accountId: '111122223333', endpoint: null, region: 'us-east-1', externalId: 'org_1' };
  const head = (account: string) =>
    openS3Source(
      { container: 'bucket', key: 'key' },
      { role_arn: `arn:aws:iam::${account}:role/any` },
      settings,
    ).head();
  await assert.rejects(head('444455556666'), SourceRefused);
  assert.equal(asked, 1);
  await assert.rejects(head('111122223333'), SourceRefused);
  assert.equal(asked, 1);
});
