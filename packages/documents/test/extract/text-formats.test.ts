import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { chunkSections } from '../../src/extract/chunk/chunk.ts';
import { transcriptOf } from '../transcribe/transcript.ts';
import { assertLinear } from '../../../../test/support/cpu-time.ts';
import { extractor, fileOf, outlineOf, packages, readHere, readWhole, textsOf } from './read.ts';

const markdown = `---
title: A guide
---
Before any *heading*.

# The guide

## Setup

Install [the tool](https://example.com/tool "title") with \`npm ci\` &amp; wait,
then **go**.

- first _item_
- second item
  1. nested one
  2. nested two

| Name | Value |
| ---- | ----- |
| \`a\` | **1** |

\`\`\`ts
# not a heading
const x = 1;

  return x;
\`\`\`

<details><summary>More</summary>
<h3>Markup heading</h3>
<p>Inside &lt;tags&gt;.</p>
</details>

> A quote
> # with a heading

Usage
-----

[ref]: https://example.com
![a diagram](x.png) See [the reference][ref].
`;

test('Markdown becomes plain words under their headings', async () => {
  const { inspection, sections } = await readWhole(fileOf('guide.md', markdown.replaceAll('\n', '\r\n')));
  assert.deepEqual(inspection, { format: 'markdown', units: 1, paged: false, notes: [] });
  assert.deepEqual(
    sections.map(({ headingPath }) => headingPath),
    [[], ['The guide', 'Setup'], ['The guide', 'Setup', 'Markup heading'], ['The guide', 'Usage']],
  );
  assert.equal(sections[0]?.text, 'title: A guide\n\nBefore any heading.');
  assert.equal(
    sections[1]?.text,
    [
      'The guide',
      'Setup',
      'Install the tool with npm ci & wait, then go.',
      '- first item\n- second item\n  1. nested one\n  2. nested two',
      'Name | Value\na | 1',
      '# not a heading\nconst x = 1;\n\n  return x;',
      'More',
    ].join('\n\n'),
  );
  assert.equal(sections[2]?.text, 'Markup heading\n\nInside <tags>.\n\nA quote\n\nwith a heading');
  assert.equal(sections[3]?.text, 'Usage\n\na diagram See the reference.');
  assert.ok(sections.every(({ pageStart, pageEnd }) => pageStart === null && pageEnd === null));
});

test('completed and open Markdown tasks are distinguished', async () => {
  const tight =
    '- [x] Pay *rent*\n- [ ] Call [Ben](https://example.com)\n- [x](https://example.com) is a link\n  1. [ ] Write';
  const loose = '1. [x] One\n\n   More\n\n2. [ ] Two';
  assert.equal(
    (await readWhole(fileOf('a.md', `${tight}\n\n${loose}\n`))).sections[0]?.text,
    '- [x] Pay rent\n- [ ] Call Ben\n- x is a link\n  1. [ ] Write\n\n1. [x] One\n  More\n2. [ ] Two',
  );
});

test('Markdown entities are decoded, and footnotes of one word are read', async () => {
  const text = [
    'M&uuml;ller &amp; S&ouml;hne&nbsp;&mdash; 5&thinsp;&euro;, &#8364; `&euro;` &notes; AT&T',
    'Cited.[^1] Again.[^2] See [a].',
    '[^1]: Ebenda.\n[^2]: https://example.com/source\n[a]: https://example.com',
  ];
  assert.equal(
    (await readWhole(fileOf('a.md', text.join('\n\n')))).sections[0]?.text,
    [
      'Müller & Söhne — 5 €, € &euro; &notes; AT&T',
      'Cited.[^1] Again.[^2] See a.',
      '[^1]: Ebenda.',
      '[^2]: https://example.com/source',
    ].join('\n\n'),
  );
});

