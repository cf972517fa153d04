import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceFailed, SourceRefused } from '../../shared/platform/object-sources/port.ts';
import { openS3Source } from '../../shared/platform/object-sources/s3-source.ts';
import { stubAws } from '../support/stub-aws.ts';

const accessDenied = { status: 403, code: 'AccessDenied' };
let refusal = accessDenied;
let asked = 0;
/** A token service that gives no role. */
stubAws('STS', (_, response) => {
  asked += 1;
  response.writeHead(refusal.status, { 'content-type': 'text/xml' });
  response.end(`<ErrorResponse><Error><Code>${refusal.code}</Code></Error></ErrorResponse>`);
});

const settings = { accountId: '111122223333', endpoint: null, region: 'us-east-1', externalId: 'org_1' };
const head = (account: string) =>
  openS3Source({ container: 'bucket', key: 'key' }, { role_arn: `arn:aws:iam::${account}:role/any` }, settings).head();

test('a role of the account of the service is not even asked for', async () => {
  await assert.rejects(head('444455556666'), SourceRefused);
  assert.equal(asked, 1);
  await assert.rejects(head('111122223333'), SourceRefused);
  assert.equal(asked, 1);
});

test('a token service with too much to do is asked again, whatever status it says so with', async (context) => {
  process.env['AWS_MAX_ATTEMPTS'] = '1';
  context.after(() => {
    delete process.env['AWS_MAX_ATTEMPTS'];
    refusal = accessDenied;
  });
  for (const code of ['Throttling', 'ThrottlingException', 'RequestLimitExceeded', 'RequestThrottled']) {
    refusal = { status: 400, code };
    await assert.rejects(head('444455556666'), SourceFailed, code);
  }
  refusal = { status: 400, code: 'ValidationError' };
  await assert.rejects(head('444455556666'), SourceRefused);
});
