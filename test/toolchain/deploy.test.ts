import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { apiStackNames } from '../../lib/api-stacks.ts';
import { withStacks } from '../../scripts/operator/stack-parameters.ts';
import { openAssembly } from '../lib/assembly.ts';

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

test('a parameter without a stack is given to every stack that has it, as the templates say', async () => {
  const { stdout } = deploy('--dry-run', '--approval', 'never', '--regions', 'eu-west-1', '--parameters', 'A=b');
  assert.match(stdout, /^cdk synth --quiet --output=\S+ --context=regions=eu-west-1\ncdk deploy --all .*--app=\S+ /);
  const { assemblyDirectory } = await openAssembly({ regions: ['us-east-1'] });
  const stacks = [...apiStackNames.map((name) => `acme-api-${name}`), 'acme-region-us-east-1'];
  assert.deepEqual(
    withStacks(assemblyDirectory, ['EmbeddingBaseUrl=https://m.example/a=b', 'acme-data:PasswordLength=16']).toSorted(),
    [
      ...stacks.map((stack) => `${stack}:EmbeddingBaseUrl=https://m.example/a=b`),
      'acme-data:PasswordLength=16',
    ].toSorted(),
  );
  assert.deepEqual(withStacks(assemblyDirectory, ['ReserveSearches=5']).toSorted(), [
    'acme-api-indexes:ReserveSearches=5',
    'acme-region-us-east-1:ReserveSearches=5',
  ]);
  assert.throws(() => withStacks(assemblyDirectory, ['Colour=red']), /no stack has it; there are /);
  assert.throws(() => withStacks(assemblyDirectory, ['OcrProvider=red']), /give textract, embedded, off/);
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