test('a long Markdown file is cut into units with their heading paths', async () => {
  const chapter = (number: number): string =>
    `# Chapter ${number}\n\n## Part ${number}\n\n${Array.from({ length: 300 }, (_, index) => `Paragraph ${number}.${index} of a long chapter, in which little happens but much is said.`).join('\n\n')}`;
  const file = fileOf('book.md', [1, 2, 3, 4, 5, 6].map(chapter).join('\n\n'));
  const { units } = await extractor.inspect(file);
  const parts = await Promise.all(
    Array.from({ length: units }, async (_, index) =>
      textsOf(await extractor.extract(file, { start: index + 1, end: index + 1 })),
    ),
  );
  assert.ok(units > 2, `${units} units`);
  assert.deepEqual(parts.flat(), textsOf(await extractor.extract(file, { start: 1, end: units })));
  for (const part of parts) assert.ok(part.map(({ text }) => text).join('\n\n').length <= 40_000);
  for (const { text, headingPath } of parts.flat()) {
    const number = /(?:Paragraph|Chapter) (\d)/.exec(text)?.[1];
    assert.deepEqual(headingPath, [`Chapter ${number}`, `Part ${number}`]);
  }
  const words = parts.flat().flatMap(({ text }) => text.match(/Paragraph \d\.\d+/g) ?? []);
  assert.equal(new Set(words).size, 1_800);
});

test('a very long paragraph is cut without loss', async () => {
  const text = Array.from({ length: 30_000 }, (_, index) => `word${index}`).join(' ');
  const { inspection, sections } = await readWhole(fileOf('a.txt', text));
  assert.equal(inspection.units, Math.ceil(text.length / 40_000));
  assert.equal(sections.map((section) => section.text).join(''), text);
});

test('the main content of a web page is read, its surroundings are not', async () => {
  const story =
    'The lighthouse keeper counted the ships, one by one, until the fog came in from the sea and hid them. '.repeat(4);
  const page = `<!doctype html><html><head><title>Fog at sea</title><style>p{}</style><script>var hidden = 1;</script></head>
    <body><nav><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop now</a></li></ul></nav>
    <article><h1>Fog at sea</h1><p>${story}</p><h2>The night</h2><p>${story}</p>
    <ul><li>lamp</li><li><p>oil</p></li></ul>
    <table><tr><th>Ship</th><th>Tons</th></tr><tr><td>Erna</td><td>300</td></tr></table>
    <aside class="note"><p>Mind the rocks, whose light went out in spring.</p></aside>
    <pre>if (fog) {\n    horn();\n}</pre></article>
    <aside><p>Subscribe to our letter.</p></aside>
    <footer>Imprint &middot; Privacy</footer></body></html>`;
  const { inspection, sections } = await readWhole(fileOf('fog.html', page));
  assert.deepEqual(inspection, { format: 'html', units: 1, paged: false, notes: [] });
  assert.deepEqual(
    sections.map(({ headingPath }) => headingPath),
    [['Fog at sea'], ['Fog at sea', 'The night']],
  );
  const text = sections.map((section) => section.text).join('\n\n');
  assert.doesNotMatch(text, /Shop now|Imprint|hidden|Subscribe/);
  assert.ok(
    text.endsWith(
      '- lamp\n- oil\n\nShip | Tons\nErna | 300\n\nMind the rocks, whose light went out in spring.\n\nif (fog) {\n    horn();\n}',
    ),
    text.slice(-120),
  );
});

test('the title of a web page without head tags is read', async () => {
  const paragraph = '<p>The keeper trimmed the lamp at dusk, and counted the ships that passed until morning came.</p>';
  const title = '<!doctype html><meta charset=utf-8><title>The lamp</title>';
  for (const page of [`${title}<h1>Ships</h1>`, `${title}<body><main><h1>Ships</h1>`]) {
    const { sections } = await readWhole(fileOf('a.html', page + paragraph.repeat(4)));
    assert.deepEqual(sections[0]?.headingPath, ['The lamp', 'Ships']);
  }
});

