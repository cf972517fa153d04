import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkSections } from '../../src/extract/chunk/chunk.ts';
import { fileOf, readWhole } from './read.ts';

/** The blocks of a small file. */
const blocksOf = async (...file: Parameters<typeof fileOf>): Promise<readonly string[]> => {
  const { sections } = await readWhole(fileOf(...file));
  return sections.flatMap(({ text }) => text.split('\n\n'));
};

const picture = Buffer.alloc(45_000, 'a picture').toString('base64');

test('records within a JSON object have row numbers, and the other fields have none', async () => {
  const ship = (id: number) => ({ id, name: `Ship ${id}`, cargo: 'salt and herring '.repeat(8).trim() });
  const answer = {
    total: 40,
    data: { items: Array.from({ length: 30 }, (_, index) => ship(index + 1)), next: 'page 2' },
    closed: Array.from({ length: 10 }, (_, index) => ship(index + 31)),
    note: 'Ships that were lost are in the other list. '.repeat(30),
  };
  const { sections } = await readWhole(fileOf('ships.json', JSON.stringify(answer)));
  const chunks = chunkSections(sections, { maxChars: 600, overlapChars: 0 });
  const seen = new Set<number>();
  for (const { text, place } of chunks) {
    const blocks = text.split('\n\n');
    const ids = blocks.filter((block) => /\.?id: /.test(block)).map((block) => Number(/id: (\d+)/.exec(block)?.[1]));
    for (const id of ids) {
      seen.add(id);
      const path = id <= 30 ? 'data.items' : 'closed';
      const { name, cargo } = ship(id);
      assert.ok(blocks.includes(`${path}.id: ${id}\n${path}.name: ${name}\n${path}.cargo: ${cargo}`), `${id} is whole`);
    }
    const rows = ids.length === 0 ? {} : { row_start: ids[0], row_end: ids.at(-1) };
    assert.deepEqual(place, rows);
  }
  assert.equal(seen.size, 40);
  assert.ok(chunks.some(({ text }) => text.includes('data.next: page 2')));
  assert.match(chunks.at(-1)?.text ?? '', /lost/);
});

test('large integers of JSON are read exactly as written', async () => {
  const record = '{"id":12345678901234567890,"n":-9007199254740993,"part":0.5,"far":1e3,"near":42}';
  const lines = 'id: 12345678901234567890\nn: -9007199254740993\npart: 0.5\nfar: 1000\nnear: 42';
  assert.deepEqual(await blocksOf('a.json', `[${record}]`), [lines]);
  assert.deepEqual(await blocksOf('a.jsonl', `${record}\n${record}\n`), [lines, lines]);
});

/** Characters that are line ends or controls elsewhere, and that may occur unescaped in a JSON string. */
const oddities = ['\u2028', '\u2029', '\u0085', '\u007F', '\uFEFF'];

/** Enough text beside a few control characters that a file counts as text. */
const long = 'salt and herring '.repeat(40).trim();

test('JSON is detected with any characters in its strings', async () => {
  for (const odd of oddities) {
    const records = [{ title: 'Tea', body: `first ${odd}second` }, { title: long }];
    const rows = ['title: Tea\nbody: first second', `title: ${long}`];
    const code = `open('husum')${odd}\n`;
    const notebook = { nbformat: 4, metadata: { long }, cells: [{ cell_type: 'code', source: [code] }] };
    assert.deepEqual(await blocksOf('a.json', JSON.stringify(records)), rows);
    const lines = records.map((record) => JSON.stringify(record)).join('\r\n');
    assert.deepEqual(await blocksOf('a.jsonl', `\uFEFF${lines}`), rows);
    assert.deepEqual(await blocksOf('a.ipynb', JSON.stringify(notebook)), ["open('husum')"]);
  }
  // Some writers leave these raw, and some add one at the end, which is no JSON but plain enough.
  assert.deepEqual(await blocksOf('a.json', `{"tea":"gr\u0001een","long":"${long}"}\u001A`), [
    'tea: green',
    `long: ${long}`,
  ]);
});

