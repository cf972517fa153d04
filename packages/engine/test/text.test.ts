import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Filter } from '../src/filter.ts';
import type { Row } from '../src/port.ts';
import { parseText, wantedText } from '../src/parse-text.ts';
import { textLanguages } from '../src/text-language.ts';
import { tokenize } from '../src/tokenizer.ts';
import { analysisOf } from '../src/lance/text-analysis.ts';
import {
  type Bench,
  foldingBounds,
  makeRow,
  makeRows,
  openBench,
  seededNumbers,
  testForms,
} from './support/index-bench.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

const english = { language: 'english' } as const;

const finder =
  ({ reader, ref }: Bench) =>
  async (text: string): Promise<readonly string[]> =>
    (await reader.search(ref(), { mode: 'sparse', text, topK: 100 })).map(({ row }) => row.id);

test('quotes mark phrases only around words, and a minus excludes only before a quote', () => {
  const read = (text: string) => {
    const { scored, required, excluded } = parseText(text, english);
    return [scored.replace(/\s+/g, ' '), required, excluded];
  };
  assert.deepEqual(read('big "new york" pizza -"deep dish" -x'), [
    'big new york pizza -x',
    ['new york'],
    ['deep dish'],
  ]);
  assert.deepEqual(read('a 5" and a 6" pipe'), ['a 5" and a 6" pipe', [], []]);
  assert.deepEqual(read('an "open end'), ['an "open end', [], []]);
  assert.deepEqual(read('"" " " words'), ['"" " " words', [], []]);
  assert.deepEqual(read('well-"known"'), ['well- known', ['known'], []]);
  assert.deepEqual(read('  '), ['', [], []]);
  assert.equal(read('"a" '.repeat(40))[1]?.length, 16);
  assert.equal(parseText('x'.repeat(9_000), english).scored.length, 2_048);
  assert.equal(wantedText('tea -"iced tea" "green tea"'), 'tea   "green tea"');
  assert.equal(wantedText('-"iced tea"'), '-"iced tea"');
});

test('quotes and dashes that editors write mark phrases too, and apostrophes do not', () => {
  const read = (text: string) => {
    const { required, excluded } = parseText(text, english);
    return [required, excluded];
  };
  const marked = ['“A”', '„A“', '”A”', '«A»', '»A«', '« A »', '‹A›', '″A″', '＂A＂', '「A」', '『A』', '‘A’', '‚A‘'];
  for (const form of marked) {
    const phrase = form.replace('A', 'long grass');
    assert.deepEqual(read(phrase), [['long grass'], []], phrase);
    for (const minus of ['-', '–', '—', '−', '－']) {
      const query = `grass ${minus}${phrase}`;
      assert.deepEqual(read(query), [[], ['long grass']], query);
      assert.equal(wantedText(query).trim(), 'grass');
    }
    assert.equal(wantedText(phrase), phrase);
  }
  assert.deepEqual(read('grass — “long grass”'), [['long grass'], []]);
  assert.deepEqual(read('don’t ‘won’t grow’ rock ’n’ roll'), [["won't grow"], []]);
  assert.deepEqual(read('a 5″ and a 6″ pipe, the dogs’ ‘bone'), [[], []]);
  assert.deepEqual(read('请查"招商基金"吗「公司」 "서울"은'), [['招商基金', '公司', '서울'], []]);
});

test('only the beginning of a long query is embedded, without its excluded phrases', () => {
  const excluded = `-"${'x'.repeat(9_000)}"`;
  assert.equal(wantedText(`${excluded} tea`), '  tea');
  for (const letter of ['y', '茶', '🍵']) assert.equal(wantedText(letter.repeat(9_000)), letter.repeat(8_192));
});

testForms('a phrase matches rows by stem and order, and an excluded one does not', async (form) => {
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 2 });
  const texts: Readonly<Record<string, string | null>> = {
    a: 'The state of the art in New York city',
    b: 'York is a new city: an art state',
    c: 'new york, new york',
    d: 'Running shoes from New Jersey',
    e: '王小明在北京清华大学学习计算机科学',
    f: null,
  };
  const find = finder(bench);
  const check = async (): Promise<void> => {
    assert.deepEqual((await find('"new york"')).toSorted(), ['a', 'c']);
    assert.deepEqual(await find('"NEW YORK" cities'), ['a', 'c']);
    assert.deepEqual(await find('"state of the art"'), ['a']);
    assert.deepEqual(await find('"art states"'), ['b']);
    assert.deepEqual((await find('new -"new york"')).toSorted(), ['b', 'd']);
    assert.deepEqual(await find('"new york" -"city"'), ['c']);
    assert.deepEqual(await find('"new" "ran shoe"'), []);
    assert.deepEqual(await find('"runs shoe" "new"'), ['d']);
    assert.deepEqual([await find('"计算机科学"'), await find('"科学计算机"')], [['e'], []]);
    // A phrase of stop words restricts nothing, and its words count if there are no others.
    assert.deepEqual([await find('"of the"'), await find('-"new york"')], [['a'], []]);
    assert.deepEqual((await find('"of the" york')).length, 3);
  };
  const rows = Object.entries(texts).map(([id, text], at) => makeRow(id, [1, at], { text }));
  await bench.upsert(...rows.slice(0, 2));
  await bench.upsert(...rows.slice(2));
  await check();
  await bench.maintain();
  await check();
});

