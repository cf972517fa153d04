import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { oneSpelling } from '../../shared/kernel/text.ts';

test('texts that look alike are normalized to one spelling, and word separators stay', () => {
  for (const [text, spelled] of [
    ['the company\u2019s, O\u2018Reilly, п\u02BCять, can\uFF07t', "the company's, O'Reilly, п'ять, can't"],
    ['students\u2019 \u2018quoted\u2019 5\u2019 rock \u2018n\u2019 roll', 'students’ ‘quoted’ 5’ rock ‘n’ roll'],
    [
      'Donau\u00ADdampf\u00ADschiff, \uFEFFAnfang, Wort\u200Eende, Haus\u2060tür',
      'Donaudampfschiff, Anfang, Wortende, Haustür',
    ],
    ['می\u200Cخواهم 1\u200D2', 'میخواهم 12'],
    ['Super\u200Bmarkt, e\u0301\u200B\u200Be\u0301', 'Supermarkt, éé'],
    ['ภาษา\u200Bไทย\u200Babc \u200Bx\u200B 1\u200B2', 'ภาษา\u200Bไทย\u200Babc \u200Bx\u200B 1\u200B2'],
    ['cafe\u0301 e\u034F\u0301', 'café é'],
    ['\uD800 a\uDC00', '\uD800 a\uDC00'],
    ['', ''],
  ] as const)
    assert.equal(oneSpelling(text), spelled);
  const piece = fc.constantFrom(
    'a',
    'E',
    'ไ',
    'מ',
    '5',
    ' ',
    "'",
    '\u2019',
    '\u02BC',
    '\u200B',
    '\u00AD',
    '\u0301',
    '.',
  );
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  const settles = (one: string): void => assert.equal(oneSpelling(oneSpelling(one)), oneSpelling(one));
  fc.assert(fc.property(text, settles), { seed: 3, numRuns: 2_000 });
});
