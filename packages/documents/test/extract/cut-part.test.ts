import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePdf } from '../../../../test/support/make-pdf.ts';
import { areWhole, type CutPart, cutPartAgain, packCutPart, unpackCutPart } from '../../src/command/cut-part.ts';
import { composeText } from '../../src/command/file-text.ts';
import { cutSections } from '../../src/extract/chunk/chunk.ts';
import type { Chunk, Section } from '../../src/extract/port.ts';
import { drawFrom } from './draw.ts';
import { office } from './make-office.ts';
import { fileOf, readHere } from './read.ts';

const paragraph = (text: string, style = ''): string =>
  `<w:p><w:pPr>${style}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const tableOf = (rows: readonly (readonly string[])[]): string =>
  `<w:tbl><w:tblPr/>${rows
    .map((cells) => `<w:tr>${cells.map((text) => `<w:tc><w:tcPr/>${paragraph(text)}</w:tc>`).join('')}</w:tr>`)
    .join('')}</w:tbl>`;

/** A DOCX file with headings, paragraphs and a long table, a PDF and a text of many scripts. */
const files = async function* (): AsyncGenerator<readonly [string, readonly Section[]]> {
  for (const draw of drawFrom(7, 3)) {
    const sentences = (count: number): string =>
      Array.from({ length: count }, () => `${draw.words(draw.number(4, 14)).join(' ')}. `).join('');
    const rows = Array.from({ length: 90 }, (_, at) => [`${draw.words(2).join(' ')} ${at}`, `${at * 3}`, sentences(1)]);
    const body = [
      paragraph('Chapter', '<w:outlineLvl w:val="0"/>'),
      paragraph(sentences(30)),
      tableOf([['Name', 'Sum', 'Note'], ...rows]),
      paragraph('Rest', '<w:outlineLvl w:val="1"/>'),
      paragraph(sentences(3)),
    ];
    const document = `<w:document><w:body>${body.join('')}</w:body></w:document>`;
    const word = office('wordprocessingml.document', 'word/document.xml', { 'word/document.xml': document });
    yield ['docx', await readHere(fileOf('a.docx', word))];
    const pages = Array.from({ length: 4 }, () => sentences(draw.number(20, 60)));
    yield ['pdf', await readHere(fileOf('a.pdf', await makePdf(pages)))];
  }
  const scripts = ['Die Mühle steht am Bach. ', '这种植物每周只需要浇一次水。', 'المتحف في المدينة. ', '🏔️👩‍👩‍👧 up! '];
  yield ['text', await readHere(fileOf('a.txt', scripts.map((text) => text.repeat(80)).join('\n\n')))];
};

const sizes = [
  { maxChars: 200, overlapChars: 0 },
  { maxChars: 300, overlapChars: 140 },
  { maxChars: 1_200, overlapChars: 150 },
  { maxChars: 8_000, overlapChars: 3_999 },
] as const;

const partOf = (sections: readonly Section[], name: string): CutPart => ({
  continues: false,
  pageStart: name === 'pdf' ? 1 : null,
  pageEnd: name === 'pdf' ? 4 : null,
  sections: cutSections(sections).map(({ section }) => section),
  limits: null,
});

const cutTextsOf = (part: CutPart, limits: (typeof sizes)[number]) =>
  cutPartAgain(part, limits).map(({ chunk: { text }, passage: { start, end } }) => ({ text, start, end }));

test('a stored part is cut like the file, into texts that are slices of it', async () => {
  for await (const [name, sections] of files()) {
    const part = partOf(sections, name);
    const stored = unpackCutPart(packCutPart(part));
    assert.deepEqual(
      stored.sections.map(({ text, tables }) => ({ text, tables })),
      part.sections.map(({ text, tables }) => ({ text, tables })),
    );
    const { text } = composeText(part.sections, part);
    for (const limits of sizes) {
      const again = cutPartAgain(stored, limits);
      const fresh = cutSections(sections, limits).flatMap(({ chunks }) => chunks);
      const shownOf = (chunk: Chunk) => ({ ...chunk, regions: null });
      assert.deepEqual(
        again.map(({ chunk }) => shownOf(chunk)),
        fresh.map(shownOf),
      );
      for (const { chunk, passage } of again) {
        const slice = Array.from(text).slice(passage.start, passage.end).join('').replaceAll('\f', '');
        assert.ok(chunk.text.endsWith(slice) || slice.endsWith(chunk.text.split('\n').slice(1).join('\n')), name);
        assert.ok(chunk.text.length <= limits.maxChars);
        assert.equal(chunk.regions !== undefined && chunk.regions.length > 0, name === 'pdf');
        assert.equal(passage.regions.length > 0, name === 'pdf');
      }
    }
  }
});

test('texts of any size are the whole of a part, and no more once one is changed, cut short or missing', async () => {
  for await (const [name, sections] of files()) {
    const part = partOf(sections, name);
    for (const limits of sizes) {
      const texts = cutTextsOf(part, limits);
      assert.equal(areWhole(part, texts), true, `${name}, ${limits.maxChars}`);
      const [first] = texts;
      if (first === undefined) throw new Error('the file has no chunks');
      assert.equal(areWhole(part, []), false);
      assert.equal(areWhole(part, texts.slice(0, -1)), false, `${name}, ${limits.maxChars}: the last is missing`);
      for (const [at, cut] of texts.entries()) {
        const changed = (text: string) => texts.with(at, { ...cut, text });
        assert.equal(areWhole(part, changed(`${cut.text} `)), false);
        assert.equal(areWhole(part, changed(cut.text.slice(1))), false);
        assert.equal(areWhole(part, changed(cut.text.slice(0, -1))), false);
        // A row that was taken out of a table, behind its head.
        const lines = cut.text.split('\n');
        if (lines.length > 2) assert.equal(areWhole(part, changed(lines.toSpliced(1, 1).join('\n'))), false);
      }
    }
  }
});
