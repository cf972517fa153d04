import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Row } from '../../shared/platform/engine/port.ts';
import { judgeSegments } from '../../shared/platform/engine/lance/index-vectors.ts';
import { makeRow, openBench, openEngines, seededNumbers } from './support/index-bench.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const dimensions = 512;

test('commits beside a build of the vector index stand and are found, before and after maintenance', async (context) => {
  const uri = temporaryDirectory(context);
  const bench = await openBench(uri, { dimensions });
  const next = seededNumbers(4);
  const random = (id: number): Row =>
    makeRow(`row${id}`, Array.from({ length: dimensions }, next), { metadata: { id }, text: `text ${id}` });
  const expected = new Map<string, Row>();
  const upsert = async (rows: readonly Row[]): Promise<void> => {
    await bench.upsert(...rows);
    for (const row of rows) expected.set(row.id, row);
  };
  await upsert(Array.from({ length: 6_000 }, (_, id) => random(id)));
  const retention = { keepSeconds: 3_600, keepVersions: [] };
  const { state, vectorIndex } = await bench.writer.maintain(bench.ref(), retention);
  assert.equal(vectorIndex, 'missing');

  const builder = openEngines(uri).writer;
  const ended = new AbortController();
  const build = builder.buildVectorIndex(bench.ref()).finally(() => ended.abort());
  const changed: string[] = [];
  let commits = 0;
  for (; !ended.signal.aborted; commits += 1) {
    // Some that are there, some that are new, and some that go.
    const rows = Array.from({ length: 20 }, (_, at) => random(((commits * 37 + at * 11) % 6_000) + (at % 3) * 100));
    const gone = `row${(commits * 53) % 6_000}`;
    await upsert(rows);
    await bench.commit({ kind: 'delete', ids: [gone] });
    expected.delete(gone);
    changed.push(gone, ...rows.map(({ id }) => id));
  }
  await build;
  assert.ok(commits > 1, 'nothing was committed beside the build');
  assert.ok(bench.state().version > state.version + commits);

  const check = async (): Promise<void> => {
    assert.equal(await bench.reader.count(bench.ref()), expected.size);
    for (const id of changed.slice(-200)) {
      const row = expected.get(id);
      const vector = row?.vector ?? Float32Array.from({ length: dimensions }, next);
      const hits = await bench.reader.search(bench.ref(), { mode: 'dense', vector, topK: 5 });
      const found = hits.map((hit) => hit.row.id);
      assert.equal(new Set(found).size, 5);
      if (row === undefined) assert.ok(!found.includes(id), `${id} is gone`);
      else assert.equal(found[0], id);
    }
  };
  await check();
  const after = await bench.writer.maintain(bench.ref(), retention);
  assert.deepEqual([after.vectorIndex, after.state.unindexedRows], ['grown', 0]);
  await bench.maintain();
  await check();
  await builder.buildVectorIndex(bench.ref());
  assert.equal((await bench.writer.maintain(bench.ref(), retention)).vectorIndex, 'whole');
  await bench.maintain();
  await check();
});

test('an index that has grown is built anew while it is small, a large one once it is worn', () => {
  const [small, large, huge] = [64_000_000, 64_000_001, 1_600_000_000];
  assert.deepEqual(
    [0, 1, 2, 8, 9].map((segments) => judgeSegments(segments, small)),
    ['missing', 'whole', 'grown', 'grown', 'worn'],
  );
  assert.deepEqual(
    [0, 1, 2, 8, 9].map((segments) => judgeSegments(segments, large)),
    ['missing', 'whole', 'whole', 'whole', 'worn'],
  );
  assert.deepEqual([judgeSegments(16, huge), judgeSegments(17, huge)], ['whole', 'worn']);
});
