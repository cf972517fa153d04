import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkSections } from '../../src/extract/chunk/chunk.ts';
import { drawFrom } from './draw.ts';
import { fileOf, readHere, readWhole } from './read.ts';

const rtf = (body: string) => fileOf('a.rtf', Buffer.from(`{\\rtf1\\ansi ${body}}`, 'latin1'));
const textOf = async (body: string): Promise<string> =>
  (await readHere(rtf(body))).map(({ text }) => text).join('\n\n');

test('hidden and deleted text of an RTF is left out, and hidden text is named', async () => {
  const forms = [
    String.raw`Seen. {\v SECRET}Also.`,
    String.raw`Seen. \v SECRET\v0 Also.`,
    String.raw`Seen. {\b\v SECR{\i ET}}Also.`,
    String.raw`Seen. {\v S\'e9CRET\u8364?}{\plain Also.}`,
    String.raw`Seen. {\v SECRET{\footnote hidden note}}Also.`,
  ];
  for (const form of forms) {
    const { inspection, sections } = await readWhole(rtf(`${form}\\par`));
    assert.equal(sections.map(({ text }) => text).join(), 'Seen. Also.', form);
    assert.deepEqual(inspection.notes, ['Text that is formatted as hidden was left out.']);
  }
  const tracked = String.raw`It is {\deleted\revauthdel1 35}{\revised\revauth1 40}\deleted  or less\deleted0  crowns.{\mvf Moved.}\par`;
  const { inspection, sections } = await readWhole(rtf(tracked));
  assert.deepEqual([sections[0]?.text, inspection.notes], ['It is 40 crowns.', []]);
});

test('headers and footers of an RTF are read once, without page numbers', async () => {
  const page = String.raw`{\field{\*\fldinst { PAGE }}{\fldrslt 71}}`;
  const pages = String.raw`{\field{\*\fldinst{NUMPAGES }}{\fldrslt{\b 72}}}`;
  const head = String.raw`{\headerl\pard Surveyor Berg, file 81\par}{\headerr\pard Surveyor Berg, file 81\par}{\headerf\pard {\b Berg} & Co\par}`;
  const foot = `{\\footer\\pard IBAN SE45\\par Page ${page} of ${pages}\\par Ref. 9\\tab\\chpgn\\par}`;
  assert.deepEqual(
    (await readHere(rtf(String.raw`${head}${foot}\pard\outlinelevel0 Hull\par\pard It leaks.\par`))).map(
      ({ headingPath, text }) => [headingPath, text],
    ),
    [
      [[], 'Surveyor Berg, file 81\n\nBerg & Co'],
      [['Hull'], 'Hull\n\nIt leaks.'],
      [[], 'IBAN SE45\n\nRef. 9'],
    ],
  );
});

test('a merged cell of an RTF table has its value in every cell that it covers, and each chunk its head', async () => {
  for (const draw of drawFrom(31, 10)) {
    const [one = '', two = '', three = ''] = draw.words(3);
    const width = draw.number(800, 3_000);
    const row = (texts: readonly string[], cells: readonly (readonly [number, string?])[], more = ''): string =>
      `\\trowd${more}${cells.map(([right, merge = '']) => `${merge}\\cellx${right * width}`).join('')}\\pard\\intbl ${texts.map((text) => `${text}\\cell `).join('')}\\row`;
    const plain: readonly (readonly [number])[] = [[1], [2], [3]];
    const rows = [
      row(['Quay', 'Size'], [[1, '\\clvmgf'], [3]], '\\trhdr'),
      row(['', 'Long', 'Deep'], [[1, '\\clvmrg'], [2], [3]], '\\trhdr'),
      row([one, '', '6'], [[1, '\\clmgf'], [2, '\\clmrg'], [3]]),
      row([two, 'a', '7'], [[1, '\\clvmgf'], [2], [3]]),
      row(['', 'b', '8'], [[1, '\\clvmrg'], [2], [3]]),
      row([three, '', '9'], plain),
    ];
    assert.equal(
      await textOf(`${rows.join('\n')}\\pard After the table.\\par`),
      `Quay | Size | Size\nQuay | Long | Deep\n${one} | ${one} | 6\n${two} | a | 7\n${two} | b | 8\n${three} | | 9\n\nAfter the table.`,
    );
    const long = Array.from({ length: 120 }, (_, at) => row([`${one}-${at}`, `${at * 7}`, two], plain));
    const file = rtf(`\\pard Berths of the year\\par ${row(['Name', 'Metres', 'Owner'], plain)}${long.join('')}`);
    const chunks = chunkSections(await readHere(file));
    assert.ok(chunks.length > 1);
    for (const { text } of chunks) assert.ok(text.startsWith('Berths of the year\nName | Metres | Owner\n'), text);
  }
});

test('raised text of an RTF never changes a figure', async () => {
  for (const draw of drawFrom(32, 10)) {
    const power = draw.number(2, 40);
    for (const form of [
      `{\\super ${power}}`,
      `{\\up${draw.number(4, 12)}\\fs16 ${power}}`,
      `\\super ${power}\\nosupersub `,
    ])
      assert.equal(await textOf(`It holds 10${form} litres.\\par`), `It holds 10^${power} litres.`);
  }
  assert.equal(await textOf(String.raw`H{\sub 2}O on May 1{\super st}\par`), 'H2O on May 1st');
});

test('comments, text boxes and descriptions of pictures of an RTF are read', async () => {
  const comment = String.raw`It is 412.{\*\atnid EH}{\*\atnauthor Erna}\chatn {\*\annotation{\*\atnref 1}{\*\atndate 5}\pard\plain Is it?} Yes.\par`;
  assert.equal(await textOf(comment), 'It is 412. (Is it?) Yes.');
  const box = String.raw`A {\shp{\*\shpinst\shpleft1{\sp{\sn wzDescription}{\sv A map of the bay}}{\sp{\sn pib}{\sv 1}}{\shptxt\pard\plain In a box.\par}}{\shprslt{\*\do\dptxbx In a box.}}}line.\par Next.\par`;
  assert.equal(await textOf(box), 'A line.\n\nA map of the bay\n\nIn a box.\n\nNext.');
  const picture = String.raw`{\pict{\*\picprop{\sp{\sn wzDescription}{\sv Image 4}}}\pngblip 89504e47}Text.\par`;
  assert.equal(await textOf(picture), 'Text.');
});

test('lines in bold or larger type are headings of an RTF', async () => {
  for (const draw of drawFrom(33, 6)) {
    const [one = '', two = ''] = draw.words(2);
    const sections = await readHere(
      rtf(
        `\\pard\\b\\fs${draw.number(30, 50)} ${one}\\par\\plain First text of it.\\par{\\b ${two}}\\par Second text of it.\\par`,
      ),
    );
    assert.deepEqual(
      sections.map(({ headingPath, text }) => [headingPath, text.split('\n\n').at(-1)]),
      [
        [[one], 'First text of it.'],
        [[one, two], 'Second text of it.'],
      ],
    );
  }
});