test('ruby annotations in a web page are not read', async () => {
  const page =
    '<!doctype html><p><ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby><ruby>都<rp>(</rp><rt>と<rp>)</rp></ruby>に行く。';
  assert.equal((await readWhole(fileOf('a.html', page))).sections[0]?.text, '東京都に行く。');
});

test('the number of a note is in brackets apart from the word before it, and an exponent has its sign', async () => {
  const body = `<p>The quay of 40 m<sup>2</sup> by lanterns<sup><a href="#n1">1</a></sup> and a mole<sup><a href="b.html#n2">2</a></sup>.</p>
    <p>Leuchtturm<a epub:type="noteref" href="#n3">3</a><a role="doc-noteref" href="#n4">4</a> vorbei, so<sup><a href="#n5">[5]</a></sup>,
    ships<a href="#n6"><sup>6</sup></a> of <a href="#area">40 m<sup>2</sup></a>.<br>
    <sup><a href="#r1">1</a></sup>Built by <a href="#erna">E</a>rna.</p>
    <table><tr><td>Gull<sup><a href="#a">a</a></sup></td><td>12<sup><a href="#b">b</a></sup></td></tr></table>`;
  const expected =
    'The quay of 40 m^2 by lanterns [1] and a mole [2].\n\nLeuchtturm [3] [4] vorbei, so[5], ships [6] of 40 m^2.\n[1] Built by Erna.\n\nGull [a] | 12 [b]';
  const article = `<article>${body}<p>${'The keeper counted the ships, one by one. '.repeat(9)}</p></article>`;
  for (const html of [body, article]) {
    const { sections } = await readWhole(fileOf('a.html', `<!doctype html>${html}`));
    assert.equal(sections[0]?.text.slice(0, expected.length), expected);
  }
});

test('menus, headers and footers of short web pages are left out, unless there is nothing else', async () => {
  const refunds = '<h1>Refunds</h1><p>Refunds take five days.</p>';
  const table = `<table>${'<tr><td>Erna</td><td>Kiel</td></tr>'.repeat(60)}</table>`;
  for (const [html, expected] of [
    [`<nav>Login</nav><main>${refunds}</main><footer>Imprint</footer>`, 'Refunds\n\nRefunds take five days.'],
    [`<p>Cookies?</p><div role="main">${refunds}</div>`, 'Refunds\n\nRefunds take five days.'],
    ['<header>Shop</header><main><img></main><p>Open<nav>Login</nav>now.</p><aside>Ad</aside>', 'Open\n\nnow.'],
    ['<section><header>In</header></section><article>a<aside>Note</aside></article>', 'In\n\na\nNote'],
    [
      `<header>Shop</header><nav>Login</nav><nav>Help</nav>${table}<footer>Imprint</footer>`,
      'Erna | Kiel\n'.repeat(60).trim(),
    ],
    ['<div role="banner">Shop</div><div></div><footer>Imprint</footer>', 'Shop\nImprint'],
    [`<p>Loading</p><header>${'All of it. '.repeat(20)}</header>`, `Loading\n\n${'All of it. '.repeat(20).trim()}`],
  ] as const) {
    const { sections } = await readWhole(fileOf('a.html', html));
    assert.equal(sections.map(({ text }) => text).join('\n\n'), expected, html.slice(0, 60));
  }
});

test('a web page without main content is read as a whole at any nesting', async () => {
  const short = await readWhole(
    fileOf('a.html', '<title>Hours</title><p>Open from <b>nine</b> to five.<br>Closed on Sundays.'),
  );
  assert.deepEqual(short.sections, [
    {
      text: 'Hours\n\nOpen from nine to five.\nClosed on Sundays.',
      pageStart: null,
      pageEnd: null,
      headingPath: ['Hours'],
      place: {},
    },
  ]);
  const bare = await readWhole(fileOf('a.html', '<html><head><title>Hours</title></head><p>Open.<p>Closed.</html>'));
  assert.equal(bare.sections[0]?.text, 'Hours\n\nOpen.\n\nClosed.');
  const deep = await readWhole(fileOf('a.html', `<html><body>${'<div>'.repeat(10_000)}treasure`));
  assert.equal(deep.sections[0]?.text, 'treasure');
  const quoted = await readWhole(fileOf('a.md', `${'>'.repeat(20_000)} treasure`));
  assert.match(quoted.sections.at(-1)?.text ?? '', / treasure$/);
});

