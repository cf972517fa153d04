import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { UnreadableFile } from '../../src/extract/port.ts';
import { makePdf } from '../../../../test/support/make-pdf.ts';
import { extractor, fileOf, packages, readWhole } from './read.ts';

const formatOf = async (...args: Parameters<typeof fileOf>): Promise<string> =>
  (await extractor.inspect(fileOf(...args))).format;

test('content decides the format of a file, and name and declared type only between text formats', async () => {
  const pdf = await makePdf(['A page.']);
  const page = '<!-- saved -->\n<!DOCTYPE html><title>T</title><p>Hello';
  assert.equal(await formatOf('notes.txt', pdf, 'text/plain'), 'pdf');
  assert.equal(await formatOf('scan.pdf', Buffer.concat([Buffer.from('\n\n'), pdf])), 'pdf');
  assert.equal(await formatOf('about.txt', 'A file that begins with %PDF-1.4 is a PDF.'), 'text');
  assert.equal(
    await formatOf('report.pdf', 'BM is how a bitmap begins, and this sentence.', 'application/pdf'),
    'text',
  );
  assert.equal(await formatOf('readme.md', page), 'html');
  assert.equal(await formatOf('page.xhtml', '<?xml version="1.0"?>\n<html xmlns="x"><body/></html>'), 'html');
  assert.equal(await formatOf('part.html', '<h1>Part</h1>'), 'html');
  assert.equal(await formatOf('part', '<h1>Part</h1>', 'text/html; charset=utf-8'), 'html');
  assert.equal(await formatOf('part.html', 'No markup at all.'), 'text');
  assert.equal(await formatOf('README.MD', '# Title'), 'markdown');
  assert.equal(await formatOf('readme', '# Title', 'text/markdown; charset=utf-8'), 'markdown');
  const data: readonly (readonly [string, string])[] = [
    ['{"a": 1}', 'json'],
    ['{"a": 1}\n{"a": 2}\n', 'jsonl'],
    ['<?xml version="1.0"?><note>Hello</note>', 'xml'],
    ['ship;tons;port\nErna;300;Kiel\nFrida;;Emden\nGerda;120;Kiel\n', 'csv'],
    ['{\\rtf1\\ansi Dear reader}', 'rtf'],
    ['WEBVTT\n\n00:01.000 --> 00:02.000\nHello', 'subtitles'],
    ['From: a@example.com\nTo: b@example.com\nSubject: Fog\n\nHello', 'eml'],
    ['From a@example.com Sat Jan  3 01:05:34 2026\nSubject: Fog\n\nHello', 'mbox'],
    ['#!/usr/bin/env python3\nprint(1)', 'code'],
  ];
  for (const [text, format] of data) assert.equal(await formatOf('data.txt', text, 'text/plain'), format, text);
});

test('a text without extension is detected as a table by its delimiters, not by the commas of its sentences', async () => {
  const prose = [
    'Anna, Ben, and Carl met on Monday.\nThey saw the cellar, the kitchen, and the roof.\nBen, who was late, had the keys.\nAt noon, when the rain stopped, they left.\n',
    'O rose, my rose, thou fadest,\nO wind, cold wind, thou liest,\n“O night,” he said, deep night,\nO heart, poor heart, thou sighest,\n',
    'Smith, J., On the Flight of Swifts\nMeyer, K., Notes on Rivers\nLund, P., A History of Dams\nHale, R., Bells of Veld\n',
    '[12/05/24, 09:14] Anna: is it there, Ben?\n[12/05/24, 09:15] Ben: yes, thanks\n[12/05/24, 09:16] Anna: great, see you\n[12/05/24, 09:17] Ben: ok, bye\n',
    '2024-07-01 12:00:00,123 INFO handled /a, 200\n2024-07-01 12:00:01,124 INFO handled /b, 200\n2024-07-01 12:00:02,125 INFO handled /c, 404\n2024-07-01 12:00:03,126 INFO handled /d, 500\n',
    '1. Take flour, salt, and water\n2. Knead, rest, and knead\n3. Heat, oil, and dust the pan\n4. Bake, cool, and serve\n',
    'Rain fell; wind rose; all slept.\nDawn came; gulls cried; none woke.\nNoon came; sails rose; all left.\nDusk fell; fog came; none spoke.\n',
  ];
  for (const text of prose) assert.equal(await formatOf('notes.txt', text, 'text/plain'), 'text', text);
  const tables = [
    'ship,tons,port\nErna,300,Kiel\nFrida,,\nGerda,120,Kiel\n',
    'year,ships,tons\n1901,12,300\n1902,9,\n1903,10,250\n',
    '1,5,2024-07-01T12:00:00Z\n2,7,2024-07-01T12:00:01Z\n3,6,2024-07-01T12:00:02Z\n4,6,2024-07-01T12:00:03Z\n',
    'ship,note,port\n"Erna","old, sound",Kiel\n"Frida","lost, sought",Emden\n"Gerda","new, fast",Kiel\n',
    'ship,tons,port\nErna, 300, Kiel\nFrida,200,Emden\nGerda,120,Kiel\n',
    'ship\ttons\tnote\nErna\t300\told, sound\nFrida\t200\tlost, sought\nGerda\t120\tnew, fast\n',
    'ship;tons;port\nErna;1,5;Kiel\nFrida;2,5;Emden\nGerda;3,5;Kiel\n',
  ];
  for (const text of tables) assert.equal(await formatOf('data', text), 'csv', text);
  for (const text of prose) assert.equal(await formatOf('notes.csv', text), 'csv', text);
});

