import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { Stack, Validations } from 'aws-cdk-lib';
import * as s3 from 'aws-cdk-lib/aws-s3';
import type { IConstruct } from 'constructs';
import { createApp } from '../../lib/app.ts';
import { appOptions, home } from './assembly.ts';

const isStack = (construct: IConstruct): construct is Stack => Stack.isStack(construct);

it('the templates pass CloudFormation’s schemas and cdk-nag, which find planted errors', async (t) => {
  const errors = t.mock.method(console, 'error', () => undefined);
  const options = appOptions(true);
  (await createApp(options)).synth();
  const report = JSON.parse(readFileSync(join(options.outdir, 'validation-report.json'), 'utf8')) as object;
  assert.partialDeepStrictEqual(report, { pluginReports: [] });
  assert.equal(errors.mock.callCount(), 0);

  const planted = await createApp(appOptions(true, { regions: [home] }));
  const stack = planted.node.children.find(isStack);
  assert.ok(stack);
  const bucket = new s3.Bucket(stack, 'Planted', { blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL });
  (bucket.node.defaultChild as s3.CfnBucket).addPropertyOverride('Colour', 'red');
  assert.throws(() => planted.synth(), /Validation failed/);
  const found = String(errors.mock.calls[0]?.arguments[0]);
  assert.match(found, /AwsSolutions-S10/);
  assert.match(found, /Colour/);
});

it('every suppressed cdk-nag finding has a reason', async () => {
  const app = await createApp(appOptions(true));
  const reasons = app.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .flatMap(({ data }) => Object.values(data as Record<string, string>));
  assert.ok(reasons.length > 0);
  for (const reason of reasons) assert.ok(reason.length > 40, reason);
});
