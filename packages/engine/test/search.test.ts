import assert from 'node:assert/strict';
import type { DistanceMetric, Fusion, Hit } from '../src/port.ts';
import { fuseHits } from '../src/fuse-hits.ts';
import { vectorProblems } from '../../../shared/vectors/index.ts';
import { makeRow, makeRows, openBench, seededNumbers, testForms } from './support/index-bench.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

const idsOf = (hits: readonly Hit[]): readonly string[] => hits.map(({ row }) => row.id);

const similarity: Readonly<Record<DistanceMetric, (left: Float32Array, right: Float32Array) => number>> = {
  cosine: (left, right) => {
    const dot = (one: Float32Array, other: Float32Array): number =>
      one.reduce((sum, item, at) => sum + item * (other[at] ?? 0), 0);
    return dot(left, right) / Math.sqrt(dot(left, left) * dot(right, right));
  },
  euclidean: (left, right) => -left.reduce((sum, item, at) => sum + (item - (right[at] ?? 0)) ** 2, 0),
};

for (const metric of ['cosine', 'euclidean'] as const) {
  testForms(`${metric}: the smallest and the largest vectors that an index takes have finite scores`, async (form) => {
    const index = { dimensions: 2, metric };
    const vectors = [
      [1.1e-15, 0],
      [3.1e18, 0],
      [-3.1e18, 0],
      [1, 1],
    ].filter((vector) => vectorProblems([], Float32Array.from(vector), index).length === 0);
    assert.equal(vectors.length, 4);
    const bench = await openBench(temporaryDirectory(), { form, ...index });
    await bench.upsert(...vectors.map((vector, at) => makeRow(`r${at}`, vector)));
    for (const vector of vectors) {
      const query = Float32Array.from(vector);
      const hits = await bench.reader.search(bench.ref(), { mode: 'dense', vector: query, topK: 4 });
      assert.equal(hits.length, 4);
      for (const { score } of hits) assert.ok(Number.isFinite(score), `${score} for ${String(vector)}`);
      const exact = vectors.map((other) => similarity[metric](query, Float32Array.from(other)));
      // Segments are compared in half precision, where distances have an error relative to the vectors.
      const squared = query.reduce((sum, number) => sum + number ** 2, 0);
      const tolerance = metric === 'euclidean' && form !== 'table' ? 1e-6 * squared : 0;
      assert.ok(Math.abs((hits[0]?.score ?? 0) - Math.max(...exact)) < 1e-4 + tolerance);
    }
  });

  testForms(
    `${metric}: the nearest rows and their scores are exact in small indexes and nearly exact with a vector index`,
    async (form) => {
      const bench = await openBench(temporaryDirectory(), { form, dimensions: 125, metric });
      const next = seededNumbers(7);
      const vector = (): readonly number[] => Array.from({ length: 125 }, next);
      const rows = makeRows(8_200, (number) => [vector(), '', { group: number % 50, big: number % 2 }]);
      const queries = Array.from({ length: 5 }, () => Float32Array.from(vector()));
      const best = (query: Float32Array, stored: typeof rows, topK: number) =>
        stored
          .map(({ id, vector: other }) => ({ id, score: similarity[metric](query, other) }))
          .toSorted((a, b) => b.score - a.score)
          .slice(0, topK);
      const recall = async (
        stored: typeof rows,
        more: { readonly exact?: boolean; readonly filter?: { readonly group?: number; readonly big?: number } },
      ) => {
        let found = 0;
        for (const query of queries) {
          const hits = await bench.reader.search(bench.ref(), { mode: 'dense', vector: query, topK: 20, ...more });
          const wanted = best(query, stored, 20);
          assert.equal(hits.length, 20);
          for (const [at, hit] of hits.entries()) {
            const real = similarity[metric](query, stored[Number(hit.row.id.slice(3))]?.vector ?? query);
            // Segments are compared in half precision, unless by an exact search.
            const tolerance = form === 'table' || more.exact === true ? 1e-4 : 2 ** -11 * (1 + Math.abs(real));
            assert.ok(more.filter !== undefined || Math.abs(hit.score - real) < tolerance, `${hit.score} ${real}`);
            assert.deepEqual([hit.ranks.dense, hit.scores.dense, hit.ranks.sparse], [at + 1, hit.score, null]);
          }
          const ids = new Set(idsOf(hits));
          found += wanted.filter(({ id }) => ids.has(id)).length;
        }
        return found / (20 * queries.length);
      };
      const [few, most] = [rows.slice(0, 1_000), rows.slice(0, 8_100)];
      await bench.upsert(...few);
      assert.ok((await recall(few, {})) >= (form === 'segments' ? 0.99 : 1));
      for (let start = 1_000; start < most.length; start += 4_000)
        await bench.upsert(...most.slice(start, start + 4_000));
      await bench.maintain();
      assert.ok((await recall(most, {})) >= 0.95);
      await bench.upsert(...rows.slice(8_100));
      assert.equal(bench.state().unindexedRows, { segments: 0, table: 0, both: 50 }[form]);
      const [recent] = rows.slice(-1);
      assert.ok(recent !== undefined);
      const same = await bench.reader.search(bench.ref(), {
        mode: 'dense',
        vector: recent.vector,
        topK: 1,
        includeVector: true,
      });
      assert.deepEqual(same[0]?.row, recent);
      // Few hits bring their rows along, many are looked up.
      for (const topK of [1, 50]) {
        const [bare] = await bench.reader.search(bench.ref(), {
          mode: 'dense',
          vector: recent.vector,
          topK,
          includeText: false,
          includeMetadata: false,
        });
        assert.deepEqual(bare?.row, { ...recent, text: null, metadata: {}, vector: null });
      }
      assert.equal(await recall(rows, { exact: true }), 1);
      assert.equal(
        await recall(
          rows.filter((row) => row.metadata['group'] === 5),
          { filter: { group: 5 } },
        ),
        1,
      );
      assert.ok(
        (await recall(
          rows.filter((row) => row.metadata['big'] === 1),
          { filter: { big: 1 } },
        )) >= 0.95,
      );
      await bench.maintain();
      assert.equal(bench.state().unindexedRows, 0);
      assert.ok((await recall(rows, {})) >= 0.95);
    },
  );
}