test('rows of a vector file are read exactly as written', async () => {
  const rows = oddities.map((odd) => ({
    id: `a${odd}b`,
    vector: [1],
    text: `${odd}c${odd}`,
    metadata: { [odd]: odd, long },
  }));
  const lines = rows.map((row) => JSON.stringify(row));
  for (const lineEnd of ['\n', '\r\n', '\r', '\n\uFEFF']) {
    const { inspection, parts } = await readWhole(fileOf('a.jsonl', `\uFEFF${lines.join(lineEnd)}`));
    assert.equal(inspection.format, 'vectors');
    const read = parts.map((part) => (part.kind === 'text' ? part.row : undefined));
    assert.deepEqual(
      read.map((row) => row && { id: row.id, vector: [...(row.vector ?? [])], text: row.text, metadata: row.metadata }),
      rows,
    );
  }
  const raw = fileOf('a.jsonl', `{"id":"a\u0001b","text":"${long}"}\n`);
  await assert.rejects(readWhole(raw), /Line 1: this is not JSON/);
});

/** A mail with a file attached. */
const mailWith = (filename: string, content: string): string =>
  [
    'From: a@example.com',
    'Subject: A ticket',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: text/plain',
    '',
    'Please help.',
    '--x',
    `Content-Type: application/x-ndjson; name=${filename}`,
    `Content-Disposition: attachment; filename=${filename}`,
    '',
    content,
    '--x--',
    '',
  ].join('\n');

test('JSON lines are read as index rows only in a file that may supply rows, and never in an embedded file', async () => {
  const line = JSON.stringify({ id: 'policy', vector: [1], text: 'Refunds within a year' });
  const file = fileOf('a.jsonl', line);
  for (const [format, own] of [
    ['json', false],
    ['vectors', true],
    ['json', false],
  ] as const) {
    const { inspection, parts } = await readWhole({ ...file, maySupplyRows: own });
    assert.equal(inspection.format, format);
    assert.deepEqual(
      parts.map((part) => part.kind === 'text' && part.row?.id),
      [own ? 'policy' : undefined],
    );
  }
  const { sections } = await readWhole(fileOf('a.eml', mailWith('a.jsonl', line)));
  assert.ok(sections.every(({ row }) => row === undefined));
  const texts = sections.map(({ text }) => text).join('\n');
  for (const said of ['Please help.', 'Refunds within a year']) assert.ok(texts.includes(said), said);
});

