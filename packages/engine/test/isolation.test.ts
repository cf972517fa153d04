import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Hit } from '../src/port.ts';
import { defaultBounds } from '../src/segments/write-version.ts';
import {
  foldingBounds,
  listAll,
  makeRow,
  makeRows,
  openBench,
  openEngines,
  seededNumbers,
  testForms,
} from './support/index-bench.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

const idsOf = (hits: readonly Hit[]): readonly string[] => hits.map(({ row }) => row.id);
const fusion = { method: 'rrf', k: 60, denseWeight: 0.5 } as const;

testForms('a reader sees only the whole old or the whole new file while it is replaced repeatedly', async (form) => {
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 4 });
  const rounds = 12;
  const chunks = (round: number) =>
    Array.from({ length: 30 }, (_, at) =>
      makeRow(`r${round}_${at}`, [1, at, round, 0], { text: `word chunk ${at}`, jobId: `job_${round}` }),
    );
  await bench.upsert(...chunks(0), makeRow('other', [0, 0, 0, 1], { text: 'another' }));
  const seen = new Set<string>();
  const progress = { writing: true };
  const check = (ids: readonly string[]): void => {
    const jobs = new Set(ids.filter((id) => id !== 'other').map((id) => id.split('_')[0] ?? ''));
    assert.deepEqual([jobs.size, ids.length], [1, 31]);
    jobs.forEach((job) => seen.add(job));
  };
  const watch = async (): Promise<void> => {
    while (progress.writing) {
      await nextTurn();
      // The version asked for lags or leads by chance, as it does between processes.
      check(await listAll(bench));
      const vector = Float32Array.of(1, 1, 1, 1);
      check(idsOf(await bench.reader.search(bench.ref(), { mode: 'dense', vector, topK: 100 })));
      check(idsOf(await bench.reader.search(bench.ref(), { mode: 'hybrid', vector, text: 'word', topK: 100, fusion })));
    }
  };
  const replace = async (): Promise<void> => {
    for (let round = 1; round <= rounds; round += 1) {
      const { results, state } = await bench.commit({
        kind: 'replaceJob',
        oldJobId: `job_${round - 1}`,
        rows: chunks(round),
        maxBytes: Infinity,
      });
      assert.deepEqual([results, state.rows], [[{ written: 30, deleted: 30 }], 31]);
      if (round % 5 === 0) await bench.maintain();
    }
    progress.writing = false;
  };
  await Promise.all([replace(), watch(), watch()]);
  assert.ok(seen.size > 2);
});

testForms('a branch reads its parent at the branch point, whatever the parent commits later', async (form) => {
  const uri = temporaryDirectory();
  const parent = await openBench(uri, { form, dimensions: 2 });
  await parent.upsert(...makeRows(200, (number) => [[1, number], `apple number${number}`, { n: number }]));
  await parent.maintain();
  await parent.commit({ kind: 'delete', ids: ['row0'] });
  const [kept] = parent.ref().layers;
  const branch = await openBench(uri, { form, dimensions: 2, table: 'branch', ancestors: [kept] });
  await branch.commit({ kind: 'delete', ids: ['row1'] });
  const wanted = Array.from({ length: 198 }, (_, at) => `row${at + 2}`).toSorted();
  const check = async (): Promise<void> => {
    // A new reader has nothing open: it has to find the files.
    const reader = openEngines(uri).reader;
    assert.deepEqual(await listAll({ ...branch, reader }, 300), wanted);
    assert.deepEqual(
      idsOf(await reader.search(branch.ref(), { mode: 'sparse', text: 'apple', topK: 500 })).toSorted(),
      wanted,
    );
    assert.deepEqual(
      idsOf(await reader.search(branch.ref(), { mode: 'dense', vector: Float32Array.of(1, 0), topK: 2 })),
      ['row2', 'row3'],
    );
    assert.equal(await reader.count(branch.ref(), { n: { $lt: 10 } }), 8);
  };
  for (let round = 0; round < 6; round += 1) {
    await parent.upsert(...makeRows(50, (number) => [[0, 1], `banana ${round}`, { n: number }]));
    await parent.commit({ kind: 'deleteWhere', filter: { n: { $gt: 150 - round * 10 } } });
    await parent.maintain(0, [kept.version]);
    await check();
  }
  assert.equal(branch.state().rows, 198);
  if (form !== 'segments') return;
  await parent.maintain(0);
  const page = { after: null, limit: 300 };
  await assert.rejects(openEngines(uri).reader.list(branch.ref(), page), { name: 'DamagedIndex' });
});