test('a web page and a Markdown file with hundreds of thousands of paragraphs are read whole', async () => {
  const last = 130_000;
  const page = Array.from({ length: last }, (_, index) => `<p>${index + 1}`).join('');
  for (const [name, text] of [
    ['long.html', page],
    ['long.md', `<div>${page}</div>`],
  ] as const) {
    const { sections } = await readWhole(fileOf(name, text));
    const paragraphs = sections.flatMap((section) => section.text.split('\n\n'));
    assert.deepEqual([paragraphs.length, paragraphs[0], paragraphs.at(-1)], [last, '1', String(last)], name);
  }
});

test('markup that could take a parser quadratic time is read in linear time', async () => {
  const hostile: readonly (readonly [string, number, (times: number) => string])[] = [
    ['a.html', 200_000, (times) => `<p>${' '.repeat(times)}end`],
    ['a.html', 20_000, (times) => '<br>'.repeat(times)],
    ['a.md', 40_000, (times) => '_a_*b'.repeat(times)],
    ['a.md', 200_000, (times) => `${' '.repeat(times)}end`],
    ['a.md', 20_000, (times) => '['.repeat(times)],
    ['a.txt', 200_000, (times) => ' \n'.repeat(times)],
    ['a.txt', 200_000, (times) => `a${'\u0301'.repeat(times)}`],
  ];
  for (const [name, most, textOf] of hostile)
    await assertLinear((times) => readHere(fileOf(name, textOf(times))), most, `${name} ${textOf(2)}`);
});

test('real files of many programs are read completely', async () => {
  const words = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/\p{L}{5,}/gu) ?? []);
  const recall = async (path: string): Promise<number> => {
    const content = await readFile(join(packages, path), 'utf8');
    const { sections } = await readWhole(fileOf(path, content));
    const found = words(sections.map(({ text }) => text).join(' '));
    const source = [...words(content.replace(/<[^>]*>|\]\([^)]*\)|\bhttps?:[^\s)]*|^\[[^\]]+\]:.*$/gm, ' '))];
    return source.filter((word) => found.has(word)).length / source.length;
  };
  for (const path of [
    'undici/README.md',
    'fast-check/README.md',
    'pdfkit/README.md',
    'esbuild/LICENSE.md',
    'typescript/LICENSE.txt',
  ]) {
    const share = await recall(path);
    assert.ok(share > 0.97, `${path}: ${share}`);
  }
});

test('a transcript of Amazon Transcribe is read as a recording, and other JSON is not', async () => {
  const spoken = Array.from({ length: 60 }, (_, at) => `Sentence ${at} tells of the comets.`).join(' ');
  const { sections } = await readWhole(fileOf('talk.json', JSON.stringify(transcriptOf(spoken))));
  const chunks = chunkSections(sections);
  assert.ok(chunks.length > 1);
  for (const { text, place } of chunks) {
    const first = Number(/Sentence (\d+)/.exec(text)?.[1]);
    // Sentences of three seconds, in stretches of less than a minute.
    const [start, end] = [Number(place['start_seconds']), Number(place['end_seconds'])];
    assert.ok(start <= first * 3 && start > first * 3 - 60 && end > first * 3, `${first}: ${start}–${end}`);
  }
  const other = await readWhole(fileOf('job.json', '{"jobName":"a","status":"DONE","results":{"items":"none"}}'));
  assert.match(other.sections.map(({ text }) => text).join('\n'), /results\.items: none/);
});

