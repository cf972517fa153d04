import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { createEmbeddedEmbedder } from '../../shared/platform/models/embedded.ts';
import { project } from '../../shared/platform/models/project.ts';

const embedder = createEmbeddedEmbedder({ assetsDirectory: join(import.meta.dirname, '../..') });

const dot = (left: ArrayLike<number>, right: ArrayLike<number>): number =>
  Array.from(left).reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);

const embedOne = async (text: string, dimensions = 1_536): Promise<Float32Array> => {
  const [vector] = (await embedder.embed([text], dimensions)).vectors;
  assert.ok(vector !== undefined);
  return vector;
};

const pairs: readonly (readonly [question: string, passage: string])[] = [
  [
    'How do I get my money back?',
    'Refunds are paid to the original card within ten days after the goods were returned to our warehouse.',
  ],
  [
    'Which gas do plants take in?',
    'During photosynthesis leaves absorb carbon dioxide and water and release oxygen into the air.',
  ],
  [
    'When did the Roman republic end?',
    'Octavian became Augustus in 27 BC, and the rule of senate and consuls gave way to that of emperors.',
  ],
  [
    'Why does my laptop get hot?',
    'A processor under load turns electricity into heat; dust in the fan keeps the computer from cooling down.',
  ],
  [
    'What is a good pasta sauce?',
    'Simmer tomatoes with garlic, basil and olive oil for half an hour and serve over spaghetti.',
  ],
  [
    'How many players are on a football team?',
    'Each side in soccer fields eleven athletes, one of whom keeps the goal.',
  ],
  [
    'Treatment for high blood pressure',
    'Hypertension is lowered with diuretics, ACE inhibitors, less salt and regular exercise.',
  ],
  [
    'Who painted the Mona Lisa?',
    'Leonardo da Vinci worked on the portrait of Lisa Gherardini for years; it hangs in the Louvre.',
  ],
  [
    'error ECONNREFUSED 127.0.0.1:5432',
    'ECONNREFUSED means that nothing listens on the port; for 5432 start the PostgreSQL server first.',
  ],
  ['How high is Mount Everest?', 'The highest mountain on Earth rises 8,849 metres above the level of the sea.'],
  [
    'Cancel a rental contract',
    'A tenant may terminate the lease in writing with three months of notice to the landlord.',
  ],
  [
    'How do bees find their way?',
    'Honeybees navigate by the position of the sun and tell each other where flowers are with a dance.',
  ],
];

test('each of a dozen queries finds its passage first', async () => {
  const passages = await embedder.embed(
    pairs.map(([, passage]) => passage),
    1_536,
  );
  assert.ok(passages.tokens > 200 && passages.tokens < 500, `${passages.tokens} tokens`);
  for (const dimensions of [256, 384, 1_536]) {
    const { vectors } = await embedder.embed(
      pairs.map(([, passage]) => passage),
      dimensions,
    );
    for (const [index, [question]] of pairs.entries()) {
      const asked = await embedOne(question, dimensions);
      const scores = vectors.map((vector) => dot(asked, vector));
      assert.equal(scores.indexOf(Math.max(...scores)), index, `${question} in ${dimensions} dimensions`);
    }
  }
});

test('vectors have unit length for every dimension, also of text without tokens', async () => {
  const odd = [
    '',
    '   ',
    '!!! ???',
    '🎉',
    '\uD800',
    '漢字かな交じり文',
    'a'.repeat(390),
    'to be or not to be',
    '\u0000',
  ];
  for (const dimensions of [1, 2, 3, 100, 383, 384, 385, 1_536, 4_096]) {
    for (const vector of (await embedder.embed(odd, dimensions)).vectors) {
      assert.equal(vector.length, dimensions);
      assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-5);
    }
  }
  assert.deepEqual(await embedOne('\u0000'), await embedOne(''));
  assert.deepEqual(await embedder.embed([], 8), { vectors: [], tokens: 0 });
});

test('a text has the same vector to the last bit in any batch and in another instance of the model', async () => {
  const texts = pairs.flat();
  const together = await embedder.embed([...texts, ...texts], 512);
  const apart = await Promise.all(texts.map((text) => embedOne(text, 512)));
  assert.deepEqual(together.vectors, [...apart, ...apart]);
  const fresh = createEmbeddedEmbedder({ assetsDirectory: join(import.meta.dirname, '../..') });
  assert.deepEqual((await fresh.embed(texts.slice(0, 4), 512)).vectors, apart.slice(0, 4));
});

test('a text has the same vector in any Unicode spelling', async () => {
  for (const [one, other] of [
    [
      "The company's holiday policy covers staff that can't travel.",
      'The company’s holiday policy covers staff that can’t travel.',
    ],
    ['Eine Donaudampfschifffahrt beginnt', '\uFEFFEine Donau\u00ADdampf\u00ADschiff\u200Bfahrt beginnt'],
    ['the café of O‘Reilly', "the cafe\u0301 of O'Reilly"],
  ] as const)
    assert.deepEqual(await embedOne(other), await embedOne(one));
  const [question, curly] = [await embedOne('company'), await embedOne('the company’s policy')];
  assert.ok(dot(question, curly) > 0.4, `${dot(question, curly)}`);
});

test('a long text is embedded completely, and the event loop runs meanwhile', async () => {
  const filler = 'The committee met again and noted the minutes of its last meeting without any comment. '.repeat(30);
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const long = await embedder.embed([filler, `${filler} Penguins breed on the ice of Antarctica.`], 1_536);
  clearInterval(timer);
  assert.ok(long.tokens > 900 && turns > 1, `${long.tokens} tokens, ${turns} turns`);
  const question = await embedOne('Where do penguins breed?');
  const [without, having] = long.vectors.map((vector) => dot(question, vector));
  assert.ok((having ?? 0) > (without ?? 0) + 0.05, `${having} against ${without}`);
});

test('a projection to more dimensions preserves lengths and angles, and one to fewer preserves the order of clear cases', () => {
  const vectorOf = (size: number) =>
    fc
      .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: size, maxLength: size })
      .map((values) => Float64Array.from(values));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(700), fc.nat(), (size, more, seed) => {
      const [left, right] = fc.sample(vectorOf(size), { numRuns: 2, seed });
      assert.ok(left !== undefined && right !== undefined);
      const mapped = [left, right].map((vector) => project(vector, size + more));
      assert.ok(Math.abs(dot(mapped[0] ?? [], mapped[1] ?? []) - dot(left, right)) < 1e-9 * size);
      assert.ok(Math.abs(dot(mapped[0] ?? [], mapped[0] ?? []) - dot(left, left)) < 1e-9 * size);
    }),
    { numRuns: 60, seed: 5 },
  );
  const [base, other, noise] = fc.sample(vectorOf(512), { numRuns: 3, seed: 9 });
  assert.ok(base !== undefined && other !== undefined && noise !== undefined);
  const near = base.map((value, index) => value + 0.3 * (noise[index] ?? 0));
  const small = [base, near, other].map((vector) => project(vector, 128));
  assert.ok(dot(small[0] ?? [], small[1] ?? []) > 0.8 && Math.abs(dot(small[0] ?? [], small[2] ?? [])) < 0.4);
});
