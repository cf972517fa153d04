import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { openS3Source } from '../../shared/platform/object-sources/s3-source.ts';
import { listening } from '../support/emulated-cloud.ts';

test('an archived S3 object is refused as archived, and a bucket with an invalid host name is addressed by path', async (context) => {
  const paths: string[] = [];
  const storage = createServer(({ method, url = '' }, response) => {
    paths.push(new URL(url, 'http://s3').pathname);
    if (method === 'HEAD') response.writeHead(200, { 'content-length': 9, etag: '"e"' }).end();
    else {
      response.writeHead(403, { 'content-type': 'application/xml' });
      response.end('<Error><Code>InvalidObjectState</Code><StorageClass>GLACIER</StorageClass></Error>');
    }
  });
  const endpoint = await listening(storage);
  context.after(() => {
    storage.closeAllConnections();
    storage.close();
  });
  const settings = { accountId: '111122223333', endpoint, region: 'us-east-1', externalId: 'org_1' };
  const source = openS3Source({ container: 'My_Bucket', key: 'old.pdf' }, null, settings);
  const { etag, sizeBytes } = await source.head();
  assert.deepEqual([etag, sizeBytes], ['"e"', 9]);
  await assert.rejects(source.range(0, 9, etag), { name: 'SourceRefused', message: /archived: restore it first/ });
  assert.deepEqual(paths, ['/My_Bucket/old.pdf', '/My_Bucket/old.pdf']);
});
