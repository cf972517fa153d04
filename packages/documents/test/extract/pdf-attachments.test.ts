import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPdf, makePdf } from '../../../../test/support/make-pdf.ts';
import { fileOf, readWhole } from './read.ts';

test('files in a PDF are read after its last page, and unreadable ones are named', async () => {
  const inner = await makePdf(['The anchor weighs 38 kilos.']);
  const bytes = await buildPdf((document) => {
    document.text('The stock list is attached.');
    document.addPage().text('Second page.');
    document.file(Buffer.from('article,stock\nlantern,17\nanchor chain,5\n'), { name: 'stock.csv', type: 'text/csv' });
    document.file(inner, { name: 'anchor.pdf' });
    document.file(Buffer.from([0, 1, 2, 3, 250, 251]), { name: 'engine.bin' });
  });
  const { inspection, sections } = await readWhole(fileOf('a.pdf', bytes));
  assert.deepEqual([inspection.units, inspection.paged], [2, true]);
  assert.match(inspection.notes.join(), /^The attached file engine\.bin was not read: [^\n]+\.$/);
  assert.deepEqual(
    sections.map(({ pageStart, place }) => [pageStart, place['attachment']]),
    [
      [1, undefined],
      [2, undefined],
      [1, 'anchor.pdf'],
      [null, 'stock.csv'],
    ],
  );
  assert.match(sections.at(-1)?.text ?? '', /anchor chain/);
});
