import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analysedForm } from '../src/analysed-form.ts';
import { certainLanguage } from '../src/detect-language.ts';
import { wordParts } from '../src/word-parts.ts';
import type { FoundRow, SearchQuery } from '../src/port.ts';
import type { TextLanguage } from '../src/text-language.ts';
import {
  type Bench,
  foldingBounds,
  makeRow,
  makeRows,
  openBench,
  openEngines,
  testForms,
} from './support/index-bench.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

const idsFor = async ({ reader, ref }: Bench, query: SearchQuery): Promise<readonly string[]> =>
  (await reader.search(ref(), query)).map(({ row }) => row.id).toSorted();

const find = (bench: Bench, text: string): Promise<readonly string[]> =>
  idsFor(bench, { mode: 'sparse', text, topK: 100 });

test('an elided article is no part of its word in French and Italian only', () => {
  const check = (language: TextLanguage, text: string, analysed: string): void =>
    assert.equal(analysedForm(text, { language }), analysed);
  check('french', 'L’école, l\u2019e\u0301te\u0301 ; QU’ELLE jusqu’ici', 'école, été ; ELLE ici');
  check('french', "aujourd'hui prud’homme presqu'île quelqu’un", "aujourd'hui prud'homme presqu'île quelqu'un");
  check('french', "“d'abord” dit-l'autre j'l'aime 2d'eau l' d'1", "“abord” dit-autre aime 2d'eau l' d'1");
  check('italian', 'dell’acqua UN’ALTRA sull\'onda po’ e "gl\'anni"', 'acqua ALTRA onda po’ e "anni"');
  check('italian', "quell'acqua", "quell'acqua");
  check('english', "l’école can’t o’clock D'Artagnan", "l'école can't o'clock D'Artagnan");
  check('none', 'dell’acqua', "dell'acqua");
  check('korean', '(AI가) 서울의 K팝 3개월 물', '(AI 가) 서울 울의 K 팝 3 개월 물');
  check('none', '서울의', '서울 울의');
});

/** Per language: texts, and questions of which each is to find the texts at these places. */
const spellings: Partial<
  Record<TextLanguage, readonly (readonly [texts: readonly string[], questions: readonly string[]])[]>