testForms('on a branch, phrases match as in one table, and a rare word outweighs common ones', async (form) => {
  const words = ['red', 'blue', 'green', 'stone', 'river', 'cloud'];
  const sentence = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((list) => list.join(' '));
  const texts = fc.sample(sentence, { seed: 11, numRuns: 60 });
  const uri = temporaryDirectory();
  const row = (at: number, text: string) => makeRow(`r${String(at).padStart(2, '0')}`, [1, at], { text });
  const main = await openBench(uri, { form, dimensions: 2 });
  await main.upsert(...texts.slice(0, 40).map((text, at) => row(at, text)));
  await main.maintain();
  const ancestors = [{ table: 'main', version: main.state().version }];
  const branch = await openBench(uri, { form, dimensions: 2, table: 'branch', ancestors });
  // Rows 20 to 39 are overwritten on the branch, 40 on are new there.
  const visible = new Map(texts.slice(0, 20).map((text, at) => [row(at, text).id, text]));
  const written = texts.slice(20, 60).map((_, at) => row(at + 20, texts[59 - at] ?? ''));
  await branch.upsert(...written);
  written.forEach(({ id, text }) => visible.set(id, text ?? ''));
  await branch.commit({ kind: 'delete', ids: ['r00', 'r01'] });
  ['r00', 'r01'].forEach((id) => visible.delete(id));
  const find = finder(branch);
  const holds = (text: string, phrase: string): boolean => ` ${text} `.includes(` ${phrase} `);
  const phrase = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((list) => list.join(' '));
  const asked = fc.record({
    required: fc.array(phrase, { minLength: 1, maxLength: 2 }),
    excluded: fc.array(phrase, { maxLength: 1 }),
  });
  const check = async ({ required, excluded }: { required: string[]; excluded: string[] }): Promise<void> => {
    const text = [...required.map((part) => `"${part}"`), ...excluded.map((part) => `-"${part}"`)].join(' ');
    const wanted = [...visible].filter(
      ([, other]) => required.every((part) => holds(other, part)) && !excluded.some((part) => holds(other, part)),
    );
    assert.deepEqual((await find(text)).toSorted(), wanted.map(([id]) => id).toSorted(), text);
  };
  await fc.assert(fc.asyncProperty(asked, check), { seed: 5, numRuns: 60 });
  await branch.maintain();
  await fc.assert(fc.asyncProperty(asked, check), { seed: 6, numRuns: 30 });
  await branch.upsert(makeRow('rare', [1, 1], { text: 'quartz red red' }));
  const [best] = await branch.reader.search(branch.ref(), { mode: 'sparse', text: 'quartz "red"', topK: 3 });
  assert.deepEqual([best?.row.id, best?.layer], ['rare', 0]);
  const [old] = await branch.reader.search(branch.ref(), {
    mode: 'sparse',
    text: texts[5] ?? '',
    topK: 1,
    filter: {},
  });
  // A materialized branch has the rows of the parent in a table of its own.
  assert.equal(old?.layer, form === 'segments' && old !== undefined && old.row.id < 'r20' ? 1 : 0);
});

testForms('on a branch, the length of a text counts relative to the texts of all layers', async (form) => {
  const uri = temporaryDirectory();
  const long = makeRow('long', [1, 0], { text: `tea ${'filler water '.repeat(500)}` });
  const short = Array.from({ length: 20 }, (_, at) =>
    makeRow(`short${at}`, [1, at + 1], { text: at < 4 ? `a cup of tea, number ${at}` : `a kettle, number ${at}` }),
  );
  const whole = await openBench(uri, { form, dimensions: 2, table: 'whole' });
  await whole.upsert(long, ...short);
  const search = async (bench: typeof whole) =>
    (await bench.reader.search(bench.ref(), { mode: 'sparse', text: 'tea', topK: 10 })).map(
      ({ row, score }) => [row.id, score] as const,
    );
  const wanted = await search(whole);
  assert.equal(wanted.at(-1)?.[0], 'long');
  for (const [table, below, above] of [
    ['longAbove', short, [long]],
    ['shortAbove', [long, ...short.slice(1)], short.slice(0, 1)],
  ] as const) {
    const parent = await openBench(uri, { form, dimensions: 2, table });
    await parent.upsert(...below);
    const ancestors = [{ table, version: parent.state().version }];
    const branch = await openBench(uri, { form, dimensions: 2, table: `${table}Branch`, ancestors });
    await branch.upsert(...above);
    const found = await search(branch);
    assert.deepEqual([found.length, found.at(-1)?.[0]], [wanted.length, 'long']);
    const scoreOf = new Map(wanted);
    for (const [id, score] of found) assert.ok(Math.abs(score / (scoreOf.get(id) ?? 0) - 1) < 1e-5, `${id} ${score}`);
  }
});

