import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../../../shared/kernel/json.ts';
import { RerankFault, type Reranker } from '../../../../shared/platform/rerank/port.ts';
import type { RankingPlan } from '../../../../shared/ranking/index.ts';
import { randomFrom } from '../../../../test/support/random.ts';
import type { Filter } from '../../src/filter.ts';
import { matcherOf } from '../../src/match-filter.ts';
import type { Hit, Row } from '../../src/port.ts';
import { oracle, valuesAt } from './filter-oracle.ts';
import { type Bench, makeRow, openBench, openForm } from './index-bench.ts';
import { type Place, planOf, searchAt } from './search-in-stages.ts';

/** Size of the vectors of random rows. */
export const dimensions = 4;
const words = ['tea', 'water', 'harbour', 'lamp', 'fog', 'green'];

const picker =
  (random: () => number) =>
  <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item;

/** Rows with texts, times, numbers, lists, and files. Some keys are absent. */
export const rowsFrom = (seed: number, count: number): readonly Row[] => {
  const random = randomFrom(seed);
  const pick = picker(random);
  return Array.from({ length: count }, (_, at) => {
    const metadata: JsonObject = {
      ...(random() < 0.8 ? { topic: random() < 0.2 ? [pick(words), pick(words)] : pick(words) } : {}),
      ...(random() < 0.8 ? { views: Math.floor(random() * 100) } : {}),
      ...(random() < 0.8 ? { at: new Date(1.7e12 + Math.floor(random() * 1e10)).toISOString() } : {}),
      ...(random() < 0.5 ? { author: { name: pick(words) } } : {}),
      ...(random() < 0.3 ? { document_id: pick(words) } : {}),
    };
    return makeRow(`r${at}`, [random() + 0.1, random() - 0.5, random() - 0.5, random() - 0.5], {
      text: Array.from({ length: 2 + Math.floor(random() * 6) }, () => pick(words)).join(' '),
      metadata,
      jobId: random() < 0.7 ? `job_${Math.floor(random() * 9)}` : null,
    });
  });
};

/** A hit of the plain reference. */
interface PlainHit {
  readonly id: string;
  score: number;
  readonly dense: number | null;
  readonly sparse: number | null;
  readonly rerank: number | null;
}

const scale = (scores: readonly number[]) => {
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  return (score: number) => (high === low ? 1 : (score - low) / (high - low));
};

