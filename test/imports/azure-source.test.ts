import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAzureSource } from '../../shared/platform/object-sources/azure-source.ts';
import { FakeServer } from '../connectors/fake-server.ts';

test('Azure errors distinguish a wrong signature, an expired one and one without read permission', async (context) => {
  const server = new FakeServer(() => ({ status: 404, body: {} }));
  await server.start();
  context.after(() => server.stop());
  const headOf = (code: string, token: string) => {
    server.trouble.push({ status: 403, body: '', headers: { 'x-ms-error-code': code } });
    const place = { account: 'acme', container: 'docs', key: 'a.pdf' };
    return openAzureSource(place, { sas_token: token }, { endpoint: server.url }).head();
  };
  const valid = 'sv=2024-11-04&se=2999-01-01T00%3A00%3A00Z&sig=x';
  const refused = (message: RegExp) => ({ name: 'SourceRefused', message });
  await assert.rejects(headOf('AuthenticationFailed', valid), refused(/its secret is wrong/));
  await assert.rejects(headOf('AuthenticationFailed', valid.replace('2999', '2020')), refused(/have expired/));
  await assert.rejects(headOf('AuthorizationPermissionMismatch', valid), refused(/no permission to read/));
  await assert.rejects(headOf('AuthorizationFailure', valid), refused(/its firewall does not admit the service/));
});

test('an Azure blob without public access is refused as not public, and an archived blob as archived', async (context) => {
  const server = new FakeServer(() => ({ status: 404, body: {} }));
  await server.start();
  context.after(() => server.stop());
  const source = openAzureSource({ account: 'acme', container: 'docs', key: 'a.pdf' }, null, { endpoint: server.url });
  for (const [code, message] of [
    ['PublicAccessNotPermitted', /denies access to the object: it is not public/],
    ['BlobArchived', /archived: restore it first/],
  ] as const) {
    const answer = { status: 409, body: '', headers: { 'x-ms-error-code': code } };
    server.trouble.push(answer);
    await assert.rejects(source.head(), { name: 'SourceRefused', message });
    server.trouble.push(answer);
    await assert.rejects(source.range(0, 9, 'etag'), { name: 'SourceRefused', message });
  }
});
