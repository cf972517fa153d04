import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { chunkSections, defaultChunkLimits } from '../../src/extract/chunk/chunk.ts';
import { chunkLimitsOf } from '../../src/extract/chunk/chunk-options.ts';
import type { Section } from '../../src/extract/port.ts';
import { assertLinear } from '../../../../test/support/cpu-time.ts';
import { fileOf, packages, readWhole } from './read.ts';

const sectionOf = (text: string): Section => ({
  text,
  pageStart: 3,
  pageEnd: 4,
  headingPath: ['Title', 'Part'],
  place: {},
});

/** Text as hostile as it comes: words, lines, lists, emoji of several code points, stacked accents, lone surrogates. */
const anyText = fc
  .array(
    fc.oneof(
      { arbitrary: fc.stringMatching(/^[a-zA-Z]{1,12}[.!?]? $/), weight: 8 },
      {
        arbitrary: fc.constantFrom(
          '\n',
          '\n\n',
          ' \n \n',
          '\r\n',
          '\t',
          '   ',
          '- item ',
          '1. ',
          '漢字かな交じり文。',
          '\u0301',
          '\u200D',
          '\uD83D',
        ),
        weight: 3,
      },
      { arbitrary: fc.constantFrom('👩‍👩‍👧‍👦', '🇩🇪', 'e\u0301\u0323', 'हिन्दी', '한국', '\u0600a', ' \u0301'), weight: 2 },
      { arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }), weight: 1 },
      { arbitrary: fc.integer({ min: 1, max: 300 }).map((length) => 'x'.repeat(length)), weight: 1 },
    ),
    { maxLength: 120 },
  )
  .map((parts) => parts.join(''));

const limits = fc
  .tuple(fc.integer({ min: 40, max: 400 }), fc.double({ min: 0, max: 0.49, noNaN: true }))
  .map(([maxChars, share]) => ({ maxChars, overlapChars: Math.floor(maxChars * share) }));

test('chunks respect their bounds, have exact offsets, contain every visible character and split no grapheme', () => {
  fc.assert(
    fc.property(anyText, limits, (text, bounds) => {
      const chunks = chunkSections([sectionOf(text)], bounds);
      const borders = new Set([...new Intl.Segmenter('en').segment(text)].map(({ index }) => index)).add(text.length);
      const covered = new Uint8Array(text.length);
      let previousEnd = 0;
      for (const [index, { start, end, ...chunk }] of chunks.entries()) {
        assert.deepEqual(chunk, { ...sectionOf(text), text: text.slice(start, end) });
        const characters = [...new Intl.Segmenter('en').segment(chunk.text)];
        assert.ok(end - start <= bounds.maxChars, `chunk ${index} has ${end - start} characters`);
        assert.notEqual(characters[0]?.segment.trim() ?? '', '', `chunk ${index} begins with white space`);
        assert.notEqual(characters.at(-1)?.segment.trim() ?? '', '', `chunk ${index} ends with white space`);
        assert.ok(borders.has(start) && borders.has(end), `chunk ${index} tears a character at ${start} or ${end}`);
        assert.ok(end > previousEnd && start >= previousEnd - bounds.overlapChars, `chunk ${index} repeats too much`);
        previousEnd = end;
        covered.fill(1, start, end);
      }
      const lost = Array.from({ length: text.length }, (_, at) => (covered[at] === 0 ? text.charAt(at) : ''));
      assert.equal(lost.join('').replace(/[\s\p{Default_Ignorable_Code_Point}]+/gu, ''), '');
      assert.deepEqual(chunkSections([sectionOf(text)], bounds), chunks);
    }),
    { numRuns: 500, seed: 11 },
  );
});

test('a grapheme longer than a chunk is cut between code points', () => {
  const chunks = chunkSections([sectionOf(`a${'\u{1F3FB}'.repeat(500)}`)], { maxChars: 101, overlapChars: 0 });
  assert.equal(chunks.map(({ text }) => text).join(''), `a${'\u{1F3FB}'.repeat(500)}`);
  assert.ok(chunks.every(({ text }) => text.isWellFormed() && text.length <= 101));
});

