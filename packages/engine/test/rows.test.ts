import assert from 'node:assert/strict';
import { test } from 'node:test';
import { weightOf, weightOfRemoved } from '../src/commit-weight.ts';
import { openReader, openWriter } from '../src/open-location.ts';
import type { Change, IndexRef } from '../src/port.ts';
import { listAll, makeRow, makeRows, openBench, openEngines, testForms } from './support/index-bench.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

const full = makeRow('it\'s \\ 日本 "x"', [0.1, -2.5, 3], {
  text: 'naïve café 😀',
  metadata: {
    integer: 9_007_199_254_740_991,
    small: 5e-324,
    big: -1.7976931348623157e308,
    fraction: 0.1,
    yes: true,
    nothing: null,
    text: "quote ' and \\ and \u0000 and \ud800",
    list: [1, 'a', [], { deep: [null] }],
    nested: { z: 1, a: { "it's": '日本' } },
  },
  jobId: 'job_1',
  filename: 'a "file".pdf',
  pageStart: 3,
  pageEnd: 7,
  passage: '[0,13,[3,100,200,300,40]]',
});

testForms(
  'a row is returned exactly as it was written, before and after maintenance and by a new process',
  async (form) => {
    const bench = await openBench(temporaryDirectory(), { form, dimensions: 3 });
    await bench.commitAs(['the key of a write'], { kind: 'upsert', rows: [full] });
    const written = { ...full, version: 'the key of a write' };
    const check = async (): Promise<void> => {
      for (const reader of [bench.reader, openEngines(bench.uri).reader]) {
        assert.deepEqual(await reader.fetch(bench.ref(), [full.id], true), [written]);
        const listed = await reader.list(bench.ref(), { after: null, limit: 5 });
        assert.deepEqual(listed, { rows: [{ ...written, vector: null }], next: null });
      }
    };
    await check();
    await bench.maintain();
    await check();
    assert.deepEqual(
      [bench.state().rows, bench.state().denseBytes, bench.state().sparseBytes],
      [1, 12, Buffer.byteLength('naïve café 😀')],
    );
  },
);

testForms('a byte order mark at the beginning of an id or a text belongs to it', async (form) => {
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 1 });
  const ids = ['a', '\ufeff', '\ufeffa'];
  await bench.upsert(...ids.map((id, at) => makeRow(id, [at], { text: id, metadata: { at } })));
  for (const settle of [async () => {}, () => bench.maintain()]) {
    await settle();
    const { rows } = await bench.reader.list(bench.ref(), { after: null, limit: 5 });
    assert.deepEqual(new Map(rows.map(({ id, text }) => [id, text])), new Map(ids.map((id) => [id, id])));
    for (const [at, id] of ids.entries()) {
      const [found] = await bench.reader.fetch(bench.ref(), [id], true);
      assert.deepEqual([found?.id, found?.text, found?.metadata, found?.vector?.[0]], [id, id, { at }, at]);
    }
  }
  const { results } = await bench.commit({ kind: 'deleteWhere', filter: { at: 2 } });
  assert.equal(results[0]?.deleted, 1);
  assert.deepEqual([...(await listAll(bench, 1))].toSorted(), ['a', '\ufeff']);
});

