import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkSections } from '../../src/extract/chunk/chunk.ts';
import { zipOf } from './make-office.ts';
import { fileOf, readHere } from './read.ts';

const story = `<p>${'The keeper counted the ships, one by one, until the fog came in. '.repeat(8)}</p>`;

const textOf = async (name: string, content: string | Uint8Array): Promise<string> =>
  (await readHere(fileOf(name, content))).map(({ text }) => text).join('\n\n');

const mailOf = (body: string): string =>
  `From: a@example.com\nTo: b@example.com\nSubject: Ships\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n${body}`;

const bookOf = (body: string): Uint8Array =>
  zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    'book.opf':
      '<package><metadata/><manifest><item id="a" href="a.html" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    'a.html': `<html><body>${body}</body></html>`,
  });

/** Text of a part of a page in every way in which HTML is read: short, as an article, in a mail and in a book. */
const everyTextOf = async (body: string, style = ''): Promise<readonly string[]> => {
  const page = (content: string): string => `<!doctype html><html><head>${style}</head><body>${content}</body></html>`;
  const texts = [
    await textOf('a.html', page(body)),
    (await textOf('a.html', page(`<article>${story}${body}${story}</article>`))).split(/The keeper [^\n]*/)[1] ?? '',
    (await textOf('a.eml', mailOf(page(body)))).split('To: b@example.com')[1] ?? '',
  ];
  if (style === '') texts.push(await textOf('a.epub', bookOf(body)));
  return texts.map((text) => text.trim());
};

const table = (rows: readonly string[], inner = ''): string =>
  `<table>${inner}<tr>${rows.join('</tr><tr>')}</tr></table>`;

test('merged cells of a table give their text to every cell that they cover', async () => {
  const tables: readonly (readonly [string, string])[] = [
    [
      table([
        '<th rowspan="2">Vessel</th><th colspan="2">Summer</th><th colspan="2">Winter</th>',
        '<th>Weekday</th><th>Weekend</th><th>Weekday</th><th>Weekend</th>',
        '<td>Astrid</td><td>12</td><td></td><td>8</td><td>9</td>',
      ]),
      'Vessel | Summer | Summer | Winter | Winter\nVessel | Weekday | Weekend | Weekday | Weekend\nAstrid | 12 | | 8 | 9',
    ],
    [
      table([
        '<th>Quay<th>Berth<th>Length',
        '<td rowspan=2>South<td>S1<td>55',
        '<td>S2<td>60',
        '<td>North<td>N1<td>40',
      ]),
      'Quay | Berth | Length\nSouth | S1 | 55\nSouth | S2 | 60\nNorth | N1 | 40',
    ],
    [
      table(['<th>Quay<th>Berth', '<td rowspan=0>South<td>S1', '<td>S2', '<td>S3']),
      'Quay | Berth\nSouth | S1\nSouth | S2\nSouth | S3',
    ],
    [
      table(
        ['<th>Ship<th>Port', '<td colspan=2>Out of service', '<td>Erna<td>Kiel'],
        '<caption>Ships <b>today</b></caption>',
      ),
      'Ships today\nShip | Port\nOut of service\nErna | Kiel',
    ],
    [
      table(['<th>Ship<th>Cargo', `<td>Erna<td>${table(['<td>salt<td>4 t', '<td>rye<td>2 t'])}`]),
      'Ship | Cargo\nErna | salt, 4 t; rye, 2 t',
    ],
    [
      table(['<th>Ship<th>Ports', '<td><p>Erna</p><p>1911</p><td><ul><li>Kiel<li>Husum</ul>']),
      'Ship | Ports\nErna 1911 | - Kiel - Husum',
    ],
  ];
  for (const [html, expected] of tables) for (const text of await everyTextOf(html)) assert.equal(text, expected);
});