testForms('a cosine similarity is never beyond -1 and 1', async (form) => {
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 3 });
  const next = seededNumbers(1);
  const vectors = Array.from({ length: 40 }, () => [next(), next(), next()]);
  await bench.upsert(
    ...vectors.flatMap((vector, at) => [
      makeRow(`a${at}`, vector),
      makeRow(
        `b${at}`,
        vector.map((one) => -one),
      ),
    ]),
  );
  for (const [at, vector] of vectors.entries()) {
    const query = { mode: 'dense', vector: Float32Array.from(vector), topK: 80 } as const;
    const hits = await bench.reader.search(bench.ref(), query);
    assert.deepEqual([hits[0]?.row.id, hits.at(-1)?.row.id], [`a${at}`, `b${at}`]);
    for (const { score } of hits) assert.ok(score >= -1 && score <= 1, String(score));
  }
});

testForms('text is found by stem, in several scripts, with rarer words first', async (form) => {
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 2 });
  const texts = [
    'The runner was running far',
    'Running shoes and running socks',
    '東京は日本の首都です',
    'Zürich café',
    'zebra shoes',
    null,
  ];
  const row = (number: number, text: string | null) => makeRow(`t${number}`, [1, number], { text });
  await bench.upsert(...texts.map((text, number) => row(number, text)));
  const find = async (text: string) =>
    idsOf(await bench.reader.search(bench.ref(), { mode: 'sparse', text, topK: 10 }));
  const check = async (): Promise<void> => {
    assert.deepEqual(await find('run'), ['t1', 't0']);
    assert.deepEqual(await find('東京'), ['t2']);
    assert.deepEqual(await find('zurich CAFE'), ['t3']);
    assert.deepEqual((await find('zebra running shoes')).slice(0, 2).toSorted(), ['t1', 't4']);
    assert.deepEqual(await find('absent'), []);
  };
  await check();
  await bench.maintain();
  await check();
  await bench.upsert(row(5, 'now a quagga'), row(4, 'now an okapi'));
  assert.deepEqual([await find('quagga'), await find('zebra'), await find('okapi')], [['t5'], [], ['t4']]);
});

testForms('user text is never query syntax', async (form) => {
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 2 });
  await bench.upsert(makeRow('a', [1, 0], { text: 'plain words AND column:value' }));
  const find = async (text: string) => idsOf(await bench.reader.search(bench.ref(), { mode: 'sparse', text, topK: 5 }));
  const blank = [
    '',
    '   ',
    '\u0000',
    '"',
    '""',
    '* ? ~',
    '()[]{}',
    '\\',
    "'; DROP TABLE main; --'",
    '\ud800',
    '😀'.repeat(3_000),
  ];
  for (const text of blank) assert.deepEqual(await find(text), [], JSON.stringify(text.slice(0, 20)));
  for (const text of [
    '"plain',
    'plain^9',
    '+plain -words',
    'NOT plain',
    'plain OR (',
    'column:value',
    `plain ${'filler '.repeat(9_000)}`,
  ]) {
    assert.deepEqual(await find(text), ['a'], JSON.stringify(text.slice(0, 20)));
  }
});