const cosine = (one: Float32Array, other: Float32Array): number => {
  const dot = (left: Float32Array, right: Float32Array) => left.reduce((sum, x, at) => sum + x * (right[at] ?? 0), 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
};

const groupName = (row: Row, by: string): string | null => {
  if (by === 'file') return row.jobId;
  if (by === 'document') return groupName(row, 'document_id') ?? row.jobId;
  const value = by.split('.').reduce<unknown>((inner, key) => (inner as JsonObject | undefined)?.[key], row.metadata);
  return value === undefined ? null : JSON.stringify(Array.isArray(value) ? value[0] : value);
};

/** Boost of a row, from the definition. */
const plainBoost = (row: Row, boost: NonNullable<RankingPlan['boost']>): number => {
  let [sum, weights] = [0, 0];
  for (const condition of boost.conditions) {
    let value: number | null = null;
    if ('filter' in condition) value = matcherOf(condition.filter, { nonFilterableKeys: [] })(row.metadata) ? 1 : 0;
    else {
      const stored = row.metadata[condition.key];
      const number = typeof stored === 'string' ? Date.parse(stored) : (stored as number | undefined);
      if (number === undefined || Number.isNaN(number)) continue;
      if ('saturate' in condition) value = number / (number + condition.saturate.midpoint);
      else {
        const { origin, scale: half, offset, curve } = condition.decay;
        const distance = Math.max(0, Math.abs(number - origin) - offset) / half;
        if (curve === 'exp') value = Math.exp(-Math.LN2 * distance);
        else if (curve === 'gauss') value = Math.exp(-Math.LN2 * distance ** 2);
        else value = Math.max(0, 1 - 0.5 * distance);
      }
    }
    sum += condition.weight * value;
    weights += Math.abs(condition.weight);
  }
  return weights === 0 ? 0 : sum / weights;
};

/** A score of a text between 0 and 1, for a reranker that any process computes alike. */
const scoreOfText = (text: string): number => {
  let state = 7;
  for (const letter of text) state = (Math.imul(state, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return (state % 1_000) / 1_000;
};

const scoring: Reranker['score'] = async (_query, texts) => ({ scores: texts.map(scoreOfText), units: texts.length });

/** Reranks by the definition: the best candidates by their new scores, and the others behind them. */
const plainRerank = (
  hits: readonly PlainHit[],
  rows: ReadonlyMap<string, Row>,
  { candidates, blend }: NonNullable<RankingPlan['rerank']>,
): readonly PlainHit[] => {
  const first = hits.slice(0, candidates).map((hit) => ({ ...hit, rerank: scoreOfText(rows.get(hit.id)?.text ?? '') }));
  const [old, fresh] = [scale(first.map(({ score }) => score)), scale(first.map(({ rerank }) => rerank))];
  const ordered = first
    .map((hit) => ({
      ...hit,
      score: blend === 1 ? hit.rerank : (1 - blend) * old(hit.score) + blend * fresh(hit.rerank),
    }))
    .toSorted((left, right) => right.score - left.score);
  const last = ordered.at(-1)?.score ?? Infinity;
  return [...ordered, ...hits.slice(candidates).map((hit) => ({ ...hit, score: Math.min(last, hit.score) }))];
};

/** Runs the stages by their definitions, over all fused hits of a search. */
const plainStages = (
  found: readonly PlainHit[],
  rows: ReadonlyMap<string, Row>,
  { boost, rerank, min_score: minScore, group, diversity, offset }: RankingPlan,
  topK: number,
): readonly string[] => {
  const rowOf = (id: string): Row => rows.get(id) ?? assert.fail(id);
  let hits = [...found];
  if (boost !== null) {
    const scaled = scale(hits.map(({ score }) => score));
    hits = hits
      .map((hit) => ({
        ...hit,
        score: (1 - boost.weight) * scaled(hit.score) + boost.weight * plainBoost(rowOf(hit.id), boost),
      }))
      .toSorted((left, right) => right.score - left.score);
  }
  if (rerank !== null) hits = [...plainRerank(hits, rows, rerank)];
  for (const name of ['dense', 'sparse', 'rerank'] as const) {
    const lowest = minScore?.[name];
    if (lowest !== undefined) hits = hits.filter((hit) => (hit[name] ?? -Infinity) >= lowest);
  }
  let items = hits.map((hit) => [hit]);
  if (group !== null) {
    const groups = new Map<string, PlainHit[]>();
    for (const hit of hits) {
      const name = groupName(rowOf(hit.id), group.by);
      const key = name === null ? `row ${hit.id}` : `group ${name}`;
      groups.set(key, [...(groups.get(key) ?? []), hit]);
    }
    items = [...groups.values()].map((members) => members.slice(0, group.size));
  }
  if (diversity > 0) {
    const firstOf = (item: readonly PlainHit[]): PlainHit => item[0] ?? assert.fail();
    const scaled = scale(items.map((item) => firstOf(item).score));
    const left = [...items];
    const chosen: PlainHit[][] = [];
    while (left.length > 0) {
      const worth = left.map((item) => {
        const { id, score } = firstOf(item);
        const near = chosen.map((other) => cosine(rowOf(id).vector, rowOf(firstOf(other).id).vector));
        return (1 - diversity) * scaled(score) - (near.length === 0 ? 0 : diversity * Math.max(...near));
      });
      chosen.push(...left.splice(worth.indexOf(Math.max(...worth)), 1));
    }
    items = chosen;
  }
  return items
    .slice(offset, offset + topK)
    .flat()
    .map(({ id }) => id);
};

/** Stages that each request of a comparison has. `any`: by chance. */
export const focuses = ['any', 'group', 'decay', 'diversity', 'rerank', 'pages'] as const;
export type Focus = (typeof focuses)[number];

/** Random stages, and a search in one of the modes. */
const randomRequest = (random: () => number, focus: Focus) => {
  const pick = picker(random);
  const maybe = <Value>(stage: Focus, value: () => Value): Value | null =>
    stage === focus || random() < 0.4 ? value() : null;
  const conditions = (): NonNullable<RankingPlan['boost']>['conditions'] =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const weight = pick([1, 2, 0.5, -1]);
      const curve = pick(['exp', 'gauss', 'linear'] as const);
      const decays = [
        {
          key: 'views',
          decay: { origin: random() * 100, scale: 1 + random() * 20, offset: pick([0, 5]), curve, isTime: false },
          weight,
        },
        { key: 'at', decay: { origin: 1.705e12, scale: 2e9, offset: 0, curve, isTime: true }, weight },
      ];
      const others = [
        { filter: { topic: pick(words) }, weight },
        { key: 'views', saturate: { midpoint: 1 + random() * 50 }, weight },
      ];
      return pick(focus === 'decay' ? decays : [...decays, ...others]);
    });
  const mode = pick(['dense', 'sparse', 'hybrid'] as const);
  const rerank = maybe('rerank', () => ({
    model: 'stub',
    candidates: pick([1, 5, 20, 200]),
    blend: pick([1, random()]),
    query: 'tea',
    isRequired: false,
    skipped: null,
  }));
  const floors = {
    dense: [{ dense: random() }],
    sparse: [{ sparse: random() }],
    hybrid: [{ dense: random() }, { sparse: random(), dense: random() - 0.5 }, {}],
  };
  const plan = planOf({
    boost: maybe('decay', () => ({ weight: random(), conditions: conditions() })),
    rerank,
    min_score: maybe('any', () => pick([...floors[mode], ...(rerank === null ? [] : [{ rerank: random() }])])),
    group: maybe('group', () => ({
      by: pick(['file', 'document', 'topic', 'author.name', 'views']),
      size: pick([1, 2, 3]),
    })),
    diversity: maybe('diversity', random) ?? 0,
    offset: focus === 'pages' ? Math.floor(random() * 60) : pick([0, 0, 3, 20]),
  });
  const vector = Float32Array.from({ length: dimensions }, () => random() - 0.3);
  const text = `${pick(words)} ${pick(words)}`;
  const filter = random() < 0.3 ? randomFilter(random) : null;
  const operation = { mode, text, vector: mode === 'sparse' ? null : vector, top_k: pick([1, 5, 10, 100]), filter };
  return { operation, plan };
};

/** Returns a filter over the keys of random rows. */
const randomFilter = (random: () => number, level = 0): Filter => {
  const pick = picker(random);
  const inner = (): Filter => randomFilter(random, level + 1);
  const time = (): string => new Date(1.7e12 + Math.floor(random() * 1e10)).toISOString();
  const leaves: readonly (() => Filter)[] = [
    () => ({ topic: pick(words) }),
    () => ({ topic: { [pick(['$in', '$nin'])]: [pick(words), pick(words)] } }),
    () => ({ views: { [pick(['$lt', '$lte', '$gt', '$gte', '$eq', '$ne'])]: Math.floor(random() * 100) } }),
    () => ({ at: { [pick(['$lt', '$gte'])]: time() } }),
    () => ({ 'author.name': { [pick(['$eq', '$ne', '$gt'])]: pick(words) } }),
    () => ({ [pick(['topic', 'views', 'author', 'document_id'])]: { $exists: random() < 0.5 } }),
  ];
  const nested: readonly (() => Filter)[] = [
    () => ({ $and: [inner(), inner()] }),
    () => ({ $or: [inner(), inner()] }),
    () => ({ $not: inner() }),
  ];
  return pick(level > 1 ? leaves : [...leaves, ...nested])();
};

const toPlain = ({ row, score, scores }: Hit): PlainHit => ({ id: row.id, score, ...scores, rerank: null });

/** Rows of an index, which a search can read. */
export interface Content {
  readonly place: Place;
  readonly rows: readonly Row[];
  /** Changes the index, which moves the place to no other version. */
  readonly write: (seed: number) => Promise<void>;
}

/** Compares random requests with the definitions of their stages. Throws at a difference. */
export const compareStages = async (
  { place, rows }: Omit<Content, 'write'>,
  requests: number,
  seed: number,
  focus: Focus = 'any',
): Promise<void> => {
  const random = randomFrom(seed);
  const known = new Map(rows.map((row) => [row.id, row]));
  for (let number = 0; number < requests; number += 1) {
    const { operation: any, plan } = randomRequest(random, focus);
    // Amazon S3 Vectors compares no texts by order.
    const operation = place.ref.engine === 's3_vectors' ? { ...any, filter: null } : any;
    // All candidates of both sides, because there are fewer rows than the depth.
    const all = await searchAt(place, { ...operation, top_k: 1_000 });
    const wanted = plainStages(all.hits.map(toPlain), known, plan, operation.top_k);
    const { hits } = await searchAt(place, { ...operation, ranking: plan }, { score: scoring });
    const ids = hits.map(({ row }) => row.id);
    assert.deepEqual(ids, wanted, `seed ${seed}, request ${number}: ${JSON.stringify({ operation, plan })}`);
  }
};

/** Compares random searches by pages, between which others write, with one large page. Throws at a difference. */
export const comparePages = async ({ place, write }: Content, searches: number, seed: number): Promise<void> => {
  const random = randomFrom(seed);
  const pinned = { ...place, ref: { ...place.ref, manifest: undefined, isPinned: true } };
  for (let [number, compared] = [0, 0]; compared < searches; number += 1) {
    const { operation, plan: any } = randomRequest(random, 'any');
    const plan = { ...any, depth: picker(random)([10, 30, 100]) };
    const search = async (ranking: RankingPlan, top_k: number) =>
      searchAt(pinned, { ...operation, top_k, ranking }, { score: scoring });
    const step = 1 + Math.floor(random() * 20);
    const first = await search(plan, step);
    if (first.ranking?.hasMore !== true) continue;
    compared += 1;
    const fixed = { ...plan, depth: first.ranking.depth, isFixed: true };
    const large = await search(fixed, 1_000);
    const pages = [...first.hits];
    for (let [offset, more] = [plan.offset + step, true]; more; offset += step) {
      if (random() < 0.1) await write(seed + number + offset);
      const { hits, ranking } = await search({ ...fixed, offset }, step);
      pages.push(...hits);
      more = ranking?.hasMore ?? assert.fail();
    }
    const told = `seed ${seed}, search ${number}: ${JSON.stringify({ operation, plan, step })}`;
    assert.deepEqual(
      pages.map(({ row, score }) => [row.id, score]),
      large.hits.map(({ row, score }) => [row.id, score]),
      told,
    );
  }
};

/** Compares the facets of random filters with the counts of a plain map. Throws at a difference. */
export const compareFacets = async ({ place, rows }: Content, filters: number, seed: number): Promise<void> => {
  const random = randomFrom(seed);
  const pick = picker(random);
  for (let number = 0; number < filters; number += 1) {
    const filter = randomFilter(random);
    const key = pick(['topic', 'views', 'author.name', 'author', 'at', 'document_id', 'absent']);
    const limit = pick([1, 5, 100]);
    const counts = new Map<string, number>();
    for (const row of rows) {
      if (!oracle(filter, row.metadata)) continue;
      const values = valuesAt(row.metadata, key).flatMap(({ value }) => value);
      for (const json of new Set(values.map((value) => JSON.stringify(value))))
        counts.set(json, (counts.get(json) ?? 0) + 1);
    }
    const { ranking } = await searchAt(place, {
      mode: 'sparse',
      text: 'tea',
      filter,
      ranking: planOf({ facets: [{ key, limit }] }),
    });
    const [facet] = ranking?.facets ?? [];
    const told = `seed ${seed}, filter ${number}: ${JSON.stringify({ filter, key, limit })}`;
    assert.equal(facet?.distinct, counts.size, told);
    const found = facet.values.map(({ value, count }) => [JSON.stringify(value), count] as const);
    const ordered = [...counts].toSorted(
      ([left, one], [right, other]) => other - one || Buffer.compare(Buffer.from(left), Buffer.from(right)),
    );
    assert.deepEqual(found, ordered.slice(0, limit), told);
  }
};

/** A broken reranker, and the reason that the response gives. */
type Fault = readonly [Reranker['score'], string];

/** Rerankers that do not respond. */
export const hangs: readonly Fault[] = [
  [(_query, _texts, signal) => pause(60_000, { scores: [], units: 0 }, { signal }), 'timeout'],
  [() => new Promise(() => undefined), 'timeout'],
];

/** Rerankers that respond, but not with scores. */
export const faults: readonly Fault[] = [
  [() => Promise.reject(new Error('broken')), 'unavailable'],
  [() => Promise.reject(new RerankFault('invalid_response', 'nonsense')), 'invalid_response'],
  [
    () => {
      throw new TypeError('broken at once');
    },
    'unavailable',
  ],
  [() => Promise.resolve({ scores: [], units: 0 }), 'invalid_response'],
  [(_query, texts) => Promise.resolve({ scores: texts.map(() => Number.NaN), units: 1 }), 'invalid_response'],
  [(_query, texts) => Promise.resolve({ scores: texts.map(() => 7), units: 1 }), 'invalid_response'],
  [(_query, texts) => Promise.resolve({ scores: [...texts.map(() => 0.5), 0.5], units: 1 }), 'invalid_response'],
];

/**
 * Searches at once with broken rerankers, and compares each with the search without one. Throws at a difference.
 * @returns Milliseconds until the last has ended.
 */
export const compareFaults = async (
  { place }: Content,
  searches: number,
  seed: number,
  broken: readonly Fault[],
): Promise<number> => {
  const random = randomFrom(seed);
  const pick = picker(random);
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: searches }, async (_, number) => {
      const { operation, plan } = randomRequest(random, 'rerank');
      const [score, reason] = pick(broken);
      const { rerank: lowest, ...floors } = plan.min_score ?? {};
      const min_score = plan.min_score === null ? null : floors;
      const wanted = await searchAt(place, { ...operation, ranking: { ...plan, rerank: null, min_score } });
      const { hits, ranking } = await searchAt(place, { ...operation, ranking: plan }, { score });
      const told = `seed ${seed}, search ${number}: ${JSON.stringify({ operation, plan, reason, lowest })}`;
      const isEmpty = (wanted.ranking?.stages.find(({ stage }) => stage === 'candidates')?.out ?? 0) === 0;
      assert.deepEqual(
        hits.map(({ row }) => row.id),
        wanted.hits.map(({ row }) => row.id),
        told,
      );
      assert.equal(ranking?.rerank?.status, 'skipped', told);
      assert.equal(ranking.rerank.reason, isEmpty ? 'no_candidates' : reason, told);
    }),
  );
  return performance.now() - startedMs;
};

