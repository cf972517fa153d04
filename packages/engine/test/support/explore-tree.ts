import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Filter } from '../../src/filter.ts';
import { expiredBy, expiringReader, expiringWriter } from '../../src/expiry.ts';
import type { Change, ChangeResult, Difference, EngineWriter, ErasedRow, IndexRef, Layer } from '../../src/port.ts';
import { directoryStore } from '../../src/segments/directory-store.ts';
import type { ObjectStore } from '../../src/segments/object-store.ts';
import { randomFrom } from '../../../../test/support/random.ts';
import { oracle } from './filter-oracle.ts';
import { type Bench, listAll, openBench, openEngines, tinyBounds } from './index-bench.ts';
import {
  applyToModel,
  branchModel,
  differencesOf,
  emptyModel,
  expireModel,
  liveRows,
  restoreModel,
  type Model,
  type ModelChange,
  nearest,
  withPhrase,
} from './index-model.ts';
import { type PlannedChange, sequences, type Step, tickMs } from './tree-steps.ts';

const deepest = 9;
const mostIndexes = 10;

/** Opens the engines of a tree in a directory. */
export type OpenEngines = (uri: string) => Pick<Bench, 'writer' | 'reader'>;

/**
 * Opens engines with tiny bounds, whose commits run beside a builder that merges and folds at random. Also counts folds.
 * @param seed Decides when the builder runs.
 */
export const openBuilding = (seed: number): { readonly open: OpenEngines; readonly folds: () => number } => {
  const random = randomFrom(seed);
  let folds = 0;
  return {
    folds: () => folds,
    open: (uri) => {
      const plain = directoryStore(uri);
      const objects: ObjectStore = {
        ...plain,
        create: async (key, body) => {
          if (key.includes('/rows/')) folds += 1;
          return plain.create(key, body);
        },
      };
      const options = { bounds: tinyBounds, objects };
      const { writer, reader } = openEngines(uri, options);
      const builder = openEngines(uri, options).writer;
      const build = (ref: IndexRef) =>
        builder.maintain(ref, { keepSeconds: 3_600, keepVersions: [], purge: random() < 0.5 });
      const commit: EngineWriter['commit'] = async (ref, ...change) => {
        const building = random() < 0.3 ? build(ref) : null;
        const done = await writer.commit(ref, ...change);
        await building;
        return done;
      };
      return { reader, writer: { ...writer, commit } };
    },
  };
};

interface Index {
  readonly table: string;
  parent: Index | null;
  readonly depth: number;
  readonly model: Model;
  ancestors: readonly Layer[];
  bench: Bench;
  dropped: boolean;
  /** Rows of former versions. */
  readonly history: { readonly version: number; readonly rows: Model['rows'] }[];
  last: {
    readonly changes: readonly Change[];
    readonly keys: readonly string[];
    readonly results: readonly ChangeResult[];
  };
}

interface Tree {
  readonly uri: string;
  readonly indexes: Index[];
  readonly counts: Map<string, number>;
  keys: number;
  /** Milliseconds since 1970. */
  now: number;
  readonly open: OpenEngines;
  engines: Pick<Bench, 'writer' | 'reader'>;
}

const openIndex = async (tree: Tree, table: string, ancestors: readonly Layer[]): Promise<Bench> => {
  const clock = { now: () => new Date(tree.now) };
  const { uri, engines } = tree;
  const expiring = {
    writer: expiringWriter(engines.writer, clock),
    reader: expiringReader(engines.reader, clock),
  };
  return openBench(uri, { dimensions: 2, metric: 'euclidean', table, ancestors, engines: expiring, expiresFrom: 0 });
};

const addIndex = async (tree: Tree, table: string, parent: Index | null): Promise<void> => {
  const ancestors = parent === null ? [] : [...parent.bench.ref().layers];
  const bench = await openIndex(tree, table, ancestors);
  tree.indexes.push({
    table,
    parent,
    depth: parent === null ? 0 : parent.depth + 1,
    model: parent === null ? emptyModel(() => tree.now) : branchModel(parent.model),
    ancestors,
    bench,
    dropped: false,
    history: [],
    last: { changes: [], keys: [], results: [] },
  });
};