testForms('a commit applies its changes in order, as one version, and counts what each did', async (form) => {
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 2 });
  const row = (id: string, text: string, jobId: string | null = null, metadata = {}) =>
    makeRow(id, [1, 0], { text, jobId, metadata });
  await bench.upsert(
    row('kept', 'aa'),
    row('job a', 'bb', 'job_a'),
    row('job b', 'cc', 'job_a'),
    row('tagged', 'dd', null, { tag: 1 }),
  );
  const { version } = bench.state();
  const { state, results } = await bench.commit(
    { kind: 'upsert', rows: [row('twice', 'first'), row('twice', 'second'), row('gone', 'x', null, { tag: 1 })] },
    { kind: 'delete', ids: ['kept', 'kept', 'never', 'twice'] },
    { kind: 'deleteWhere', filter: { tag: { $exists: true } } },
    { kind: 'upsert', rows: [row('tagged', 'back again', null, { tag: 2 })] },
    {
      kind: 'replaceJob',
      oldJobId: 'job_a',
      rows: [row('job b', 'eee', 'job_b'), row('job c', 'fff', 'job_b')],
      maxBytes: Infinity,
    },
    { kind: 'deleteJob', jobId: 'job_a' },
    { kind: 'delete', ids: ['job c'] },
  );
  assert.deepEqual(results, [
    { written: 2, deleted: 0 },
    { written: 0, deleted: 2 },
    { written: 0, deleted: 2 },
    { written: 1, deleted: 0 },
    { written: 2, deleted: 1 },
    { written: 0, deleted: 0 },
    { written: 0, deleted: 1 },
  ]);
  if (form === 'segments') assert.equal(state.version, version + 1);
  assert.deepEqual(await listAll(bench, 1), ['job b', 'tagged']);
  assert.deepEqual([state.rows, state.denseBytes, state.sparseBytes], [2, 16, 'eee'.length + 'back again'.length]);
  const nothing = await bench.commit({ kind: 'delete', ids: ['kept'] }, { kind: 'upsert', rows: [] });
  assert.deepEqual(nothing.results[0], { written: 0, deleted: 0 });
  if (form === 'segments') assert.equal(nothing.state.version, state.version);
  assert.equal((await bench.maintain()).rows, 2);
  assert.deepEqual(
    await bench.reader
      .fetch(bench.ref(), ['never', 'tagged', 'kept', 'tagged'], false)
      .then((rows) => rows.map(({ id }) => id)),
    ['tagged'],
  );
});

testForms('one deletion removes very many rows in one version, and a repeat returns the same result', async (form) => {
  const dimensions = 4_096;
  const bench = await openBench(temporaryDirectory(), { form, dimensions });
  const rows = Array.from({ length: 3_600 }, (_, at) => {
    const vector = new Float32Array(dimensions);
    vector[at] = 1;
    return { ...makeRow(`row${at}`, []), vector, metadata: { old: at !== 7 } };
  });
  for (let from = 0; from < rows.length; from += 1_200) await bench.upsert(...rows.slice(from, from + 1_200));
  const before = bench.state().version;
  const both = [
    { kind: 'deleteWhere', filter: { old: true } },
    { kind: 'delete', ids: ['row7', 'row8', 'row9'] },
  ] as const;
  const { results } = await bench.commitAs(['first', 'second'], ...both);
  assert.deepEqual(results, [
    { written: 0, deleted: 3_599 },
    { written: 0, deleted: 1 },
  ]);
  if (form === 'segments') assert.equal(bench.state().version, before + 1);
  assert.equal(bench.state().rows, 0);
  assert.deepEqual(await listAll(bench), []);
  const after = bench.state().version;
  assert.deepEqual((await bench.commitAs(['first', 'second'], ...both)).results, results);
  if (form === 'segments') assert.equal(bench.state().version, after);
});

testForms('ids are listed page by page in order of their bytes', async (form) => {
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 1 });
  const ids = ['b', 'a', 'é', '\uff21', '😀', "a'", 'a\\', 'A', '10', '9', ' ', '\u0001'];
  await bench.upsert(...ids.map((id) => makeRow(id, [1])));
  await bench.upsert(...makeRows(500, (number) => [[1], `text ${number}`, {}], 'n'));
  const wanted = [...ids, ...Array.from({ length: 500 }, (_, number) => `n${number}`)].toSorted((left, right) =>
    Buffer.compare(Buffer.from(left), Buffer.from(right)),
  );
  for (const limit of [5, 100, 512]) assert.deepEqual(await listAll(bench, limit), wanted);
  await bench.maintain();
  assert.deepEqual(await listAll(bench, 7), wanted);
});

testForms('no commit adds rows beyond the limit of an index, after any earlier commits', async (form) => {
  const uri = temporaryDirectory();
  const parent = await openBench(uri, { form, dimensions: 2 });
  await parent.upsert(...makeRows(3, (number) => [[1, number], 'word', {}]));
  const [layer] = parent.ref().layers;
  const branch = await openBench(uri, { form, dimensions: 2, table: 'branch', ancestors: [layer] });
  const add = (prefix: string, count: number) => ({
    kind: 'upsert' as const,
    rows: Array.from({ length: count }, (_, at) => makeRow(`${prefix}${at}`, [1, at])),
  });
  const commit = async (changes: readonly Change[], keys: readonly string[]) =>
    (await branch.writer.commit(branch.ref(), changes, keys, 10)).results;
  const [first, tooMany] = [add('first', 5), add('second', 3)];
  assert.deepEqual(await commit([first], ['1']), [{ written: 5, deleted: 0 }]);
  // As after a run that died before it reported the result of the first.
  assert.deepEqual(await commit([first, tooMany, add('third', 2), add('first', 5)], ['1', '2', '3', '4']), [
    { written: 5, deleted: 0 },
    { written: 0, deleted: 0, noRoom: 3 },
    { written: 2, deleted: 0 },
    { written: 5, deleted: 0 },
  ]);
});

