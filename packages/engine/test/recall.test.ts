import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureRecall } from '../../../shared/reader/measure-recall.ts';
import { explain } from '../../../shared/search/explain.ts';
import type { EngineReader } from '../src/port.ts';
import { makeRow, makeRows, openBench, seededNumbers, testForms } from './support/index-bench.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

const asked = { op: 'recall', vectors: null, queries: 10, seed: 1, top_k: 10, filter: null } as const;

for (const metric of ['cosine', 'euclidean'] as const) {
  testForms(
    `${metric}: recall is measured over drawn and given vectors, under a given filter and under one that fits`,
    async (form) => {
      const bench = await openBench(temporaryDirectory(), {
        form,
        dimensions: 125,
        metric,
        nonFilterableKeys: ['hidden'],
      });
      const next = seededNumbers(9);
      const vector = (): readonly number[] => Array.from({ length: 125 }, next);
      const rows = makeRows(8_200, (at) => [vector(), '', { number: at, half: at % 2 === 0, hidden: at % 100 }]);
      await bench.upsert(...rows);
      await bench.commit({ kind: 'delete', ids: rows.slice(0, 100).map(({ id }) => id) });
      await bench.maintain();
      const measured = await measureRecall(bench.reader, bench.ref(), asked);
      assert.deepEqual([measured.vectors, measured.unfiltered.queries, measured.searches], [8_100, 10, 40]);
      assert.ok((measured.unfiltered.recall ?? 0) >= 0.95);
      assert.ok((measured.unfiltered.lowest ?? 1) <= (measured.unfiltered.recall ?? 0));
      const { filtered } = measured;
      assert.ok(filtered !== null);
      assert.deepEqual(Object.keys(filtered.filter), ['number']);
      assert.ok(filtered.matches >= 20 && filtered.matches <= 400, `${filtered.matches} rows match`);
      assert.equal(await bench.reader.count(bench.ref(), filtered.filter), filtered.matches);
      assert.ok((filtered.recall ?? 0) >= 0.95);
      const again = await measureRecall(bench.reader, bench.ref(), asked);
      assert.deepEqual([again.filtered?.filter, again.filtered?.matches], [filtered.filter, filtered.matches]);
      const given = await measureRecall(bench.reader, bench.ref(), {
        ...asked,
        vectors: [vector(), vector()].map((numbers) => Float32Array.from(numbers)),
        filter: { half: true },
      });
      assert.deepEqual([given.unfiltered.queries, given.filtered?.queries, given.filtered?.matches], [2, 2, 4_050]);
    },
  );
}

testForms(
  'a search that misses half of the hits has a recall of half, and a sampled vector is not its own hit',
  async (form) => {
    const bench = await openBench(temporaryDirectory(), { form, dimensions: 2, metric: 'euclidean' });
    await bench.upsert(...makeRows(40, (at) => [[at, at * at], '', { kind: at % 4 }]));
    // Simulates a vector index that loses every other row of the result, the nearest included.
    const lossy: EngineReader = {
      ...bench.reader,
      search: async (ref, query) => {
        const hits = await bench.reader.search(ref, query);
        return query.exact === true ? hits : hits.filter((_, at) => at % 2 === 0);
      },
    };
    const { unfiltered, filtered } = await measureRecall(lossy, bench.ref(), { ...asked, filter: { kind: 9 } });
    assert.deepEqual([unfiltered.recall, unfiltered.lowest], [0.5, 0.5]);
    assert.deepEqual([filtered?.recall, filtered?.matches], [null, 0]);
    const empty = await openBench(temporaryDirectory(), { form, dimensions: 2 });
    const nothing = await measureRecall(empty.reader, empty.ref(), asked);
    assert.deepEqual(
      [nothing.vectors, nothing.unfiltered.recall, nothing.filtered, nothing.searches],
      [0, null, null, 0],
    );
  },
);

testForms('recall samples are visible rows of a branch, its own and those of its parent', async (form) => {
  const uri = temporaryDirectory();
  const main = await openBench(uri, { form, dimensions: 2 });
  await main.upsert(...makeRows(60, (at) => [[1, at], 'old', {}]));
  const ancestors = [{ table: 'main', version: main.state().version }];
  const branch = await openBench(uri, { form, dimensions: 2, table: 'branch', ancestors });
  await branch.upsert(...makeRows(30, (at) => [[2, at], 'new', {}]), makeRow('own', [3, 3]));
  await branch.commit({ kind: 'delete', ids: ['row59', 'row0'] });
  const all = await branch.reader.sample(branch.ref(), 100, 4);
  const wanted = [...Array.from({ length: 58 }, (_, at) => `row${at + 1}`), 'own'].toSorted();
  assert.deepEqual(all.map(({ id }) => id).toSorted(), wanted);
  assert.ok(all.every(({ id, text }) => id === 'own' || text === (Number(id.slice(3)) < 30 ? 'new' : 'old')));
  const some = await branch.reader.sample(branch.ref(), 7, 4);
  assert.equal(new Set(some.map(({ id }) => id)).size, 7);
  assert.deepEqual(await branch.reader.sample(branch.ref(), 7, 4), some);
});

test('a hit is explained: rank, distance and share of each side, its chunk and the branch that holds it', async () => {
  const uri = temporaryDirectory();
  const place = { chunk: 3, start: 40, end: 90, heading_path: ['Tea', 'Brewing'], note: 'x' };
  const main = await openBench(uri, { dimensions: 2 });
  await main.upsert(makeRow('a', [1, 0], { text: 'green tea', jobId: 'job_1', metadata: place }));
  const ancestors = [{ table: 'main', version: main.state().version }];
  const branch = await openBench(uri, { dimensions: 2, table: 'branch', ancestors });
  await branch.upsert(makeRow('b', [0, 1], { text: 'black tea', metadata: { chunk: 'mine' } }), makeRow('c', [1, 1]));
  const fusion = { method: 'rrf', k: 10, denseWeight: 0.25 } as const;
  const hits = await branch.reader.search(branch.ref(), {
    mode: 'hybrid',
    vector: Float32Array.of(1, 0),
    text: 'green tea',
    topK: 3,
    fusion,
  });
  const index = { id: 'branch', metric: 'cosine', layers: branch.ref().layers } as const;
  const explained = new Map(hits.map(({ row, ...hit }) => [row.id, explain({ ...hit, row }, index)]));
  const a = explained.get('a');
  assert.deepEqual(
    [a?.dense?.rank, a?.dense?.distance, a?.dense?.share, a?.sparse?.rank, a?.sparse?.share],
    [1, 0, 0.25 / 11, 1, 0.75 / 11],
  );
  assert.equal(hits[0]?.score, (a?.dense?.share ?? 0) + (a?.sparse?.share ?? 0));
  assert.deepEqual([a?.index_id, a?.branch_distance], ['main', 1]);
  assert.deepEqual(a?.chunk, { position: 3, start: 40, end: 90, heading_path: ['Tea', 'Brewing'] });
  const b = explained.get('b');
  assert.deepEqual([b?.index_id, b?.branch_distance, b?.chunk], ['branch', 0, null]);
  assert.equal(explained.get('c')?.sparse, null);
});
