import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { startService } from '../support/shared-service.ts';
import { newOrganization } from '../service/support/organization.ts';
import { apiStackNames } from '../../lib/api-stacks.ts';
import { runCommand } from './run-command.ts';
import { openStubAccount, type StubAccount } from './stub-account.ts';

const secretAccessKey = 'a-secret-that-no-command-prints';

/** Variables of a profile that the SDK reads from its files. */
const profileOf = ({ url }: StubAccount): NodeJS.ProcessEnv => {
  const directory = temporaryDirectory();
  const file = join(directory, 'config');
  writeFileSync(
    file,
    `[profile operator]\nregion = eu-central-1\naws_access_key_id = AKIATEST\naws_secret_access_key = ${secretAccessKey}\n`,
  );
  return {
    AWS_CONFIG_FILE: file,
    AWS_SHARED_CREDENTIALS_FILE: join(directory, 'none'),
    AWS_ENDPOINT_URL: url,
  };
};

const options = ['--profile', 'operator'];

const deploy = ({ stacks }: StubAccount, apiUrl: string): void => {
  const models = { EmbeddingProvider: 'bedrock', EmbeddingModel: 'amazon.titan-embed-text-v2:0' };
  const alarms = { AlarmTopicArn: 'arn:aws:sns:eu-central-1:111122223333:alarms' };
  const status = 'UPDATE_COMPLETE';
  stacks.set('strata-data', { status, outputs: { UserPoolId: 'eu-central-1_Pool', UserPoolClientId: 'client' } });
  stacks.set('strata-events', { status, parameters: alarms });
  stacks.set('strata-region-eu-central-1', { status, parameters: { ...alarms, ...models } });
  stacks.set('strata-api', { status, outputs: { ApiUrl: apiUrl }, parameters: alarms });
  for (const name of apiStackNames) stacks.set(`strata-api-${name}`, { status, parameters: models });
};

test('a doctor of a sound deployment finds no problem, checks its dependencies and ends with 0', async () => {
  const { baseUrl } = await startService();
  const { session } = await newOrganization(baseUrl);
  const account = await openStubAccount();
  deploy(account, baseUrl);
  const token = session.bearer ?? '';
  const variables = { ...profileOf(account), STRATA_TOKEN: token };
  const { code, stdout, stderr } = await runCommand('doctor', options, variables);
  assert.equal(stderr, '');
  assert.equal(code, 0, stdout);
  const lines = stdout.trimEnd().split('\n');
  assert.deepEqual(
    lines.filter((line) => !line.startsWith('ok ')),
    [],
  );
  assert.match(stdout, /^ok +credentials +account 111122223333, arn:aws:iam::111122223333:user\/operator$/m);
  assert.match(stdout, /^ok +dependencies +all \d+ answer$/m);
  assert.ok(!stdout.includes(secretAccessKey) && !stdout.includes(token));
});

test('a doctor prints the remedy for each problem of an account, and ends with 1', async () => {
  const account = await openStubAccount();
  deploy(account, account.url);
  account.bootstrapVersion = null;
  account.concurrency = 10;
  account.hasModelAccess = false;
  account.stacks.set('strata-events', { status: 'UPDATE_ROLLBACK_COMPLETE', parameters: { AlarmTopicArn: 'none' } });
  account.stacks.set('strata-api', { status: 'CREATE_COMPLETE' });
  account.stacks.set('strata-api-files', { status: 'CREATE_COMPLETE', parameters: { EmbeddingProvider: 'openai' } });
  const { code, stdout } = await runCommand('doctor', options, profileOf(account));
  assert.equal(code, 1);
  const rows = stdout
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('ok ') && !line.startsWith(' '))
    .map((line) => line.split(/ {2,}/, 2).join(' '));
  assert.deepEqual(rows, [
    'problem bootstrap eu-central-1',
    'advice lambda eu-central-1',
    'problem bedrock eu-central-1',
    'problem stack strata-events',
    'problem parameters',
    'advice alarms',
  ]);
  assert.match(stdout, /→ Run npx cdk bootstrap aws:\/\/111122223333\/eu-central-1$/m);
  assert.match(stdout, /→ Run aws service-quotas request-service-quota-increase --region eu-central-1 .* L-B99A9384 /);
});

test('a doctor without credentials prints how to get some', async () => {
  const { AWS_CONFIG_FILE: _file, ...variables } = profileOf(await openStubAccount());
  const { code, stdout } = await runCommand('doctor', [], variables);
  assert.equal(code, 1);
  assert.match(stdout, /^problem +credentials .*\n +→ Run aws sso login or aws configure/m);
});

test('a doctor of a local run checks the requirements of one machine', async () => {
  const { baseUrl } = await startService();
  const { stdout, stderr } = await runCommand('doctor', ['--local', baseUrl]);
  assert.equal(stderr, '');
  for (const check of ['service', 'disk', 'memory', 'queues', 'permissions'])
    assert.match(stdout, new RegExp(`^\\w+ +${check} `, 'm'));
  const absent = await runCommand('doctor', ['--local', 'http://127.0.0.1:1']);
  assert.deepEqual([absent.code, absent.stderr], [1, 'no local run answers at http://127.0.0.1:1\n']);
});

test('one command creates a user with a permanent password, and completes an interrupted run', async () => {
  const account = await openStubAccount();
  deploy(account, account.url);
  const variables = { ...profileOf(account), STRATA_PASSWORD: 'Correct-horse-12' };
  const create = () => runCommand('create-user', [...options, '--email', 'ada@example.com'], variables);
  account.failingOperation = 'AdminSetUserPassword';
  assert.equal((await create()).code, 1);
  const second = await create();
  assert.deepEqual([second.code, second.stdout], [0, 'ada@example.com can sign in at eu-central-1_Pool\n']);
  const user = { status: 'CONFIRMED', password: 'Correct-horse-12', verified: true };
  assert.deepEqual(account.users.get('ada@example.com'), user);
  const third = await runCommand('create-user', [...options, '--email', 'ada@example.com'], {
    ...variables,
    STRATA_PASSWORD: 'Another-horse-12',
  });
  assert.equal(third.code, 0);
  assert.match(third.stdout, /has a password of their own/);
  assert.deepEqual(account.users.get('ada@example.com'), user);
});