testForms('on a branch, texts of any number and length in each layer score as in one table', async (form) => {
  const uri = temporaryDirectory();
  const number = seededNumbers(3);
  const vocabulary = Array.from({ length: 400 }, (_, at) => `word${at.toString(36)}x`);
  // The first words are frequent, the last ones rare.
  const word = () => vocabulary[Math.floor(vocabulary.length * number() ** 2)] ?? '';
  const rowsOf = (prefix: string, count: number, length: number) =>
    makeRows(count, (at) => [[1, at], Array.from({ length }, word).join(' '), { part: at % 2 }], prefix);
  const below = rowsOf('below', 700, 20);
  const above = rowsOf('above', 600, 60);
  const top = rowsOf('top', 5, 40);
  const whole = await openBench(uri, { form, dimensions: 2, table: 'whole' });
  await whole.upsert(...below, ...above, ...top);
  await whole.maintain();
  const parent = await openBench(uri, { form, dimensions: 2, table: 'below' });
  await parent.upsert(...below);
  await parent.maintain();
  const belowIt = [{ table: 'below', version: parent.state().version }];
  const branch = await openBench(uri, { form, dimensions: 2, table: 'above', ancestors: belowIt });
  await branch.upsert(...above);
  await branch.maintain();
  const ancestors = [{ table: 'above', version: branch.state().version }, ...belowIt];
  const leaf = await openBench(uri, { form, dimensions: 2, table: 'top', ancestors });
  await leaf.upsert(...top);
  for (let round = 0; round < 12; round += 1) {
    const text = `${word()} ${word()} ${word()} ${round % 3 === 0 ? `"${word()}"` : word()}`;
    const query = { mode: 'sparse', text, topK: 10, ...(round % 2 === 0 ? {} : { filter: { part: 1 } }) } as const;
    const scores = async ({ reader, ref }: Bench) =>
      new Map((await reader.search(ref(), query)).map(({ row, score }) => [row.id, score]));
    const [wanted, found] = await Promise.all([scores(whole), scores(leaf)]);
    assert.deepEqual([...found.keys()], [...wanted.keys()], text);
    for (const [id, score] of found) assert.ok(Math.abs(score / (wanted.get(id) ?? 0) - 1) < 1e-5, `${text} ${id}`);
  }
});

const scoresOf = async (
  { reader, ref }: Bench,
  text: string,
  filter?: Filter,
): Promise<ReadonlyMap<string, number>> => {
  const query = { mode: 'sparse', text, topK: 100, ...(filter === undefined ? {} : { filter }) } as const;
  return new Map((await reader.search(ref(), query)).map(({ row, score }) => [row.id, score]));
};

const assertClose = (found: ReadonlyMap<string, number>, wanted: ReadonlyMap<string, number>, share: number): void => {
  assert.deepEqual([...found.keys()].toSorted(), [...wanted.keys()].toSorted());
  for (const [id, score] of found) {
    const right = wanted.get(id) ?? 0;
    assert.ok(Math.abs(score - right) <= share * right, `${id} ${score} ${right}`);
  }
};

test('texts in segments score as in a table, and a filter changes no score', async () => {
  const bench = await openBench(temporaryDirectory(), { bounds: foldingBounds, dimensions: 2 });
  await bench.upsert(
    ...makeRows(8, (at) => [[1, at], `invoice for paper number ${at}`, { t: 'acme' }], 'invoice'),
    makeRow('refund', [1, 1], { text: 'refund for paper number nine', metadata: { t: 'acme' } }),
    ...makeRows(30, (at) => [[1, at], `refund for paper number ${at}`, { t: 'other' }], 'other'),
  );
  const text = 'invoice refund';
  const fresh = [await scoresOf(bench, text), await scoresOf(bench, text, { t: 'acme' })] as const;
  assert.equal([...fresh[1].keys()].at(-1), 'refund');
  for (const [id, score] of fresh[1]) assert.equal(score, fresh[0].get(id));
  await bench.maintain();
  assertClose(fresh[0], await scoresOf(bench, text), 1e-5);
  assertClose(fresh[1], await scoresOf(bench, text, { t: 'acme' }), 1e-5);
});

