import assert from 'node:assert/strict';
import { test } from 'node:test';
import { office, relations, type Parts } from './make-office.ts';
import { fileOf, readWhole } from './read.ts';

const p = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

const docx = (body: string, parts: Parts = {}): Uint8Array =>
  office('wordprocessingml.document', 'word/document.xml', {
    'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
    ...parts,
  });

test('the files that a DOCX takes in stand in their places, with their headings', async () => {
  const bytes = docx(
    `${p('Report', '<w:outlineLvl w:val="0"/>')}${p('Before.')}<w:altChunk r:id="a"/><w:altChunk r:id="b"/><w:altChunk r:id="c"/>
    <w:tbl><w:tr><w:tc>${p('Cell')}</w:tc><w:tc><w:altChunk r:id="d"/></w:tc></w:tr></w:tbl>`,
    {
      'word/_rels/document.xml.rels': relations({
        a: ['aFChunk', '/word/a.html'],
        b: ['aFChunk', 'b.mht'],
        c: ['aFChunk', 'c.bin'],
        d: ['aFChunk', 'd.txt'],
        e: ['aFChunk', 'missing.html'],
      }),
      'word/a.html': '<html><body><h2>Harbours</h2><h3>Lights</h3><p>Red.</p><h2>Tides</h2><p>Low.</p></body></html>',
      'word/b.mht':
        'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n\n--x\nContent-Type: text/html; charset="utf-8"\n\n<html><body><h1>Ships</h1><p>The Erna sails.</p></body></html>\n--x--\n',
      'word/c.bin': '',
      'word/d.txt': 'Plain words',
    },
  );
  const { inspection, sections } = await readWhole(fileOf('a.docx', bytes));
  assert.deepEqual(
    sections.map(({ headingPath, text }) => [headingPath, text]),
    [
      [['Report'], 'Report\n\nBefore.'],
      [['Harbours', 'Lights'], 'Harbours\n\nLights\n\nRed.'],
      [['Tides'], 'Tides\n\nLow.'],
      [['Ships'], 'Ships\n\nThe Erna sails.\n\nCell | Plain words'],
    ],
  );
  assert.deepEqual(inspection.notes, ['A part of the document was skipped: c.bin (it is empty).']);
});