testForms('a replacement or a promotion beyond the weight limit of a commit is refused as a whole', async (form) => {
  const uri = temporaryDirectory();
  const parent = await openBench(uri, { form, dimensions: 2 });
  const old = ['a', 'b', 'c'].map((id) => makeRow(id, [1, 0], { jobId: 'job_old' }));
  await parent.upsert(...old);
  const heavy = makeRow('d', [1, 1], { text: 'é'.repeat(5_000), metadata: { key: 'x'.repeat(1_000) } });
  const rows = [heavy, makeRow('e', [0, 1])];
  assert.ok(weightOf([heavy]) > 4 * 2 + 10_000 + 4 * 1_000);
  const replace = (maxBytes: number) =>
    parent.commit({ kind: 'replaceJob', oldJobId: 'job_old', rows, maxBytes } as const);
  const weight = weightOf(rows) + weightOfRemoved(old.length, 2);
  const [refused, replaced] = [await replace(weight - 1), await replace(weight)];
  assert.deepEqual([refused.results, refused.state.rows], [[{ written: 0, deleted: 0, tooMany: 5 }], 3]);
  assert.deepEqual([replaced.results, replaced.state.rows], [[{ written: 2, deleted: 3 }], 2]);

  const [layer] = parent.ref().layers;
  const branch = await openBench(uri, { form, dimensions: 2, table: 'branch', ancestors: [layer] });
  await branch.upsert(heavy);
  await branch.commit({ kind: 'delete', ids: ['e'] });
  for (const parentChanges of ['keep', 'discard'] as const) {
    const promote = (maxBytes: number) =>
      parent.commit({ kind: 'promote', branch: branch.ref(), parentChanges, maxBytes });
    const most = weightOf([heavy]) + weightOfRemoved(1, 2);
    assert.deepEqual((await promote(most - 1)).results, [{ written: 0, deleted: 0, tooMany: 2 }]);
    assert.deepEqual((await promote(most)).results, [{ written: 1, deleted: 1 }]);
    await parent.upsert(...rows);
  }
});

test('a new index without a table reads as empty, and a committed one is damaged', async () => {
  const uri = temporaryDirectory();
  const [writer, reader] = [openWriter({ uri }), openReader({ uri })];
  const ref: IndexRef = {
    dimensions: 2,
    metric: 'cosine',
    nonFilterableKeys: [],
    layers: [{ table: 'absent', version: 0 }],
  };
  const vector = Float32Array.of(1, 0);
  const fusion = { method: 'rrf', k: 60, denseWeight: 0.5 } as const;
  assert.deepEqual(await reader.search(ref, { mode: 'hybrid', vector, text: 'word', topK: 3, fusion }), []);
  assert.deepEqual(await reader.list(ref, { after: null, limit: 3 }), { rows: [], next: null });
  assert.deepEqual([await reader.count(ref), await reader.fetch(ref, ['a'], true)], [0, []]);
  const damaged = { name: 'DamagedIndex' };
  const committed: IndexRef = { ...ref, layers: [{ table: 'absent', version: 7 }] };
  await assert.rejects(reader.search(committed, { mode: 'dense', vector, topK: 3 }), damaged);
  await assert.rejects(reader.list(committed, { after: null, limit: 3 }), damaged);
  await assert.rejects(reader.count(committed), damaged);
  await assert.rejects(reader.fetch(committed, ['a'], true), damaged);
  await assert.rejects(writer.commit(ref, []), damaged);
  await writer.drop('absent');
  const created = await writer.create(ref);
  assert.deepEqual(await writer.create(ref), created);
  assert.equal((await reader.search(ref, { mode: 'dense', vector, topK: 3 })).length, 0);
  await writer.drop('absent');
  await assert.rejects(writer.commit(ref, []), damaged);
});