const checkState = ({ bench, model }: Index): void => {
  const { rows, denseBytes, sparseBytes } = bench.state();
  const bytes = [...model.rows.values()].reduce((sum, { row }) => sum + Buffer.byteLength(row.text ?? ''), 0);
  assert.deepEqual([rows, denseBytes, sparseBytes], [model.rows.size, model.rows.size * 8, bytes]);
};

const listDifferences = async ({ reader, ref }: Bench): Promise<readonly Difference[]> => {
  const all: Difference[] = [];
  for (let after: string | null = null; ;) {
    const page = await reader.diff(ref(), { after, limit: 3 });
    all.push(...page.differences);
    if (page.next === null) return all;
    after = page.next;
  }
};

const someFilter: Filter = { $or: [{ n: { $lt: 2 } }, { tags: { $ne: 'apple' } }] };

const checkSearches = async ({ bench, model }: Index): Promise<void> => {
  const { reader, ref } = bench;
  const checkNearest = async (topK: number, exact: boolean, filter?: Filter): Promise<void> => {
    const question = { mode: 'dense', vector: Float32Array.of(1, 2), topK, exact } as const;
    const hits = await reader.search(ref(), filter === undefined ? question : { ...question, filter });
    assert.deepEqual(
      hits.map((hit) => [hit.row.id, hit.score]),
      nearest(model, [1, 2], topK, filter),
    );
  };
  // The second question has the tables read into memory, which the last one may be answered from.
  await checkNearest(1, false);
  await checkNearest(4, false);
  await checkNearest(4, true);
  for (const phrase of ['banana', 'elder banana', 'cherry elder']) {
    const texts = await reader.search(ref(), { mode: 'sparse', text: `"${phrase}"`, topK: 50 });
    assert.deepEqual(texts.map((hit) => hit.row.id).toSorted(), withPhrase(model, phrase), phrase);
  }
  await checkNearest(4, false);
  // By the engine, by naming all rows that match, and by these.
  for (let times = 0; times < 3; times += 1) await checkNearest(4, false, someFilter);
};

const checkReads = async (index: Index): Promise<void> => {
  const { bench, model } = index;
  const { reader, ref } = bench;
  const rows = liveRows(model);
  const ids = [...rows.keys()].toSorted();
  assert.deepEqual(await listAll(bench, 5), ids);
  assert.deepEqual(
    await reader.fetch(ref(), ids, true),
    ids.map((name) => ({ ...rows.get(name)?.row, version: rows.get(name)?.version })),
  );
  assert.equal(await reader.count(ref()), rows.size);
  const matching = ids.filter((name) => oracle(someFilter, rows.get(name)?.row.metadata ?? {}));
  assert.equal(await reader.count(ref(), someFilter), matching.length);
  assert.deepEqual(
    (await reader.list(ref(), { after: null, limit: 50, filter: someFilter })).rows.map((found) => found.id),
    matching,
  );
  await checkSearches(index);
  if (index.parent !== null) assert.deepEqual(await listDifferences(bench), differencesOf(model));
};

const expectedOf = (model: Model, ids: readonly string[], guesses: readonly string[]) =>
  new Map(
    ids.map((id, at): readonly [string, string | null] => {
      const guess = guesses[at];
      if (guess === 'right') return [id, liveRows(model).get(id)?.version ?? null];
      return [id, guess === 'absent' ? null : 'stale'];
    }),
  );

const maxBytes = 1_000;

// What a guess is right about depends on the changes before it, so changes are made one by one, each on what the model says.
const planChange = (model: Model, planned: PlannedChange): Exclude<Change, { kind: 'promote' }> => {
  switch (planned.kind) {
    case 'upsertIf': {
      const ids = planned.rows.map(({ id }) => id);
      return { kind: 'upsert', rows: planned.rows, expected: expectedOf(model, ids, planned.guesses) };
    }
    case 'patch': {
      const { patches, guesses } = planned;
      if (guesses === null) return { kind: 'patch', patches, maxBytes };
      const ids = patches.map(({ id }) => id);
      return { kind: 'patch', patches, maxBytes, expected: expectedOf(model, ids, guesses) };
    }
    default:
      return planned;
  }
};

