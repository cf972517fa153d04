import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentWriter } from '../../shared/platform/aws/content.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { stubAws } from '../support/stub-aws.ts';

/** A bucket with two objects. One cannot be deleted. S3 reports this in a response with status 200. */
stubAws('S3', (request, response) => {
  const list =
    '<ListBucketResult><Contents><Key>a</Key></Contents><Contents><Key>b</Key></Contents></ListBucketResult>';
  const errors = '<DeleteResult><Error><Key>b</Key><Code>InternalError</Code></Error></DeleteResult>';
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/xml').end(request.method === 'POST' ? errors : list);
  });
});

test('objects that a bucket could not delete are reported as an error, so that the caller retries', async () => {
  const { stored } = makeDeps({ stored: contentWriter({ deletes: ['uploads'] }) }, new Cloud().runtime);
  await assert.rejects(stored.deleteAll('us-east-1', 'uploads/'), /1 objects under uploads\/ .* InternalError/);
});
