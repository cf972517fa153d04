import assert from 'node:assert/strict';
import { test } from 'node:test';
import { office } from '../../packages/documents/test/extract/make-office.ts';
import { eventually } from '../support/eventually.ts';
import { makePdf } from '../support/make-pdf.ts';
import { startService } from '../support/shared-service.ts';
import { allVectors, finished, upload } from './support/files.ts';
import { openItemApi } from './support/item-api.ts';
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

/** Reads the chunks and the text of files of an index. */
const openFiles = (key: Caller, index: string) => {
  const get = (path: string): Promise<ApiAnswer['body']> => done(call(key, 'GET', `/v1/indexes/${index}/${path}`));
  const chunksOf = async (job: string): Promise<readonly ApiAnswer['body'][]> =>
    get(`files/${job}/chunks?limit=1000&include_citations=true`);
  return {
    get,
    chunksOf,
    textsOf: async (job: string): Promise<readonly string[]> => (await chunksOf(job)).map(({ text }) => text),
    /** Compares chunks with the places that their citations name, and returns their texts. */
    placed: async (job: string): Promise<readonly string[]> => {
      const text = Array.from<string>((await get(`files/${job}/text?format=text`)).text);
      const chunks = await chunksOf(job);
      for (const [at, { id, text: own, metadata, citation }] of chunks.entries()) {
        assert.equal(id, `${job}:000001:${String(at + 1).padStart(5, '0')}`);
        assert.equal(metadata.chunk, at + 1);
        const slice = text.slice(citation.start, citation.end).join('').replaceAll('\f', '');
        assert.ok(own.endsWith(slice.slice(slice.indexOf('\n') + 1)), `${own}\n---\n${slice}`);
      }
      return chunks.map((chunk) => chunk.text);
    },
  };
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

test('an index with a file, a connector, a branch, an alias and a restricted key becomes one of another model, and back', async () => {
  const { key, session } = await newOrganization(baseUrl);
  const created = { name: 'notes', embedding_model: english };
  const index = (await done(call(key, 'POST', '/v1/indexes', created), 201)).id;
  const { post, search, start, reached, rows } = openIndex(key, index);
  await post('vectors', notes);
  const job = await upload(key, index, 'tea.txt', 'text/plain', Buffer.from('Green tea is brewed at eighty degrees.'));
  assert.equal((await finished(key, index, job)).status, 'completed');
  const items = [
    { id: 1, title: 'Moorings', body: 'A mooring costs twelve euros.', updated_at: '2026-01-01T00:00:00Z' },
  ];
  const { id: connection } = await post('connectors/custom-api', await openItemApi(items), 201);
  const isFound = (text: string): Promise<unknown> =>
    eventually(
      () => search({ text }, 'sparse'),
      (hits) => hits.length > 0,
    );
  await isFound('twelve euros');
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

  const { rebuild: none, estimate } = await post('rebuilds', { embedding_model: multilingual, dry_run: true });
  assert.deepEqual([none, estimate.vectors, estimate.left_out], [null, 6, 0]);
  const recorded = async (): Promise<number> =>
    (await done(call(session, 'GET', '/v1/organization/audit?action=rebuild.created'))).length;
  assert.equal(await recorded(), 0);
  const id = await start({ embedding_model: multilingual, text_language: 'auto' });
  assert.equal(await recorded(), 1);
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

  items.push({ id: 2, title: 'Tides', body: 'High water is later every day.', updated_at: '2026-01-02T00:00:00Z' });
  await post(`connectors/${connection}/sync`, {}, 202);
  await isFound('high water');
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

const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** A DOCX file with a paragraph above a table. */
const wordOf = (text: string, rows: readonly (readonly string[])[]): Uint8Array => {
  const cells = (some: readonly string[]): string => some.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('');
  const table = `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join('')}</w:tbl>`;
  return office('wordprocessingml.document', 'word/document.xml', {
    'word/document.xml': `<w:document><w:body>${paragraph(text)}${table}</w:body></w:document>`,
  });
};

const sentencesOf = (name: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `Sentence ${at + 1} of ${name} tells what is in part ${at}.`).join(' ');

test('the files of an index are cut again without being read, and follow every change before and after a rollback', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = (await done(call(key, 'POST', '/v1/indexes', { name: 'chunks', embedding_model: english }), 201)).id;
  const { post, search, start, reached } = openIndex(key, index);
  const { get, chunksOf, textsOf, placed } = openFiles(key, index);
  const add = async (filename: string, type: string, bytes: Uint8Array, metadata = {}): Promise<string> => {
    const body = { filename, content_type: type, metadata };
    const { id: job, upload_url: url, upload_headers: headers } = await post('files', body, 201);
    await fetch(url, { method: 'PUT', headers, body: Uint8Array.from(bytes) });
    assert.equal((await finished(key, index, job)).status, 'completed');
    return job;
  };
  const addText = (name: string, metadata = {}): Promise<string> =>
    add(`${name}.txt`, 'text/plain', Buffer.from(sentencesOf(name, 60)), metadata);
  const pages = ['one', 'two', 'three'].map((name) => sentencesOf(name, 40));
  const pdf = await add('book.pdf', 'application/pdf', await makePdf(pages));
  const rows = Array.from({ length: 60 }, (_, at) => [`Barge ${at}`, `${at * 7} tons`, `Berth ${at % 5}`]);
  const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  const table = [['Ship', 'Load', 'Place'], ...rows];
  const word = await add('fleet.docx', wordType, wordOf(sentencesOf('fleet', 20), table), { team: 'docks' });
  const [edited, trimmed, gone] = [await addText('edited'), await addText('trimmed'), await addText('gone')];
  const [first = '', second = ''] = (await chunksOf(edited)).map(({ id }) => id);
  await post('vectors', [
    { id: second, text: 'Written by hand.' },
    { id: 'own', text: 'A row of no file.' },
  ]);
  const [, middle] = await chunksOf(trimmed);
  await post('vectors/delete', { ids: [middle.id] });
  const before = new Map<string, readonly string[]>();
  for (const job of [pdf, word, edited, trimmed, gone]) before.set(job, await textsOf(job));
  const branch = (await post('branches', { name: 'try' }, 201)).id;
  const restricted = await done(
    call(key, 'POST', '/v1/api-keys', { name: 'one', permissions: ['read'], index_ids: [index] }),
    201,
  );

  const chunking = { size: 400, overlap: 40 };
  const { estimate } = await post('rebuilds', { chunking, dry_run: true });
  assert.deepEqual([estimate.files, estimate.kept_files], [5, 2]);
  const id = await start({ chunking });
  const taken = await reached(id, 'completed');
  assert.equal(taken.status, 'completed', JSON.stringify(taken));
  assert.deepEqual([taken.from.chunking, taken.to.chunking, taken.left_out], [null, chunking, 0]);
  assert.deepEqual([taken.kept_files, taken.kept_rows], [2, estimate.kept_rows]);
  const shown = await get('');
  assert.deepEqual(shown.chunking, chunking);
  // All rows were sampled, so the forecast is exact.
  assert.equal((await allVectors(key, index)).length, estimate.vectors_after);
  assert.ok(Math.abs(taken.embedding_tokens - estimate.embedding_tokens) < taken.embedding_tokens / 4);

  // Chunks have the new size and their places. What was changed by hand is as it was.
  for (const job of [pdf, word, gone]) {
    const texts = await placed(job);
    assert.ok(texts.length > (before.get(job)?.length ?? 0), `${texts.length} chunks`);
    for (const text of texts) assert.ok(text.length <= chunking.size, text);
  }
  assert.ok((await chunksOf(pdf)).every(({ citation }) => citation.regions.length > 0));
  const ofTable = (await textsOf(word)).filter((text) => /^Barge/mu.test(text));
  assert.ok(ofTable.length > 4);
  for (const text of ofTable) assert.ok(text.includes('Ship | Load | Place\n'), text);
  assert.deepEqual(await textsOf(edited), before.get(edited));
  assert.deepEqual(await textsOf(trimmed), before.get(trimmed));
  assert.equal((await get(`files/${pdf}`)).chunks_written, before.get(pdf)?.length);
  const [around] = await search({ text: 'Sentence 33 of three', top_k: 1 }, 'sparse');
  const near = (await get(`files/${pdf}/chunks?limit=3&around=${around}`)).map((chunk: { id: string }) => chunk.id);
  assert.equal(near[1], around);
  const ofKey = openFiles({ baseUrl, bearer: restricted.token }, index);
  assert.deepEqual(await ofKey.textsOf(pdf), await textsOf(pdf));

  // A branch keeps the chunks of its parent, and is promoted once it has those of the parent.
  const own = openIndex(key, branch);
  assert.deepEqual(await openFiles(key, branch).textsOf(pdf), before.get(pdf));
  await own.post('vectors', [{ id: 'branch', text: 'A row of the branch.' }]);
  const { detail } = await done(call(key, 'POST', `/v1/indexes/${branch}/promote`, {}), 409);
  assert.match(detail, /chunks of other sizes/u);
  const ofBranch = await own.start({ chunking });
  assert.equal((await own.reached(ofBranch, 'completed')).status, 'completed');
  assert.deepEqual(await openFiles(key, branch).textsOf(pdf), await textsOf(pdf));
  await own.post('promote', {});

  // Later changes: a file, one with a size of its own, a deletion, metadata of a file, and a row by hand.
  const later = await addText('later');
  for (const text of await placed(later)) assert.ok(text.length <= chunking.size, text);
  const sized = await addText('sized', { chunk_size: 1_000 });
  assert.ok((await placed(sized)).some((text) => text.length > 600));
  await done(call(key, 'DELETE', `/v1/indexes/${index}/files/${gone}`), 204);
  await post('vectors/update-by-filter', { filter: { team: 'docks' }, metadata: { fleet: 'north' } });
  const [hand] = await chunksOf(pdf);
  await post('vectors', [{ id: hand.id, text: 'The cover was described by hand.' }]);
  const withHand = await textsOf(pdf);
  const laterText = (await textsOf(later)).length;

  const undone = await post(`rebuilds/${id}/rollback`, {});
  assert.equal(undone.status, 'rolled_back');
  assert.equal((await get('')).chunking, undefined);
  assert.deepEqual(await textsOf(word), before.get(word));
  for (const { metadata } of await chunksOf(word)) assert.equal(metadata.fleet, 'north');
  assert.deepEqual(await textsOf(edited), before.get(edited));
  assert.deepEqual(await textsOf(trimmed), before.get(trimmed));
  assert.deepEqual(await textsOf(pdf), withHand);
  assert.ok((await placed(later)).length < laterText);
  assert.ok((await placed(sized)).some((text) => text.length > 600));
  assert.deepEqual(await search({ text: 'gone' }, 'sparse'), []);
  const all = (await allVectors(key, index)).map((row) => row.id);
  assert.deepEqual(
    [all.includes(first), all.includes('own'), all.includes('branch'), all.some((row) => row.startsWith(gone))],
    [true, true, true, false],
  );
});

test('chunks of another size need an engine that lists by id', async () => {
  const { key } = await newOrganization(baseUrl);
  const created = { name: 'there', dimensions: 8, engine: 's3_vectors' };
  const index = (await done(call(key, 'POST', '/v1/indexes', created), 201)).id;
  const { post } = openIndex(key, index);
  const refused = await eventually(
    () => call(key, 'POST', `/v1/indexes/${index}/rebuilds`, { chunking: { size: 400 }, dry_run: true }),
    ({ body }) => body.type !== 'index_not_ready',
  );
  assert.equal(refused.status, 409);
  assert.match(refused.body.detail, /s3_vectors/u);
  await post('rebuilds', { chunking: { size: 400, overlap: 200 }, dry_run: true }, 422);
});
