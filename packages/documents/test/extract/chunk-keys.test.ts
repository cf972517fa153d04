import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkSections } from '../../src/extract/chunk/chunk.ts';
import { fileOf, outlineOf, readHere } from './read.ts';

const chunksOf = async (filename: string, text: string): Promise<readonly string[]> =>
  chunkSections(await readHere(fileOf(filename, text))).map((chunk) => chunk.text);

test('each part of a long row repeats the key of the row', async () => {
  const columns = Array.from({ length: 12 }, (_, at) => `Inspection ${at}`);
  const rows = ['B-17', 'B-18', 'B-19'].map((boat) => [
    boat,
    ...columns.map((name) => `${name} of the hull found ${'dry planks and tight seams '.repeat(5)}`),
  ]);
  const chunks = await chunksOf('boats.csv', [['Boat', ...columns], ...rows].map((row) => row.join(',')).join('\n'));
  assert.ok(chunks.length > rows.length);
  for (const chunk of chunks) assert.match(chunk, /^Boat: B-1[789]$/m);
});

test('no chunk ends after an abbreviation or begins within a citation', async () => {
  const sentences = Array.from({ length: 120 }, (_, at) =>
    at % 2 === 0
      ? `Capt. Lund met Dr. Frei near buoy No. ${at} and showed her Fig. ${at} of the chart, cf. Vol. ${at} of the log.[${at}]`
      : `The tide of day ${at} was measured twice.[${at}][${at + 1}] Mr. Ohm noted it.`,
  );
  for (const chunk of await chunksOf('log.txt', sentences.join(' '))) {
    assert.doesNotMatch(chunk, /(?:Capt|Dr|No|Fig|cf|Vol|Mr)\.$/);
    assert.doesNotMatch(chunk, /^\d*\]/);
  }
});

test('anchors and classes of a Markdown heading are no part of it', async () => {
  const markdown =
    '# Moorings {#moorings}\n\nRopes.\n\n## Winter rates {.wide #winter}\n\nLow.\n\n## The set {a, b}\n\nOpen.\n\n## Buoys ## {#buoys}\n\nRed.\n';
  assert.deepEqual(
    (await outlineOf('a.md', Buffer.from(markdown))).map(([path]) => path),
    [['Moorings'], ['Moorings', 'Winter rates'], ['Moorings', 'The set {a, b}'], ['Moorings', 'Buoys']],
  );
});