> = {
  english: [
    [
      ["the company's holiday policy", 'the company’s holiday policy', 'the comp\u00ADany‘s\u200D holiday policy'],
      ['company', "company's", 'company’s', 'COMPANY’S', '"company’s holiday"', '"the company\'s holiday policy"'],
    ],
    [
      ["they can't swim", 'they can’t swim'],
      ["can't", 'can’t', 'can\uFF07t', '"can’t swim"', '"can\'t swim"'],
    ],
    [
      ["O'Reilly books at five o'clock", 'O’Reilly books at five o’clock'],
      ["O'Reilly", 'o’reilly', 'OReilly', "o'clock", 'o’clock', '"O’Reilly books"', '"five o\'clock"'],
    ],
    [
      ['Set MAX_RETRY_COUNT first', 'call setMaxRetryCount', 'the retry.count of it'],
      ['retry', 'RETRY', 'retryCount', 'retry_count', '"retry count"'],
    ],
    [
      ['john.doe@post.example.org wrote', 'see https://docs.example.org/v2'],
      ['example', 'example.org', 'ORG', '"example org"'],
    ],
    [
      ['since v2.0.1 of Node.js', 'node-js 2.0.1', 'NodeJS 2.0.1'],
      ['2.0.1', 'v2.0.1', 'node'],
    ],
    [['reads PDFs by OAuth2'], ['pdf', 'oauth', '"reads PDFs by"']],
    [
      ['the host 192.168.10.25', 'the host 192.168.7.1'],
      ['192.168', '"192.168"'],
    ],
    [
      ['a litre of H₂O', 'some H2O'],
      ['H2O', 'h₂o', '"H2O"'],
    ],
    [
      ['an area of 5 m²', '5 m2 of wood', 'about 5 m^2'],
      ['m2', 'm²', '"5 m2"', '"5 m²"'],
    ],
    [
      ['an e-mail came', 'no email came'],
      ['email', 'e-mail', 'E‑Mail'],
    ],
    [
      ['they don’t know', 'they dont know'],
      ['dont', "don't", 'don’t'],
    ],
    [
      ['die Straße nach Süden', 'DIE STRASSE'],
      ['Strasse', 'Straße', 'STRASSE', '"die straße"'],
    ],
    [
      ['written in C#', 'a csharp program'],
      ['csharp', '"csharp"'],
    ],
    [['it costs 50,000 euros'], ['50000', '50,000']],
    [['ISBN 978-3-16-148411-7'], ['9783161484117']],
    [['the rocket 🚀 starts'], ['🚀', 'rocket 🚀']],
    [['it is 5 € there'], ['€']],
    [
      ['مَرَّاكُش', 'مراكش'],
      ['مراكش', 'مَرَّاكُش', 'مـراكش'],
    ],
    [
      ['η ΟΔΟΣ', 'η οδός'],
      ['οδός', 'ΟΔΟΣ', 'οδοσ'],
    ],
  ],
  auto: [
    [
      ['Die Versicherungen wurden von den Kunden gekündigt.', 'Eine Versicherung für den Winter und den Sommer.'],
      ['Versicherung', 'Versicherungen', 'welche Versicherungen gibt es?'],
    ],
    [
      ['The companies were running their own stores.', 'A company that runs a store of its own'],
      ['company', 'companies', 'which companies are there?', 'stores'],
    ],
    [['Les maisons sont dans la forêt.'], ['maison', 'où sont les maisons ?', '"dans la forêt"']],
    [['В городах построены новые маяки.'], ['маяк', 'маяками', 'город']],
    [['这种植物每周只需要浇一次水'], ['植物']],
  ],
  german: [
    [
      [
        'eine Donaudampfschifffahrt',
        'eine Donau\u00ADdampf\u00ADschiff\u00ADfahrt',
        '\uFEFFDonau\u200Bdampf\u2060schiff\u200Cfahrt',
      ],
      [
        'Donaudampfschifffahrt',
        'Donau\u00ADdampfschifffahrt',
        'Donau\u200Bdampfschifffahrt',
        '"donaudampf\u00ADschifffahrt"',
      ],
    ],
  ],
  french: [
    [
      ["l'école est fermée", 'l’école est fermée', 'L\u2019e\u0301cole est ferme\u0301e', 'une école est fermée'],
      ['école', "l'école", 'l’école', "d'écoles", '"l’école est fermée"', '"l\'école est fermée"'],
    ],
    [
      ["on part aujourd'hui", 'on part aujourd’hui'],
      ["aujourd'hui", 'aujourd’hui', '"part aujourd’hui"'],
    ],
  ],
  italian: [
    [
      ["l'acqua calda", 'dell’acqua calda'],
      ['acqua', "l'acqua", 'ACQUA', '"acqua calda"', '"sull’acqua calda"'],
    ],
  ],
  korean: [
    [
      ['서울의 등대는 2024년에도 높다', '\u1109\u1165울에서 등\u00AD대를 2024년부터 높인다'],
      ['등대', '등대보다', '"등대"', '\u1103\u1173\u11BC대', '서울', '2024', '2024년', '높은 등대'],
    ],
    [['우리 학교에서 K팝을 배웠다'], ['학교', '우리', 'k팝', '"우리 학교"']],
  ],
  turkish: [
    [
      ['İstanbul ve İzmir', 'istanbul güzel', 'I\u0307stanbul'],
      ['istanbul', 'İstanbul', 'ISTANBUL', '"istanbul"'],
    ],
  ],
  arabic: [
    [
      ['الدوري الإنجليزي', 'الدورى'],
      ['الدوري', 'الدورى'],
    ],
    [
      ['القرآن الكريم', 'القُرْآن'],
      ['القران', 'القرآن'],
    ],
  ],
  none: [
    [
      ['مدرسة كبيرة', 'مدرسه'],
      ['مدرسة', 'مدرسه'],
    ],
    [
      ['کتاب فارسی', 'كتاب فارسي'],
      ['كتاب', 'کتاب'],
    ],
    [
      ['שָׁלוֹם עולם', 'שלום'],
      ['שלום', 'שָׁלוֹם'],
    ],
    [
      ['ﾃﾞｰﾀの棚', 'データベース'],
      ['データ', 'ﾃﾞｰﾀ'],
    ],
    [
      ['4812 ㎏', '४८१२ kg'],
      ['4812', 'kg', '"4812 kg"'],
    ],
    [
      ['招商证券股份有限公司', '北京公司'],
      ['公司', '"公司"'],
    ],
    [
      ['हिन्दी भाषा', 'हिंदी में'],
      ['हिंदी', 'हिन्दी', '"हिंदी"'],
    ],
    [
      ['Ёлка', 'елка'],
      ['ёлка', 'Елка'],
    ],
    [
      ['회의는 부두에서 열립니다', '부두가 멀다'],
      ['부두', '"부두"', '부두를'],
    ],
    [
      ['la п\u2019ять', 'la п\u02BCять', "la п'ять"],
      ['п’ять', 'пʼять', "п'ять", '"la пʼять"'],
    ],
  ],
};

