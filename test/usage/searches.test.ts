import assert from 'node:assert/strict';
import { glob, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { createApiKey } from '../../functions/api-keys/create.ts';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { denseSearch } from '../../functions/search/dense.ts';
import { sparseSearch } from '../../functions/search/sparse.ts';
import { deleteVectors } from '../../functions/vectors/delete.ts';
import { auditLogOf } from '../../shared/audit/index.ts';
import { aliasResolver, aliasUses } from '../../shared/aliases/index.ts';
import {
  authenticationUses,
  authenticator,
  authorizationUses,
  authorizer,
  credentialsWrite,
} from '../../shared/credentials/index.ts';
import { openTable } from '../../shared/db/table.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { handleEndpoint } from '../../shared/http/handle.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { plans } from '../../shared/kernel/plans.ts';
import { usageRead } from '../../shared/usage/index.ts';
import { type TestApp, openTestApp } from '../support/test-app.ts';
import { putOrganization } from '../support/organization.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

const vector = [1, 2, 3, 4];

test('a search is counted once it is answered, and not where its answer is too long or the index cannot be read', async () => {
  const { runtime } = app.cloud;
  const index = await app.newIndex();
  const { organizationId } = await app.record(index);
  const month = runtime.clock.now().toISOString().slice(0, 7);
  const { usage } = makeDeps({ usage: usageRead }, runtime);
  /** Status of the answer, and the dense and sparse searches that are counted then. */
  const search = async (endpoint: Endpoint, body: object, of = index): Promise<readonly unknown[]> => {
    const { status } = await app.call(endpoint, { index_id: of }, body);
    const counted = (await usage.indexMonth(organizationId, month, of))?.searches;
    return [status, counted?.dense, counted?.sparse];
  };
  // As long as metadata can be, which makes the answer to 200 of them longer than a function's can be.
  const long = 'herring '.repeat(4_900);
  for (let part = 0; part < 5; part += 1) {
    const items = Array.from({ length: 40 }, (_, at) => ({ id: `${part}-${at}`, vector, metadata: { long } }));
    assert.equal((await app.upsert(index, items)).status, 200);
  }
  assert.deepEqual(await search(denseSearch, { vector }), [200, 1, 0]);
  assert.deepEqual(await search(sparseSearch, { text: 'herring' }), [200, 1, 1]);
  assert.deepEqual(await search(denseSearch, { vector, top_k: 200 }), [413, 1, 1]);
  // A process that has read an index before answers from memory.
  const broken = await app.newIndex();
  assert.equal((await app.upsert(broken, [{ id: 'a', vector, text: 'herring' }])).status, 200);
  const versions = join(runtime.config.vectorsDirectory ?? '', '*', organizationId, broken, 'versions', '*');
  for await (const version of glob(versions)) await writeFile(version, 'no version');
  assert.deepEqual(await search(denseSearch, { vector }, broken), [503, 0, 0]);
  assert.deepEqual(await search(sparseSearch, { text: 'herring' }, broken), [503, 0, 0]);
  const refused = await app.call(deleteVectors, { index_id: broken }, { ids: ['a'] });
  assert.deepEqual([refused.status, refused.body.code], [503, 'unavailable']);
  assert.match(refused.body.detail, /missing or damaged: do not repeat/);
});

/** One process of the function of dense searches, which remembers whom it has answered and what it has searched. */
const startProcess = (index: string) => {
  const { runtime, faults } = app.cloud;
  const handler = handleEndpoint(denseSearch, {
    runtime,
    authenticate: authenticator(makeDeps(authenticationUses, runtime), runtime.clock),
    idempotency: null,
    audit: auditLogOf(denseSearch, runtime),
    authorize: authorizer(makeDeps(authorizationUses, runtime)),
    resolvePath: aliasResolver(makeDeps(aliasUses, runtime)),
  });
  /** The answer, and the requests to the tables that it took. */
  return async (token: string, asked: object) => {
    const event = {
      rawPath: `/v1/indexes/${index}/search/dense`,
      requestContext: { requestId: 'gateway' },
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      pathParameters: { index_id: index },
      body: JSON.stringify(asked),
      isBase64Encoded: false,
    };
    faults.arm(null);
    // The adapter reads no other field of the event and none of the context.
    const { statusCode, body } = await handler(event as unknown as APIGatewayProxyEventV2, {} as Context);
    return { status: statusCode, body, requests: faults.count };
  };
};

test('a search of a cached state is repeated if the index has changed since', async () => {
  app.useNewOrganization();
  const index = await app.newIndex();
  const { organizationId } = await app.record(index);
  await putOrganization(app.cloud.runtime, organizationId);
  const { token } = (await app.call(createApiKey, {}, { name: 'test', permissions: ['read'] })).body;
  const ask = startProcess(index);
  const found = async (asked: object = { vector, top_k: 100 }): Promise<readonly string[]> => {
    const { status, body } = await ask(token, asked);
    assert.equal(status, 200, body);
    return (JSON.parse(body) as { readonly results: readonly { readonly id: string }[] }).results.map(({ id }) => id);
  };
  const written: string[] = [];
  for (let row = 0; row < 4; row += 1) {
    written.push(`row-${row}`);
    assert.equal((await app.upsert(index, [{ id: `row-${row}`, vector }])).status, 200);
    // The second one finds the index as the first one left it, and the third one begins on that.
    for (let time = 0; time < 3; time += 1) assert.deepEqual((await found()).toSorted(), written);
  }
  assert.deepEqual(await found({ vector, top_k: 1, filter: { part: 'none' } }), []);
  assert.equal((await app.call(deleteVectors, { index_id: index }, { ids: ['row-0'] })).status, 200);
  assert.deepEqual((await found()).toSorted(), written.slice(1));
});

test('a search of a caller and an index that were good a moment ago is counted beside the question whether they still are', async () => {
  app.useNewOrganization();
  const { runtime } = app.cloud;
  const index = await app.newIndex();
  assert.equal((await app.upsert(index, [{ id: 'a', vector }])).status, 200);
  const { organizationId } = await app.record(index);
  await putOrganization(runtime, organizationId);
  const { keys, usage } = makeDeps({ keys: credentialsWrite, usage: usageRead }, runtime);
  const newKey = async () => (await app.call(createApiKey, {}, { name: 'test', permissions: ['read'] })).body;
  const ask = startProcess(index);
  /** Status of the answer, requests to the tables, and the searches that are counted then. */
  const search = async (token: string, asked: object = { vector }): Promise<readonly unknown[]> => {
    const { status, requests } = await ask(token, asked);
    const month = await usage.indexMonth(organizationId, runtime.clock.now().toISOString().slice(0, 7), index);
    return [status, requests, month?.searches.dense];
  };
  // To the start of a minute, so that what follows is counted in one.
  app.cloud.advance(60.001 - ((runtime.clock.now().getTime() / 1000) % 60));
  const { id, token } = await newKey();
  // The first request of an hour also stores when the key was last used.
  assert.deepEqual(await search(token), [200, 5, 1]);
  assert.deepEqual(await search(token), [200, 3, 2]);
  // Who is asked, the request, the search, and the search taken back.
  assert.deepEqual(await search(token, { vector: [1] }), [422, 4, 2]);
  assert.deepEqual(await search(token, { vector, top_k: 0 }), [422, 2, 2]);
  assert.equal(await keys.revokeKey(organizationId, id, runtime.clock.now().toISOString()), true);
  assert.deepEqual(await search(token), [401, 4, 2]);
  assert.deepEqual(await search(token), [401, 1, 2]);
  const other = (await newKey()).token;
  assert.deepEqual(await search(other), [200, 5, 3]);
  const minute = String(Math.floor(runtime.clock.now().getTime() / 60_000));
  const { searches } = plans.developer.rateLimits;
  const rate = { pk: `RATE#${organizationId}#0`, sk: minute };
  await openTable(runtime, 'usage').update(rate, { set: { searches } });
  assert.deepEqual(await search(other), [429, 4, 3]);
  // A refused request begins nothing.
  assert.deepEqual(await search(other), [429, 3, 3]);
  await openTable(runtime, 'usage').update(rate, { set: { searches: 0 } });
  assert.deepEqual(await search(other), [200, 5, 4]);
  assert.deepEqual(await search(other), [200, 3, 5]);
  assert.equal((await app.call(deleteIndex, { index_id: index })).status, 204);
  assert.deepEqual(await search(other), [404, 4, 5]);
  assert.deepEqual(await search(other), [404, 2, 5]);
});
