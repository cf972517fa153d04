import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Filter } from '../../src/filter.ts';
import type { Change, Row } from '../../src/port.ts';
import { decodeManifest } from '../../src/segments/segment-format.ts';
import { randomFrom } from '../../../../test/support/random.ts';
import { type Bench, makeRow, openBench, openEngines, tinyBounds } from './index-bench.ts';
import { applyToModel, branchModel, emptyModel, type Model, type Written } from './index-model.ts';
import { type AskedQuery, type AskedWords, expectedHits, stopWords, writtenQuery } from './search-oracle.ts';

const words = [...'alpha bravo delta kilo lima oscar papa tango victor yankee zulu'.split(' '), ...stopWords];

/** Random values of one content and its queries. */
const valuesFrom = (seed: number) => {
  const random = randomFrom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  // Words that come first are frequent.
  const word = (): string => words[Math.floor(random() ** 2 * words.length)] ?? '';
  const some = <Item>(count: number, make: () => Item): readonly Item[] => Array.from({ length: count }, make);
  const vector = (): readonly number[] => some(3, () => below(12));
  const row = (ids: number): Row =>
    makeRow(`id${below(ids)}`, vector(), {
      text: random() < 0.1 ? null : some(1 + below(12), word).join(' '),
      metadata: { n: below(6), tags: some(below(3), () => pick(['a', 'b', 'c'])), at: { n: below(3) } },
    });
  const filter = (level = 0): Filter => {
    const inner = (): Filter => filter(level + 1);
    const kinds: readonly (() => Filter)[] = [
      () => ({ n: { [pick(['$lt', '$gte', '$ne', '$eq'])]: below(6) } }),
      () => ({ tags: { [pick(['$in', '$nin'])]: some(1 + below(2), () => pick(['a', 'b', 'c', 'd'])) } }),
      () => ({ 'at.n': below(3) }),
      () => ({ $and: some(2, inner) }),
      () => ({ $or: some(2, inner) }),
      () => ({ $not: inner() }),
    ];
    return pick(level > 1 ? kinds.slice(0, 3) : kinds)();
  };
  // A stop word in a phrase matches any word, so phrases have none.
  const term = (): string => words[below(words.length - stopWords.length)] ?? '';
  const phrases = (share: number) => (random() < share ? some(1, () => some(1 + below(2), term)) : []);
  const asked = (): AskedWords => ({
    words: [term(), ...some(below(5), word)],
    required: phrases(0.2),
    excluded: phrases(0.2),
  });
  const query = (): AskedQuery => {
    const common = { topK: pick([1, 5, 10, 40, 150]), ...(random() < 0.6 && { filter: filter() }) };
    const fusion = {
      method: pick(['rrf', 'weighted'] as const),
      k: pick([10, 60]),
      denseWeight: pick([0, 0.3, 0.5, 0.8, 1]),
    };
    switch (pick(['dense', 'sparse', 'hybrid'] as const)) {
      case 'dense':
        return { ...common, mode: 'dense', vector: vector() };
      case 'sparse':
        return { ...common, mode: 'sparse', asked: asked() };
      case 'hybrid':
        return { ...common, mode: 'hybrid', vector: vector(), asked: asked(), fusion };
    }
  };
  const change = (ids: number): Exclude<Change, { kind: 'promote' }> => {
    const kind = random();
    if (kind < 0.15) return { kind: 'delete', ids: some(below(8), () => `id${below(ids)}`) };
    if (kind < 0.2) return { kind: 'deleteWhere', filter: { $and: [filter(), { n: below(6) }] } };
    if (kind < 0.3)
      return {
        kind: 'patchWhere',
        filter: filter(),
        metadata: { n: below(6) },
        maxRowBytes: 1_000,
        maxBytes: 1_000_000,
      };
    const rows = new Map(some(1 + below(ids / 3), () => row(ids)).map((one) => [one.id, one]));
    return { kind: 'upsert', rows: [...rows.values()] };
  };
  return { random, below, pick, change, query };
};

type Values = ReturnType<typeof valuesFrom>;

interface Index {
  readonly bench: Bench;
  readonly model: Model;
  /** Rows of its table. */
  table: ReadonlyMap<string, Written>;
}

