import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { s3VectorsClient } from '../../../shared/platform/aws/s3-vectors-client.ts';
import type { Reranker } from '../../../shared/platform/rerank/port.ts';
import { defaultReadMs } from '../../../shared/kernel/config.ts';
import type { RankingPlan } from '../../../shared/ranking/index.ts';
import { handleReaderRequest, type ReaderResponses } from '../../../shared/reader/index.ts';
import { ReaderRequest } from '../../../shared/reader/contracts.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';
import type { OpenCloud } from '../../local-cloud/src/index.ts';
import { clientSettings, openFixtureCloud } from '../../local-cloud/test/fixture-cloud.ts';
import type { IndexRef, Row } from '../src/port.ts';
import { openReader as openReaderAt } from '../src/open-location.ts';
import { openReader } from '../src/s3-vectors/open-reader.ts';
import { openWriter } from '../src/s3-vectors/open-writer.ts';
import { InvalidCursor } from '../src/invalid-cursor.ts';
import { VersionGone } from '../src/version-gone.ts';
import {
  compareFacets,
  compareFaults,
  comparePages,
  compareStages,
  dimensions,
  faults,
  placeNames,
  rowsFrom,
  withContent,
} from './support/explore-stages.ts';
import { makeRow, openBench } from './support/index-bench.ts';
import { planOf, searchAt } from './support/search-in-stages.ts';

const location = { region: 'us-east-1', vectorBucketName: 'fixture-vectors', organizationId: 'org_one' };
const cleanups: (() => void)[] = [];
let cloud: OpenCloud;

before(async () => {
  cloud = await openFixtureCloud(temporaryDirectory());
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

for (const name of placeNames)
  test(`the stages of random searches give what their definitions give (rows in ${name})`, () =>
    withContent(name, 7, (content) => compareStages(content, 200, 11)));

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
  await compareStages({ place: { reader: openReader(location), ref }, rows }, 60, 13);
});

test('groups are refilled until all are found, and the response says when no row is left', async () => {
  const rows = Array.from({ length: 700 }, (_, at) =>
    makeRow(`r${at}`, [1, 0.0001 * at, 0, 0], { text: 'tea', metadata: { topic: at < 500 ? 'one' : `t${at % 20}` } }),
  );
  const bench = await openBench(temporaryDirectory(), { dimensions });
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

test('the first hits are the same for every page size, and pages by offset equal one large page', async () => {
  const rows = rowsFrom(3, 400);
  const bench = await openBench(temporaryDirectory(), { dimensions });
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

test('several queries are joined by reciprocal ranks or by the highest score', async () => {
  const rows = rowsFrom(5, 80);
  const bench = await openBench(temporaryDirectory(), { dimensions });
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

test('pages of one version equal one large page while others write', () =>
  withContent('both', 5, (content) => comparePages(content, 8, 6)));

test('a read of a version that was removed is refused, and one without its number reads the newest', async () => {
  const bench = await openBench(temporaryDirectory(), { form: 'both', dimensions });
  await bench.upsert(...rowsFrom(3, 20));
  const ref = { ...bench.ref(), manifest: undefined };
  await bench.upsert(...rowsFrom(4, 20));
  await bench.maintain(0);
  const fresh = openReaderAt({ uri: bench.uri });
  await assert.rejects(fresh.count({ ...ref, isPinned: true }, { views: { $gte: 0 } }), VersionGone);
  assert.ok((await fresh.count(ref, { views: { $gte: 0 } })) > 0);
});

test('facets count what a plain map counts, for random filters', () =>
  withContent('both', 9, (content) => compareFacets(content, 100, 10)));

const tea = (at: number): Row => makeRow(`r${at}`, [1, 0.1 * at, 0, 0], { text: `tea ${at}` });

const reranking = { model: 'stub', candidates: 3, blend: 1, query: 'tea', isRequired: false, skipped: null };

test('a reranker orders the candidates, and other hits follow them', async () => {
  const bench = await openBench(temporaryDirectory(), { dimensions });
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

test('a reranker that hangs, fails or answers nonsense leaves the order of the first stage', async () => {
  await withContent('segments', 8, (content) => compareFaults(content, 40, 12, faults));
  const bench = await openBench(temporaryDirectory(), { dimensions });
  await bench.upsert(...[0, 1, 2, 3, 4].map(tea));
  const place = { reader: bench.reader, ref: bench.ref() };
  const late = await searchAt(
    place,
    { mode: 'dense', vector: Float32Array.of(1, 0, 0, 0), ranking: planOf({ rerank: reranking }) },
    { score: () => new Promise(() => undefined) },
  );
  assert.deepEqual(
    late.hits.map(({ row }) => row.id),
    ['r0', 'r1', 'r2', 'r3', 'r4'],
  );
  assert.deepEqual([late.ranking?.rerank?.status, late.ranking?.rerank?.reason], ['skipped', 'timeout']);
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

test('an ordered list of a caller who is bound to rows neither begins at a foreign row nor has one', async () => {
  const bench = await openBench(temporaryDirectory(), { dimensions: 2 });
  const rows = Array.from({ length: 6 }, (_, at) =>
    makeRow(`row${at}`, [1, at], { metadata: { tenant: at % 2 === 0 ? 'a' : 'b', number: at } }),
  );
  await bench.upsert(...rows);
  const listAfter = async (after: string | null): Promise<readonly string[]> => {
    const request = ReaderRequest.parse({
      organization_id: 'org',
      model: 'none',
      ref: { engine: 'lance', textLanguage: 'english', ...bench.ref() },
      operation: {
        op: 'list',
        after,
        limit: 2,
        filter: null,
        include_vector: false,
        order: { key: 'number', direction: 'desc' },
      },
      within: { tenant: 'a' },
    });
    const deps = {
      engines: () => bench.reader,
      embedders: () => assert.fail('no text is embedded'),
      rerankers: () => assert.fail('nothing is reranked'),
      readMs: defaultReadMs,
    };
    // Cast: the response to a list is that of a list.
    return ((await handleReaderRequest(deps, request)) as ReaderResponses['list']).rows.map(({ id }) => id);
  };
  assert.deepEqual([await listAfter(null), await listAfter('row2')], [['row4', 'row2'], ['row0']]);
  await assert.rejects(listAfter('row3'), InvalidCursor);
  await assert.rejects(listAfter('row9'), InvalidCursor);
});