test('a file of an unreadable type is refused with the name of the type', async () => {
  const refused = async (filename: string, content: string | Uint8Array, reason: RegExp): Promise<void> => {
    await assert.rejects(
      extractor.inspect(fileOf(filename, content, 'text/plain')),
      (error: unknown) => error instanceof UnreadableFile && reason.test(error.message),
    );
  };
  await refused('code.txt', await readFile(join(packages, '@hyzyla/pdfium/dist/pdfium.wasm')), /type wasm/);
  await refused('page.txt', '%!PS-Adobe-3.0\n/Times findfont', /PostScript is a program/);
  await refused('all.docx', zipSync({ 'a.txt': Buffer.from('a') }), /^Archives are not unpacked/);
  const drawing = zipSync({ mimetype: Buffer.from('application/vnd.oasis.opendocument.graphics') });
  await refused('plan.odg', drawing, /export a drawing \(ODG\)/);
  const office = 'schemas.microsoft.com/office';
  for (const root of [
    '<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:version="1.3">',
    `<w:wordDocument xmlns:aml="http://${office}/aml" xmlns:w="http://${office}/word/2003/wordml">`,
    '<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">',
    `<pkg:package xmlns:pkg="http://${office}/2006/xmlPackage">`,
  ]) {
    await refused(
      'a.xml',
      `<?xml version="1.0"?>\n<!-- saved -->${root}`,
      /in one XML file .* save the document as DOCX/,
    );
  }
  await refused(
    'noise.txt',
    Uint8Array.from({ length: 4_000 }, (_, index) => (index * 89 + (index >> 3)) % 256),
    /binary data/,
  );
});

test('programs, encrypted files and binary data are refused under any name and never read as letters', async () => {
  const letters = 'The lamp keeper counts the ships of the night. '.repeat(60);
  const binary = (start: string): Buffer => Buffer.from(start + letters, 'latin1');
  const noise = Uint8Array.from({ length: 4_000 }, (_, index) => (index * 89 + (index >> 3)) % 256);
  const types: readonly (readonly [Uint8Array | string, RegExp])[] = [
    [binary('MZ\u0090\0\u0003\0\0\0\u0004\0\0\0'), /^Programs and libraries are not read/],
    [binary('\u007FELF\u0002\u0001\u0001\0\0\0\0\0\0\0\0\0\u0003\0>\0'), /^Programs and libraries/],
    [binary('\u00CF\u00FA\u00ED\u00FE\u0007\0\0\u0001'), /^Programs and libraries/],
    [binary('\u00CA\u00FE\u00BA\u00BE\0\0\0\u0034'), /^Programs and libraries/],
    [binary('SQLite format 3\0\u0010\0\u0001\u0001\0@  '), /type sqlite/],
    ['-----BEGIN PGP MESSAGE-----\n\nhQEMA0x\n-----END PGP MESSAGE-----\n', /^Encrypted files, signatures and keys/],
  ];
  const refusal = (name: string, bytes: Uint8Array | string, type = ''): Promise<unknown> =>
    extractor.inspect(fileOf(name, bytes, type)).then(
      ({ format }) => format,
      (error: unknown) => (error instanceof UnreadableFile ? error.message : error),
    );
  for (const [bytes, reason] of types) {
    for (const [name, type] of [
      ['notes.txt', 'text/plain'],
      ['data', ''],
      ['tool.exe', 'application/x-msdownload'],
      ['code.py', 'application/octet-stream'],
    ] as const)
      assert.match(String(await refusal(name, bytes, type)), reason, name);
  }
  assert.match(String(await refusal('tool.exe', `MZ${letters}`)), /^Programs and libraries/);
  assert.match(String(await refusal('smime.p7s', noise)), /^Encrypted files, signatures and keys/);
  assert.match(String(await refusal('old.xls', noise)), /save the workbook as XLSX or CSV/);
  assert.equal(await refusal('notes.txt', `MZ ${letters}`, 'text/plain'), 'text');
  assert.equal(await refusal('signed.txt', `-----BEGIN PGP SIGNED MESSAGE-----\n\n${letters}`), 'text');
});