testForms('hits with equal scores are ordered by id, also at the limit', async (form) => {
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 3, metric: 'euclidean' });
  const next = seededNumbers(3);
  const rows = makeRows(300, () => [[1, 2, 3], 'the equal words', {}]).toSorted(() => next());
  await bench.upsert(...rows.slice(0, 150));
  await bench.upsert(...rows.slice(150), makeRow('zzz', [1, 2, 4], { text: 'equal equal equal words' }));
  const wanted = rows.map(({ id }) => id).toSorted();
  const vector = Float32Array.of(1, 2, 3);
  const check = async (): Promise<void> => {
    assert.deepEqual(
      idsOf(await bench.reader.search(bench.ref(), { mode: 'dense', vector, topK: 10 })),
      wanted.slice(0, 10),
    );
    const sparse = await bench.reader.search(bench.ref(), { mode: 'sparse', text: 'equal', topK: 10 });
    assert.deepEqual(idsOf(sparse), ['zzz', ...wanted].slice(0, 10));
  };
  await check();
  await bench.maintain();
  await check();
});

testForms('hybrid search joins both sides by rank or by score, and returns the share of each side', async (form) => {
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 2 });
  await bench.upsert(
    makeRow('both', [1, 0.1], { text: 'apple pie' }),
    makeRow('dense', [1, 0], { text: 'unrelated' }),
    makeRow('sparse', [0, 1], { text: 'apple apple' }),
    makeRow('neither', [-1, 0], { text: 'nothing' }),
  );
  const search = (fusion: Fusion, text = 'apple') =>
    bench.reader.search(bench.ref(), { mode: 'hybrid', vector: Float32Array.of(1, 0), text, topK: 4, fusion });
  const rrf = await search({ method: 'rrf', k: 10, denseWeight: 0.5 });
  assert.deepEqual(
    rrf.map(({ row, ranks }) => [row.id, ranks.dense, ranks.sparse]),
    [
      ['sparse', 3, 1],
      ['both', 2, 2],
      ['dense', 1, null],
      ['neither', 4, null],
    ],
  );
  assert.equal(rrf[0]?.score, 0.5 / 13 + 0.5 / 11);
  assert.equal((await search({ method: 'rrf', k: 10, denseWeight: 1 }))[0]?.row.id, 'dense');
  assert.equal((await search({ method: 'weighted', k: 10, denseWeight: 0 }))[0]?.row.id, 'sparse');
  const weighted = await search({ method: 'weighted', k: 10, denseWeight: 0.5 });
  assert.deepEqual(idsOf(weighted), ['both', 'sparse', 'dense', 'neither']);
  assert.deepEqual([weighted[1]?.scores.dense, weighted.at(-1)?.scores.sparse], [0, null]);
  assert.deepEqual(idsOf(await search({ method: 'rrf', k: 10, denseWeight: 0.5 }, '')), [
    'dense',
    'both',
    'sparse',
    'neither',
  ]);
  // A side without weight still orders what it alone found, behind what the other one found.
  for (const method of ['rrf', 'weighted'] as const) {
    assert.deepEqual(idsOf(await search({ method, k: 10, denseWeight: 0 }, 'absent')), [
      'dense',
      'both',
      'sparse',
      'neither',
    ]);
    assert.deepEqual(idsOf(await search({ method, k: 10, denseWeight: 0 })), ['sparse', 'both', 'dense', 'neither']);
    const found = ['z', 'b', 'y', 'a'].map((id, at) => ({ id, score: 9 - at }));
    const order = (dense: typeof found, sparse: typeof found, denseWeight: number) =>
      fuseHits(dense, sparse, { method, k: 10, denseWeight }, 'cosine', 9).map(({ id }) => id);
    assert.deepEqual(order([], found, 1), ['z', 'b', 'y', 'a']);
    assert.deepEqual(order(found, [], 0), ['z', 'b', 'y', 'a']);
    assert.deepEqual(order(found.slice(0, 2), found.slice(2), 0), ['y', 'a', 'z', 'b']);
    assert.deepEqual(order(found.slice(2), found.slice(0, 2), 1), ['y', 'a', 'z', 'b']);
  }
  const lone = fuseHits([{ id: 'a', score: 3 }], [], { method: 'weighted', k: 1, denseWeight: 0.25 }, 'cosine', 5);
  assert.deepEqual(lone, [
    {
      id: 'a',
      score: 0.25,
      ranks: { dense: 1, sparse: null },
      scores: { dense: 3, sparse: null },
      shares: { dense: 0.25, sparse: null },
    },
  ]);
});