test('every chunk of a long table begins with the title and all lines of the head', async () => {
  for (const [head, expected] of [
    [
      '<thead><tr><th>Valve<th colspan=2>Limit (bar)<tr><th>Number<th>low<th>high</thead>',
      'Valve | Limit (bar) | Limit (bar)\nNumber | low | high',
    ],
    ['<thead><tr><td>Valve<td>low<td>high</thead>', 'Valve | low | high'],
    ['<tr><th scope=col>Valve<th scope=col>low<th scope=col>high</tr>', 'Valve | low | high'],
    ['<tr><td><b>Valve</b><td>low<td>high</tr>', 'Valve | low | high'],
  ] as const) {
    for (const count of expected.includes('bar') ? [80, 5_000] : [80]) {
      const rows = Array.from({ length: count }, (_, at) => `<tr><th scope=row>VX-${at}<td>${at}.5<td>${at}.9`);
      const html = `<title>Plant</title><table><caption>Valves</caption>${head}<tbody>${rows.join('')}</table>`;
      const chunks = chunkSections(await readHere(fileOf('a.html', html)));
      for (const at of [0, count / 2, count - 1]) {
        const chunk = chunks.find(({ text }) => text.includes(`VX-${at} | ${at}.5 | ${at}.9`));
        assert.ok(chunk?.text.replace('Plant\n\n', '').startsWith(`Valves\n${expected}\n`), chunk?.text.slice(0, 200));
      }
    }
  }
});

test('tables that lay out a page are paragraphs without a head', async () => {
  const cells = '<td><h2>Hours</h2><p>Nine to five.</p><td><p>Closed on Sundays.</p>';
  assert.equal(await textOf('a.html', table([cells])), 'Hours\n\nNine to five.\n\nClosed on Sundays.');
  const rows = ['<td><p>Ahoy.</p><p>The pier is closed.</p>', '<td><p>Yours, Erna</p>'];
  assert.equal(await textOf('a.html', table(rows)), 'Ahoy.\n\nThe pier is closed.\n\nYours, Erna');
  const layout = '<tr><td>Ship<td>Port<tr><td>12 boats<td>3'.repeat(90);
  const sections = await readHere(fileOf('a.html', `<table role="presentation">${layout}</table>`));
  assert.ok(sections.length > 0 && sections.every(({ tables }) => tables === undefined));
});

test('powers, fractions, formulas and marks of notes never become part of a figure', async () => {
  for (const [html, expected] of [
    ['holds 10<sup>6</sup> litres', 'holds 10^6 litres'],
    ['10<sup>-3</sup> m and x<sup>n+1</sup> and x<sup>a<sup>b</sup></sup>', '10^-3 m and x^(n+1) and x^(a^(b))'],
    ['the 1<sup>st</sup> of May, H<sub>2</sub>O', 'the 1st of May, H2O'],
    ['1<sup>3</sup>⁄<sub>8</sub> inch, <sup>1</sup>/<sub>2</sub> inch, 3⁄8 mile', '1 3/8 inch, 1/2 inch, 3/8 mile'],
    ['paid 412<sup><a href="#n7">7</a></sup> in all', 'paid 412 [7] in all'],
    ['paid 412<sup class="footnote">7</sup> in all', 'paid 412 [7] in all'],
    ['paid 412<sup><a href="#a">7</a>, <a href="#b">8</a></sup>.', 'paid 412 [7], [8].'],
    [
      'is <math><mn>1</mn><mfrac><mn>3</mn><mn>8</mn></mfrac></math> or 2<math><mfrac><mn>3</mn><mn>4</mn></mfrac></math> of it',
      'is 1 3/8 or 2 3/4 of it',
    ],
    [
      'so <math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><msqrt><mi>c</mi></msqrt></mfrac></mrow><annotation encoding="application/x-tex">x^2=\\frac{a+b}{\\sqrt c}</annotation></semantics></math>.',
      'so x^2 = (a+b)/(√c).',
    ],
    [
      'and <math><msub><mi>log</mi><mn>2</mn></msub><mo>⁡</mo><mn>8</mn><mo>,</mo><mroot><mi>y</mi><mn>3</mn></mroot><mo>,</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable></math>',
      'and log_2 8,y^(1/3),[1, 0; 0, 1]',
    ],
    [
      '<span class="katex"><span class="katex-mathml"><math><msup><mn>10</mn><mn>9</mn></msup></math></span><span class="katex-html" aria-hidden="true">109</span></span> grams',
      '10^9 grams',
    ],
  ] as const)
    for (const text of await everyTextOf(`<p>${html}</p>`)) assert.equal(text, expected);
});

