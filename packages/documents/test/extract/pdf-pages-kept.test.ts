import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPdf } from '../../../../test/support/make-pdf.ts';
import { chunkSections } from '../../src/extract/chunk/chunk.ts';
import { LetterCount } from '../../src/extract/pdf/letter-count.ts';
import { createFileOpener } from '../../src/extract/read-file.ts';
import { drawFrom, type Draw } from './draw.ts';
import { fileOf, packages, textsOf } from './read.ts';

/** Page to draw on. */
interface Page {
  readonly document: PDFKit.PDFDocument;
  readonly draw: Draw;
  /** Returns a word that no other place has. */
  readonly word: () => string;
  readonly isLast: boolean;
}

type Shape = (page: Page) => void;

const [left, top, pitch] = [60, 70, 14] as const;

const put = ({ document }: Page, text: string, x: number, y: number): void => {
  document.text(text, x, y, { lineBreak: false });
};

const putLines = (page: Page, lines: readonly string[], x: number = left): void => {
  for (const [line, text] of lines.entries()) put(page, text, x, top + line * pitch);
};

const wordsOf = ({ word }: Page, count: number): readonly string[] => Array.from({ length: count }, word);

const linesOf = (page: Page, count: number, words: number): readonly string[] =>
  Array.from({ length: count }, () => wordsOf(page, words).join(' '));

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Draws lines, some of them apart, of up to seven words each. */
const loose =
  (textOf: (words: readonly string[], draw: Draw) => string): Shape =>
  (page) => {
    const { draw } = page;
    let y = 60;
    for (let rest = draw.pick([1, 2, 14, 40]); rest > 0 && y < 730; rest -= 1) {
      put(page, textOf(wordsOf(page, draw.number(1, 7)), draw), 72, y);
      y += draw.number(0, 5) === 0 ? 34 : 15;
    }
  };

const shapes: Readonly<Record<string, Shape>> = {
  'words without an end': (page) => putLines(page, linesOf(page, page.draw.number(1, 45), page.draw.number(4, 9))),
  'one line': (page) => putLines(page, linesOf(page, 1, page.draw.number(1, 6))),
  'one sentence over all pages': (page) =>
    putLines(
      page,
      linesOf(page, page.draw.number(1, 12), 8).map((line, at, all) =>
        page.isLast && at === all.length - 1 ? `${line}.` : line,
      ),
    ),
  sentences: (page) =>
    putLines(
      page,
      linesOf(page, page.draw.number(3, 44), 8).map((line) =>
        page.draw.number(0, 2) === 0
          ? line
          : `${line.slice(0, line.lastIndexOf(' '))}. ${capital(line.slice(line.lastIndexOf(' ') + 1))}`,
      ),
    ),
  code: (page) => {
    const { draw, word } = page;
    for (let line = draw.number(2, 40); line > 0; line -= 1) {
      const argument = draw.number(0, 1) === 0 ? word() : `'${word()}'`;
      put(page, `${word()}.${word()}(${word()}, ${argument});`, left + 12 * draw.number(0, 3), top + line * pitch);
    }
  },
  poem: (page) => {
    for (let verse = page.draw.number(1, 7); verse > 0; verse -= 1)
      for (const [line, text] of linesOf(page, 4, page.draw.number(2, 5)).entries())
        put(page, text, left, top + (verse * 5 + line) * pitch);
  },
  columns: (page) => {
    const lines = page.draw.number(2, 40);
    putLines(page, linesOf(page, lines, 3));
    putLines(page, linesOf(page, lines, 3), 320);
  },
  table: (page) => {
    const columns = page.draw.number(2, 5);
    for (let row = page.draw.number(1, 30); row > 0; row -= 1)
      for (const [column, text] of wordsOf(page, columns).entries())
        put(page, text, left + column * 100, top + row * 18);
  },
  'terms and their meanings': (page) => {
    for (let term = page.draw.number(1, 14); term > 0; term -= 1) {
      put(page, page.word(), left, top + term * 3 * pitch);
      for (const [line, text] of linesOf(page, 2, page.draw.number(2, 6)).entries())
        put(page, text, left + 90, top + (term * 3 + line) * pitch);
    }
  },
  'lines apart': loose((words) => words.join(' ')),
  'sentences of any length': loose((words, draw) => `${words.join(' ')}${draw.number(0, 4) === 0 ? '. The' : ''}`),
  'a list': loose((words) => `- ${words.join(', ')},`),
  'sentences that end': loose((words) => `The ${words.join(' ')}.`),
  'an abbreviation before a number': loose((words) => `${words.join(' approx. 5 ')},`),
  'a bookmark of one line': (page) => {
    const title = wordsOf(page, 2).join(' ');
    page.document.outline.addItem(title);
    put(page, title, 72, 60);
  },
  'a larger line': (page) => {
    page.document.fontSize(20);
    put(page, page.word(), 72, 60);
  },
  'a heading at the end': (page) => {
    putLines(page, linesOf(page, page.draw.number(1, 20), 6));
    page.document.fontSize(16);
    put(page, wordsOf(page, 2).map(capital).join(' '), left, 680);
  },
  'no text': () => undefined,
};

