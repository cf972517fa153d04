import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/shared-service.ts';
import { allVectors, finished, upload } from './support/files.ts';
import { type ApiAnswer, call, type Caller, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

const [english, multilingual] = ['embedded-minilm-l6-v2', 'embedded-multilingual-e5-small'] as const;

const notes = [
  { id: 'pool', text: 'Das Schwimmbad öffnet um neun Uhr und schließt um acht.' },
  { id: 'train', text: 'Le train pour Lyon part du quai numéro trois.' },
  { id: 'museum', text: 'يقع المتحف في وسط المدينة القديمة.' },
  { id: 'plant', text: '这种植物每周只需要浇一次水。' },
];

const question = 'How often must I water the plant?';

const done = async (asked: Promise<ApiAnswer>, wanted = 200): Promise<ApiAnswer['body']> => {
  const { status, body } = await asked;
  assert.equal(status, wanted, JSON.stringify(body));
  return body;
};

const openIndex = (key: Caller, index: string) => {
  const path = `/v1/indexes/${index}`;
  const rebuild = (id: string): Promise<ApiAnswer> => call(key, 'GET', `${path}/rebuilds/${id}`);
  return {
    post: (to: string, body: object, status = 200) => done(call(key, 'POST', `${path}/${to}`, body), status),
    /** Ids of the hits of a search, best first. */
    search: async (body: object, mode = 'dense'): Promise<string[]> =>
      (await done(call(key, 'POST', `${path}/search/${mode}`, body))).results.map((hit: { id: string }) => hit.id),
    start: async (body: object): Promise<string> =>
      (await done(call(key, 'POST', `${path}/rebuilds`, body), 202)).rebuild.id,
    rebuild,
    reached: async (id: string, status: string): Promise<ApiAnswer['body']> =>
      (
        await eventually(
          () => rebuild(id),
          ({ body }) => body.status === status || body.status === 'failed',
        )
      ).body,
    rows: async (): Promise<readonly string[]> =>
      (await allVectors(key, index)).map(({ id, version }) => `${id} ${version}`).toSorted(),
  };
};

test('an index with a file, a branch, an alias and a restricted key becomes one of another model, and back', async () => {
  const { key, session } = await newOrganization(baseUrl);
  const created = { name: 'notes', embedding_model: english };
  const index = (await done(call(key, 'POST', '/v1/indexes', created), 201)).id;
  const { post, search, start, reached, rows } = openIndex(key, index);
  await post('vectors', notes);
  const job = await upload(key, index, 'tea.txt', 'text/plain', Buffer.from('Green tea is brewed at eighty degrees.'));
  assert.equal((await finished(key, index, job)).status, 'completed');
  const branch = (await post('branches', { name: 'try' }, 201)).id;
  await done(call(key, 'PUT', '/v1/aliases/live', { index_id: index }));
  const restricted = await done(
    call(key, 'POST', '/v1/api-keys', { name: 'one', permissions: ['read', 'write'], index_ids: [index] }),
    201,
  );
  const ofAlias = openIndex({ baseUrl, bearer: restricted.token }, index);
  const before = await rows();
  const eventsOf = async (): Promise<readonly string[]> =>
    (await done(call(session, 'GET', '/v1/organization/webhooks/events'))).events
      .filter(({ index_id: of }: { readonly index_id: string }) => of === index)
      .map(({ event_type: type }: { readonly event_type: string }) => type);
  const eventsBefore = await eventsOf();

  const { rebuild: none, estimate } = await post('rebuilds', { embedding_model: multilingual, dry_run: true }, 202);
  assert.deepEqual([none, estimate.vectors, estimate.left_out], [null, 5, 0]);
  const id = await start({ embedding_model: multilingual, text_language: 'auto' });
  const taken = await reached(id, 'completed');
  assert.equal(taken.status, 'completed', JSON.stringify(taken));
  assert.deepEqual(await rows(), before);
  const shown = await done(call(key, 'GET', `/v1/indexes/${index}`));
  assert.deepEqual([shown.embedding_model, shown.text_language], [multilingual, 'auto']);
  assert.equal((await search({ text: question, top_k: 1 }))[0], 'plant');
  assert.equal((await ofAlias.search({ text: question, top_k: 1 }))[0], 'plant');
  assert.deepEqual(await search({ text: 'brewed' }, 'sparse'), [`${job}:000001:00001`]);
  // The forecast is of the same tokens, since all rows were sampled.
  assert.equal(taken.embedding_tokens, estimate.embedding_tokens);
  assert.deepEqual(await eventsOf(), ['index.rebuild.completed', ...eventsBefore]);

  // The branch has the former content until it is rebuilt itself.
  const own = openIndex(key, branch);
  assert.equal((await done(call(key, 'GET', `/v1/indexes/${branch}`))).embedding_model, english);
  assert.deepEqual(await own.rows(), before);
  await own.post('vectors', [{ id: 'branch', text: 'Im Winter ist das Museum geschlossen.' }]);
  const { detail } = await done(call(key, 'POST', `/v1/indexes/${branch}/promote`, {}), 409);
  assert.match(detail, /"embed": true/);
  await own.post('promote', { embed: true });
  assert.equal((await search({ text: 'When is the museum closed?', top_k: 1 }))[0], 'branch');

  await post('vectors', [{ id: 'since', text: 'Кофе варят при девяноста градусах.' }]);
  const withAll = await rows();
  const undone = await post(`rebuilds/${id}/rollback`, {});
  assert.equal(undone.status, 'rolled_back');
  assert.deepEqual(await rows(), withAll);
  assert.equal((await done(call(key, 'GET', `/v1/indexes/${index}`))).embedding_model, english);
  assert.equal((await search({ text: 'green tea', top_k: 1 }))[0], `${job}:000001:00001`);
});

test('an index moves to Amazon S3 Vectors and back, with the writes of the meantime', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = (await done(call(key, 'POST', '/v1/indexes', { name: 'moved', dimensions: 8 }), 201)).id;
  const { post, search, start, reached, rows } = openIndex(key, index);
  const vectorOf = (at: number): number[] => Array.from({ length: 8 }, (_, n) => (n === at % 8 ? 1 : 0.01 * (n + 1)));
  const items = Array.from({ length: 30 }, (_, at) => ({
    id: `row-${at}`,
    vector: vectorOf(at),
    text: `note ${at}`,
    metadata: { at },
  }));
  await post('vectors', items);
  const there = await start({ engine: 's3_vectors' });
  assert.equal((await reached(there, 'completed')).status, 'completed');
  assert.equal((await rows()).length, 30);
  await post('vectors', [{ id: 'new', vector: vectorOf(3), text: 'harbour', metadata: {} }]);
  await post('vectors/delete', { ids: ['row-3'] });
  assert.deepEqual(await search({ text: 'harbour' }, 'sparse'), ['new']);
  const moved = await rows();
  await done(call(key, 'DELETE', `/v1/indexes/${index}/rebuilds/${there}`), 204);
  const back = await eventually(
    () => call(key, 'POST', `/v1/indexes/${index}/rebuilds`, { engine: 'lance' }),
    ({ status }) => status === 202,
  );
  assert.equal((await reached(back.body.rebuild.id, 'completed')).status, 'completed');
  assert.deepEqual(await rows(), moved);
  assert.deepEqual(await search({ text: 'harbour' }, 'sparse'), ['new']);
});

