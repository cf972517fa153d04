import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { SourceFailed, SourceRefused } from '../../shared/platform/object-sources/port.ts';
import { openS3Source } from '../../shared/platform/object-sources/s3-source.ts';
import { isGranted } from '../support/granted.ts';
import { stubAws } from '../support/stub-aws.ts';

const externalId = 'org_1';
const given = `<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>key</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>
<SessionToken>token</SessionToken><Expiration>2100-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;
const accessDenied = { status: 403, code: 'AccessDenied' };
let refusal = accessDenied;
let asked = 0;
/** STS with two roles: `trusting` for anyone, and `careful` for callers with the external id. */
stubAws('STS', (request, response) => {
  asked += 1;
  void text(request).then((body) => {
    const form = new URLSearchParams(body);
    const arn = form.get('RoleArn') ?? '';
    const role = arn.split('/')[1];
    const isTrusted = role === 'trusting' || (role === 'careful' && form.get('ExternalId') === externalId);
    const isGiven = isTrusted && isGranted('roles.assume', `sts:${form.get('Action')}`, arn);
    response.writeHead(isGiven ? 200 : refusal.status, { 'content-type': 'text/xml' });
    response.end(isGiven ? given : `<ErrorResponse><Error><Code>${refusal.code}</Code></Error></ErrorResponse>`);
  });
});

/** Storage with one object for callers with a role's keys. */
stubAws('S3', (request, response) => {
  const isKnown = request.headers['x-amz-security-token'] === 'token';
  response.writeHead(isKnown ? 200 : 403, { 'content-length': '3', etag: '"tag"' });
  response.end();
});

const head = (account: string, role = 'any') => {
  const endpoint = process.env['AWS_ENDPOINT_URL_S3'] ?? null;
  const settings = { accountId: '111122223333', endpoint, region: 'us-east-1', externalId };
  const access = { role_arn: `arn:aws:iam::${account}:role/${role}` };
  return openS3Source({ container: 'bucket', key: 'key' }, access, settings).head();
};

test('an import can assume no role of the account of the service', () => {
  assert.equal(isGranted('roles.assume', 'sts:AssumeRole', 'arn:aws:iam::444455556666:role/any'), true);
  assert.equal(isGranted('roles.assume', 'sts:AssumeRole', 'arn:aws:iam::000000000000:role/any'), false);
});

test('an import sends no request for a role of the account of the service', async () => {
  await assert.rejects(head('444455556666'), SourceRefused);
  assert.equal(asked, 1);
  await assert.rejects(head('111122223333'), SourceRefused);
  assert.equal(asked, 1);
});

test('an import uses a role that requires the external id, and refuses a role that anyone could assume', async () => {
  assert.equal((await head('444455556666', 'careful')).sizeBytes, 3);
  await assert.rejects(head('444455556666', 'trusting'), { name: 'SourceRefused', message: /with any external id/ });
});

test('an overloaded token service is retried, whatever its status', async (context) => {
  process.env['AWS_MAX_ATTEMPTS'] = '1';
  context.after(() => {
    delete process.env['AWS_MAX_ATTEMPTS'];
    refusal = accessDenied;
  });
  for (const code of ['Throttling', 'ThrottlingException', 'RequestLimitExceeded', 'RequestThrottled']) {
    refusal = { status: 400, code };
    for (const role of ['any', 'careful']) await assert.rejects(head('444455556666', role), SourceFailed, code);
  }
  refusal = { status: 400, code: 'ValidationError' };
  await assert.rejects(head('444455556666'), SourceRefused);
});
