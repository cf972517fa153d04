import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const script = join(import.meta.dirname, '..', '..', 'scripts', 'deploy.ts');
/** Without a terminal, as in CI. */
const deploy = (...args: readonly string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });

test('a deployment without a terminal runs all stacks with the options in the words of the CDK', () => {
  const options = ['--regions', 'eu-west-1,us-east-1', '--deployment', 'acme', '--qualifier', 'own', '--profile', 'p'];
  const parameters = ['--parameters', 'acme-api:RequestsAtOnce=10', '--parameters', 'acme-api:RequestsPerSecond=20'];
  const { status, stdout } = deploy(
    '--dry-run',
    '--approval',
    'never',
    ...options,
    ...parameters,
    '--tags',
    'team=search',
  );
  assert.equal(status, 0);
  assert.equal(
    stdout.trim(),
    'cdk deploy --all --require-approval=never --context=deployment=acme --context=regions=eu-west-1,us-east-1 ' +
      '--context=@aws-cdk/core:bootstrapQualifier=own --parameters=acme-api:RequestsAtOnce=10 ' +
      '--parameters=acme-api:RequestsPerSecond=20 --tags=team=search --profile=p --ci --progress=events',
  );
});

test('a deployment without a terminal for approvals is refused before anything is bundled', () => {
  for (const [args, reason] of [
    [[], /^There is no terminal to approve changes at\..*--approval never/],
    [['--approval', 'always'], /^--approval always: give one of broadening, any-change, never/],
    [['--stack', 'Api'], /Unknown option '--stack'/],
  ] as const) {
    const { status, stderr } = deploy(...args);
    assert.match(stderr, reason);
    assert.equal(status, 1);
  }
  assert.match(deploy('--help').stdout, /--approval WHEN/);
});