/** Changes an index, while a builder merges and folds it from time to time. */
const grow = async (index: Index, { random, below, change }: Values, ids: number): Promise<void> => {
  const { bench, model } = index;
  for (let left = 1 + below(4); left > 0; left -= 1) {
    const next = change(ids);
    const { results } = await bench.commit(next);
    assert.deepEqual(results, [applyToModel(model, next, randomUUID())]);
    if (random() > 0.3) continue;
    await bench.maintain();
    index.table = new Map(model.rows);
  }
};

/** Scores are computed in another order here, so the last digits of their sums differ. */
const isClose = (one: number, other: number): boolean => Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(other));

const check = async ({ bench, model, table }: Index, query: AskedQuery, name: string): Promise<void> => {
  const hits = await bench.reader.search(bench.ref(), writtenQuery(query));
  const content = {
    rows: [...model.rows.values()].map(({ row }) => row),
    replaced: [...table.values()].flatMap((one) => (model.rows.get(one.row.id) === one ? [] : [one.row])),
  };
  const expected = expectedHits(content, query);
  const all = new Map(expectedHits(content, { ...query, topK: Infinity }).map((hit) => [hit.id, hit]));
  const told = (): string =>
    `${name}: ${JSON.stringify(query)}\n${JSON.stringify(hits.map(({ row, score }) => [row.id, score]))}\n${JSON.stringify(expected)}`;
  assert.equal(hits.length, expected.length, told());
  assert.equal(new Set(hits.map(({ row }) => row.id)).size, hits.length, told());
  for (const [at, { row, score, ranks }] of hits.entries()) {
    // Rows with equal scores may change places in a hybrid search.
    const wanted = all.get(row.id);
    const place = expected[at];
    assert.ok(wanted !== undefined && place !== undefined, told());
    assert.ok(isClose(score, wanted.score) && isClose(score, place.score), told());
    if (query.mode !== 'hybrid' || score === 0) assert.equal(row.id, place.id, told());
    assert.deepEqual(ranks, wanted.ranks, told());
  }
};

/** Where the rows of a searched index were. */
export type Mixture = `${'' | 'branch, '}${'segments' | 'table' | 'table and segments' | 'empty'}`;

const mixtureOf = ({ bench }: Index, isBranch: boolean): Mixture => {
  const { base, live } = decodeManifest(bench.state().manifest);
  const parts = [...(base === null ? [] : ['table' as const]), ...(live.length === 0 ? [] : ['segments' as const])];
  return `${isBranch ? 'branch, ' : ''}${parts.length === 2 ? 'table and segments' : (parts[0] ?? 'empty')}`;
};

/**
 * Compares searches of random contents with their definition.
 * @returns Number of compared searches by mixture.
 */
export const exploreSearches = async (seed: number, searches: number): Promise<ReadonlyMap<Mixture, number>> => {
  const directory = mkdtempSync(join(tmpdir(), 'strata-searches-'));
  const counts = new Map<Mixture, number>();
  try {
    for (let made = 0, at = 0; made < searches; at += 1) {
      const values = valuesFrom(seed * 1_000 + at);
      const ids = values.pick([8, 40, 300]);
      const engines = openEngines(mkdtempSync(join(directory, 'run-')), { bounds: tinyBounds });
      const options = { dimensions: 3, metric: 'euclidean', engines } as const;
      const main: Index = { table: new Map(), bench: await openBench(directory, options), model: emptyModel() };
      await grow(main, values, ids);
      const ancestors = main.bench.ref().layers;
      const branch: Index = {
        table: main.table,
        bench: await openBench(directory, { ...options, table: 'branch', ancestors }),
        model: branchModel(main.model),
      };
      await grow(branch, values, ids);
      await grow(main, values, ids);
      for (let times = 0; times < 50; times += 1, made += 1) {
        const index = values.pick([main, branch]);
        const mixture = mixtureOf(index, index === branch);
        await check(index, values.query(), `seed ${seed}, content ${at}, ${mixture}`);
        counts.set(mixture, (counts.get(mixture) ?? 0) + 1);
      }
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return counts;
};