test('a word that only texts in segments make common counts as common in the table too, also below a branch', async () => {
  const uri = temporaryDirectory();
  const bench = await openBench(uri, { bounds: foldingBounds, dimensions: 2 });
  const long = `a passing mention of zephyr among many other words about gardens, trains, tables, rivers and music`;
  await bench.upsert(
    ...makeRows(600, (at) => [[1, at], at === 0 ? long : `report ${at} on garden train table river music`, {}], 'old'),
  );
  await bench.maintain();
  await bench.upsert(...makeRows(49, (at) => [[1, at], `zephyr guide ${at}`, { even: at % 2 === 0 }], 'new'));
  const ancestors = [{ table: 'main', version: bench.state().version }];
  const branch = await openBench(uri, { bounds: foldingBounds, dimensions: 2, table: 'branch', ancestors });
  const find = async (): Promise<readonly ReadonlyMap<string, number>[]> => {
    const phrase = '"zephyr guide" river';
    return [await scoresOf(bench, 'zephyr'), await scoresOf(bench, phrase, { even: true })];
  };
  const fresh = await find();
  assert.deepEqual([fresh[0]?.size, [...(fresh[0]?.keys() ?? [])].at(-1), fresh[1]?.size], [50, 'old0', 25]);
  assertClose(await scoresOf(branch, 'zephyr'), fresh[0] ?? new Map(), 1e-5);
  await branch.upsert(makeRow('own', [1, 1], { text: 'a kettle' }));
  assertClose(await scoresOf(branch, 'zephyr'), fresh[0] ?? new Map(), 0.01);
  await bench.maintain(3_600, [ancestors[0]?.version ?? 0]);
  const settled = await find();
  for (const [at, scores] of fresh.entries()) assertClose(scores, settled[at] ?? new Map(), 1e-5);
});

test('equal texts have equal scores in a table and in segments', async () => {
  for (const settled of [60, 700]) {
    const bench = await openBench(temporaryDirectory(), { bounds: foldingBounds, dimensions: 2 });
    await bench.upsert(
      ...makeRows(settled, (at) => [[1, at], `plain filler words ${at}`, {}], 'filler'),
      makeRow('twinB', [1, 1], { text: 'silver spoon' }),
    );
    await bench.maintain();
    await bench.upsert(
      makeRow('twinA', [1, 2], { text: 'silver spoon' }),
      ...makeRows(30, (at) => [[1, at], `silver medal ${at}`, {}], 'medal'),
    );
    for (const text of ['silver', 'silver spoon', 'silver -"medal"']) {
      const scores = await scoresOf(bench, text);
      assert.deepEqual([...scores.keys()].slice(0, 2), ['twinA', 'twinB'], text);
      assert.equal(scores.get('twinA'), scores.get('twinB'), text);
    }
    // A newer text of a row is in a segment, and masks the older one in the table.
    await bench.upsert(makeRow('twinB', [1, 1], { text: 'a plain fork' }), makeRow('filler1', [1, 1]));
    assert.deepEqual((await finder(bench)('spoon fork')).toSorted(), ['twinA', 'twinB']);
  }
});

test('the rarity of a word counts many texts in segments above a table', async () => {
  const bench = await openBench(temporaryDirectory(), { bounds: foldingBounds, dimensions: 2 });
  await bench.upsert(...makeRows(700, (at) => [[1, at], `green tea number ${at}`, {}], 'old'));
  await bench.maintain();
  const text = (at: number) => `${at % 2 === 0 ? 'black coffee' : 'green tea'} and ${at % 9 === 0 ? 'honey' : 'milk'}`;
  await bench.upsert(...makeRows(1_200, (at) => [[1, at], text(at), { part: at % 40 }], 'new'));
  const find = async () => [
    await scoresOf(bench, 'coffee', { part: 2 }),
    await scoresOf(bench, 'coffee honey tea', { part: 0 }),
    await scoresOf(bench, '"black coffee" honey', { part: 18 }),
  ];
  const fresh = await find();
  await bench.maintain();
  const settled = await find();
  for (const [at, scores] of fresh.entries()) assertClose(scores, settled[at] ?? new Map(), 1e-5);
});

testForms('words of any script and length are found, and a phrase requires its longest word', async (form) => {
  const names = [
    'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'достопримечательностями',
    'अंतर्राष्ट्रीयकरण',
    'x'.repeat(900),
  ];
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 2, textLanguage: 'none' });
  await bench.upsert(...names.map((name, at) => makeRow(`r${at}`, [1, at], { text: `the name ${name} again` })));
  const find = finder(bench);
  for (const [at, name] of names.entries()) {
    assert.deepEqual(await find(name), [`r${at}`], name);
    assert.deepEqual(await find(`"name ${name}"`), [`r${at}`], name);
    assert.equal((await find(`name -"${name}"`)).length, names.length - 1, name);
  }
});

