import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPdf } from '../../../../test/support/make-pdf.ts';
import { chunkSections } from '../../src/extract/chunk/chunk.ts';
import { LetterCount } from '../../src/extract/pdf/letter-count.ts';
import { drawFrom, type Draw } from './draw.ts';
import { fileOf, readHere } from './read.ts';

/** Text at a place of a page. */
interface Placed {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** Draws the texts of a page from words that no other page has. */
type Shape = (draw: Draw, word: () => string, isLast: boolean) => readonly Placed[];

const [left, top, pitch] = [60, 70, 14] as const;

const linesAt = (lines: readonly string[], x: number = left): readonly Placed[] =>
  lines.map((text, line) => ({ text, x, y: top + line * pitch }));

const lineOf = (count: number, word: () => string): string => Array.from({ length: count }, word).join(' ');

const linesOf = (count: number, words: number, word: () => string): readonly string[] =>
  Array.from({ length: count }, () => lineOf(words, word));

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const shapes: Readonly<Record<string, Shape>> = {
  'words without an end': ({ number }, word) => linesAt(linesOf(number(1, 45), number(4, 9), word)),
  'one line': ({ number }, word) => linesAt(linesOf(1, number(1, 6), word)),
  'one sentence over all pages': ({ number }, word, isLast) =>
    linesAt(
      linesOf(number(1, 12), 8, word).map((line, at, all) => (isLast && at === all.length - 1 ? `${line}.` : line)),
    ),
  sentences: ({ number }, word) =>
    linesAt(
      linesOf(number(3, 44), 8, word).map((line) =>
        number(0, 2) === 0
          ? line
          : `${line.slice(0, line.lastIndexOf(' '))}. ${capital(line.slice(line.lastIndexOf(' ') + 1))}`,
      ),
    ),
  code: ({ number }, word) =>
    Array.from({ length: number(2, 40) }, (_, line) => ({
      text: `${word()}.${word()}(${word()}, ${number(0, 1) === 0 ? word() : `'${word()}'`});`,
      x: left + 12 * number(0, 3),
      y: top + line * pitch,
    })),
  poem: ({ number }, word) =>
    Array.from({ length: number(1, 7) }, (_, verse) =>
      linesOf(4, number(2, 5), word).map((text, line) => ({ text, x: left, y: top + (verse * 5 + line) * pitch })),
    ).flat(),
  columns: ({ number }, word) => {
    const lines = number(2, 40);
    return [...linesAt(linesOf(lines, 3, word)), ...linesAt(linesOf(lines, 3, word), 320)];
  },
  table: ({ number }, word) => {
    const columns = number(2, 5);
    return Array.from({ length: number(1, 30) }, (_, row) =>
      Array.from({ length: columns }, (__, column) => ({ text: word(), x: left + column * 100, y: top + row * 18 })),
    ).flat();
  },
  'terms and their meanings': ({ number }, word) =>
    Array.from({ length: number(1, 14) }, (_, term) => [
      { text: word(), x: left, y: top + term * 3 * pitch },
      ...linesOf(2, number(2, 6), word).map((text, line) => ({
        text,
        x: left + 90,
        y: top + (term * 3 + line) * pitch,
      })),
    ]).flat(),
};

const repeatsHeads = new Set(['table', 'terms and their meanings']);

const seeds = Number(process.env['PAGES_SEEDS'] ?? 6);

for (const [name, shape] of Object.entries(shapes)) {
  test(`every word of a PDF is in the chunks of its page or of the sentence that reaches it: ${name}`, async () => {
    for (const [seed, draw] of drawFrom(4_711 + name.length, seeds).entries()) {
      let next = 0;
      const pages = Array.from({ length: draw.number(2, 5) }, (): string[] => []);
      const texts = pages.map((words, page) =>
        shape(
          draw,
          () => {
            next += 1;
            const word = Array.from(next.toString(20).padStart(3, '0'), (digit) =>
              'aeioukmnprstlbdfgvwz'.charAt(Number.parseInt(digit, 20)),
            ).join('');
            words.push(`q${word}`);
            return `q${word}`;
          },
          page === pages.length - 1,
        ),
      );
      const bytes = await buildPdf(
        (document) => {
          for (const page of texts) {
            document.addPage().fontSize(10);
            for (const { text, x, y } of page) document.text(text, x, y, { lineBreak: false });
          }
        },
        { autoFirstPage: false },
      );
      const chunks = chunkSections(await readHere(fileOf('a.pdf', bytes)));
      const pagesOf = new Map<string, Set<number>>();
      for (const { text, pageStart, pageEnd } of chunks)
        for (const [word] of text.toLowerCase().matchAll(/q[a-z]{3}(?![a-z])/g)) {
          const found = pagesOf.get(word) ?? new Set();
          for (let page = pageStart ?? 0; page <= (pageEnd ?? 0); page += 1) found.add(page);
          pagesOf.set(word, found);
        }
      for (const [index, words] of pages.entries())
        for (const word of words) {
          const found = pagesOf.get(word) ?? new Set();
          // The first row of a table may be the head of its other pages.
          const isNear = repeatsHeads.has(name) || [...found].every((page) => Math.abs(page - index - 1) <= 1);
          const isOwn = found.has(index + 1) && isNear;
          assert.ok(isOwn, `seed ${seed}: ${word} of page ${index + 1} is on ${[...found].join() || 'no page'}`);
        }
    }
  });
}

test('letters that a page does not show are counted, whatever their accents and ligatures', () => {
  const placed = new LetterCount().add('Deﬁne Zoë’s 12 µ-boxes');
  assert.equal(placed.missingIn(new LetterCount().add('Define Zoe\u0308s 12 μ boxes')), 0);
  assert.equal(placed.missingIn(new LetterCount().add('Define 12 boxes')), 5);
});