test('a Jupyter notebook is read as its prose, its code and its textual outputs', async () => {
  const code = ['import tides\n', '\n', 'def height():\n', '    return tides.now()'];
  const notebook = {
    nbformat: 4,
    metadata: { kernelspec: { name: 'python3' } },
    cells: [
      { cell_type: 'markdown', source: ['# Tides\n', '\n', `Of *Husum*. ![map](data:image/png;base64,${picture})`] },
      {
        cell_type: 'code',
        source: code,
        outputs: [
          { output_type: 'stream', name: 'stdout', text: ['\u001B[31mhigh\u001B[0m\n', ' 10%\r 100%\n'] },
          { output_type: 'display_data', data: { 'image/png': picture, 'text/plain': ['<Figure>'] } },
          { output_type: 'execute_result', data: { 'text/html': '<b>3</b>', 'text/plain': '  metres\n0 3' } },
          { output_type: 'error', ename: 'KeyError', evalue: "'wind'", traceback: ['\u001B[31m…'] },
        ],
      },
      { cell_type: 'raw', source: 'Raw words' },
    ],
  };
  const { inspection, sections } = await readWhole(fileOf('tides.ipynb', JSON.stringify(notebook)));
  assert.equal(inspection.format, 'json');
  assert.deepEqual(
    sections.map(({ headingPath, text }) => [headingPath, text]),
    [
      [
        ['Tides'],
        ['Tides', 'Of Husum. map', code.join(''), 'high\n 100%', '  metres\n0 3', "KeyError: 'wind'", 'Raw words'].join(
          '\n\n',
        ),
      ],
    ],
  );
  const outputs = [
    { output_type: 'pyout', text: ['3 metres'] },
    { output_type: 'display_data', png: picture, text: ['<Figure>'] },
  ];
  const old = { nbformat: 3, worksheets: [{ cells: [{ cell_type: 'code', input: ['height()'], outputs }] }] };
  assert.deepEqual(await blocksOf('old.ipynb', JSON.stringify(old)), ['height()', '3 metres']);
  const name = '<IPython.core.display.Markdown object>';
  const display = (data: Readonly<Record<string, string>>) => ({
    nbformat: 4,
    cells: [{ cell_type: 'code', source: 'show()', outputs: [{ output_type: 'display_data', data }] }],
  });
  const displays: readonly (readonly [Readonly<Record<string, string>>, readonly string[]])[] = [
    [{ 'text/markdown': '**Result 42**', 'text/plain': name }, ['Result 42']],
    [{ 'text/markdown': 'Result *42*', 'text/html': 'Result' }, ['Result 42']],
    [{ 'text/html': '<style>b { color: red }</style><p>Result <b>42</b></p>', 'text/plain': name }, ['Result 42']],
    [{ 'text/html': '<table><tr><td>a</td><td>1</td></tr></table>' }, ['a | 1']],
    [{ 'text/html': '<b>a</b>', 'text/plain': '<pandas.io.formats.style.Styler at 0x7f10>' }, ['a']],
    [{ 'text/plain': name }, [name]],
  ];
  for (const [data, words] of displays)
    assert.deepEqual(await blocksOf('a.ipynb', JSON.stringify(display(data))), ['show()', ...words]);
  const other = { cells: [{ cell_type: 'code', source: 'x' }] };
  assert.deepEqual(await blocksOf('a.json', JSON.stringify(other)), ['cells.cell_type: code\ncells.source: x']);
});

test('the content of data URLs is left out of every text format', async () => {
  const url = `data:image/png;base64,${picture}`;
  const files: readonly (readonly [string, string, readonly string[]])[] = [
    ['a.md', `Ships ![of *old*](${url}) and **boats**.\n\n[map]: <${url}>`, ['Ships of old and boats.']],
    ['a.json', `{"ship":"${url}","tons":3}`, ['ship: data:image/png', 'tons: 3']],
    [
      'b.json',
      `{"ship":"<img src=\\"${url.replaceAll('/', '\\/')}\\"> sails"}`,
      ['ship: <img src="data:image/png"> sails'],
    ],
    [
      'a.csv',
      `ship,map,tons\nErna,${url},300\nFrida,"${url}",\n`,
      ['ship | map | tons', 'ship: Erna\nmap: data:image/png\ntons: 300', 'ship: Frida\nmap: data:image/png'],
    ],
    ['a.svg', `<svg xmlns="x"><image href="${url}"/><text>Erna</text></svg>`, ['image: data:image/png', 'text: Erna']],
    ['a.css', `a { background: url(${url}); }`, ['a { background: url(data:image/png); }']],
    [
      'a.txt',
      'It begins with data:image/png;base64,iVBORw0KGgo= and goes on.',
      ['It begins with data:image/png;base64,iVBORw0KGgo= and goes on.'],
    ],
  ];
  for (const [name, text, blocks] of files) assert.deepEqual(await blocksOf(name, text), blocks, name);
  const megabytes = `${url}${'A'.repeat(8_000_000)}`;
  assert.deepEqual(await blocksOf('b.txt', `A scan ${megabytes} of a page.`), ['A scan data:image/png of a page.']);
  const stored = `Stored as it stands: ${url.slice(0, 400)}`;
  assert.deepEqual(await blocksOf('a.jsonl', `{"id":"a","text":"${stored}"}\n`), [stored]);
});