test('a word that the dictionary segments only when alone matches no text without it', async () => {
  // Names of countries, in Burmese and in Khmer; the last one is asked for.
  for (const names of [
    ['ကာဇက်စတန်', 'အိုက်စလန်', 'ဂျာမနီ', 'ပြင်သစ်', 'ထိုင်း', 'ပါကစ္စတန်'],
    ['កាហ្សាក់ស្ថាន', 'អ៊ីស្លង់', 'អាល្លឺម៉ង់', 'ប៉ាគីស្ថាន'],
  ]) {
    const uri = temporaryDirectory();
    const bench = await openBench(uri, { bounds: foldingBounds, dimensions: 2, textLanguage: 'none' });
    const [asked = '', ...others] = names.toReversed();
    await bench.upsert(...makeRows(510, (at) => [[1, at], `${others[at % others.length] ?? ''} ${at}`, {}], 'other'));
    await bench.upsert(makeRow('asked', [1, 1], { text: asked }));
    await bench.maintain();
    assert.deepEqual(await finder(bench)(asked), ['asked']);
    const ancestors = [{ table: 'main', version: bench.state().version }];
    await bench.upsert(...makeRows(5, (at) => [[1, at], 'unrelated', {}], 'fresh'));
    assert.deepEqual(await finder(bench)(asked), ['asked']);
    const branch = await openBench(uri, {
      bounds: foldingBounds,
      dimensions: 2,
      textLanguage: 'none',
      table: 'branch',
      ancestors,
    });
    await branch.upsert(makeRow('own', [1, 1], { text: 'unrelated' }));
    assert.deepEqual(await finder(branch)(asked), ['asked']);
  }
});

test('a word after many others has the same weight with rows in segments and on a branch', async () => {
  for (const count of [100, 520]) {
    const uri = temporaryDirectory();
    const bench = await openBench(uri, { bounds: foldingBounds, dimensions: 2, textLanguage: 'none' });
    const number = seededNumbers(8);
    const rare = 'zebra quagga okapi kudu gnu';
    const common = Array.from(
      { length: 40 },
      (_, at) => `common${String.fromCodePoint(97 + (at % 20), 97 + Math.floor(at / 20))}`,
    );
    const texts = Array.from({ length: count }, (_, at) =>
      at === 17 ? rare : common.filter(() => number() < -0.7).join(' '),
    );
    await bench.upsert(...texts.map((text, at) => makeRow(`r${at}`, [1, at], { text })));
    await bench.maintain();
    const text = [...common, rare].join(' ');
    const settled = await scoresOf(bench, text);
    assert.equal([...settled.keys()][0], 'r17');
    const ancestors = [{ table: 'main', version: bench.state().version }];
    await bench.upsert(...makeRows(3, () => [[1, 1], 'nothing of it', {}], 'fresh'));
    const branch = await openBench(uri, {
      bounds: foldingBounds,
      dimensions: 2,
      textLanguage: 'none',
      table: 'branch',
      ancestors,
    });
    await branch.upsert(makeRow('own', [1, 1], { text: 'nor of that' }));
    // Three more rows of a hundred make every word a little rarer.
    for (const other of [bench, branch]) assertClose(await scoresOf(other, text), settled, 0.02);
  }
});

test('texts without terms make no word rarer, in a table and in segments', async () => {
  for (const count of [120, 520]) {
    const uri = temporaryDirectory();
    const bench = await openBench(uri, { bounds: foldingBounds, dimensions: 2 });
    const text = (at: number): string => (at % 2 === 0 ? 'of the and' : at % 3 === 0 ? 'a cup of tea' : 'a cup');
    await bench.upsert(...makeRows(count, (at) => [[1, at], text(at), {}]));
    await bench.maintain();
    const settled = await scoresOf(bench, 'cup');
    const ancestors = [{ table: 'main', version: bench.state().version }];
    await bench.upsert(...makeRows(4, (at) => [[1, at], 'of the and', {}], 'fresh'));
    const branch = await openBench(uri, { bounds: foldingBounds, dimensions: 2, table: 'branch', ancestors });
    await branch.upsert(...makeRows(4, (at) => [[1, at], 'and of the', {}], 'own'));
    for (const other of [bench, branch]) assertClose(await scoresOf(other, 'cup'), settled, 1e-5);
  }
});

test('the only text among many rows in segments is found', async () => {
  const bench = await openBench(temporaryDirectory(), { bounds: foldingBounds, dimensions: 2 });
  await bench.upsert(...makeRows(510, (at) => [[1, at], 'a cup of tea', {}]));
  await bench.maintain();
  const fresh = Array.from({ length: 1_200 }, (_, at) =>
    makeRow(`fresh${at}`, [1, at], { text: at === 701 ? 'zebra' : null }),
  );
  await bench.upsert(...fresh);
  assert.deepEqual(await finder(bench)('zebra'), ['fresh701']);
});