// The first row of a table may be the head of its other pages.
const repeatsHeads = new Set(['table', 'terms and their meanings', 'all shapes']);

const seeds = Number(process.env['PAGES_SEEDS'] ?? 3);

const openHere = createFileOpener(packages);

const digits = 'aeioukmnprstlbdfgvwz';

/** Makes pages of a shape, or of all if it is null, and returns the page of each word. */
const makePages = async (draw: Draw, shape: Shape | null) => {
  const pageOf = new Map<string, number>();
  const count = draw.number(2, 6);
  const bytes = await buildPdf(
    (document) => {
      for (let number = 1; number <= count; number += 1) {
        document.addPage().fontSize(10);
        const word = (): string => {
          const text = pageOf.size.toString(20).padStart(3, '0');
          const made = `q${Array.from(text, (digit) => digits.charAt(Number.parseInt(digit, 20))).join('')}`;
          pageOf.set(made, number);
          return made;
        };
        (shape ?? draw.pick(Object.values(shapes)))({ document, draw, word, isLast: number === count });
      }
    },
    { autoFirstPage: false, margin: 20 },
  );
  return { bytes, pageOf };
};

for (const [name, shape] of [...Object.entries(shapes), ['all shapes', null] as const]) {
  test(`every word of a PDF is in the chunks of its page or of the one before, however many are read at once: ${name}`, async () => {
    for (const [seed, draw] of drawFrom(4_711 + name.length, seeds).entries()) {
      const { bytes, pageOf } = await makePages(draw, shape);
      const { units, read } = await openHere(fileOf('a.pdf', bytes));
      for (const size of new Set([units, 1, 3])) {
        const found = new Map<string, number[]>();
        for (let start = 1; start <= units; start += size) {
          const sections = textsOf(await read({ start, end: Math.min(units, start + size - 1) }));
          for (const { text, pageStart } of chunkSections(sections, { maxChars: 1_200, overlapChars: 0 }))
            for (const [word] of text.toLowerCase().matchAll(/q[a-z]{3}(?![a-z])/g))
              found.set(word, [...(found.get(word) ?? []), pageStart ?? 0]);
        }
        for (const [word, page] of pageOf) {
          const pages = found.get(word) ?? [];
          const isNear = pages.some((one) => one === page || one === page - 1);
          assert.ok(
            isNear && (pages.length === 1 || repeatsHeads.has(name)),
            `seed ${seed}, ${size} pages at once: ${word} of page ${page} is on ${pages.join() || 'no page'}`,
          );
        }
      }
    }
  });
}

test('letters that a page does not show are counted, whatever their accents and ligatures', () => {
  const placed = new LetterCount().add('Deﬁne Zoë’s 12 µ-boxes');
  assert.equal(placed.missingIn(new LetterCount().add('Define Zoe\u0308s 12 μ boxes')), 0);
  assert.equal(placed.missingIn(new LetterCount().add('Define 12 boxes')), 5);
});
