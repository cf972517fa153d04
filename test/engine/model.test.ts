import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Filter } from '../../shared/platform/engine/filter.ts';
import type { Change, Layer } from '../../shared/platform/engine/port.ts';
import { oracle } from './support/filter-oracle.ts';
import { type Bench, listAll, makeRow, openBench, temporaryDirectory } from './support/index-bench.ts';
import { applyToModel, type Model, nearest, withWord } from './support/index-model.ts';

const words = ['apple', 'banana', 'cherry'];
const id = fc.nat(11).map((number) => `id${number}`);
const job = fc.constantFrom('job_1', 'job_2', null);
const row = fc
  .tuple(id, fc.nat(3), fc.nat(3), fc.subarray(words), fc.nat(3), job)
  .map(([name, x, y, text, n, jobId]) =>
    makeRow(name, [x, y], { text: text.length === 0 ? null : text.join(' '), metadata: { n, tags: text }, jobId }),
  );
const filter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ n: fc.nat(3) }),
  fc.record({ n: fc.record({ $gte: fc.nat(3) }) }),
  fc.record({ tags: fc.constantFrom(...words) }),
  fc.record({ $not: fc.record({ tags: fc.record({ $in: fc.subarray(words) }) }) }),
);
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('upsert' as const), rows: fc.array(row, { maxLength: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), ids: fc.array(id, { maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleteWhere' as const), filter }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('deleteJob' as const), jobId: fc.constantFrom('job_1', 'job_2') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('replaceJob' as const),
      oldJobId: fc.constantFrom('job_1', 'job_2'),
      rows: fc.array(row, { maxLength: 4 }),
    }),
  },
);
// `on` picks one of the indexes that exist by then; a branch stands at most three deep.
const step = fc.record({
  on: fc.nat(9),
  what: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('commit' as const),
        changes: fc.array(change, { minLength: 1, maxLength: 4 }),
      }),
    },
    { weight: 2, arbitrary: fc.constant({ do: 'repeat' as const }) },
    { weight: 2, arbitrary: fc.constant({ do: 'maintain' as const }) },
    { weight: 3, arbitrary: fc.constant({ do: 'branch' as const }) },
    { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Index {
  readonly table: string;
  readonly ancestors: readonly Layer[];
  readonly model: Model;
  bench: Bench;
  last: readonly Change[];
}

const openIndex = (uri: string, table: string, ancestors: readonly Layer[]): Promise<Bench> =>
  openBench(uri, { dimensions: 2, metric: 'euclidean', table, ancestors });

const checkState = ({ bench, model }: Index): void => {
  const { rows, denseBytes, sparseBytes } = bench.state();
  const bytes = [...model.values()].reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
  assert.deepEqual([rows, denseBytes, sparseBytes], [model.size, model.size * 8, bytes]);
};

const checkReads = async ({ bench, model }: Index): Promise<void> => {
  const { reader, ref } = bench;
  const ids = [...model.keys()].toSorted();
  assert.deepEqual(await listAll(bench, 5), ids);
  assert.deepEqual(
    await reader.fetch(ref(), ids, true),
    ids.map((name) => model.get(name)),
  );
  assert.equal(await reader.count(ref()), model.size);
  const asked: Filter = { $or: [{ n: { $lt: 2 } }, { tags: { $ne: 'apple' } }] };
  const matching = ids.filter((name) => oracle(asked, model.get(name)?.metadata ?? {}));
  assert.equal(await reader.count(ref(), asked), matching.length);
  assert.deepEqual(
    (await reader.list(ref(), { after: null, limit: 50, filter: asked })).rows.map((found) => found.id),
    matching,
  );
  for (const topK of [1, 4]) {
    const hits = await reader.search(ref(), { mode: 'dense', vector: Float32Array.of(1, 2), topK });
    assert.deepEqual(
      hits.map((hit) => [hit.row.id, hit.score]),
      nearest(model, [1, 2], topK),
    );
  }
  const texts = await reader.search(ref(), { mode: 'sparse', text: 'banana', topK: 50 });
  assert.deepEqual(texts.map((hit) => hit.row.id).toSorted(), withWord(model, 'banana'));
};

const perform = async (uri: string, indexes: Index[], { on, what }: Step): Promise<void> => {
  const index = indexes[on % indexes.length];
  if (index === undefined) return;
  switch (what.do) {
    case 'commit': {
      const { results } = await index.bench.commit(...what.changes);
      assert.deepEqual(
        results,
        what.changes.map((part) => applyToModel(index.model, part)),
      );
      index.last = what.changes;
      break;
    }
    case 'repeat':
      // As after a crash between the commit and its receipt.
      await index.bench.commit(...index.last);
      break;
    case 'maintain': {
      const children = indexes.flatMap(({ ancestors }) => ancestors.filter(({ table }) => table === index.table));
      await index.bench.maintain(
        0,
        children.map(({ version }) => version),
      );
      break;
    }
    case 'branch': {
      if (index.ancestors.length === 3) return;
      const ancestors = [...index.bench.ref().layers];
      const table = `branch${indexes.length}`;
      indexes.push({
        table,
        ancestors,
        model: new Map(index.model),
        bench: await openIndex(uri, table, ancestors),
        last: [],
      });
      break;
    }
    case 'restart':
      index.bench = await openIndex(uri, index.table, index.ancestors);
  }
  checkState(index);
};

test('any sequence of commits, repeats, branches, maintenance and restarts shows what the plain model shows', async (context) => {
  const directory = temporaryDirectory(context);
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
    const uri = mkdtempSync(join(directory, 'run-'));
    const indexes: Index[] = [
      { table: 'main', ancestors: [], model: new Map(), bench: await openIndex(uri, 'main', []), last: [] },
    ];
    for (const part of steps) await perform(uri, indexes, part);
    for (const index of indexes) {
      await checkReads(index);
      checkState(index);
    }
  });
  await fc.assert(property, { seed: 42, numRuns: 60, endOnFailure: true });
});