testForms('on a branch, words near the end of a long query count', async (form) => {
  const uri = temporaryDirectory();
  const main = await openBench(uri, { form, dimensions: 2 });
  await main.upsert(makeRow('last', [1, 1], { text: 'zebra' }), makeRow('other', [1, 2], { text: 'nothing of it' }));
  const ancestors = [{ table: 'main', version: main.state().version }];
  const branch = await openBench(uri, { form, dimensions: 2, table: 'branch', ancestors });
  const text = [...Array.from({ length: 100 }, (_, at) => `word${at}`), 'zebra'].join(' ');
  assert.deepEqual(await finder(main)(text), ['last']);
  assert.deepEqual(await finder(branch)(text), ['last']);
  await branch.upsert(makeRow('own', [1, 3], { text: 'a zebra' }));
  assert.deepEqual((await finder(branch)(text)).toSorted(), ['last', 'own']);
});

/** Words of a language, of which some are common, accented, or have a stem of their own only with their accents. */
const spoken = {
  english: ['where', 'is', 'the', 'cellar', 'key', 'keys', 'résumés', 'running'],
  french: ['les', 'activités', 'activité', 'de', 'préférées', 'étudiants', "l'école", 'qualité'],
  portuguese: ['a', 'informação', 'informações', 'de', 'não', 'corações'],
  italian: ['la', 'qualità', 'città', 'è', 'università', 'perché'],
  german: ['die', 'Häuser', 'für', 'Bücher', 'Straße', 'schönsten'],
  turkish: ['çok', 'güzel', 'için', 'İstanbul', 'ışık', 'kitaplarımız'],
  greek: ['και', 'οδός', 'ΟΔΟΣ', 'άνθρωποι', 'του'],
  none: ['the', 'Running', 'café', 'CAFÉ', 'cafe'],
} satisfies Partial<Record<(typeof textLanguages)[number], readonly string[]>>;

/** Texts of any language have such parts as well. */
const foreign = [
  '2024',
  'well-known',
  '3.14',
  '王小明在北京清华大学',
  '東京は日本',
  'สวัสดีชาวโลก',
  'x'.repeat(45),
  '—',
  '😀',
];

testForms('an unchanged branch returns the hits of its parent, with the same scores', async (form) => {
  for (const [at, [textLanguage, words]] of Object.entries(spoken).entries()) {
    const language = textLanguage as keyof typeof spoken;
    const uri = temporaryDirectory();
    const main = await openBench(uri, { form, dimensions: 2, textLanguage: language });
    const word = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...words) }, fc.constantFrom(...foreign));
    const sentence = (most: number) => fc.array(word, { minLength: 1, maxLength: most }).map((list) => list.join(' '));
    const texts = fc.sample(sentence(8), { seed: at + 1, numRuns: 60 });
    await main.upsert(...texts.map((text, number) => makeRow(`r${number}`, [1, number], { text })));
    const ancestors = [{ table: 'main', version: main.state().version }];
    const branch = await openBench(uri, { form, dimensions: 2, textLanguage: language, table: 'branch', ancestors });
    const scores = async ({ reader, ref }: Bench, text: string): Promise<ReadonlyMap<string, number>> =>
      new Map(
        (await reader.search(ref(), { mode: 'sparse', text, topK: 100 })).map(({ row, score }) => [row.id, score]),
      );
    const check = async (text: string): Promise<void> => {
      const [wanted, found] = await Promise.all([scores(main, text), scores(branch, text)]);
      assert.deepEqual([...found.keys()].toSorted(), [...wanted.keys()].toSorted(), `${language}: ${text}`);
      for (const [id, score] of wanted)
        assert.ok(Math.abs(score - (found.get(id) ?? 0)) < 1e-5 * Math.max(1, score), `${language}: ${text}: ${id}`);
    };
    const quoted = fc.tuple(fc.constantFrom('"', '-"'), sentence(3)).map(([quote, text]) => `${quote}${text}"`);
    const asked = fc.oneof(
      sentence(6),
      fc.array(fc.oneof(sentence(3), quoted), { maxLength: 4 }).map((p) => p.join(' ')),
    );
    await fc.assert(fc.asyncProperty(asked, check), { seed: at, numRuns: 25 });
    for (const one of words)
      assert.deepEqual(await finder(branch)(one), await finder(main)(one), `${language}: ${one}`);
    // More words than are weighed, some of them twice.
    const others = Array.from({ length: 40 }, (_, number) => `word${number}`);
    await check([...words, ...others, ...foreign, ...foreign, ...words].join(' '));
  }
});