test('words inside words are parts of identifiers, joined compounds and numbers of versions, in bounded number', () => {
  const parts: Readonly<Record<string, readonly string[]>> = {
    'getUserById MAX_RETRY_COUNT': ['get User By Id', 'MAX RETRY COUNT'],
    'fetchHTTPResponse parses URLs': ['fetch HTTP Response', 'URL'],
    'com.example.getUser': ['com example get User', 'getUser'],
    'OAuth2 iPhone15': ['Auth', 'OAuth', 'Phone 15', 'iPhone'],
    'v2.0.1 192.168.10.25': ['2.0.1', '2.0', '0.1', '192 168 10 25', '192.168', '168.10', '10.25'],
    "well-being COVID-19 don't O'Neil company's U.S.": ['wellbeing', 'COVID19', 'dont', 'ONeil', 'US'],
    'a 3.14 and 1,234.5 of 2024-05-01, 10-20, a_b 第3章2024年 plain Words OF text.': [],
  };
  for (const [text, expected] of Object.entries(parts)) assert.deepEqual(wordParts(text), expected, text);
  for (const part of ['aB', 'a.', 'a-b', '1.2.', 'x_y ', "o'", 'ABc', 'é\u0301A ']) {
    const text = part.repeat(20_000);
    const entries = wordParts(text);
    assert.ok(entries.length <= 1_010 && entries.join(' ').length <= 2 * text.length, part);
  }
  assert.equal(wordParts(Array.from({ length: 5_000 }, (_, at) => `get_row${at}`).join(' ')).length, 1_000);
});

testForms('a word is found in any spelling of the text and the query, also on a branch', async (form) => {
  for (const [language, groups = []] of Object.entries(spellings)) {
    const [uri, textLanguage] = [temporaryDirectory(), language as TextLanguage];
    const row = (id: string, text: string, at: number) => makeRow(id, [1, at], { text });
    const rows = groups.flatMap(([texts], group) => texts.map((text, at) => row(`${group}.${at}`, text, at)));
    const others = makeRows(3, (at) => [[0, 1], `zebra ${at}`, {}], 'other');
    const check = async (bench: Bench, scope: string): Promise<void> => {
      for (const [group, [texts, questions]] of groups.entries())
        for (const question of questions) {
          const wanted = texts.map((_, at) => `${group}.${at}`);
          assert.deepEqual(await find(bench, question), wanted, `${scope} ${language}: ${question}`);
          const hybrid = {
            mode: 'hybrid',
            vector: Float32Array.of(0, 1),
            fusion: { method: 'rrf', k: 10, denseWeight: 0 },
          } as const;
          const joined = await bench.reader.search(bench.ref(), { ...hybrid, text: question, topK: wanted.length });
          assert.deepEqual(joined.map((hit) => hit.row.id).toSorted(), wanted, `${scope} ${language}: ${question}`);
          if (!question.startsWith('"')) continue;
          assert.deepEqual(
            await find(bench, `zebra ${texts[0]} -${question}`),
            (await find(bench, `zebra ${texts[0]}`)).filter((id) => !wanted.includes(id)),
            `${scope} ${language}: -${question}`,
          );
        }
    };
    const bench = await openBench(uri, { form, dimensions: 2, textLanguage });
    await bench.upsert(...rows, ...others);
    await check(bench, 'fresh');
    await bench.maintain();
    await check(bench, 'settled');
    const ancestors = [{ table: 'main', version: bench.state().version }];
    const branch = await openBench(uri, { form, dimensions: 2, textLanguage, table: 'branch', ancestors });
    await check(branch, 'branch');
    await branch.upsert(...rows.filter((_, at) => at % 2 === 0));
    await check(branch, 'changed branch');
    await bench.upsert(...makeRows(520, (at) => [[0, 1], `filler ${at}`, {}], 'filler'));
    await bench.maintain();
    await bench.upsert(...rows.slice(1), makeRow('other0', [0, 1], { text: 'zebra again' }));
    await check(bench, 'fresh among many');
  }
});