test('chunks of source code state their lines, even in long definitions', async () => {
  const lines = Array.from({ length: 400 }, (_, at) => (at % 7 === 6 ? '' : `  const value${at} = ${at};`));
  const code = ['export const run = () => {', ...lines, '};'];
  const { sections } = await readWhole(fileOf('run.ts', code.join('\n')));
  for (const { text, place } of chunkSections(sections)) {
    const shown = code.slice(Number(place['line_start']) - 1, Number(place['line_end'])).join('\n');
    assert.equal(shown.trim(), text);
  }
});

test('a blank line ends a cue of WebVTT but not of SRT', async () => {
  const srt =
    '1\n00:00:01,000 --> 00:00:02,000\nThe keeper counted\n\n42 ships\n\n2\n00:00:03,000 --> 00:00:04,500\nuntil dusk.\n3\n00:00:05,000 --> 00:00:06,000\n7\n';
  const read = async (name: string, text: string) => (await readWhole(fileOf(name, text))).sections;
  const [section] = await read('a.srt', srt);
  assert.equal(section?.text, 'The keeper counted 42 ships until dusk.\n\n7');
  assert.deepEqual(
    section.marks?.map(({ first, last }) => [first['start_seconds'], last['end_seconds']]),
    [
      [1, 4.5],
      [5, 6],
    ],
  );
  const vtt = `WEBVTT\n\nSTYLE\n::cue {}\n\n${srt.replaceAll(',', '.')}\nNOTE not spoken\n`;
  assert.equal((await read('a.vtt', vtt))[0]?.text, 'The keeper counted until dusk.\n\n7');
});

test('each line of rolling captions is read once, and a line spoken twice is read twice', async () => {
  const said = ['the keeper counted', 'no', 'no', 'until dusk'];
  const rolling = said.map((line, at) => {
    const before = said[at - 1] ?? ' ';
    const timed = line.replace(/^(\S+) /, '$1<00:00:00.480><c> </c>');
    return `00:00:0${at}.000 --> 00:00:0${at}.990 align:start\n${before}\n${timed}\n\n00:00:0${at}.990 --> 00:00:0${at + 1}.000\n${line}\n \n\n`;
  });
  const read = async (text: string) => (await readWhole(fileOf('a.vtt', text))).sections[0]?.text;
  assert.equal(await read(`WEBVTT\n\n${rolling.join('')}`), 'the keeper counted no no until dusk');
  const spoken = ['Stop', 'No', 'No', 'No', 'Go', 'Now'];
  const cues = spoken.map((line, at) => `00:0${at}.000 --> 00:0${at + 1}.000\n${line}`);
  assert.equal(await read(`WEBVTT\n\n${cues.join('\n\n')}`), spoken.join(' '));
});

test('the speaker of a caption is named once, and a new speaker begins a new block', async () => {
  const cues = [
    '<v.first Jo &amp; Ann>So the migration to the</v>',
    '<v Jo &amp; Ann>new ledger\nbegins in</v>',
    '<v Jo &amp; Ann>October. And</v>',
    '<v Sam>Before the ninth?</v>\n<v Jo &amp; Ann>Yes</v>',
    '[bells]',
  ];
  const timed = cues.map((cue, at) => `00:0${at}.000 --> 00:0${at + 1}.000\n${cue}`);
  const [section] = (await readWhole(fileOf('a.vtt', `WEBVTT\n\n${timed.join('\n\n')}`))).sections;
  assert.deepEqual(section?.text.split('\n\n'), [
    'Jo & Ann: So the migration to the new ledger begins in October. And',
    'Sam: Before the ninth?',
    'Jo & Ann: Yes',
    '[bells]',
  ]);
  assert.deepEqual(
    section.marks?.map(({ first, last }) => [first['start_seconds'], last['end_seconds']]),
    [
      [0, 3],
      [3, 4],
      [3, 4],
      [4, 5],
    ],
  );
});