test('what a page hides is not read, and what a reader can open or hear is', async () => {
  for (const style of [
    'display:none',
    'DISPLAY : NONE !important',
    'visibility:hidden',
    'font-size:0',
    'position:absolute; left:-9999px',
    'text-indent:-9999px',
    'opacity:0',
    'max-height:0;overflow:hidden',
    'position:absolute;clip:rect(0 0 0 0)',
    'font-size:1px;color:#ffffff;line-height:1px',
    'color:#fff;background-color:white',
    'mso-hide:all',
  ])
    for (const text of await everyTextOf(`<div style="${style}">Planted words</div><p>Shown.</p>`))
      assert.equal(text, 'Shown.', style);
  for (const html of ['<p hidden>Planted</p>', '<span aria-hidden="true">Planted</span>', '<dialog>Planted</dialog>'])
    for (const text of await everyTextOf(`${html}<p>Shown.</p>`)) assert.equal(text, 'Shown.', html);
  const sheet = `<style>/* .b{display:none} */ @media print { .p { display: none } } .h, div#i { display: none }
    .away { position: absolute; left: -10000px } .sr-only { clip: rect(0 0 0 0) } .tab { display: none } .tab.open { display: block }
    .on { display: none } .on { display: block } </style>`;
  const body = `<p class="p">One.</p><p class="x h">Planted</p><div id="i">Planted</div><p class="away">Planted</p><p class="sr-only">Two.</p>
    <div class="tab"><p>Three.</p></div><p class="on">Four.</p><details><summary>Five?</summary><p>Six.</p></details>
    <p style="opacity:0;transform:translateY(9px)">Seven.</p>`;
  for (const text of await everyTextOf(body, sheet))
    assert.equal(text.replace(/\n+/g, ' '), 'One. Two. Three. Four. Five? Six. Seven.');
});

test('descriptions of pictures are read, and those of decoration are not', async () => {
  const body = `<p>Before.</p><img src="a.png" alt="Chart of the landings of cod"><figure><img src="b.png" alt="IMG_0042.JPG">
    <figcaption>The mole in 1911</figcaption></figure><img src="c" alt=""><img src="d" alt="logo"><img src="e" alt="Harbour" role="presentation">
    <map><area alt="Berth of the ferry" href="/berth"></map><svg><title>Depth of the sound</title><desc>By month</desc><text>12</text></svg>
    <svg aria-hidden="true"><title>Arrow to the right</title></svg><img src="f" width="1" height="1" alt="Opened at noon">`;
  for (const text of await everyTextOf(body))
    assert.equal(
      text.replace(/\s+/g, ' '),
      'Before. Chart of the landings of cod The mole in 1911 Berth of the ferry Depth of the sound By month',
    );
});

test('tables and powers of Markdown are read as those of web pages, and a table repeats its head in every chunk', async () => {
  const rows = Array.from({ length: 90 }, (_, at) => `| VX-${at} | a \\| b | ${at % 2 === 0 ? '' : `${at}.5`} |`);
  const chunks = chunkSections(
    await readHere(
      fileOf('a.md', `# Valves\n\nNumber | *Kind* | Limit\n---|:-:|--:\n${rows.join('\n')}\n\nHolds 10<sup>6</sup> l.`),
    ),
  );
  for (const row of ['VX-1 | a | b | 1.5', 'VX-89 | a | b | 89.5', 'VX-88 | a | b']) {
    const chunk = chunks.find(({ text }) => text.split('\n').includes(row));
    assert.match(chunk?.text ?? '', /^(?:Valves\n\n)?Number \| Kind \| Limit\nVX/);
  }
  assert.ok(chunks.at(-1)?.text.endsWith('Holds 10^6 l.'));
  const table = '<table><tr><td rowspan=2>South</td><td>S1</td></tr><tr><td>S2</td></tr></table>';
  assert.equal(await textOf('b.md', `Quays\n\n${table}\n`), 'Quays\n\nSouth | S1\nSouth | S2');
});