/** Places of the rows of an index. */
export const placeNames = ['segments', 'table', 'both', 'branch with fresh rows'] as const;

/** Creates an index of random rows in a directory. */
const openContent = async (uri: string, name: (typeof placeNames)[number], seed: number): Promise<Content> => {
  const rows = rowsFrom(seed, 90);
  const contentOf = (bench: Bench, visible: readonly Row[]): Content => ({
    place: { reader: bench.reader, ref: bench.ref() },
    rows: visible,
    write: async (number) => {
      await bench.commit({ kind: 'delete', ids: [`r${number % 90}`] });
      await bench.upsert(...rowsFrom(number, 60));
      if (number % 3 === 0) await bench.maintain();
    },
  });
  if (name !== 'branch with fresh rows') {
    const bench = await openBench(uri, { form: name, dimensions });
    await bench.upsert(...rows);
    return contentOf(bench, rows);
  }
  const engines = openForm(uri, 'both');
  const parent = await openBench(uri, { engines, dimensions });
  await parent.upsert(...rows.slice(0, 60));
  const ancestors = [parent.ref().layers[0]];
  const branch = await openBench(uri, { engines, dimensions, table: 'branch', ancestors });
  await branch.upsert(...rows.slice(40));
  await branch.commit({ kind: 'delete', ids: ['r3'] });
  const visible = rows.filter(({ id }) => id !== 'r3');
  return contentOf(branch, visible);
};

/** Runs a comparison on an index of random rows. */
export const withContent = async <Result>(
  name: (typeof placeNames)[number],
  seed: number,
  run: (content: Content) => Promise<Result>,
): Promise<Result> => {
  const uri = mkdtempSync(join(tmpdir(), 'strata-stages-'));
  try {
    return await run(await openContent(uri, name, seed));
  } finally {
    rmSync(uri, { recursive: true, force: true });
  }
};