test('chunks end where paragraphs and sentences end, and repeat whole sentences', async () => {
  const license = await readFile(join(packages, 'typescript/LICENSE.txt'), 'utf8');
  const text = license.replace(/[^\S\n]+/g, ' ');
  const chunks = chunkSections([sectionOf(text)]);
  const atSentence = chunks.filter((chunk) => /[.:;)"”]$/.test(chunk.text) || /^\s*\n/.test(text.slice(chunk.end)));
  assert.ok(atSentence.length / chunks.length > 0.9, `${atSentence.length} of ${chunks.length}`);
  assert.ok(Math.min(...chunks.map((chunk) => chunk.text.length)) > defaultChunkLimits.maxChars / 3);

  const sentences = Array.from({ length: 40 }, (_, index) => `Sentence number ${index} is one of a row.`);
  const repeated = chunkSections([sectionOf(sentences.join(' '))], { maxChars: 300, overlapChars: 80 });
  for (const [index, chunk] of repeated.slice(1).entries()) {
    assert.match(chunk.text, /^Sentence number \d+ is/);
    assert.ok(chunk.start < (repeated[index]?.end ?? 0), 'neighbours share a sentence');
  }
});

test('the number of a list item or heading is in one chunk with its text', () => {
  const items = Array.from({ length: 60 }, (_, at) => `${at + 1}. Open the valve of boat ${at}`);
  const headings = Array.from({ length: 60 }, (_, at) => `  ${at + 1}. Boat ${at}\nIt was built in 19${at + 10}.`);
  for (const lines of [items, headings]) {
    for (const maxChars of [60, 100, 300]) {
      const chunks = chunkSections([sectionOf(lines.join('\n'))], { maxChars, overlapChars: 20 });
      for (const { text } of chunks) assert.doesNotMatch(text, /(?:^|\n)\s*\d+\.$/);
    }
  }
});

test('every sentence of a long text without paragraphs is in a chunk', async () => {
  const sentences = Array.from(
    { length: 3_000 },
    (_, at) => `Sentence ${at} tells in Kiel${at % 7 === 0 ? ',\n' : ' '}of fog.`,
  );
  const { inspection, sections } = await readWhole(fileOf('fog.txt', sentences.join(' ')));
  assert.ok(inspection.units > 2);
  const chunks = chunkSections(sections, { maxChars: 300, overlapChars: 0 });
  const torn = sentences.filter((sentence) => !chunks.some(({ text }) => text.includes(sentence)));
  assert.deepEqual(torn, []);
  const rows = Array.from({ length: 4_000 }, (_, at) => `Ship ${at} | Kept. Sold in spring | Kiel`);
  const table = await readWhole(fileOf('ships.txt', rows.join('\n')));
  for (const { text } of table.sections) assert.match(text, /^Ship [^]* \| Kiel\n?$/);
});

test('an invisible text has no chunk', async () => {
  const { sections } = await readWhole(fileOf('a.txt', '\u200B\u200D\n\n\u2060\u00AD \u200E\n'));
  assert.deepEqual(chunkSections(sections), []);
  assert.equal(chunkSections([sectionOf('\u200Bfog\u200B')]).length, 1);
});

test('headings without text are part of the chunk after them, and at the end of the one before', async () => {
  const { sections } = await readWhole(fileOf('a.md', '# One\n\n## Two\n\n## Three\n\nThird.\n\n# Four\n\n# Five\n'));
  assert.deepEqual(
    chunkSections(sections).map(({ text, headingPath }) => [text, headingPath]),
    [['One\n\nTwo\n\nThree\n\nThird.\n\nFour\n\nFive', ['One', 'Three']]],
  );
  const page = (text: string, number: number, title: string): Section => ({
    ...sectionOf(text),
    headingPath: [title],
    pageStart: number,
    pageEnd: number,
  });
  assert.deepEqual(
    chunkSections([page('Fog', 1, 'Fog'), page('Rain', 2, 'Rain'), page('It rains.', 4, 'Rain')]).map(
      ({ text, pageStart, pageEnd }) => [text, pageStart, pageEnd],
    ),
    [
      ['Fog\n\nRain', 1, 2],
      ['It rains.', 4, 4],
    ],
  );
});

test('sections with text never share a chunk, and contradictory chunk bounds are refused', async () => {
  const { sections } = await readWhole(fileOf('a.md', '# One\n\nFirst.\n\n# Two\n\nSecond.'));
  assert.deepEqual(
    chunkSections(sections).map(({ text, headingPath }) => [text, headingPath]),
    [
      ['One\n\nFirst.', ['One']],
      ['Two\n\nSecond.', ['Two']],
    ],
  );
  assert.deepEqual(chunkSections([sectionOf(' \n\n ')]), []);
  assert.throws(() => chunkSections([], { maxChars: 100, overlapChars: 50 }), RangeError);
});

test('chunking takes time in proportion to the length of a book', async () => {
  const paragraph =
    'It was a bright cold day in April, and the clocks were striking thirteen. Nobody looked up. '.repeat(6);
  // A megabyte.
  await assertLinear(
    (paragraphs) => chunkSections([sectionOf(`${paragraph}\n\n`.repeat(paragraphs))]),
    1_900,
    'paragraphs',
  );
});

test('table rows and list items that fit into a chunk stay whole, and each chunk states its rows', () => {
  const row = (number: number, words: number): string => `Ship: S${number}.\nCargo: ${'salt. '.repeat(words).trim()}`;
  const rows = Array.from({ length: 60 }, (_, index) => row(index + 1, 10 + ((index * 37) % 50)));
  const marks = rows.map((_, index) => ({
    at: rows.slice(0, index).join('\n\n').length + (index > 0 ? 2 : 0),
    first: { row_start: index + 1 },
    last: { row_end: index + 1 },
  }));
  const section: Section = { ...sectionOf(rows.join('\n\n')), marks };
  const chunks = chunkSections([section], { maxChars: 400, overlapChars: 0 });
  for (const { text, place } of chunks) {
    const [start, end] = [Number(place['row_start']), Number(place['row_end'])];
    assert.equal(text, rows.slice(start - 1, end).join('\n\n'));
  }
  assert.equal(chunks.map(({ text }) => text).join('\n\n'), section.text);
  const table = Array.from({ length: 40 }, (_, index) => `Erna ${index} | ${index * 3} tons | Kiel`).join('\n');
  for (const { text } of chunkSections([sectionOf(table)], { maxChars: 200, overlapChars: 0 })) {
    for (const line of text.split('\n')) assert.match(line, /^Erna \d+ \| \d+ tons \| Kiel$/);
  }
});

test('a job can choose its chunk size within bounds', () => {
  assert.equal(chunkLimitsOf({ other: 1, chunk_size: null }), null);
  assert.deepEqual(chunkLimitsOf({ chunk_size: 200, other: 'x' }), { maxChars: 200, overlapChars: 25 });
  assert.deepEqual(chunkLimitsOf({ chunk_size: '8000', chunk_overlap: 0 }), { maxChars: 8_000, overlapChars: 0 });
  assert.deepEqual(chunkLimitsOf({ chunk_size: null, chunk_overlap: 599 }), { maxChars: 1_200, overlapChars: 599 });
  const bad: readonly Readonly<Record<string, unknown>>[] = [
    { chunk_size: 199 },
    { chunk_size: 8_001 },
    { chunk_size: 400.5 },
    { chunk_size: 'large' },
    { chunk_size: true },
    { chunk_overlap: 600 },
    { chunk_size: 200, chunk_overlap: 100 },
    { chunk_overlap: -1 },
  ];
  for (const metadata of bad) assert.throws(() => chunkLimitsOf(metadata), /must be a whole number from \d+ to \d+$/);
  const both =
    /: The job's chunk_size must be .* from 200 to 8000\. The job's chunk_overlap must be .* from 0 to 3999$/;
  assert.throws(() => chunkLimitsOf({ chunk_size: 1, chunk_overlap: 4_000 }), both);
});