/** Returns a result as the model has it. */
const toModelResult = (found: ChangeResult): ChangeResult => {
  const { expiresFrom, ...result } = found;
  return expiresFrom === undefined ? found : result;
};

const commit = async (
  tree: Tree,
  index: Index,
  make: readonly (() => { readonly change: Change; readonly asModel: ModelChange })[],
): Promise<void> => {
  const results: ChangeResult[] = [];
  const changes: Change[] = [];
  const keys = make.map(() => `key${(tree.keys += 1)}`);
  make.forEach((one, at) => {
    const { change, asModel } = one();
    changes.push(change);
    results.push(applyToModel(index.model, asModel, keys[at] ?? ''));
  });
  const told = await index.bench.commitAs(keys, ...changes);
  assert.deepEqual(told.results.map(toModelResult), results);
  index.last = { changes, keys, results };
};

const promote = async (tree: Tree, index: Index, parentChanges: 'keep' | 'discard'): Promise<void> => {
  const { parent } = index;
  if (parent === null || parent.dropped) return;
  const change = { kind: 'promote', branch: index.bench.ref(), parentChanges, maxBytes: Infinity } as const;
  await commit(tree, parent, [() => ({ change, asModel: { kind: 'promote', branch: index.model, parentChanges } })]);
  checkState(parent);
};

const restore = async (tree: Tree, index: Index, back: number, isGone: boolean): Promise<void> => {
  const former = index.history.at(-1 - back);
  if (former === undefined) return;
  const gone = new Set(isGone ? ['job_1'] : []);
  const restored = await index.bench.restore({
    version: former.version,
    key: `key${(tree.keys += 1)}`,
    goneOf: async (jobs) => gone.intersection(new Set(jobs)),
    maxRows: Infinity,
  });
  assert.ok(restored !== null);
  assert.deepEqual(restored.results.map(toModelResult), [restoreModel(index.model, former.rows, gone)]);
  tree.counts.set('restored', (tree.counts.get('restored') ?? 0) + 1);
};

/** Rows that a step erases. */
type Erasure = Extract<Step['what'], { readonly do: 'erase' }>;

/** Erases rows of an index that no branch reads, and looks into its objects until nothing of them is left. */
const erase = async (tree: Tree, index: Index, { ids, jobId, filter }: Erasure): Promise<void> => {
  const erased = new Set<string>();
  const report = async (rows: readonly ErasedRow[]): Promise<void> => rows.forEach(({ id }) => erased.add(id));
  const change = { kind: 'erase', ids, jobId, filter, report } as const;
  await commit(tree, index, [() => ({ change, asModel: change })]);
  const { bench } = index;
  const { version: fromVersion } = bench.ref().layers[0];
  const retention = { keepSeconds: 3_600, keepVersions: [], purge: true, fromVersion, detached: true };
  const look = () => bench.writer.leftovers(bench.ref(), { ids: erased, at: new Date(), fromVersion });
  for (let looks = 0; looks < 2 && (await look()).live.length > 0; looks += 1)
    await bench.writer.maintain(bench.ref(), retention);
  assert.deepEqual((await look()).live, []);
  index.history.length = 0;
  if (index.parent === null) return;
  index.parent = null;
  index.ancestors = [];
  index.bench = await openIndex(tree, index.table, index.ancestors);
};

const standsOn = (table: string) => (other: Index) =>
  !other.dropped && other.ancestors.some((layer) => layer.table === table);

const collect = async (tree: Tree): Promise<void> => {
  for (const index of tree.indexes) {
    if (index.dropped && !tree.indexes.some(standsOn(index.table))) await index.bench.writer.drop(index.table);
  }
};