test('web pages, tables and mail under the name of an office document are read as what they are', async () => {
  const rows = '<tr><td>Lamp</td><td>Height</td></tr><tr><td>Husum</td><td>31</td></tr>';
  const table = `<table>${rows}</table>`;
  const pages = [
    table,
    `\uFEFF${table}`,
    `\r\n<!-- made by a shop -->\r\n${table}`,
    `<meta charset="utf-8">${table}`,
    `<div>Lamps</div>${table}`,
    `<center><b>Lamps</b></center>${table}`,
    `<style>td { color: red }</style><table border=1 style="width: 10px">${rows}</table>`,
    `Lamps of the coast<br><table>${rows}</table>`,
    `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body>${table}</body></html>`,
    `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n${table}\r\n--b--`,
  ];
  const names = [
    ['lamps.xls', 'text/plain'],
    ['lamps.doc', 'application/msword'],
    ['lamps', 'application/vnd.ms-excel'],
  ] as const;
  for (const page of pages) {
    for (const [name, type] of names) {
      const { sections } = await readWhole(fileOf(name, page, type));
      const text = sections.map((section) => section.text).join('\n\n');
      assert.ok(text.includes('Lamp | Height\nHusum | 31') && !/<|td:/.test(text), `${name}: ${page}: ${text}`);
    }
  }
  const tabbed = 'Lamp\tHeight\r\nHusum\t31\r\n';
  const utf16 = Buffer.from(tabbed, 'utf16le');
  for (const bytes of [tabbed, utf16, Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])]) {
    for (const [name, type] of names) {
      const { sections } = await readWhole(fileOf(name, bytes, type));
      assert.deepEqual(
        sections.map(({ text }) => text),
        ['Lamp | Height\n\nLamp: Husum\nHeight: 31'],
        name,
      );
    }
  }
  const short = await readWhole(fileOf('lamps.xls', 'Lamp;Height\nHusum;31\n'));
  assert.match(short.sections[0]?.text ?? '', /Lamp: Husum\nHeight: 31/);
  assert.equal(await formatOf('page.txt', table, 'text/plain'), 'text');
  assert.equal(await formatOf('letter.doc', 'Dear reader,\n\nthe lamp is lit.'), 'text');
});

test('an empty file has no units, and a file of white space has one without text', async () => {
  assert.deepEqual(await extractor.inspect(fileOf('a.pdf', '')), {
    format: 'text',
    units: 0,
    paged: false,
    cut: '0',
    notes: ['The file is empty.'],
  });
  assert.deepEqual(await extractor.extract(fileOf('a.pdf', ''), { start: 1, end: 1 }), []);
  const blank = await readWhole(fileOf('a.txt', ' \n\t\n'));
  assert.deepEqual(blank, {
    inspection: { format: 'text', units: 1, paged: false, notes: [] },
    parts: [],
    sections: [],
  });
});

test('text is decoded from many charsets', async () => {
  const text = 'Größe, naïve façade: “10 €” – Übermut tut selten gut, sagt der Müller überall.';
  const utf16 = Buffer.from(text, 'utf16le');
  const russian = 'Съешь же ещё этих мягких французских булок, да выпей чаю. Широкая электрификация южных губерний.';
  const koi8 = Uint8Array.from(Array.from(russian, koi8Byte));
  const cases: readonly (readonly [string, Uint8Array, string?])[] = [
    [text, Buffer.from(text)],
    [text, Buffer.from(`\uFEFF${text}`)],
    [text, Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
    [text, Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()])],
    [text, utf16],
    [text, Buffer.from(utf16).swap16()],
    [text, Uint8Array.from(Array.from(text, (char) => windows1252[char] ?? char.charCodeAt(0)))],
    [russian, koi8],
    [russian, koi8, 'text/plain; charset="koi8-r"'],
    ['灯台守 counted', Buffer.from('\u001B$BEtBf<i\u001B(B counted', 'latin1'), 'text/plain; charset=iso-2022-jp'],
    ['灯台守 counted', Buffer.from('\u001B$BEtBf<i\u001B(B counted', 'latin1')],
    ['[1mfrom $B 5[0m', Buffer.from('\u001B[1mfrom $B 5\u001B[0m', 'latin1')],
  ];
  for (const [expected, bytes, contentType] of cases) {
    assert.equal((await readWhole(fileOf('a.txt', bytes, contentType))).sections[0]?.text, expected);
  }
  const broken = Buffer.concat([Buffer.from(text.repeat(20)), Buffer.from([0xff, 0xc3])]);
  assert.match((await readWhole(fileOf('a.txt', broken))).sections[0]?.text ?? '', /^Größe, naïve façade: “10 €”/);
});

