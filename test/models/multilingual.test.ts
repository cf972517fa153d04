import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { embeddedModelFolders, multilingualModel } from '../../shared/platform/models/assets.ts';
import { createEmbeddedEmbedder } from '../../shared/platform/models/embedded.ts';
import { openUnigram } from '../../shared/platform/models/unigram-tokenizer.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const root = join(import.meta.dirname, '../..');
const unigram = join(root, embeddedModelFolders[multilingualModel], 'unigram.bin');

interface Tokenized {
  readonly text: string;
  /** Made with the package `tokenizers` 0.22 of Hugging Face from the same pieces and scores. */
  readonly ids: readonly number[];
}

// Cast: the fixture's own format.
const tokenized = JSON.parse(
  readFileSync(join(import.meta.dirname, 'unigram-tokens.json'), 'utf8'),
) as readonly Tokenized[];

test('the Unigram tokenizer splits texts of 17 languages as the reference does', async () => {
  const { idsOf, begin, end } = await openUnigram(unigram);
  for (const { text, ids } of tokenized) assert.deepEqual(idsOf(text), ids, text);
  assert.deepEqual([begin, end], [[0], [2]]);
  assert.deepEqual(idsOf('  light\u00ADhouse \n'), idsOf('lighthouse'));
});

test('a file of another kind is refused as a tokenizer', async () => {
  const file = join(temporaryDirectory(), 'unigram.bin');
  writeFileSync(file, Buffer.alloc(64, 1));
  await assert.rejects(openUnigram(file), /it is no Unigram model/);
});

const passages = [
  'Returned goods are refunded within two weeks.',
  'Das Schwimmbad öffnet um neun Uhr und schließt um acht.',
  'Le train pour Lyon part du quai numéro trois.',
  'El médico recomienda dormir ocho horas cada noche.',
  'Для установки драйвера перезагрузите компьютер.',
  'يقع المتحف في وسط المدينة القديمة.',
  '这种植物每周只需要浇一次水。',
  '会議は来週の火曜日に延期されました。',
] as const;

/** Questions to the passages in order, each in its language and in another one. */
const questions = [
  ['When do I get my money back?', 'Wann bekomme ich mein Geld zurück?'],
  ['Wie lange kann ich baden gehen?', 'What are the opening hours of the pool?'],
  ["D'où part mon train ?", 'Which platform does the train leave from?'],
  ['¿Cuánto tiempo hay que dormir?', 'Wie viel Schlaf braucht man?'],
  ['Что делать после установки драйвера?', 'Do I have to restart the computer?'],
  ['أين المتحف؟', 'Where is the museum?'],
  ['多久给植物浇水？', 'How often does the plant need water?'],
  ['会議はいつですか？', 'When is the meeting?'],
] as const;

test('a question finds its passage by meaning, in its own language and from another one', async () => {
  const embedder = createEmbeddedEmbedder({ assetsDirectory: root, model: multilingualModel });
  const { vectors: documents } = await embedder.embed(passages, 384);
  for (const [at, asked] of questions.entries()) {
    const { vectors } = await embedder.embed(asked, 384, 'query');
    for (const [which, vector] of vectors.entries()) {
      const scores = documents.map((document) => document.reduce((sum, value, n) => sum + value * (vector[n] ?? 0), 0));
      assert.equal(scores.indexOf(Math.max(...scores)), at, asked[which]);
    }
  }
});
