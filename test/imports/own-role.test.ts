import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceRefused } from '../../shared/platform/object-sources/port.ts';
import { openS3Source } from '../../shared/platform/object-sources/s3-source.ts';
import { stubAws } from '../support/stub-aws.ts';

let asked = 0;
/** A token service that refuses every role. */
stubAws('STS', (_, response) => {
  asked += 1;
  response.writeHead(403).end();
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
