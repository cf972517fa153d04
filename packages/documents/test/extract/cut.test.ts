import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePdf } from '../../../../test/support/make-pdf.ts';
import { createExtractor } from '../../src/extract/extractor.ts';
import type { SourceFile } from '../../src/extract/port.ts';
import { extractor, fileOf, readers } from './read.ts';

const nights = Array.from({ length: 2_000 }, (_, at) => `Night ${at}: the keeper counts the ships that pass the lamp.`);

const log = (keeper: string): string => nights.join('\n\n').replace('keeper', keeper);

const rows = (ninth: object): string =>
  nights.map((_, at) => JSON.stringify({ id: `r${at}`, ...(at === 9 ? ninth : { vector: [1, at] }) })).join('\n');

const mail = (keeper: string): string =>
  `From: lamp@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n${log('keeper')}\r\n--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\n${log(keeper)}\r\n--b--\r\n`;

/** Files by name, each with what another version of its reader might see in it: as many units, cut elsewhere. */
const files: Readonly<Record<string, readonly [string, string]>> = {
  'log.txt': [log('keeper'), log('guardian')],
  'rows.jsonl': [rows({ vector: [1, 9] }), rows({ text: 'Night 9' })],
  'log.eml': [mail('keeper'), mail('guardian')],
};

const cutOf = async (file: SourceFile, by = extractor) => {
  const { units, cut } = await by.inspect(file);
  return { units, cut };
};

for (const [name, [content, other]] of Object.entries(files)) {
  test(`a range of ${name} is read only if the unit boundaries are those of the inspection`, async () => {
    const file = fileOf(name, content);
    const { units, cut } = await cutOf(file);
    assert.ok(units > 2 && cut.length < 30, `${units} units, ${cut}`);
    assert.deepEqual(await cutOf(file, createExtractor(readers)), { units, cut });
    const elsewhere = await cutOf(fileOf(name, other));
    assert.equal(elsewhere.units, units);
    assert.notEqual(elsewhere.cut, cut);
    const range = { start: 2, end: 3 };
    const parts = await extractor.extract(file, range);
    assert.deepEqual(await extractor.extract(file, { ...range, cut }), parts);
    const refused = { name: 'UnitsChanged', message: /was updated while it read this file/ };
    await assert.rejects(extractor.extract(file, { ...range, cut: elsewhere.cut }), refused);
    assert.deepEqual(await extractor.extract(file, { ...range, cut: null }), parts);
  });
}

test('files with the same number of pages have the same unit boundaries', async () => {
  const [one, other] = await Promise.all([makePdf(['One.', 'Two.']), makePdf(['Uno.', 'Due e più.'])]);
  const { cut } = await cutOf(fileOf('a.pdf', one));
  assert.deepEqual(await cutOf(fileOf('a.pdf', other)), { units: 2, cut });
});