test('equal texts in different spellings have equal scores in a table and in segments', async () => {
  const bench = await openBench(temporaryDirectory(), { bounds: foldingBounds, dimensions: 2 });
  const curly = makeRow('curly', [1, 0], { text: 'the com\u00ADpany’s policy' });
  await bench.upsert(curly, ...makeRows(600, (at) => [[1, at], `plain words ${at} of a text`, {}], 'filler'));
  await bench.maintain();
  await bench.upsert(
    makeRow('straight', [1, 0], { text: "the company's policy" }),
    ...makeRows(30, (at) => [[1, at], `a policy ${at}`, {}], 'policy'),
  );
  for (const text of ['company', 'company’s policy', 'policy company -"plain"']) {
    const [first, second] = await bench.reader.search(bench.ref(), { mode: 'sparse', text, topK: 5 });
    assert.deepEqual([first?.row.id, second?.row.id], ['curly', 'straight'], text);
    assert.equal(first?.score, second?.score, text);
    assert.equal(first?.row.text, curly.text);
  }
});

testForms('equal texts in different spellings have equal scores on a branch and in its parent', async (form) => {
  const uri = temporaryDirectory();
  const long = 'plain words that fill a text '.repeat(30);
  const main = await openBench(uri, { form, dimensions: 2 });
  await main.upsert(
    makeRow('below', [1, 0], { text: "the company's policy" }),
    makeRow('long', [1, 1], { text: long }),
  );
  await main.maintain();
  const ancestors = [{ table: 'main', version: main.state().version }];
  const branch = await openBench(uri, { form, dimensions: 2, table: 'branch', ancestors });
  await branch.upsert(makeRow('above', [1, 0], { text: 'the com\u00ADpany’s policy' }));
  for (const text of ['company', 'company’s policy', '"company’s policy"']) {
    const found = await branch.reader.search(branch.ref(), { mode: 'sparse', text, topK: 5 });
    assert.deepEqual(
      found.map(({ row }) => row.id),
      ['above', 'below'],
      text,
    );
    assert.ok(Math.abs((found[0]?.score ?? 0) - (found[1]?.score ?? 1)) < 1e-5, text);
  }
});

const written: Readonly<Record<string, string | null>> = {
  apart: 'the cafe\u0301 terrace',
  apostrophe: 'the company’s terrace',
  plain: 'a plain terrace',
  mark: '\uFEFFa terrace',
  hyphens: 'a ter\u00ADrace \u200B',
  invisible: '\u00AD\u200D',
  empty: '',
  dense: null,
};

const writtenRows = Object.entries(written).map(([id, text], at) => makeRow(id, [1, at], { text }));

const textsOf = (rows: readonly Pick<FoundRow, 'id' | 'text'>[]): ReadonlyMap<string, string | null> =>
  new Map(rows.map(({ id, text }) => [id, text]));

/** Whether each way of reading gives the texts as they were written, with their bytes counted. */
const assertWritten = async (bench: Bench, texts: Readonly<Record<string, string | null>>): Promise<void> => {
  const all = new Map(Object.entries(texts));
  const query = { mode: 'dense', vector: Float32Array.of(1, 0), topK: 20 } as const;
  for (const reader of [bench.reader, openEngines(bench.uri).reader]) {
    const ref = bench.ref();
    assert.deepEqual(textsOf(await reader.fetch(ref, [...all.keys()], true)), all);
    const listed = await reader.list(ref, { after: null, limit: 20 });
    assert.deepEqual(textsOf(listed.rows), all);
    assert.deepEqual(textsOf(await reader.sample(ref, 20, 1)), all);
    for (const topK of [20, 60]) {
      const found = (await reader.search(ref, { ...query, topK })).map(({ row }) => row);
      assert.deepEqual(textsOf(found), all);
      const holding = (await reader.search(ref, { mode: 'sparse', text: 'terrace', topK })).map(({ row }) => row);
      assert.ok(holding.length > 0);
      for (const { id, text } of holding) assert.equal(text, texts[id]);
    }
    const bare = await reader.search(ref, { ...query, includeText: false });
    assert.deepEqual(new Set(bare.map(({ row }) => row.text)), new Set([null]));
  }
  const bytes = [...all.values()].reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
  assert.deepEqual([bench.state().rows, bench.state().sparseBytes], [all.size, bytes]);
};

const without = (texts: Readonly<Record<string, string | null>>, ...ids: readonly string[]) =>
  Object.fromEntries(Object.entries(texts).filter(([id]) => !ids.includes(id)));

const newTag = (...ids: readonly string[]) =>
  ({ kind: 'patch', maxBytes: 1_000, patches: ids.map((id) => ({ id, metadata: { tag: 'new' } })) }) as const;

