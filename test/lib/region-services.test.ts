import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from '../../lib/app.ts';
import { appOptions, at, openAssembly, textAt } from './assembly.ts';

test('OCR and transcription default to the services of AWS in the region, and every provider can be chosen', async () => {
  const regions = ['us-east-1', 'eu-north-1', 'eu-south-2', 'il-central-1'];
  const { stacks } = (await createApp({ ...appOptions(false), regions })).synth();
  const parameterOf = (region: string, name: string, property: string) =>
    at(stacks.find(({ id }) => id === `Region-${region}`)?.template, 'Parameters', name, property);
  const defaults = regions.map((region) => [
    region,
    parameterOf(region, 'OcrProvider', 'Default'),
    parameterOf(region, 'AudioProvider', 'Default'),
  ]);
  assert.deepEqual(defaults, [
    ['us-east-1', 'textract', 'transcribe'],
    ['eu-north-1', 'off', 'transcribe'],
    ['eu-south-2', 'textract', 'off'],
    ['il-central-1', 'off', 'off'],
  ]);
  for (const region of regions)
    assert.deepEqual(parameterOf(region, 'OcrProvider', 'AllowedValues'), ['textract', 'embedded', 'off']);
});

const [home, withoutLoopDetection, withoutS3Vectors] = ['us-east-1', 'mx-central-1', 'il-central-1'];
const assembly = openAssembly({ regions: [home, withoutLoopDetection, withoutS3Vectors] });

test('functions of a region without loop detection do not allow recursive loops', async () => {
  const { resources } = await assembly;
  const allowed = [home, withoutLoopDetection].map(
    (region) =>
      resources.filter(
        ({ stack, properties }) => stack === `Region-${region}` && properties['RecursiveLoop'] === 'Allow',
      ).length,
  );
  assert.ok((allowed[0] ?? 0) > 0);
  assert.equal(allowed[1], 0);
});

test('a region without Amazon S3 Vectors has no vector bucket and no permission for one', async () => {
  const { templates, resources } = await assembly;
  const buckets = resources.filter(({ type }) => type === 'AWS::S3Vectors::VectorBucket');
  const granting = templates.filter(({ text }) => text.includes('s3vectors:'));
  const withS3Vectors = [home, withoutLoopDetection];
  assert.deepEqual(
    buckets.map(({ stack }) => stack).toSorted(),
    withS3Vectors.map((region) => `Region-${region}`).toSorted(),
  );
  for (const { id, region } of granting) assert.ok(withS3Vectors.includes(region), id);
  const functions = resources.filter(({ type }) => type === 'AWS::Lambda::Function');
  assert.deepEqual(
    new Set(
      functions.map(({ properties }) => textAt(properties, 'Environment', 'Variables', 'STRATA_S3_VECTORS_REGIONS')),
    ),
    new Set([withS3Vectors.join(',')]),
  );
});