testForms('a reader whose version was removed reads the newest version', async (form) => {
  const uri = temporaryDirectory();
  const bench = await openBench(uri, { form, dimensions: 2 });
  await bench.upsert(...makeRows(20, (number) => [[1, number], 'apple', {}]));
  const old = bench.ref();
  const idle = openEngines(bench.uri).reader;
  assert.equal(await idle.count(old), 20);
  // Replaced versions of tables are kept for an hour.
  const clock = { now: () => new Date(Date.now() + 3 * 60 * 60 * 1_000) };
  const bounds = form === 'segments' ? defaultBounds : foldingBounds;
  const later = await openBench(uri, { dimensions: 2, engines: openEngines(uri, { bounds, clock }) });
  for (const id of ['row1', 'row2']) {
    await later.commit({ kind: 'delete', ids: [id] });
    await later.maintain(0);
  }
  for (const reader of [idle, openEngines(bench.uri).reader]) {
    const hits = await reader.search(old, {
      mode: 'hybrid',
      vector: Float32Array.of(1, 0),
      text: 'apple',
      topK: 50,
      fusion,
    });
    assert.deepEqual([hits.length, (await reader.list(old, { after: null, limit: 50 })).rows.length], [18, 18]);
  }
});

testForms(
  'a branch that masks the best rows of its parent still returns enough hits, and its own few texts rank fairly',
  async (form) => {
    const uri = temporaryDirectory();
    const next = seededNumbers(11);
    // Without digits, which would make a word several terms, so that all rows are equally long.
    const word = (number: number): string =>
      `filler${String.fromCodePoint(97 + (number % 26), 97 + Math.floor(number / 26))}`;
    const filler = (): string => Array.from({ length: 8 }, () => word(Math.floor((next() + 1) * 30))).join(' ');
    const parent = await openBench(uri, { form, dimensions: 2, metric: 'euclidean' });
    await parent.upsert(
      ...makeRows(300, (number) => [[number, 0], `${number % 10 === 0 ? 'falcon ' : ''}${filler()}`, {}]),
    );
    await parent.maintain();
    const branch = await openBench(uri, {
      form,
      dimensions: 2,
      metric: 'euclidean',
      table: 'branch',
      ancestors: [...parent.ref().layers],
    });
    // Where a row lies is what differs.
    const sparse = async (text: string, bench = branch) =>
      (await bench.reader.search(bench.ref(), { mode: 'sparse', text, topK: 10 })).map((hit) => ({ ...hit, layer: 0 }));
    assert.deepEqual(await sparse('falcon fillerha'), await sparse('falcon fillerha', parent));
    await branch.commit(
      { kind: 'delete', ids: Array.from({ length: 150 }, (_, number) => `row${number}`) },
      {
        kind: 'upsert',
        rows: [
          makeRow('row200', [1, 0], { text: 'falcon falcon perched' }),
          makeRow('own', [2, 0], { text: filler() }),
        ],
      },
    );
    const dense = await branch.reader.search(branch.ref(), { mode: 'dense', vector: Float32Array.of(0, 0), topK: 5 });
    assert.deepEqual(idsOf(dense), ['row200', 'own', 'row150', 'row151', 'row152']);
    const hits = await sparse('falcon');
    assert.equal(hits[0]?.row.id, 'row200');
    assert.deepEqual(idsOf(hits).slice(1).toSorted(), [
      'row150',
      'row160',
      'row170',
      'row180',
      'row190',
      'row210',
      'row220',
      'row230',
      'row240',
    ]);
    for (const text of ['', 'the', '"', '😀', 'absent']) assert.deepEqual(await sparse(text), []);
  },
);

testForms('two concurrent writers never leave an id twice', async (form) => {
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 2 });
  const writers = [openEngines(bench.uri).writer, openEngines(bench.uri).writer, bench.writer];
  for (let round = 0; round < 5; round += 1) {
    const rows = makeRows(20, (number) => [[1, number], `round ${round}`, {}], `round${round % 2}_`);
    await Promise.allSettled(writers.map((writer) => writer.commit(bench.ref(), [{ kind: 'upsert', rows }])));
  }
  await bench.upsert(makeRow('last', [1, 1]));
  const ids = await listAll(bench);
  assert.deepEqual([new Set(ids).size, ids.length, bench.state().rows], [41, 41, 41]);
});
