import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseFusion, HybridSearch } from '../../shared/search/index.ts';

const embedded = { embeddingModel: 'embedded-minilm-l6-v2', textLanguage: 'english' } as const;
const titan = { embeddingModel: 'bedrock/amazon.titan-embed-text-v2:0', textLanguage: 'english' } as const;
const choice = (fusion?: object) => HybridSearch.parse({ text: 'tea', fusion }).fusion;

test('hybrid search is fused by scores, with less weight on the embedded model where it knows few words', () => {
  const weightOf = (index: Parameters<typeof chooseFusion>[1], text: string | null): number => {
    const { method, denseWeight } = chooseFusion(choice(), index, text);
    assert.equal(method, 'weighted');
    return denseWeight;
  };
  for (const text of ['How hot should tea be?', 'Grüner Tee, çay, trà', '2.0.1', 'tea 茶', '']) {
    assert.equal(weightOf(embedded, text), 0.5, text);
    for (const textLanguage of ['german', 'turkish', 'none'] as const)
      assert.equal(weightOf({ ...embedded, textLanguage }, text), 0.1, text);
  }
  for (const text of ['绿茶', 'шаблон для чая', 'كم درجة حرارة الشاي', 'चाय'])
    assert.equal(weightOf(embedded, text), 0.1, text);
  assert.equal(weightOf(embedded, null), 0.5);
  assert.equal(weightOf(titan, '绿茶'), 0.5);
});

test('a query in another language than the texts is weighed by its meaning, if the model reads both', () => {
  const german = { embeddingModel: 'embedded-multilingual-e5-small', textLanguage: 'german' } as const;
  const weightOf = (index: Parameters<typeof chooseFusion>[1], text: string): number =>
    chooseFusion(choice(), index, text).denseWeight;
  for (const text of ['When does the pool close?', '什么时候关门', 'Когда закрывается бассейн?'])
    assert.equal(weightOf(german, text), 0.9, text);
  for (const text of ['Wann schließt das Schwimmbad?', 'iPhone 15', 'Schwimmbad'])
    assert.equal(weightOf(german, text), 0.5, text);
  for (const textLanguage of ['none', 'auto'] as const)
    assert.equal(weightOf({ ...german, textLanguage }, 'When does the pool close?'), 0.5);
});

test('the fusion that a caller requests is used', () => {
  const requested = choice({ method: 'rrf', k: 60, dense_weight: 0.7 });
  assert.deepEqual(chooseFusion(requested, embedded, '绿茶'), { method: 'rrf', k: 60, denseWeight: 0.7 });
});