const perform = async (tree: Tree, { on, what }: Step): Promise<void> => {
  const living = tree.indexes.filter(({ dropped }) => !dropped);
  const index = living[on % living.length];
  if (index === undefined) return;
  tree.counts.set(what.do, (tree.counts.get(what.do) ?? 0) + 1);
  switch (what.do) {
    case 'commit':
      await commit(
        tree,
        index,
        what.changes.map((planned) => () => {
          const change = planChange(index.model, planned);
          return { change, asModel: change };
        }),
      );
      break;
    case 'repeat': {
      // As after a crash between the commit and its receipt.
      const { changes, keys, results } = index.last;
      // A promotion that changed nothing has left no trace, and its branch may be gone.
      const isGone = (name: string): boolean => tree.indexes.some(({ table, dropped }) => dropped && table === name);
      if (changes.some((change) => change.kind === 'promote' && isGone(change.branch.layers[0].table))) break;
      assert.deepEqual((await index.bench.commitAs(keys, ...changes)).results.map(toModelResult), results);
      break;
    }
    case 'wait':
      tree.now += tickMs;
      break;
    case 'expire': {
      const change = { kind: 'deleteWhere', filter: expiredBy(tree.now) } as const;
      const { results } = await index.bench.commit(change);
      assert.deepEqual(results, [{ written: 0, deleted: 0 }]);
      expireModel(index.model);
      break;
    }
    case 'erase':
      if (!living.some(standsOn(index.table))) await erase(tree, index, what);
      break;
    case 'maintain': {
      const layers = living.flatMap(({ ancestors }) => ancestors.filter(({ table }) => table === index.table));
      await index.bench.maintain(
        0,
        layers.map(({ version }) => version),
      );
      // Former versions are not kept.
      index.history.length = 0;
      break;
    }
    case 'branch':
      for (let level = 0; level < what.levels; level += 1) {
        const tip = level === 0 ? index : tree.indexes.at(-1);
        const room = living.length + level < mostIndexes;
        if (room && tip !== undefined && tip.depth < deepest) await addIndex(tree, `branch${tree.indexes.length}`, tip);
      }
      break;
    case 'restart':
      tree.engines = tree.open(tree.uri);
      index.bench = await openIndex(tree, index.table, index.ancestors);
      break;
    case 'drop':
      if (living.length > 1) index.dropped = true;
      await collect(tree);
      break;
    case 'restore':
      await restore(tree, index, what.back, what.isGone);
      break;
    case 'promote':
      await promote(tree, index, what.parentChanges);
  }
  if (index.dropped) return;
  checkState(index);
  index.history.push({ version: index.bench.state().version, rows: new Map(index.model.rows) });
};

/** What was tried. */
export interface Explored {
  readonly sequences: number;
  /** How often each kind of step was made. */
  readonly steps: ReadonlyMap<string, number>;
  readonly deepest: number;
}

/**
 * Plays random sequences of steps on trees of branches and compares everything that can be read with plain maps. Throws at
 * the first difference, with the shortest sequence that shows it.
 */
export const exploreTrees = async (seed: number, runs: number, open: OpenEngines): Promise<Explored> => {
  const directory = mkdtempSync(join(tmpdir(), 'strata-model-'));
  const counts = new Map<string, number>();
  let [played, depth] = [0, 0];
  const property = fc.asyncProperty(sequences, async (steps) => {
    const uri = mkdtempSync(join(directory, 'run-'));
    const tree: Tree = { uri, indexes: [], counts, keys: 0, now: 0, open, engines: open(uri) };
    await addIndex(tree, 'main', null);
    for (const part of steps) await perform(tree, part);
    for (const index of tree.indexes) {
      if (index.dropped) continue;
      await checkReads(index);
      checkState(index);
      depth = Math.max(depth, index.depth);
    }
    played += 1;
    rmSync(uri, { recursive: true, force: true });
  });
  try {
    await fc.assert(property, { seed, numRuns: runs, endOnFailure: true });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return { sequences: played, steps: counts, deepest: depth };
};
