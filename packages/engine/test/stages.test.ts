import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultReadMs } from '../../../shared/kernel/config.ts';
import type { JsonObject } from '../../../shared/kernel/json.ts';
import { s3VectorsClient } from '../../../shared/platform/aws/s3-vectors-client.ts';
import type { Reranker } from '../../../shared/platform/rerank/port.ts';
import type { RankingPlan } from '../../../shared/ranking/index.ts';
import { handleReaderRequest, type ReaderResponses, type SearchOperation } from '../../../shared/reader/index.ts';
import { randomFrom } from '../../../test/support/random.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';
import type { OpenCloud } from '../../local-cloud/src/index.ts';
import { clientSettings, openFixtureCloud } from '../../local-cloud/test/fixture-cloud.ts';
import { matcherOf } from '../src/match-filter.ts';
import type { EngineReader, Hit, IndexRef, Row } from '../src/port.ts';
import { openReader } from '../src/s3-vectors/open-reader.ts';
import { openWriter } from '../src/s3-vectors/open-writer.ts';
import { makeRow, openBench, openForm } from './support/index-bench.ts';

const location = { region: 'us-east-1', vectorBucketName: 'fixture-vectors', organizationId: 'org_one' };
const cleanups: (() => void)[] = [];
let cloud: OpenCloud;

before(async () => {
  cloud = await openFixtureCloud(temporaryDirectory({ after: (hook) => cleanups.push(hook) }));
  const { endpoint, credentials } = clientSettings(cloud);
  process.env['AWS_ENDPOINT_URL_S3VECTORS'] = endpoint;
  process.env['AWS_ACCESS_KEY_ID'] = credentials.accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = credentials.secretAccessKey;
});

after(async () => {
  s3VectorsClient(location.region).destroy();
  await cloud.close();
  for (const cleanup of cleanups) cleanup();
});

const dimensions = 4;
const words = ['tea', 'water', 'harbour', 'lamp', 'fog', 'green'];

/** Rows with texts, times, numbers, lists, and files. Some keys are absent. */
const rowsFrom = (seed: number, count: number): readonly Row[] => {
  const random = randomFrom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  return Array.from({ length: count }, (_, at) => {
    const metadata: JsonObject = {
      ...(random() < 0.8 ? { topic: random() < 0.2 ? [pick(words), pick(words)] : pick(words) } : {}),
      ...(random() < 0.8 ? { views: Math.floor(random() * 100) } : {}),
      ...(random() < 0.8 ? { at: new Date(1.7e12 + Math.floor(random() * 1e10)).toISOString() } : {}),
      ...(random() < 0.5 ? { author: { name: pick(words) } } : {}),
    };
    return makeRow(`r${at}`, [random() + 0.1, random() - 0.5, random() - 0.5, random() - 0.5], {
      text: Array.from({ length: 2 + Math.floor(random() * 6) }, () => pick(words)).join(' '),
      metadata,
      jobId: random() < 0.7 ? `job_${Math.floor(random() * 9)}` : null,
    });
  });
};

interface Place {
  readonly reader: EngineReader;
  readonly ref: IndexRef;
}

const noReranker: Reranker = { score: () => Promise.reject(new Error('not used')) };

const searchAt = async (
  { reader, ref }: Place,
  operation: Partial<SearchOperation> & Pick<SearchOperation, 'mode'>,
  reranker: Reranker = noReranker,
): Promise<ReaderResponses['search']> => {
  const deps = {
    engines: () => reader,
    embedders: () => assert.fail('no text is embedded'),
    rerankers: () => reranker,
    readMs: defaultReadMs,
  };
  const whole: SearchOperation = {
    op: 'search',
    text: null,
    vector: null,
    top_k: 10,
    filter: null,
    exact: false,
    include_vector: false,
    include_text: false,
    include_metadata: false,
    fusion: { method: 'weighted', k: 10, denseWeight: 0.5 },
    ranking: null,
    ...operation,
  };
  const request = {
    organization_id: 'org',
    model: 'none',
    ref: { engine: 'lance' as const, textLanguage: 'english' as const, ...ref, layers: [...ref.layers] as never },
    operation: whole,
  };
  // Cast: the response to a search is that of a search.
  return (await handleReaderRequest(deps, request)) as ReaderResponses['search'];
};

