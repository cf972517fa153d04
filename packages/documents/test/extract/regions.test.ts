import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPdf } from '../../../../test/support/make-pdf.ts';
import { chunkSections } from '../../src/extract/chunk/chunk.ts';
import { drawFrom } from './draw.ts';
import { measureRegions } from './measure-regions.ts';
import { fileOf, readHere } from './read.ts';

const [minShare, maxArea] = [0.95, 1.3] as const;

test('the words of PDF pages with columns, tables, turned text and broken words are in the regions of their chunks', async () => {
  for (const draw of drawFrom(67, 6)) {
    const line = (count: number): string => draw.words(count).join(' ').toLowerCase();
    const bytes = await buildPdf((document) => {
      document.fontSize(10);
      for (let row = 0; row < 40; row += 1) {
        document.text(line(5), 60, 60 + row * 13, { lineBreak: false });
        document.text(line(5), 330, 60 + row * 13, { lineBreak: false });
      }
      document.addPage().fontSize(9);
      for (let row = 0; row < 20; row += 1)
        for (let column = 0; column < 4; column += 1) {
          document.rect(60 + column * 120, 80 + row * 16, 120, 16).stroke();
          document.text(line(1), 64 + column * 120, 84 + row * 16, { lineBreak: false });
        }
      document.addPage().fontSize(11);
      for (let row = 0; row < 30; row += 1) {
        const isBroken = row % 4 === 0;
        document.text(isBroken ? `${line(7)} harb-` : row % 4 === 1 ? `our ${line(7)}` : line(8), 60, 60 + row * 14, {
          lineBreak: false,
        });
      }
      document
        .addPage()
        .fontSize(10)
        .rotate(90, { origin: [300, 300] });
      for (let row = 0; row < 20; row += 1) document.text(line(7), 60, 100 + row * 13, { lineBreak: false });
    });
    const found = await measureRegions(bytes);
    const shares = [found.covered / found.words, found.regionArea / found.wordArea] as const;
    assert.ok(shares[0] >= minShare, `${shares[0]} of ${found.words} words`);
    assert.ok(shares[1] <= maxArea, `${shares[1]} of the area of the words`);
  }
});

test('a chunk over two pages has regions on both, and a paragraph has one box', async () => {
  const bytes = await buildPdf((document) => {
    document.fontSize(10);
    document.text('The pilot stays on board until the ship has passed', 72, 600, { lineBreak: false });
    document.addPage();
    for (const [row, text] of [
      'the outer buoy and the mole of the old',
      'harbour. The master signs the paper.',
    ].entries())
      document.text(text, 72, 80 + row * 12, { lineBreak: false });
  });
  const [first, second] = chunkSections(await readHere(fileOf('a.pdf', bytes)));
  assert.deepEqual(
    first?.regions?.map(({ page }) => page),
    [1, 2],
  );
  const [onFirst, onSecond] = first?.regions ?? [];
  assert.ok(
    onFirst !== undefined && Math.abs(onFirst.left - 72 / 612) < 0.01 && Math.abs(onFirst.top - 600 / 792) < 0.01,
  );
  assert.ok(onSecond !== undefined && onSecond.height > 20 / 792 && onSecond.height < 30 / 792);
  assert.deepEqual(
    second?.regions?.map(({ page }) => page),
    [2],
  );
  assert.equal(chunkSections(await readHere(fileOf('a.txt', 'Fog.')))[0]?.regions, undefined);
});
