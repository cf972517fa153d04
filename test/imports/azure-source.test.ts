import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAzureSource } from '../../shared/platform/object-sources/azure-source.ts';
import { FakeServer } from '../connectors/fake-server.ts';

test('a blob of an account that gives nothing to the public is refused as one out of reach, an archived one as such', async (context) => {
  const server = new FakeServer(() => ({ status: 404, body: {} }));
  await server.start();
  context.after(() => server.stop());
  const source = openAzureSource({ account: 'acme', container: 'docs', key: 'a.pdf' }, null, { endpoint: server.url });
  for (const [code, message] of [
    ['PublicAccessNotPermitted', /refuses to give the object: it is not public/],
    ['BlobArchived', /archived: restore it first/],
  ] as const) {
    const answer = { status: 409, body: '', headers: { 'x-ms-error-code': code } };
    server.trouble.push(answer);
    await assert.rejects(source.head(), { name: 'SourceRefused', message });
    server.trouble.push(answer);
    await assert.rejects(source.range(0, 9, 'etag'), { name: 'SourceRefused', message });
  }
});
