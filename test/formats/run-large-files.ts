import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createExtractor, type SourceFile } from '#documents';
import { extractor, fileOf, readers, textsOf } from '../../packages/documents/test/extract/read.ts';

const lineCount = 250_000;

const linesOf = (line: (number: number) => string): string =>
  Array.from({ length: lineCount }, (_, index) => line(index + 1)).join('');

/** Text of the first and the last unit of a file that would take many times its size if it were held at once. */
const endsOf = async (file: SourceFile, memoryMb: number): Promise<readonly [string, string, number]> => {
  const extractor = createExtractor({ ...readers, memoryMb });
  const { units } = await extractor.inspect(file);
  const first = textsOf(await extractor.extract(file, { start: 1, end: 1 }));
  const last = textsOf(await extractor.extract(file, { start: units, end: units }));
  return [first[0]?.text ?? '', last.at(-1)?.text ?? '', Number(last.at(-1)?.marks?.at(-1)?.last['row_end'] ?? 0)];
};

test('a large CSV is read row by row', async () => {
  const rows = linesOf((number) => `${number},Erna,Kiel,"fog, then\nrain",${number % 7},,kept\n`);
  const file = fileOf('ships.csv', `id,ship,port,weather,tons,captain,note\n${rows}`);
  const [first, last, row] = await endsOf(file, 400);
  assert.ok(first.startsWith('id | ship | port | weather | tons | captain | note\n\nid: 1\nship: Erna\nport: Kiel\n'));
  assert.ok(
    last.endsWith(
      `id: ${lineCount}\nship: Erna\nport: Kiel\nweather: fog, then rain\ntons: ${lineCount % 7}\nnote: kept`,
    ),
  );
  assert.equal(row, lineCount + 1);
});

test('a large JSON Lines file is read line by line', async () => {
  const file = fileOf(
    'ships.jsonl',
    linesOf((number) => `{"id":${number},"ship":"Erna","port":{"name":"Kiel"}}\n`),
  );
  const [first, last, row] = await endsOf(file, 320);
  assert.ok(first.startsWith('id: 1\nship: Erna\nport.name: Kiel\n\nid: 2'));
  assert.ok(last.endsWith(`id: ${lineCount}\nship: Erna\nport.name: Kiel`));
  assert.equal(row, lineCount);
});

test('a large web page is read tag by tag', async () => {
  const row = (number: number): string => `<tr><td>${number}<td>Erna<td>Kiel\n`;
  const [first, last] = await endsOf(fileOf('ships.html', `<title>Ships</title><table>${linesOf(row)}</table>`), 400);
  assert.ok(first.startsWith('Ships\n\n1 | Erna | Kiel\n2 | Erna | Kiel\n'));
  assert.ok(last.endsWith(`\n${lineCount - 1} | Erna | Kiel\n${lineCount} | Erna | Kiel`));
});

test('a large text with an invalid byte is read except for that byte', async () => {
  const bytes = Buffer.from('Съешь же ещё этих мягких французских булок, да выпей чаю.\n\n'.repeat(80_000));
  const broken = bytes.length - 30;
  bytes[broken] = 0xff;
  const [first, last] = await endsOf(fileOf('buns.txt', bytes), 256);
  assert.ok(first.startsWith('Съешь же ещё этих мягких французских булок, да выпей чаю.\n\nСъешь'));
  assert.match(last, /чаю\.\n\nСъешь же ещё этих мягких французских \S*\uFFFD+\S*, да выпей чаю\.$/);
});

/** Text of more megabytes than are decoded at once, with all that could be cut in two at the border of a stretch. */
const mixed = (line: (number: number) => string): string =>
  Array.from({ length: 20_000 }, (_, number) => {
    const special = [
      '\uFEFF',
      'Nebel über Kiel\r\n',
      '\f',
      `data:image/png;base64,${'QUJD'.repeat(900)} `,
      '\u2028',
      '',
    ];
    return `${special[number % special.length]}${line(number)}`;
  }).join('');

const largeTexts = {
  'notes.txt': mixed((number) => `${number} ${'fog, then rain; '.repeat(27)}\n${number % 7 === 0 ? '\n' : ''}`),
  'notes.csv': `sep=;\nid;note\n${mixed((number) => `${number};"${'fog, then\nrain; '.repeat(27)}"\n`)}`,
  'broken.csv': `id,note,port\n${mixed((number) => `${number},${number === 19_000 ? '"' : ''}${'fog '.repeat(90)},Kiel\n`)}`,
};

for (const [filename, text] of Object.entries(largeTexts)) {
  test(`a large text decoded in segments equals the text decoded at once: ${filename}`, async () => {
    const inStretches = await extractor.inspect(fileOf(filename, text));
    // Of another charset, it is decoded whole.
    const whole = await extractor.inspect(fileOf(filename, Buffer.from(`\uFEFF${text}`, 'utf16le')));
    assert.ok(Buffer.byteLength(text) > 17_000_000 && whole.units > 100);
    const { packed: { bytes: wholeBytes = null } = {}, ...about } = whole;
    const { packed: { bytes = null } = {}, ...aboutStretches } = inStretches;
    assert.deepEqual(aboutStretches, about);
    assert.ok(bytes !== null && wholeBytes !== null && Buffer.compare(bytes, wholeBytes) === 0);
  });
}
