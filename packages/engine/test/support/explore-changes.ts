import assert from 'node:assert/strict';
import type { Change, EngineReader, EngineWriter, IndexRef, Row } from '../../src/port.ts';
import { randomFrom } from '../../../../test/support/random.ts';
import type { FailingProxy } from './failing-proxy.ts';
import { makeRow } from './index-bench.ts';
import { applyToModel, emptyModel } from './index-model.ts';

/** Counts of a sequence of changes. */
export interface Explored {
  readonly changes: number;
  /** Commits that died half-way and were repeated. */
  readonly deaths: number;
  /** Rows that were compared in all. */
  readonly compared: number;
}

type RowChange = Exclude<Change, { kind: 'promote' }>;

const ids = Array.from({ length: 300 }, (_, at) => `row ${at}`);
const groups = [0, 1, 2, 3];

const makeChanges = (random: () => number): (() => RowChange) => {
  // A job that replaces another one is new.
  let jobs: readonly string[] = ['job 1', 'job 2', 'job 3', 'job 4'];
  let created = jobs.length;
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const some = (most: number): readonly string[] => [
    ...new Set(Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(ids))),
  ];
  const rows = (most: number, jobId: string | null): readonly Row[] =>
    some(most).map((id) => {
      const text = `text ${Math.floor(random() * 1e6)}`;
      return makeRow(id, [random() + 0.1, random()], { text, jobId, metadata: { group: pick(groups) } });
    });
  const metadata = () => ({ group: pick(groups), mark: random() });
  const kinds: readonly (() => RowChange)[] = [
    () => ({ kind: 'upsert', rows: rows(120, pick([null, ...jobs])) }),
    () => ({ kind: 'upsert', rows: rows(40, pick(jobs)) }),
    () => ({ kind: 'patch', patches: some(20).map((id) => ({ id, metadata: metadata() })), maxBytes: 4_000 }),
    () => ({ kind: 'delete', ids: some(30) }),
    () => ({ kind: 'deleteWhere', filter: { group: pick(groups), mark: { $gt: 0.5 } } }),
    () => ({
      kind: 'patchWhere',
      filter: { group: pick(groups) },
      metadata: metadata(),
      maxRowBytes: 4_000,
      maxBytes: 1e9,
    }),
    () => ({ kind: 'deleteJob', jobId: pick(jobs) }),
    () => {
      const oldJobId = pick(jobs);
      const jobId = `job ${(created += 1)}`;
      jobs = [...jobs.filter((job) => job !== oldJobId), jobId];
      return { kind: 'replaceJob', oldJobId, rows: rows(60, jobId), maxBytes: 1e9 };
    },
  ];
  return () => pick(kinds)();
};

const readAll = async (reader: EngineReader, ref: IndexRef) => {
  const found = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<EngineReader['list']>> = await reader.list(ref, {
      after,
      limit: 1_000,
      includeVector: true,
    });
    found.push(...page.rows);
    after = page.next;
  } while (after !== null);
  return found;
};

const contentOf = ({ id, text, metadata, jobId, vector }: Omit<Row, 'vector'> & { vector: Float32Array | null }) => [
  id,
  text,
  metadata,
  jobId,
  Array.from(vector ?? []),
];

const maxAttempts = 5;

/** Repeats work that fails, as the service does with a message of its log. */
const repeat = async <Result>(work: () => Promise<Result>, onFailure: () => void): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts) throw error;
      onFailure();
    }
};

/**
 * Applies random changes to an index of an engine. Compares every result, and all rows after every change, with a model
 * of the changes.
 * @param proxy Lets some commits die at a random request, which are repeated with their key. Null: none die.
 */
export const exploreChanges = async (
  index: { readonly writer: EngineWriter; readonly reader: EngineReader; readonly ref: IndexRef },
  proxy: FailingProxy | null,
  options: { readonly changes: number; readonly seed: number },
): Promise<Explored> => {
  const { writer, reader } = index;
  const [{ table }, ...ancestors] = index.ref.layers;
  let ref = index.ref;
  const random = randomFrom(options.seed);
  const next = makeChanges(random);
  const model = emptyModel();
  const explored = { changes: 0, deaths: 0, compared: 0 };
  await writer.create(ref);
  for (let at = 0; at < options.changes; at += 1) {
    const [change, key] = [next(), `change ${at}`];
    if (random() < 0.3) proxy?.failFrom(1 + Math.floor(random() * 12), random() < 0.5 ? 'lost' : 'refused');
    const { results, state } = await repeat(
      () => writer.commit(ref, [change], [key]),
      () => {
        explored.deaths += 1;
        proxy?.failFrom(Infinity, 'refused');
      },
    );
    proxy?.failFrom(Infinity, 'refused');
    ref = { ...index.ref, layers: [{ table, version: state.version }, ...ancestors] };
    const wanted = applyToModel(model, change, key);
    const described = `change ${at} of seed ${options.seed}: ${change.kind}`;
    assert.deepEqual([results[0]?.written, results[0]?.deleted], [wanted.written, wanted.deleted], described);
    const found = await repeat(
      () => readAll(reader, ref),
      () => {},
    );
    const rows = [...model.rows.values()].map(({ row }) => contentOf(row));
    const byId = (one: readonly unknown[], other: readonly unknown[]) => (String(one[0]) < String(other[0]) ? -1 : 1);
    assert.deepEqual(found.map(contentOf).toSorted(byId), rows.toSorted(byId), described);
    assert.equal(state.rows, rows.length, described);
    explored.changes += 1;
    explored.compared += rows.length;
  }
  return explored;
};