testForms(
  'the last row with a word counts by its words, and vectors that are close together count almost the same',
  async (form) => {
    const bench = await openBench(temporaryDirectory(), { form, dimensions: 2 });
    await bench.upsert(
      makeRow('whole', [1, 0], { text: 'copper lantern' }),
      makeRow('half', [0.6, 0.8], { text: 'brass lantern' }),
      makeRow('near', [0.7, 0.71], { text: 'wooden bench' }),
      makeRow('far', [0, 1], { text: 'felt hat' }),
    );
    for (const denseWeight of [0.1, 0.4, 0.5]) {
      const hits = await bench.reader.search(bench.ref(), {
        mode: 'hybrid',
        vector: Float32Array.of(1, 0),
        text: 'copper lantern',
        topK: 4,
        fusion: { method: 'weighted', k: 10, denseWeight },
      });
      assert.deepEqual(idsOf(hits), ['whole', 'half', 'near', 'far']);
      const [whole, half] = hits.map(({ scores }) => scores.sparse ?? 0);
      assert.equal(hits[1]?.shares.sparse, (1 - denseWeight) * ((half ?? 0) / (whole ?? 1)));
    }
    const fused = (scores: readonly number[], metric: 'cosine' | 'euclidean') =>
      fuseHits(
        scores.map((score, at) => ({ id: `row${at}`, score })),
        [],
        { method: 'weighted', k: 10, denseWeight: 1 },
        metric,
        9,
      ).map(({ score }) => Number(score.toFixed(6)));
    assert.deepEqual(fused([0.9992, 0.9988], 'cosine'), [1, 0.992]);
    assert.deepEqual(fused([0.9, 0.8, 0.7], 'cosine'), [1, 0.5, 0]);
    assert.deepEqual(fused([-99, -100], 'euclidean'), [1, 0.9]);
    assert.deepEqual(fused([-1, -2, -3], 'euclidean'), [1, 0.5, 0]);
    for (const metric of ['cosine', 'euclidean'] as const) assert.deepEqual(fused([0, 0], metric), [1, 1]);
  },
);

testForms(
  'a larger top_k of a hybrid search only appends hits, with both fusions, a filter and a branch',
  async (form) => {
    const uri = temporaryDirectory();
    const bench = await openBench(uri, { form, dimensions: 4 });
    const next = seededNumbers(11);
    const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo'];
    const word = () => words[Math.floor(Math.abs(next()) * words.length)];
    const text = () => Array.from({ length: 2 + Math.floor(Math.abs(next()) * 6) }, word).join(' ');
    const rows = makeRows(700, (number) => [Array.from({ length: 4 }, next), text(), { half: number % 2 }]);
    await bench.upsert(...rows);
    const ancestors = [{ table: 'main', version: bench.state().version }];
    const branch = await openBench(uri, { form, dimensions: 4, table: 'branch', ancestors });
    await branch.upsert(...rows.slice(0, 60).map((row) => ({ ...row, text: 'alpha charlie' })));
    const vector = Float32Array.of(1, 0.2, -0.3, 0.4);
    const cases = [
      [bench, 'rrf', {}],
      [bench, 'weighted', { half: 1 }],
      [branch, 'weighted', {}],
      [branch, 'rrf', { half: 1 }],
    ] as const;
    for (const [{ reader, ref }, method, filter] of cases) {
      const fusion = { method, k: 10, denseWeight: 0.1 };
      const search = (topK: number) =>
        reader.search(ref(), { mode: 'hybrid', vector, text: 'alpha delta', topK, fusion, filter });
      const all = await search(1_000);
      assert.ok(all.length > 200, String(all.length));
      const ranked = (hits: readonly Hit[]) => hits.map(({ row, ranks, layer }) => [row.id, ranks, layer]);
      for (const topK of [10, 200]) assert.deepEqual(ranked(await search(topK)), ranked(all.slice(0, topK)));
      assert.equal(new Set(idsOf(all)).size, all.length);
      for (const [at, { score, shares, ranks }] of all.entries()) {
        assert.equal((shares.dense ?? 0) + (shares.sparse ?? 0), score);
        assert.ok(score <= (all[at - 1]?.score ?? 1));
        const isFused = Math.min(ranks.dense ?? 1_000, ranks.sparse ?? 1_000) <= 100;
        if (!isFused) assert.equal(score, 0);
      }
    }
  },
);