const planOf = (more: Partial<RankingPlan>): RankingPlan => ({
  depth: 100,
  offset: 0,
  queries: null,
  fuse: 'rrf',
  boost: null,
  rerank: null,
  min_score: null,
  group: null,
  diversity: 0,
  facets: [],
  ...more,
});

/** A hit of the plain reference. */
interface PlainHit {
  readonly id: string;
  score: number;
  readonly dense: number | null;
  readonly sparse: number | null;
}

const scale = (scores: readonly number[]) => {
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  return (score: number) => (high === low ? 1 : (score - low) / (high - low));
};

const cosine = (one: Float32Array, other: Float32Array): number => {
  const dot = (left: Float32Array, right: Float32Array) => left.reduce((sum, x, at) => sum + x * (right[at] ?? 0), 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
};

const groupName = ({ jobId, metadata }: Row, by: string): string | null => {
  if (by === 'file') return jobId;
  const value = by.split('.').reduce<unknown>((inner, key) => (inner as JsonObject | undefined)?.[key], metadata);
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

/** Runs the stages by their definitions, over all fused hits of a search. */
const plainStages = (
  found: readonly PlainHit[],
  rows: ReadonlyMap<string, Row>,
  { boost, min_score: minScore, group, diversity, offset }: RankingPlan,
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
  const { dense: leastDense, sparse: leastSparse } = minScore ?? {};
  hits = hits.filter(
    ({ dense, sparse }) =>
      (leastDense === undefined || (dense !== null && dense >= leastDense)) &&
      (leastSparse === undefined || (sparse !== null && sparse >= leastSparse)),
  );
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

/** Random stages, and a search in one of the modes. */
const randomRequest = (random: () => number) => {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const maybe = <Value>(value: () => Value): Value | null => (random() < 0.5 ? value() : null);
  const conditions = (): NonNullable<RankingPlan['boost']>['conditions'] =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const weight = pick([1, 2, 0.5, -1]);
      const curve = pick(['exp', 'gauss', 'linear'] as const);
      return pick([
        { filter: { topic: pick(words) }, weight },
        { key: 'views', saturate: { midpoint: 1 + random() * 50 }, weight },
        {
          key: 'views',
          decay: { origin: random() * 100, scale: 10, offset: pick([0, 5]), curve, isTime: false },
          weight,
        },
        { key: 'at', decay: { origin: 1.705e12, scale: 2e9, offset: 0, curve, isTime: true }, weight },
      ]);
    });
  const mode = pick(['dense', 'sparse', 'hybrid'] as const);
  const floor = { dense: { dense: random() }, sparse: { sparse: random() }, hybrid: pick([{ dense: random() }, {}]) };
  const plan = planOf({
    boost: maybe(() => ({ weight: random(), conditions: conditions() })),
    min_score: maybe(() => floor[mode]),
    group: maybe(() => ({ by: pick(['file', 'topic', 'author.name']), size: pick([1, 2, 3]) })),
    diversity: maybe(random) ?? 0,
    offset: pick([0, 0, 3, 20]),
  });
  const vector = Float32Array.from({ length: dimensions }, () => random() - 0.3);
  const text = `${pick(words)} ${pick(words)}`;
  return { operation: { mode, text, vector: mode === 'sparse' ? null : vector, top_k: pick([1, 5, 10, 100]) }, plan };
};

const toPlain = ({ row, score, scores }: Hit): PlainHit => ({ id: row.id, score, ...scores });

/** Compares random requests with the reference, and counts the differences. */
const compareRandom = async (place: Place, rows: readonly Row[], requests: number, seed: number): Promise<void> => {
  const random = randomFrom(seed);
  const known = new Map(rows.map((row) => [row.id, row]));
  for (let number = 0; number < requests; number += 1) {
    const { operation, plan } = randomRequest(random);
    // All candidates of both sides, because there are fewer rows than the depth.
    const all = await searchAt(place, { ...operation, top_k: 1_000 });
    const wanted = plainStages(all.hits.map(toPlain), known, plan, operation.top_k);
    const { hits } = await searchAt(place, { ...operation, ranking: plan });
    const ids = hits.map(({ row }) => row.id);
    assert.deepEqual(ids, wanted, `request ${number}: ${JSON.stringify({ operation, plan })}`);
  }
};

for (const form of ['segments', 'table', 'both'] as const)
  test(`the stages of random searches give what their definitions give (rows in ${form})`, async (context) => {
    const rows = rowsFrom(7, 90);
    const bench = await openBench(temporaryDirectory(context), { form, dimensions });
    await bench.upsert(...rows);
    await compareRandom({ reader: bench.reader, ref: bench.ref() }, rows, 200, 11);
  });

test('the stages of random searches of a branch with fresh rows give what their definitions give', async (context) => {
  const uri = temporaryDirectory(context);
  const engines = openForm(uri, 'both');
  const parent = await openBench(uri, { engines, dimensions });
  const rows = rowsFrom(7, 90);
  await parent.upsert(...rows.slice(0, 60));
  const ancestors = [parent.ref().layers[0]];
  const branch = await openBench(uri, { engines, dimensions, table: 'branch', ancestors });
  await branch.upsert(...rows.slice(40));
  await branch.commit({ kind: 'delete', ids: ['r3'] });
  const visible = rows.filter(({ id }) => id !== 'r3');
  await compareRandom({ reader: branch.reader, ref: branch.ref() }, visible, 200, 12);
});

test('the stages of random searches of Amazon S3 Vectors give what their definitions give', async () => {
  const rows = rowsFrom(7, 90);
  const ref: IndexRef = {
    engine: 's3_vectors',
    dimensions,
    metric: 'cosine',
    nonFilterableKeys: [],
    layers: [{ table: 'idx_stages', version: 1 }],
  };
  const writer = openWriter(location);
  await writer.create(ref);
  await writer.commit(ref, [{ kind: 'upsert', rows }], ['key']);
  await compareRandom({ reader: openReader(location), ref }, rows, 60, 13);
});

test('groups are refilled until all are found, and the response says when no row is left', async (context) => {
  const rows = Array.from({ length: 700 }, (_, at) =>
    makeRow(`r${at}`, [1, 0.0001 * at, 0, 0], { text: 'tea', metadata: { topic: at < 500 ? 'one' : `t${at % 20}` } }),
  );
  const bench = await openBench(temporaryDirectory(context), { dimensions });
  await bench.upsert(...rows);
  const place = { reader: bench.reader, ref: bench.ref() };
  const search = (top_k: number, depth: number) =>
    searchAt(place, {
      mode: 'dense',
      vector: Float32Array.of(1, 0, 0, 0),
      top_k,
      ranking: planOf({ depth, group: { by: 'topic', size: 1 } }),
    });
  const found = await search(10, 100);
  assert.equal(found.hits.length, 10);
  assert.deepEqual(found.hits[0]?.group, { value: 'one', position: 1, hidden: 499 });
  assert.deepEqual(
    found.ranking?.stages.map(({ stage }) => stage),
    ['candidates', 'refill', 'group', 'page'],
  );
  assert.equal(found.ranking?.groupsExhausted, true);
  const all = await search(50, 100);
  assert.deepEqual([all.hits.length, all.ranking?.groupsExhausted], [21, true]);
});

test('the first hits are the same for every page size, and pages by offset equal one large page', async (context) => {
  const rows = rowsFrom(3, 400);
  const bench = await openBench(temporaryDirectory(context), { dimensions });
  await bench.upsert(...rows);
  const place = { reader: bench.reader, ref: bench.ref() };
  for (const stages of [
    { boost: { weight: 0.5, conditions: [{ key: 'views', saturate: { midpoint: 20 }, weight: 1 }] } },
    // A refill would widen the candidates of later pages.
    { group: { by: 'file', size: 2 }, depth: 1_000 },
    {},
  ]) {
    const page = async (offset: number, top_k: number): Promise<readonly string[]> => {
      const { hits } = await searchAt(place, {
        mode: 'hybrid',
        text: 'tea lamp',
        vector: Float32Array.of(1, 0.2, -0.1, 0),
        top_k,
        ranking: planOf({ ...stages, offset }),
      });
      return hits.map(({ row }) => row.id);
    };
    const large = await page(0, 1_000);
    assert.equal(new Set(large).size, large.length);
    const pages: string[] = [];
    for (let offset = 0; pages.length < large.length; offset += 7) {
      const ids = await page(offset, 7);
      assert.ok(ids.length > 0);
      pages.push(...ids);
    }
    assert.deepEqual(pages, large);
  }
});

test('several queries are joined by reciprocal ranks or by the highest score', async (context) => {
  const rows = rowsFrom(5, 80);
  const bench = await openBench(temporaryDirectory(context), { dimensions });
  await bench.upsert(...rows);
  const place = { reader: bench.reader, ref: bench.ref() };
  const asked = [
    { vector: Float32Array.of(1, 0.5, 0, 0), weight: 1 },
    { vector: Float32Array.of(0.2, -0.5, 0.4, 0), weight: 2 },
  ];
  for (const fuse of ['rrf', 'max'] as const) {
    const scores = new Map<string, number>();
    for (const { vector, weight } of asked) {
      const { hits } = await searchAt(place, { mode: 'dense', vector, top_k: 1_000 });
      for (const [at, { row, score }] of hits.entries()) {
        const share = fuse === 'rrf' ? weight / (61 + at) : weight * score;
        const known = scores.get(row.id);
        if (fuse === 'rrf') scores.set(row.id, (known ?? 0) + share);
        else scores.set(row.id, Math.max(known ?? share, share));
      }
    }
    const wanted = [...scores].toSorted(([, left], [, right]) => right - left).slice(0, 10);
    const queries = asked.map((query) => ({ ...query, text: null, denseWeight: 0.5 }));
    const { hits } = await searchAt(place, {
      mode: 'dense',
      vector: new Float32Array(),
      ranking: planOf({ queries, fuse }),
    });
    assert.deepEqual(
      hits.map(({ row, score }) => [row.id, score]),
      wanted,
    );
  }
});

test('facets count what a plain map counts, for random filters', async (context) => {
  const rows = rowsFrom(9, 120);
  const random = randomFrom(10);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const bench = await openBench(temporaryDirectory(context), { form: 'both', dimensions });
  await bench.upsert(...rows);
  const place = { reader: bench.reader, ref: bench.ref() };
  const valuesOf = ({ metadata }: Row, key: string): readonly unknown[] => {
    const value = key.split('.').reduce<unknown>((inner, name) => (inner as JsonObject | undefined)?.[name], metadata);
    if (value === undefined) return [];
    return [...new Set(Array.isArray(value) ? (value as readonly unknown[]) : [value])];
  };
  for (let number = 0; number < 100; number += 1) {
    const filter = pick([
      { topic: pick(words) },
      { views: { $gte: Math.floor(random() * 100) } },
      { $not: { topic: { $in: [pick(words), pick(words)] } } },
      { $or: [{ 'author.name': pick(words) }, { views: { $lt: 20 } }] },
    ]);
    const key = pick(['topic', 'views', 'author.name', 'at', 'absent']);
    const counts = new Map<unknown, number>();
    for (const row of rows)
      if (matcherOf(filter, { nonFilterableKeys: [] })(row.metadata))
        for (const value of valuesOf(row, key)) counts.set(value, (counts.get(value) ?? 0) + 1);
    const { ranking } = await searchAt(place, {
      mode: 'sparse',
      text: 'tea',
      filter,
      ranking: planOf({ facets: [{ key, limit: 100 }] }),
    });
    const [facet] = ranking?.facets ?? [];
    assert.deepEqual(new Map(facet?.values.map(({ value, count }) => [value, count])), counts);
    assert.equal(facet?.distinct, counts.size);
    const ordered = facet.values.map(({ count }) => count);
    assert.deepEqual(
      ordered,
      ordered.toSorted((left, right) => right - left),
    );
  }
});

const tea = (at: number): Row => makeRow(`r${at}`, [1, 0.1 * at, 0, 0], { text: `tea ${at}` });

const reranking = { model: 'stub', candidates: 3, blend: 1, query: 'tea', isRequired: false };

test('a reranker orders the candidates, and other hits follow them', async (context) => {
  const bench = await openBench(temporaryDirectory(context), { dimensions });
  await bench.upsert(...[0, 1, 2, 3, 4].map(tea));
  const place = { reader: bench.reader, ref: bench.ref() };
  const reranker: Reranker = {
    score: async (query, texts) => {
      assert.deepEqual([query, texts], ['tea', ['tea 0', 'tea 1', 'tea 2']]);
      return { scores: [0.2, 0.9, 0.6], units: 3 };
    },
  };
  const search = (blend: number, more: Partial<RankingPlan> = {}) =>
    searchAt(
      place,
      {
        mode: 'dense',
        vector: Float32Array.of(1, 0, 0, 0),
        ranking: planOf({ rerank: { ...reranking, blend }, ...more }),
      },
      reranker,
    );
  const { hits, ranking } = await search(1);
  assert.deepEqual(
    hits.map(({ row, stages }) => [row.id, stages?.rerank]),
    [
      ['r1', 0.9],
      ['r2', 0.6],
      ['r0', 0.2],
      ['r3', null],
      ['r4', null],
    ],
  );
  assert.ok(hits.every(({ score }, at) => at === 0 || score <= (hits[at - 1]?.score ?? 0)));
  assert.deepEqual([ranking?.rerank?.status, ranking?.rerank?.candidates, ranking?.rerank?.units], ['done', 3, 3]);
  assert.deepEqual(
    (await search(0)).hits.map(({ row }) => row.id),
    ['r0', 'r1', 'r2', 'r3', 'r4'],
  );
  const least = await search(1, { min_score: { rerank: 0.5 } });
  assert.deepEqual(
    least.hits.map(({ row }) => row.id),
    ['r1', 'r2'],
  );
  assert.equal(least.ranking?.droppedByMinScore, 3);
});

test('a reranker that hangs, fails or answers nonsense leaves the order of the first stage', async (context) => {
  const bench = await openBench(temporaryDirectory(context), { dimensions });
  await bench.upsert(...[0, 1, 2, 3, 4].map(tea));
  const place = { reader: bench.reader, ref: bench.ref() };
  const answers: Readonly<Record<string, readonly [Reranker['score'], string]>> = {
    hangs: [(_query, _texts, signal) => pause(60_000, { scores: [], units: 0 }, { signal }), 'timeout'],
    fails: [() => Promise.reject(new Error('broken')), 'unavailable'],
    few: [() => Promise.resolve({ scores: [1], units: 1 }), 'invalid_response'],
    nonsense: [() => Promise.resolve({ scores: [1, Number.NaN, 7], units: 3 }), 'invalid_response'],
  };
  for (const [name, [score, reason]] of Object.entries(answers)) {
    const startedMs = performance.now();
    const { hits, ranking } = await searchAt(
      place,
      {
        mode: 'dense',
        vector: Float32Array.of(1, 0, 0, 0),
        ranking: planOf({ rerank: reranking, min_score: { rerank: 0.5 } }),
      },
      { score },
    );
    assert.deepEqual(
      hits.map(({ row }) => row.id),
      ['r0', 'r1', 'r2', 'r3', 'r4'],
      name,
    );
    assert.deepEqual([ranking?.rerank?.status, ranking?.rerank?.reason], ['skipped', reason], name);
    assert.ok(performance.now() - startedMs < 10_000, name);
  }
  const required = searchAt(
    place,
    {
      mode: 'dense',
      vector: Float32Array.of(1, 0, 0, 0),
      ranking: planOf({ rerank: { ...reranking, isRequired: true } }),
    },
    { score: () => Promise.reject(new Error('broken')) },
  );
  await assert.rejects(required, /broken/);
});