test('rows that a new model cannot embed end a rebuild, or stay out until it is undone', async () => {
  const { key } = await newOrganization(baseUrl);
  const created = { name: 'own vectors', dimensions: 8, embedding_model: null };
  const index = (await done(call(key, 'POST', '/v1/indexes', created), 201)).id;
  const { post, start, reached, rows } = openIndex(key, index);
  await post('vectors', [
    { id: 'own', vector: [1, 2, 3, 4, 5, 6, 7, 8] },
    { id: 'text', text: 'A text.' },
  ]);
  const all = await rows();
  const refused = await reached(await start({ embedding_model: multilingual }), 'completed');
  assert.equal(refused.status, 'failed');
  assert.match(refused.error, /"own".*foreign_vectors/u);
  assert.deepEqual(await rows(), all);
  const skipping = { embedding_model: multilingual, foreign_vectors: 'skip' };
  const again = await eventually(
    () => call(key, 'POST', `/v1/indexes/${index}/rebuilds`, skipping),
    ({ status }) => status === 202,
    120,
  );
  const { id } = again.body.rebuild;
  const taken = await reached(id, 'completed');
  assert.deepEqual([taken.status, taken.left_out], ['completed', 1]);
  assert.equal((await rows()).length, 1);
  await post('vectors', [{ id: 'later', vector: [8, 7, 6, 5, 4, 3, 2, 1] }]);
  const later = (await rows()).filter((row) => row.startsWith('later'));
  await post(`rebuilds/${id}/rollback`, {});
  assert.deepEqual(await rows(), [...all, ...later].toSorted());
});
