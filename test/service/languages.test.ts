import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/shared-service.ts';
import { call, newOrganization } from './support/organization.ts';
import { eventually } from '../support/eventually.ts';

const { baseUrl } = await startService();

const [english, multilingual] = ['embedded-minilm-l6-v2', 'embedded-multilingual-e5-small'] as const;

const notes = [
  { id: 'pool', text: 'Das Schwimmbad öffnet um neun Uhr und schließt um acht.' },
  { id: 'train', text: 'Le train pour Lyon part du quai numéro trois.' },
  { id: 'driver', text: 'Для установки драйвера перезагрузите компьютер.' },
  { id: 'museum', text: 'يقع المتحف في وسط المدينة القديمة.' },
  { id: 'plant', text: '这种植物每周只需要浇一次水。' },
];

test('an index of another language than English gets the multilingual model, unless it chooses one', async () => {
  const { key } = await newOrganization(baseUrl);
  const cases = [
    { choice: {}, is: [english, 1536] },
    { choice: { text_language: 'english' }, is: [english, 1536] },
    { choice: { text_language: 'german' }, is: [multilingual, 1536] },
    { choice: { text_language: 'none', dimensions: 384 }, is: [multilingual, 384] },
    { choice: { text_language: 'german', embedding_model: english }, is: [english, 384] },
    { choice: { embedding_model: multilingual }, is: [multilingual, 384] },
    { choice: { embedding_model: 'default' }, is: [english, 384] },
    { choice: { embedding_model: 'default', text_language: 'greek' }, is: [multilingual, 384] },
  ] as const;
  for (const { choice, is } of cases) {
    const { body } = await call(key, 'POST', '/v1/indexes', { name: 'languages', ...choice });
    assert.deepEqual([body.embedding_model, body.dimensions], is, JSON.stringify(choice));
  }
});

test('an index with detected languages stems each text by its own', async () => {
  const { key } = await newOrganization(baseUrl);
  const { id } = (await call(key, 'POST', '/v1/indexes', { name: 'auto', text_language: 'auto' })).body;
  await call(key, 'POST', `/v1/indexes/${id}/vectors`, [
    { id: 'german', text: 'Die Versicherungen wurden von den Kunden gekündigt.' },
    { id: 'english', text: 'The companies were running their own stores.' },
    { id: 'russian', text: 'В городах построены новые маяки.' },
  ]);
  for (const [text, wanted] of [
    ['Versicherung', 'german'],
    ['which company is there?', 'english'],
    ['маяк', 'russian'],
  ]) {
    const { body } = await call(key, 'POST', `/v1/indexes/${id}/search/sparse`, { text });
    assert.deepEqual(
      body.results.map((hit: { readonly id: string }) => hit.id),
      [wanted],
      text,
    );
  }
});

test('texts of five languages are found by questions in English, and do not move to an index of the English model', async () => {
  const { key } = await newOrganization(baseUrl);
  const { id } = (await call(key, 'POST', '/v1/indexes', { name: 'mixed', text_language: 'none' })).body;
  await call(key, 'POST', `/v1/indexes/${id}/vectors`, notes);
  const questions = [
    'When does the pool close?',
    'From which platform does the train leave?',
    'Should I restart the computer?',
    'Where is the museum?',
    'How often must I water the plant?',
  ];
  for (const [at, text] of questions.entries())
    for (const mode of ['dense', 'hybrid']) {
      const { body } = await call(key, 'POST', `/v1/indexes/${id}/search/${mode}`, { text, top_k: 1 });
      assert.equal(body.results[0].id, notes[at]?.id, `${mode}: ${text}`);
    }

  const { body: started } = await call(key, 'POST', `/v1/indexes/${id}/exports`, {});
  const { body: report } = await eventually(
    () => call(key, 'GET', `/v1/indexes/${id}/exports/${started.id}`),
    ({ body: { status } }) => status === 'completed',
  );
  assert.equal(report.embedding_model, multilingual);
  const { id: other } = (await call(key, 'POST', '/v1/indexes', { name: 'other' })).body;
  const from = { provider: 'export', uri: `${id}/${started.id}` };
  const { status, body } = await call(key, 'POST', `/v1/indexes/${other}/imports`, from);
  assert.equal(status, 409);
  assert.match(body.detail, /model embedded-multilingual-e5-small, and those of the index of embedded-minilm-l6-v2/);
});
