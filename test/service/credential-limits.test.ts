import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createUserToken } from '#client';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/shared-service.ts';
import { finished, upload } from './support/files.ts';
import { type ApiAnswer, call, type Caller, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

/** Creates a key, and returns it with its record. */
const newKey = async (
  session: Caller,
  fields: object,
): Promise<{ readonly key: Caller; readonly made: ApiAnswer['body'] }> => {
  const { status, body } = await call(session, 'POST', '/v1/api-keys', { name: 'k', ...fields });
  assert.equal(status, 201, JSON.stringify(body));
  return { key: { baseUrl, bearer: body.token }, made: body };
};

const newIndex = async (key: Caller): Promise<string> =>
  (await call(key, 'POST', '/v1/indexes', { name: 'limits', dimensions: 2 })).body.id;

const search = (key: Caller, index: string) =>
  call(key, 'POST', `/v1/indexes/${index}/search/dense`, { vector: [1, 0] });

const upsert = (key: Caller, index: string, id: string) =>
  call(key, 'POST', `/v1/indexes/${index}/vectors`, [{ id, vector: [1, 0], metadata: { tenant: 'a' } }]);

const usageOf = async (caller: Caller): Promise<ReadonlyMap<string, ApiAnswer['body']>> => {
  const { status, body } = await call(caller, 'GET', '/v1/organization/usage/credentials');
  assert.equal(status, 200, JSON.stringify(body));
  return new Map(body.map((entry: ApiAnswer['body']) => [entry.credential_id, entry]));
};

test('a key is refused above its own rate, with its own figures, and takes nothing from other keys', async () => {
  const { session, key: other } = await newOrganization(baseUrl);
  const index = await newIndex(session);
  await upsert(other, index, 'a:1');
  const bounds = { filter: { tenant: 'a' }, permissions: ['read'], index_ids: [index] };
  const { key, made } = await newKey(session, { ...bounds, rate_limits: { searches: 3 } });
  assert.deepEqual([made.rate_limits, made.in_flight, made.monthly_limits], [{ searches: 3 }, null, null]);
  const answers: ApiAnswer[] = [];
  for (let at = 0; at < 10; at += 1) answers.push(await search(key, index));
  const refused = answers.filter(({ status }) => status === 429);
  // The minute may change once meanwhile.
  assert.ok(refused.length >= 4 && refused.length <= 7, String(refused.length));
  assert.equal(answers.length - refused.length, answers.filter(({ status }) => status === 200).length);
  const [first] = refused;
  assert.deepEqual(first?.body.detail, 'This credential allows 3 searches a minute');
  assert.equal(first?.headers.get('ratelimit-limit'), '3');
  assert.ok(Number(first?.headers.get('retry-after')) >= 1);
  // Requests of another kind have a rate of their own.
  assert.equal((await call(key, 'GET', `/v1/indexes/${index}/vectors`)).status, 200);
  assert.equal((await search(other, index)).status, 200);
});

test('a key and the tokens of its end users have only so many requests in flight, whatever others send', async () => {
  const { session, key: other } = await newOrganization(baseUrl);
  const index = await newIndex(session);
  await upsert(other, index, 'a:1');
  const { key, made } = await newKey(session, { permissions: ['read'], index_ids: [index], in_flight: 1 });
  const token = await createUserToken({ key: made.token, keyId: made.id, indexIds: [index], filter: null });
  const flood = Array.from({ length: 60 }, (_, at) =>
    at % 2 === 0
      ? call(key, 'POST', `/v1/indexes/${index}/search/dense`, { vector: [1, 0], exact: true })
      : search({ baseUrl, bearer: token }, index),
  );
  const calm: number[] = [];
  for (let at = 0; at < 20; at += 1) calm.push((await search(other, index)).status);
  assert.deepEqual(new Set(calm), new Set([200]));
  const answers = await Promise.all(flood);
  const statuses = new Set(answers.map(({ status }) => status));
  assert.ok(statuses.has(429) && statuses.has(200), [...statuses].join(' '));
  assert.ok(
    [...statuses].every((status) => status === 200 || status === 429),
    [...statuses].join(' '),
  );
  const refused = answers.find(({ status }) => status === 429);
  assert.match(refused?.body.detail, /^This credential allows 1 requests at a time/);
  // A request that has ended makes room: a heavy request alone passes.
  const alone = await call(key, 'POST', `/v1/indexes/${index}/search/dense`, { vector: [1, 0], exact: true });
  assert.equal(alone.status, 200, JSON.stringify(alone.body));
});

test('usage is listed by credential, ends at monthly limits, and a bound key sees its own alone', async () => {
  const { session, key: other } = await newOrganization(baseUrl);
  const index = await newIndex(session);
  const bounds = { filter: { tenant: 'a' }, id_prefix: 'a:', index_ids: [index] };
  const { key, made } = await newKey(session, { ...bounds, monthly_limits: { vectors_written: 2, searches: 3 } });
  const token = await createUserToken({ key: made.token, keyId: made.id, indexIds: [index], filter: null });
  const searches = [{ mode: 'dense', vector: [1, 0] }];
  const batch = (caller: Caller) => call(caller, 'POST', `/v1/indexes/${index}/search/batch`, { searches });
  const { key: later } = await newKey(session, { index_ids: [index] });
  /** A busy process adds figures of the last second with a later request. */
  const counted = (figures: object) =>
    eventually(
      async () => {
        await Promise.all([search(later, index), batch(later), upsert(later, index, 'later')]);
        return (await usageOf(session)).get(made.id);
      },
      ({ vectors_written: written, searches: { dense } }) => isDeepStrictEqual({ written, dense }, figures),
    );
  await upsert(other, index, 'x');
  await upsert(key, index, 'a:1');
  await upsert(key, index, 'a:2');
  await counted({ written: 2, dense: 0 });
  const over = await upsert(key, index, 'a:3');
  assert.deepEqual(
    [over.status, over.body.code, over.body.detail, over.body.limit, over.body.current],
    [402, 'plan_limit_reached', 'This credential allows 2 vectors written a month', 2, 2],
  );
  assert.equal((await search(key, index)).status, 200);
  assert.equal((await search({ baseUrl, bearer: token }, index)).status, 200);
  assert.equal((await batch(key)).body.responses[0].status, 200);
  const { credential_id: id, name } = await counted({ written: 2, dense: 3 });
  assert.deepEqual([id, name], [made.id, 'k']);
  for (const refused of [key, { baseUrl, bearer: token }]) assert.equal((await search(refused, index)).status, 402);
  // Reads add nothing that is limited.
  assert.equal((await call(key, 'GET', `/v1/indexes/${index}/vectors`)).status, 200);
  assert.deepEqual([...(await usageOf(key)).keys()], [made.id]);
  // Unrestricted credentials are not counted by themselves.
  assert.equal((await usageOf(session)).size, 2);
});

test('a file counts for the credential that created its job', async () => {
  const { session } = await newOrganization(baseUrl);
  const index = await newIndex(session);
  const { key, made } = await newKey(session, { monthly_limits: { file_jobs: 1 } });
  const job = await upload(key, index, 'a.txt', 'text/plain', Buffer.from('A cellar key hangs behind the door.'));
  const second = { filename: 'b.txt', content_type: 'text/plain' };
  assert.equal((await call(key, 'POST', `/v1/indexes/${index}/files`, second)).status, 402);
  await finished(key, index, job);
  const figuresOf = ({
    file_jobs,
    pages,
    vectors_written,
    embedding_tokens,
    serverless_invocations,
  }: ApiAnswer['body']) => ({
    file_jobs,
    pages,
    vectors_written,
    embedding_tokens,
    serverless_invocations,
  });
  const own = await eventually(
    async () => (await usageOf(session)).get(made.id),
    ({ vectors_written: written }) => written > 0,
  );
  const { body: total } = await call(session, 'GET', '/v1/organization/usage');
  assert.deepEqual(figuresOf(own), figuresOf(total));
});

test('an organization that has spent its limit searches and writes no more, until an owner raises it', async () => {
  const { session, key } = await newOrganization(baseUrl);
  const change = (caller: Caller, body: object) => call(caller, 'PATCH', '/v1/organization', body);
  const index = await newIndex(session);
  // A cent buys 5,000 written vectors.
  for (let batch = 0; batch < 5; batch += 1) {
    const rows = Array.from({ length: 1_000 }, (_, at) => ({ id: `${batch}-${at}`, vector: [1, at] }));
    assert.equal((await call(key, 'POST', `/v1/indexes/${index}/vectors`, rows)).status, 200);
  }
  assert.equal((await change(key, { spending_limit_usd: 0.01 })).status, 403);
  assert.deepEqual((await change(session, { spending_limit_usd: 0 })).body.detail[0].loc, [
    'body',
    'spending_limit_usd',
  ]);
  const { body: changed } = await change(session, { spending_limit_usd: 0.01, organization_name: 'Thrifty' });
  assert.deepEqual([changed.spending_limit_usd, changed.organization_name], [0.01, 'Thrifty']);
  const spent = [402, 'plan_limit_reached', 'The organization has spent its limit of 0.01 USD this month', 0.01, 0.01];
  const file = { filename: 'a.txt', content_type: 'text/plain' };
  for (const answer of [
    await search(key, index),
    await upsert(key, index, 'one'),
    await call(key, 'POST', `/v1/indexes/${index}/files`, file),
  ])
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.detail, answer.body.limit, answer.body.current],
      spent,
    );
  assert.equal((await call(key, 'GET', `/v1/indexes/${index}/vectors?limit=1`)).status, 200);
  const bound = await newKey(session, { permissions: ['read'], filter: { tenant: 'a' }, index_ids: [index] });
  const { status, body } = await search(bound.key, index);
  assert.deepEqual([status, body.limit, body.current], [402, undefined, undefined]);
  assert.equal((await change(session, { spending_limit_usd: null })).body.spending_limit_usd, null);
  assert.equal((await search(key, index)).status, 200);
});

test('a credential with limits creates no credentials, and limits are positive', async () => {
  const { session } = await newOrganization(baseUrl);
  const { key } = await newKey(session, { rate_limits: { requests: 100 } });
  const refused = await call(key, 'POST', '/v1/api-keys', { name: 'without limits' });
  assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
  const invalid = { name: 'k', rate_limits: { searches: 0 }, in_flight: 0, monthly_limits: { cost_usd: 0 } };
  const { status, body } = await call(session, 'POST', '/v1/api-keys', invalid);
  assert.equal(status, 422);
  assert.deepEqual(
    body.detail.map(({ loc }: { readonly loc: readonly string[] }) => loc.join('.')),
    ['body.rate_limits.searches', 'body.in_flight', 'body.monthly_limits.cost_usd'],
  );
});