testForms(
  'a text is returned as it was written and counts with those bytes, after any change of its row',
  async (form) => {
    const uri = temporaryDirectory();
    const bench = await openBench(uri, { form, dimensions: 2 });
    await bench.upsert(...writtenRows);
    await assertWritten(bench, written);
    await bench.maintain();
    await assertWritten(bench, written);
    await bench.commit(newTag(...Object.keys(written)));
    await assertWritten(bench, written);
    const patched = await bench.reader.list(bench.ref(), { after: null, limit: 20, filter: { tag: 'new' } });
    assert.equal(patched.rows.length, writtenRows.length);
    const ancestors = [{ table: 'main', version: bench.state().version }];
    const branch = await openBench(uri, { form, dimensions: 2, table: 'branch', ancestors });
    await assertWritten(branch, written);
    await branch.commit(newTag('apart', 'mark'));
    const changed = { ...written, plain: 'a plain‘s terrace', apostrophe: "the company's terrace" };
    const row = (id: keyof typeof changed) => makeRow(id, [1, 9], { text: changed[id] ?? null, jobId: 'job' });
    await branch.upsert(row('plain'), row('apostrophe'));
    await assertWritten(branch, changed);
    await bench.commit({ kind: 'promote', branch: branch.ref(), parentChanges: 'keep', maxBytes: Infinity });
    await assertWritten(bench, changed);
    await branch.maintain();
    await assertWritten(branch, changed);
    const rows = [makeRow('plain', [1, 1], { text: 'a re\u00ADplaced terrace', jobId: 'next' })];
    await bench.commit({ kind: 'replaceJob', oldJobId: 'job', rows, maxBytes: Infinity });
    const left = without({ ...changed, plain: 'a re\u00ADplaced terrace' }, 'apostrophe');
    await assertWritten(bench, left);
    await bench.commit({ kind: 'delete', ids: ['apart', 'mark', 'invisible'] });
    await bench.maintain();
    await assertWritten(bench, without(left, 'apart', 'mark', 'invisible'));
  },
);

testForms('halves of surrogate pairs become replacement characters, beside other spellings as well', async (form) => {
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 2 });
  const texts = {
    alone: 'broken \uD83C kettle',
    beside: 'broken \uD83C kettle’s \uDC00',
    parted: 'a \uD83C\u00AD\uDF00 kettle',
  };
  await bench.upsert(...Object.entries(texts).map(([id, text], at) => makeRow(id, [1, at], { text })));
  assert.deepEqual(await find(bench, 'broken \uD83C'), ['alone', 'beside']);
  const rows = await bench.reader.fetch(bench.ref(), Object.keys(texts), false);
  assert.deepEqual(
    rows.map(({ text }) => text),
    Object.values(texts).map((text) => text.toWellFormed()),
  );
});

test('an index keeps the analysis of its creation', async () => {
  const texts = ['مَرَّاكُش', 'die Straße', '招商证券股份有限公司'];
  const rows = texts.map((text, at) => makeRow(String(at), [1, at], { text }));
  const questions = ['مراكش', 'Strasse', '公司'];
  for (const [analyzer, found] of [
    ['v2', [[], [], []]],
    ['v3', [['0'], ['1'], ['2']]],
  ] as const) {
    const bench = await openBench(temporaryDirectory(), { dimensions: 2, analyzer });
    await bench.upsert(...rows);
    await bench.maintain();
    for (const [at, question] of questions.entries())
      assert.deepEqual(await find(bench, question), found[at], question);
    for (const [at, text] of texts.entries()) assert.deepEqual(await find(bench, text), [String(at)], text);
  }
});

test('a text in C# is before one in C++ for its own name, and the other way round', async () => {
  const bench = await openBench(temporaryDirectory(), { dimensions: 2 });
  await bench.upsert(
    makeRow('plus', [1, 0], { text: 'written in C++ today' }),
    makeRow('sharp', [1, 1], { text: 'written in C# today' }),
  );
  for (const [question, first] of [
    ['C#', 'sharp'],
    ['c++', 'plus'],
  ] as const) {
    const [hit] = await bench.reader.search(bench.ref(), { mode: 'sparse', text: question, topK: 2 });
    assert.equal(hit?.row.id, first, question);
  }
});

test('the language of a text is certain only with evidence', () => {
  const cases: readonly (readonly [text: string, language: TextLanguage | null])[] = [
    ['Wie lange kann ich baden?', 'german'],
    ['What are the opening hours of the pool?', 'english'],
    ['Quanto costa il biglietto', 'italian'],
    ['Что делать', 'russian'],
    ['Що робити після їжі', 'none'],
    ['أين المتحف', 'arabic'],
    ['کتاب من کجاست', 'none'],
    ['多久给植物浇水', 'none'],
    ['Ngọn hải đăng đứng trên tảng đá', 'none'],
    ['iPhone 15', null],
    ['', null],
  ];
  for (const [text, language] of cases) assert.equal(certainLanguage(text), language, text);
});