test('feed entries are separate blocks without tags, and other XML keeps text that looks like tags', async () => {
  const page =
    '&lt;p&gt;High water at &lt;b&gt;Dover&lt;/b&gt; &amp;amp; Calais.&lt;/p&gt;&lt;p&gt;Twice a day.&lt;/p&gt;';
  const item = `<title>Tides</title><description>${page}</description><content:encoded><![CDATA[<ul><li>Dover</li></ul>]]></content:encoded>`;
  const read = async (name: string, text: string): Promise<readonly string[]> =>
    (await readWhole(fileOf(name, `<?xml version="1.0"?>${text}`))).sections.flatMap((section) =>
      section.text.split('\n\n'),
    );
  const entry = 'title: Tides\ndescription: High water at Dover & Calais.\nTwice a day.\nencoded: - Dover';
  assert.deepEqual(
    await read('a.rss', `<rss><channel><title>Sea</title><item>${item}</item><item>${item}</item></channel></rss>`),
    ['title: Sea', entry, entry],
  );
  assert.deepEqual(
    await read('a.atom', `<feed><title>Sea</title><entry><summary type="html">${page}</summary></entry></feed>`),
    ['title: Sea', 'summary: html\nsummary: High water at Dover & Calais.\nTwice a day.'],
  );
  assert.deepEqual(await read('a.xml', '<doc><type>List&lt;Ship&gt;</type></doc>'), ['type: List<Ship>']);
});

test('XML text stays whole across inline elements, and data is labelled by its elements', async () => {
  const read = async (text: string): Promise<string | undefined> =>
    (await readWhole(fileOf('a.xml', `<?xml version="1.0"?>${text}`))).sections[0]?.text;
  const formula = 'Of H<sub>2</sub>O<sub>2</sub> (<xref kind="cited"><sup>1</sup></xref>) con<b>tin</b>ued.';
  assert.equal(
    await read(`<article><title>Salt</title><body kind="whole"><p>${formula}</p><p>No more.</p></body></article>`),
    'Salt\n\nOf H2O2 (1) continued.\n\nNo more.',
  );
  assert.equal(await read('<p>con<b>tin</b>ued</p>'), 'continued');
  // Lists and line breaks part words though no white space does, and an image is what its description says.
  assert.equal(
    await read('<d><p>See:<list><li><p>Tides</p></li><li>Winds</li></list>and<lb/>Philo<lb break="no"/>sophy</p></d>'),
    'See: Tides Winds and Philosophy',
  );
  assert.equal(await read('<d><p>On<name><a>Erna</a><b>Moe</b></name>.</p></d>'), 'On Erna Moe .');
  assert.equal(await read('<d><p>Here <img file="seal.png" alt="A seal"/> is.</p></d>'), 'Here A seal is.');
  assert.equal(
    await read('<all>\n<ship kind="Trawler">\n<name>Ane</name>\n<crew><man>Per</man></crew>\n</ship>\n</all>'),
    'ship: Trawler\nname: Ane\nman: Per',
  );
  // Words that stray between the parts of a document are no reason to make one line of it.
  const part = `<part><title>Fog</title><p>${'The lamp was lit. '.repeat(600)}</p></part>`;
  assert.match((await read(`<doc>${part}&nbsp;${part}</doc>`)) ?? '', /^title: Fog\np: The lamp/);
});

test('front matter of Markdown in YAML and in TOML is text, and its comments are no headings', async () => {
  for (const [fence, matter] of [
    ['---', 'title: Lamps'],
    ['+++', 'title = "Lamps"'],
  ] as const) {
    const markdown = `${fence}\n${matter}\n# remark\n${fence}\n\n# Oil\n\nFill the lamp.\n`;
    assert.deepEqual(await outlineOf('a.md', Buffer.from(markdown)), [
      [[], `${matter}\n# remark`],
      [['Oil'], 'Oil\n\nFill the lamp.'],
    ]);
  }
});
