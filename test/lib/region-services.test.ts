import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from '../../lib/app.ts';
import { appOptions, at, openAssembly } from './assembly.ts';

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

test('functions of a region without loop detection do not allow recursive loops', async () => {
  const regions = ['us-east-1', 'mx-central-1'];
  const { resources } = await openAssembly({ regions });
  const allowed = regions.map(
    (region) =>
      resources.filter(
        ({ stack, properties }) => stack === `Region-${region}` && properties['RecursiveLoop'] === 'Allow',
      ).length,
  );
  assert.ok((allowed[0] ?? 0) > 0);
  assert.equal(allowed[1], 0);
});