testForms('on a branch, leading stop words, accents and repeated words do not change the hits', async (form) => {
  const uri = temporaryDirectory();
  const branchOf = async (table: string, textLanguage: (typeof textLanguages)[number], ...texts: readonly string[]) => {
    const main = await openBench(uri, { form, dimensions: 2, textLanguage, table });
    await main.upsert(...texts.map((text, at) => makeRow(`r${at}`, [1, at], { text })));
    const ancestors = [{ table, version: main.state().version }];
    return finder(await openBench(uri, { form, dimensions: 2, textLanguage, table: `${table}Branch`, ancestors }));
  };
  const english = await branchOf(
    'english',
    'english',
    'the key of the cellar',
    'tea kettle tea kettle pot',
    'kettle kettle',
  );
  assert.deepEqual(await english('where is the cellar key'), ['r0']);
  assert.deepEqual(await english('"the key of the cellar" -"the pot"'), ['r0']);
  assert.deepEqual(await english('kettle pot'), ['r1', 'r2']);
  assert.deepEqual(await english(`${'kettle '.repeat(6)}pot`), ['r2', 'r1']);
  const french = await branchOf('french', 'french', 'Les activités préférées', 'autre chose');
  for (const text of ['activité', 'les activités', '"activités préférées"'])
    assert.deepEqual(await french(text), ['r0'], text);
  const portuguese = await branchOf('portuguese', 'portuguese', 'as informações', 'outra coisa');
  assert.deepEqual(await portuguese('a informação'), ['r0']);
});

testForms(
  'a text is found in any Unicode form of text and query, and is returned in its own form, as metadata is',
  async (form) => {
    const [joined, apart] = ['the café terrace', 'the cafe\u0301 terrace'];
    const uri = temporaryDirectory();
    const main = await openBench(uri, { form, dimensions: 2 });
    await main.upsert(
      makeRow('joined', [1, 0], { text: joined, metadata: { place: 'café' } }),
      makeRow('apart', [1, 1], { text: apart, metadata: { place: 'cafe\u0301' } }),
      makeRow('other', [1, 2], { text: 'a kettle' }),
    );
    const ancestors = [{ table: 'main', version: main.state().version }];
    const branch = await openBench(uri, { form, dimensions: 2, table: 'branch', ancestors });
    for (const bench of [main, branch]) {
      for (const text of ['café', 'cafe\u0301', 'CAFE\u0301', 'cafe', '"café terrace"', '"cafe\u0301 terrace"'])
        assert.deepEqual(await finder(bench)(text), ['apart', 'joined'], text);
      assert.deepEqual(await finder(bench)('kettle terrace -"cafe\u0301"'), ['other']);
      for (const [id, text, place] of [
        ['joined', joined, 'café'],
        ['apart', apart, 'cafe\u0301'],
      ] as const) {
        const { rows } = await bench.reader.list(bench.ref(), { after: null, limit: 9, filter: { place } });
        assert.deepEqual(
          rows.map((row) => [row.id, row.text, row.metadata]),
          [[id, text, { place }]],
        );
      }
      assert.equal(bench.state().sparseBytes, Buffer.byteLength(`${joined}${apart}a kettle`));
    }
    await main.upsert(makeRow('joined', [1, 0], { text: apart }));
    await main.commit({ kind: 'delete', ids: ['apart'] });
    await main.maintain();
    assert.equal(main.state().sparseBytes, Buffer.byteLength(`${apart}a kettle`));
  },
);

testForms(
  'words are stemmed in the language of the index; common words of other languages keep their meaning',
  async (form) => {
    const check = async (textLanguage: (typeof textLanguages)[number], text: string, found: string, absent: string) => {
      const bench = await openBench(temporaryDirectory(), { form, dimensions: 2, textLanguage });
      await bench.upsert(
        makeRow('a', [1, 0], { text }),
        makeRow('b', [0, 1], { text: '東京は日本の首都です สวัสดีชาวโลก' }),
      );
      const find = finder(bench);
      assert.deepEqual([await find(found), await find(`${absent} kettle`)], [['a'], []], textLanguage);
      assert.deepEqual([await find('東京'), await find('ชาว')], [['b'], ['b']], textLanguage);
      await bench.maintain();
      assert.deepEqual([await find(found), await find(`${absent} kettle`)], [['a'], []], textLanguage);
    };
    // With the words of all its languages as stop words the engine would drop each of these.
    for (const word of ['wars', 'die', 'hats', 'cities', 'per'])
      await check('english', 'The war on city hats: die per', word, 'the');
    await check('german', 'Die Häuser und die Bücher', 'Haus', 'und');
    await check('french', "Les chevaux de l'école", 'cheval', 'les');
    await check('none', 'The runners and the city', 'the', 'runner');
  },
);