/** The bytes of each character of Shift_JIS that has two. */
const shiftJis = (): ReadonlyMap<string, readonly number[]> => {
  const bytes = new Map<string, readonly number[]>();
  for (let first = 0x81; first < 0xa0; first += 1) {
    for (let second = 0x40; second < 0xfd; second += 1) {
      const char = new TextDecoder('shift_jis').decode(Uint8Array.of(first, second));
      if (!bytes.has(char)) bytes.set(char, [first, second]);
    }
  }
  return bytes;
};

const bytesOf = (text: string, charset: ReadonlyMap<string, readonly number[]>): Uint8Array =>
  Uint8Array.from(Array.from(text).flatMap((char) => charset.get(char) ?? [char.charCodeAt(0)]));

test('a charset is detected by bytes beyond ASCII late in the file', async () => {
  const english = 'Lines of a log in plain English, which every charset spells alike.\n'.repeat(1_300);
  const russian = 'Привет! Мы пришли вчера домой и увидели, что на столе лежит письмо от старого друга.\n'.repeat(20);
  const japanese = 'これは日本語の文章です。灯台守は船を数えました。\n'.repeat(20);
  for (const [tail, charset] of [
    [russian, windows1251],
    [japanese, shiftJis()],
  ] as const) {
    const { sections } = await readWhole(fileOf('a.txt', bytesOf(english + tail, charset)));
    assert.ok(sections.at(-1)?.text.endsWith(tail.trim()), sections.at(-1)?.text.slice(-60));
  }
});

test('a short list in Shift_JIS is detected, and quotation marks of Windows-1252 are not mistaken for it', async () => {
  const list = '番号,氏名,住所\n1,伊藤誠,東京都千代田区\n2,小林花子,横浜市西区';
  assert.equal((await readWhole(fileOf('a.txt', bytesOf(list, shiftJis())))).sections[0]?.text, list);
  const english = 'It’s John’s book and Mary’s book, isn’t it? We’ll see.';
  const windows = Buffer.from(english.replaceAll('’', '\u0092'), 'latin1');
  assert.equal((await readWhole(fileOf('a.txt', windows))).sections[0]?.text, english);
});

test('the charset that a web page declares is used, even after a long preamble', async () => {
  const preamble = `<!doctype html><script>${'// A licence.\n'.repeat(400)}</script>`;
  const page = `${preamble}<meta charset=windows-1251><title>A</title><p>Да`;
  const bytes = bytesOf(page, windows1251);
  assert.equal((await readWhole(fileOf('a.html', bytes))).sections[0]?.text, 'A\n\nДа');
});

test('arbitrary bytes under any file name are read or refused and never crash the reader', async () => {
  const head = fc.constantFrom(
    '',
    '%PDF-1.5\n',
    '<html>',
    '# ',
    'PK\u0003\u0004',
    '{\\rtf',
    '\uFEFF',
    '---\n',
    '> '.repeat(50),
  );
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ unit: 'binary', maxLength: 300 }).map((text) => Buffer.from(text)),
  );
  const filename = fc.constantFrom('a.pdf', 'a.md', 'a.html', 'a.txt', 'a');
  await fc.assert(
    fc.asyncProperty(head, body, filename, async (start, rest, name) => {
      const file = fileOf(name, Buffer.concat([Buffer.from(start), rest]));
      const result = await readWhole(file).catch((error: unknown) => error);
      if (result instanceof Error) assert.ok(result instanceof UnreadableFile, String(result.stack));
      else assert.deepEqual(result, await readWhole(file));
    }),
    { numRuns: 400, seed: 7 },
  );
});

const windows1252: Readonly<Record<string, number>> = { '“': 0x93, '”': 0x94, '–': 0x96, '€': 0x80 };

const windows1251: ReadonlyMap<string, readonly number[]> = new Map(
  Array.from({ length: 128 }, (_, at) => [new TextDecoder('windows-1251').decode(Uint8Array.of(128 + at)), [128 + at]]),
);

const koi8Letters = 'юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ';

const koi8Byte = (char: string): number => {
  if (char === 'ё') return 0xa3;
  const index = koi8Letters.indexOf(char);
  return index < 0 ? char.charCodeAt(0) : 0xc0 + index;
};
