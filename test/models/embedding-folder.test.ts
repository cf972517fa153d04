import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ModelFault } from '../../shared/platform/models/call-model.ts';
import { createEmbeddedEmbedder, createFolderEmbedder } from '../../shared/platform/models/embedded.ts';
import type { TextUse } from '../../shared/platform/models/port.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const root = join(import.meta.dirname, '../..');
const builtIn = join(root, 'models/all-minilm-l6-v2');
const base = { name: 'minilm', dimensions: 384, max_tokens: 256 };

/** Creates a folder with the files of the embedded model and a configuration. */
const openFolder = (config: object | string, files = ['model.onnx', 'tokenizer.json']): string => {
  const folder = join(temporaryDirectory(), 'model');
  mkdirSync(folder);
  for (const file of files) symlinkSync(join(builtIn, file), join(folder, file));
  writeFileSync(join(folder, 'embedding.json'), typeof config === 'string' ? config : JSON.stringify(config));
  return folder;
};

const embedIn = async (folder: string, text: string, use: TextUse): Promise<Float32Array> => {
  const [vector] = (await createFolderEmbedder(folder, 'model-folder/minilm').embed([text], 384, use)).vectors;
  assert.ok(vector !== undefined);
  return vector;
};

test('a model of a folder gets its prefixes for queries and documents, and its tokens do not count', async () => {
  const plain = openFolder(base);
  const prefixed = openFolder({ ...base, query_prefix: 'query: ', document_prefix: 'passage: ' });
  for (const [use, prefix] of [
    ['query', 'query: '],
    ['document', 'passage: '],
  ] as const)
    assert.deepEqual(await embedIn(prefixed, 'green tea', use), await embedIn(plain, `${prefix}green tea`, use));
  const { tokens } = await createFolderEmbedder(prefixed, 'model-folder/minilm').embed(['green tea'], 384, 'query');
  assert.equal(tokens, 2);
});

test('a model of a folder pools and reads windows as its configuration states', async () => {
  const embedded = createEmbeddedEmbedder({ assetsDirectory: root });
  const [expected] = (await embedded.embed(['green tea'], 384)).vectors;
  assert.deepEqual(await embedIn(openFolder(base), 'green tea', 'document'), expected);
  assert.notDeepEqual(await embedIn(openFolder({ ...base, pooling: 'cls' }), 'green tea', 'document'), expected);
  // With 8 tokens, two of them special, a text of 12 words is read in two windows.
  const words = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
  const narrow = openFolder({ ...base, max_tokens: 8 });
  const halves = [words.slice(0, 6), words.slice(6)].map((part) => embedIn(narrow, part.join(' '), 'document'));
  const [left, right] = await Promise.all(halves);
  assert.ok(left !== undefined && right !== undefined);
  const whole = await embedIn(narrow, words.join(' '), 'document');
  const sum = left.map((value, at) => value + (right[at] ?? 0));
  const length = Math.hypot(...sum);
  for (const [at, value] of whole.entries()) assert.ok(Math.abs(value - (sum[at] ?? 0) / length) < 1e-6);
});

test('a folder that contains no usable model is refused for good, with the reason', async () => {
  const folders: readonly (readonly [folder: string, reason: RegExp])[] = [
    [temporaryDirectory(), /there is no embedding\.json/],
    [openFolder('{'), /embedding\.json is not JSON/],
    [openFolder({ ...base, dimensions: 0 }), /dimensions/],
    [openFolder({ ...base, prefix: 'query: ' }), /prefix/],
    [openFolder({ ...base, dimensions: 512 }), /does not return 512 numbers/],
    [openFolder(base, ['tokenizer.json']), /model\.onnx cannot be loaded/],
    [openFolder(base, ['model.onnx']), /tokenizer\.json cannot be loaded/],
    [openFolder({ ...base, max_tokens: 8, query_prefix: 'one two three four five six' }), /no room for a text/],
  ];
  for (const [folder, reason] of folders)
    await assert.rejects(embedIn(folder, 'green tea', 'query'), (error: unknown) => {
      assert.ok(error instanceof ModelFault && !error.isTransient);
      assert.match(String(error), reason);
      return true;
    });
});
