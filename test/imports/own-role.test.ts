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
/** A token service that gives two roles: `trusting` to everybody, and `careful` to whoever has the external id. */
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

/** A storage that has one object for whoever was given a role. */
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

test('no role of the account of the service can be assumed, whatever a caller names', () => {
  assert.equal(isGranted('roles.assume', 'sts:AssumeRole', 'arn:aws:iam::444455556666:role/any'), true);
  assert.equal(isGranted('roles.assume', 'sts:AssumeRole', 'arn:aws:iam::000000000000:role/any'), false);
});

test('a role of the account of the service is not even asked for', async () => {
  await assert.rejects(head('444455556666'), SourceRefused);
  assert.equal(asked, 1);
  await assert.rejects(head('111122223333'), SourceRefused);
  assert.equal(asked, 1);
});

test('a role is used that asks for the external id, and refused where anybody could take it on', async () => {
  assert.equal((await head('444455556666', 'careful')).sizeBytes, 3);
  await assert.rejects(head('444455556666', 'trusting'), { name: 'SourceRefused', message: /with any external id/ });
});

test('a token service with too much to do is asked again, whatever status it says so with', async (context) => {
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
