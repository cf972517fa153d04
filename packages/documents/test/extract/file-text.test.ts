import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPdf } from '../../../../test/support/make-pdf.ts';
import { composeText } from '../../src/command/file-text.ts';
import { cutSections } from '../../src/extract/chunk/chunk.ts';
import { fileOf, readHere } from './read.ts';

const limits = { maxChars: 80, overlapChars: 20 };

test('every chunk is found at its position in the text of its file, and each page begins with a form feed', async () => {
  const pdf = await buildPdf((document) => {
    document.fontSize(10);
    for (const page of [1, 2, 3]) {
      if (page > 1) document.addPage();
      for (let line = 0; line < 30; line += 1)
        document.text(`Page ${page}, line ${line} of the harbour rules`, 72, 72 + line * 12, { lineBreak: false });
    }
  });
  const markdown =
    '# Tea 😀\n\nGreen tea.\n\n## Brewing\n\n| Leaf | Degrees |\n| --- | --- |\n| green | 80 |\n\nDone 😀.\n';
  const html = '<h1>Fog</h1><p>It came in 😀 from the sea.</p><h2>Dawn</h2><p>It left.</p>';
  for (const [name, content] of [
    ['a.pdf', pdf],
    ['a.md', markdown],
    ['a.html', html],
    ['a.txt', 'One.\n\nTwo 😀.\n\nThree.'],
  ] as const) {
    const cut = cutSections(await readHere(fileOf(name, content)), limits);
    const { text, positionOf } = composeText(cut.map(({ section }) => section));
    const points = Array.from(text);
    let chunks = 0;
    for (const [index, { section, chunks: own }] of cut.entries())
      for (const { start, end } of own) {
        const found = points.slice(positionOf(index, start), positionOf(index, end)).join('').replaceAll('\f', '');
        assert.equal(found, section.text.slice(start, end), name);
        chunks += 1;
      }
    assert.ok(chunks > 0, name);
    if (name === 'a.pdf') {
      const pages = text.split('\f');
      assert.deepEqual([pages.length, pages.every((page, at) => page.includes(`Page ${at + 1}, line 29`))], [3, true]);
    }
  }
});

test('the parts of a file are its text, with pages, headings and tables in Markdown', async () => {
  const sections = await readHere(
    fileOf('a.md', '# Tea\n\nGreen tea.\n\n## Brewing\n\n| Leaf | Degrees |\n| --- | --- |\n| green | 80 |\n'),
  );
  const whole = composeText(sections).markdown;
  assert.equal(whole, '# Tea\n\nGreen tea.\n\n## Brewing\n\n| Leaf | Degrees |\n| --- | --- |\n| green | 80 |');
  const paged = [1, 2, 3, 4].map((page) => ({
    text: `On ${page}.`,
    pageStart: page,
    pageEnd: page,
    headingPath: page < 3 ? ['Tea'] : ['Tea', 'Green'],
    place: {},
  }));
  const parts = [
    composeText(paged.slice(0, 1), { continues: false, pageStart: 1, pageEnd: 2 }),
    composeText(paged.slice(2), { continues: true, pageStart: 3, pageEnd: 4 }),
  ];
  assert.equal(parts.map(({ text }) => text).join(''), 'Tea\n\nOn 1.\f\fOn 3.\n\n\fOn 4.');
  assert.equal(
    parts.map(({ markdown }) => markdown).join(''),
    '<!-- page 1 -->\n\n# Tea\n\nOn 1.\n\n<!-- page 3 -->\n\nOn 3.\n\n<!-- page 4 -->\n\nOn 4.',
  );
});