test('the analysis of each language leaves out only its own most common words', () => {
  for (const language of textLanguages) {
    const analysis = analysisOf({ language });
    const [term] = tokenize('2024', analysis);
    assert.equal(term?.text, '2024', language);
    assert.ok(
      analysis.customStopWords.length > 40 || ['auto', 'korean', 'none', 'tamil', 'finnish'].includes(language),
      language,
    );
  }
});

testForms(
  'a chunk of a file is found by its headings and its text together, and no phrase spans both',
  async (form) => {
    const uri = temporaryDirectory();
    const metadata = { heading_path: ['Boats', 'Winter storage'] };
    const chunk = (id: string, text: string, more: Partial<Row> = {}) =>
      makeRow(id, [1, 0], { text, metadata, jobId: 'job', ...more });
    const main = await openBench(uri, { form, dimensions: 2 });
    await main.upsert(
      chunk('tied', 'The cover is tied with red rope.'),
      chunk('spoken', 'Winter storage\n\nThe skipper’s cover is of canvas.'),
      chunk('direct', 'A row of the API with red rope.', { jobId: null }),
      ...makeRows(600, (at) => [[0, 1], `filler ${at}`, {}], 'filler'),
    );
    const check = async (bench: Bench): Promise<void> => {
      const find = async (text: string) => (await finder(bench)(text)).toSorted();
      assert.deepEqual(await find('"winter storage" "red rope"'), ['tied']);
      assert.deepEqual(await find('"winter storage"'), ['spoken', 'tied']);
      assert.deepEqual(await find('boat'), ['spoken', 'tied']);
      assert.deepEqual(await find('rope -"boats"'), ['direct']);
      for (const across of ['red rope boats', 'rope winter', 'boats winter', 'storage the cover', 'canvas boats'])
        assert.deepEqual(await find(`"${across}"`), [], across);
      const [tied] = await bench.reader.fetch(bench.ref(), ['tied'], false);
      assert.equal(tied?.text, 'The cover is tied with red rope.');
    };
    await check(main);
    await main.maintain();
    await check(main);
    const ancestors = [{ table: 'main', version: main.state().version }];
    const branch = await openBench(uri, { form, dimensions: 2, table: 'branch', ancestors });
    await check(branch);
    await branch.upsert(chunk('spoken', 'Winter storage\n\nThe skipper’s cover is of canvas.'));
    await branch.commit({ kind: 'patch', maxBytes: 9_000, patches: [{ id: 'tied', metadata: { seen: true } }] });
    await check(branch);
    const moved = { heading_path: ['Summer'] };
    await branch.commit({ kind: 'patch', maxBytes: 9_000, patches: [{ id: 'tied', metadata: moved }] });
    assert.deepEqual(await finder(branch)('"summer" "red rope"'), ['tied']);
    assert.deepEqual(await finder(branch)('"winter storage" "red rope"'), []);
    await main.commit({ kind: 'replaceJob', oldJobId: 'job', rows: [chunk('next', 'New')], maxBytes: Infinity });
    assert.deepEqual(await finder(main)('"winter storage"'), ['next']);
  },
);

testForms(
  'a query of common words alone finds the texts that contain them, and otherwise they do not count',
  async (form) => {
    const uri = temporaryDirectory();
    const texts = {
      who: 'WHO published a report.',
      it: 'The IT department moved.',
      band: 'The Who played.',
      none: 'Tea',
    };
    const main = await openBench(uri, { form, dimensions: 2 });
    await main.upsert(...Object.entries(texts).map(([id, text], at) => makeRow(id, [1, at], { text })));
    const check = async (bench: Bench): Promise<void> => {
      const find = finder(bench);
      assert.deepEqual(await find('IT'), ['it']);
      assert.deepEqual((await find('WHO')).toSorted(), ['band', 'who']);
      // Common words of the language are weighed by the texts of a table alone, or by those of segments alone.
      if (form !== 'both') assert.equal((await find('The Who'))[0], 'band');
      assert.deepEqual(await find('who played it'), ['band']);
      assert.deepEqual([await find('the -"report"'), await find('—'), await find('with')], [[], [], []]);
    };
    await check(main);
    await main.maintain();
    await check(main);
    const ancestors = [{ table: 'main', version: main.state().version }];
    const branch = await openBench(uri, { form, dimensions: 2, table: 'branch', ancestors });
    await branch.upsert(makeRow('it', [1, 9], { text: 'IT moved' }));
    assert.deepEqual(await finder(branch)('IT'), ['it']);
    const french = await openBench(uri, { form, dimensions: 2, table: 'french', textLanguage: 'french' });
    await french.upsert(
      makeRow('summer', [1, 1], { text: 'Les horaires d’été' }),
      makeRow('winter', [1, 2], { text: 'Les horaires d’hiver' }),
    );
    assert.deepEqual(await finder(french)('été'), ['summer']);
  },
);
