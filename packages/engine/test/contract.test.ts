import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { OpenCloud } from '../../local-cloud/src/index.ts';
import { s3VectorsClient } from '../../../shared/platform/aws/s3-vectors-client.ts';
import { type EngineName, engineNames } from '../src/engines.ts';
import { expiredBy, expiringReader, expiringWriter } from '../src/expiry.ts';
import type { Change, ChangeResult, EngineReader, EngineWriter, IndexRef, Row } from '../src/port.ts';
import { openReader } from '../src/s3-vectors/open-reader.ts';
import { openWriter } from '../src/s3-vectors/open-writer.ts';
import { clientSettings, openFixtureCloud } from '../../local-cloud/test/fixture-cloud.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { exploreChanges } from './support/explore-changes.ts';
import { makeRow, openEngines, openForm } from './support/index-bench.ts';
import { openMemoryEngine } from './support/memory-engine.ts';

interface Engine {
  readonly writer: EngineWriter;
  readonly reader: EngineReader;
}

const cleanups: (() => void)[] = [];
const directory = (): string => temporaryDirectory();
const location = { region: 'us-east-1', vectorBucketName: 'fixture-vectors', organizationId: 'org_one' };
let cloud: OpenCloud;

before(async () => {
  cloud = await openFixtureCloud(directory());
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

const engines: Readonly<Record<EngineName | 'memory' | 'tables' | 'tables and segments', () => Engine>> = {
  lance: () => openEngines(directory()),
  s3_vectors: () => ({ writer: openWriter(location), reader: openReader(location) }),
  memory: openMemoryEngine,
  tables: () => openForm(directory(), 'table'),
  'tables and segments': () => openForm(directory(), 'both'),
};

let tables = 0;

/** Creates an index, and follows its version. */
const openIndex = async ({ writer, reader }: Engine, expiresFrom?: number) => {
  tables += 1;
  const at = (version: number): IndexRef => ({
    dimensions: 2,
    metric: 'cosine',
    nonFilterableKeys: ['raw'],
    expiresFrom,
    layers: [{ table: `idx_contract_${tables}`, version }],
  });
  let { version } = await writer.create(at(0));
  const ref = (): IndexRef => at(version);
  const commit = async (changes: readonly Change[], keys?: readonly string[], maxRows?: number) => {
    const { state, results } = await writer.commit(ref(), changes, keys, maxRows);
    ({ version } = state);
    return { state, results };
  };
  return {
    ref,
    reader,
    commit,
    apply: async (change: Change, maxRows?: number): Promise<ChangeResult | undefined> =>
      (await commit([change], undefined, maxRows)).results[0],
    ids: async (): Promise<readonly string[]> => {
      const ids: string[] = [];
      let after: string | null = null;
      do {
        const page: Awaited<ReturnType<EngineReader['list']>> = await reader.list(ref(), { after, limit: 2 });
        ids.push(...page.rows.map(({ id }) => id));
        after = page.next;
      } while (after !== null);
      return ids.toSorted();
    },
  };
};

const rows: readonly Row[] = ['red apple', 'green apple', 'green tea', 'black tea'].map((text, at) =>
  makeRow(`row ${at}`, [1, at], {
    text,
    metadata: { at, colour: text.split(' ')[0] ?? '' },
    jobId: at < 2 ? 'fruit' : null,
  }),
);

const absent = Array.from({ length: 150 }, (_, at) => `${'absent '.repeat(70)} ${at}`);
const nothing: ChangeResult = { written: 0, deleted: 0 };

for (const name of [...engineNames, 'memory', 'tables', 'tables and segments'] as const) {
  const open = () => openIndex(engines[name]());

  suite(`contract of the engine ${name}`, () => {
    test('an expired row is absent from reads and changes, and others keep their expiry', async () => {
      let now = 0;
      const clock = { now: () => new Date(now) };
      const { writer, reader } = engines[name]();
      const expiring = { writer: expiringWriter(writer, clock), reader: expiringReader(reader, clock) };
      const { commit, apply, ids, ref } = await openIndex(expiring, 0);
      const { results } = await commit([
        { kind: 'upsert', rows: rows.map((row, at) => ({ ...row, ...(at === 0 ? {} : { expiresAt: at * 10 }) })) },
      ]);
      assert.equal(results[0]?.expiresFrom, 10);
      now = 20;
      assert.deepEqual(await ids(), ['row 0', 'row 3']);
      const found = await expiring.reader.fetch(ref(), ['row 0', 'row 1', 'row 3'], false);
      assert.deepEqual(
        found.map(({ id, expiresAt, metadata }) => [id, expiresAt, metadata]),
        [
          ['row 0', undefined, { at: 0, colour: 'red' }],
          ['row 3', 30, { at: 3, colour: 'black' }],
        ],
      );
      const vector = Float32Array.of(1, 1);
      for (const filter of [undefined, { at: { $gt: 0 } }] as const) {
        const some = filter === undefined ? {} : { filter };
        const dense = await expiring.reader.search(ref(), { mode: 'dense', vector, topK: 4, ...some });
        assert.deepEqual(
          dense.map(({ row }) => row.id).toSorted(),
          filter === undefined ? ['row 0', 'row 3'] : ['row 3'],
        );
        assert.equal(await expiring.reader.count(ref(), filter), filter === undefined ? 2 : 1);
      }
      assert.deepEqual(await expiring.reader.facets(ref(), undefined, [{ key: 'colour', limit: 4 }]), [
        {
          key: 'colour',
          distinct: 2,
          values: [
            { value: 'black', count: 1 },
            { value: 'red', count: 1 },
          ],
        },
      ]);
      const isNew = new Map([['row 1', null]]);
      const written = await apply({ kind: 'upsert', rows: [makeRow('row 1', [1, 1])], expected: isNew });
      assert.deepEqual(written, { written: 1, deleted: 0 });
      assert.equal((await apply({ kind: 'delete', ids: ['row 0', 'row 2'] }))?.deleted, 1);
      now = 30;
      assert.deepEqual(await apply({ kind: 'deleteWhere', filter: expiredBy(now) }), nothing);
      assert.deepEqual(await ids(), ['row 1']);
      assert.equal(await reader.count({ ...ref(), expiresFrom: undefined }), 1);
    });

    test('each change is applied to the rows that those before it in the commit left', async () => {
      const { commit, ids, reader, ref } = await open();
      const { results, state } = await commit([
        { kind: 'upsert', rows },
        { kind: 'patch', patches: [{ id: 'row 0', metadata: { colour: null, at: 9 } }], maxBytes: 1_000 },
        {
          kind: 'patchWhere',
          filter: { colour: 'green' },
          metadata: { seen: true },
          maxRowBytes: 1_000,
          maxBytes: 1e9,
        },
        { kind: 'delete', ids: ['row 3', 'row 3', 'none'] },
        { kind: 'deleteWhere', filter: { at: { $gt: 5 } } },
        { kind: 'upsert', rows: [makeRow('row 3', [1, 1]), makeRow('new', [2, 1], { jobId: 'other' })] },
        { kind: 'replaceJob', oldJobId: 'fruit', rows: [makeRow('row 9', [1, 9], { jobId: 'next' })], maxBytes: 1e9 },
        { kind: 'deleteJob', jobId: 'other' },
      ]);
      assert.deepEqual(
        results.map(({ written, deleted }) => [written, deleted]),
        [
          [4, 0],
          [1, 0],
          [2, 0],
          [0, 1],
          [0, 1],
          [2, 0],
          [1, 1],
          [0, 1],
        ],
      );
      assert.deepEqual(await ids(), ['row 2', 'row 3', 'row 9']);
      assert.deepEqual([state.rows, state.denseBytes, state.sparseBytes], [3, 24, 9]);
      const [row] = await reader.fetch(ref(), ['row 2'], true);
      assert.deepEqual(row?.metadata, { at: 2, colour: 'green', seen: true });
      assert.deepEqual(row.vector, Float32Array.of(1, 2));
    });

    test('a change whose rows have other versions than expected writes nothing and reports at most a hundred ids', async () => {
      const { commit, apply, ids } = await open();
      await commit([{ kind: 'upsert', rows }], ['first']);
      const expected = new Map<string, string | null>([
        ['row 0', 'first'],
        ['row 1', 'other'],
        ['none', 'first'],
      ]);
      const conflicts = [
        { id: 'row 1', version: 'first' },
        { id: 'none', version: null },
      ];
      const patches = [...expected.keys()].map((id) => ({ id, metadata: { seen: true } }));
      assert.deepEqual(await apply({ kind: 'upsert', rows: [makeRow('none', [1, 1])], expected }), {
        ...nothing,
        conflicts,
      });
      assert.deepEqual(await apply({ kind: 'patch', patches, maxBytes: 1_000, expected }), { ...nothing, conflicts });
      const many = new Map(absent.map((id) => [id, 'first']));
      const refused = await apply({ kind: 'upsert', rows: absent.map((id) => makeRow(id, [1, 1])), expected: many });
      assert.deepEqual([refused?.written, refused?.conflicts?.length], [0, 100]);
      assert.deepEqual(
        await ids(),
        rows.map(({ id }) => id),
      );
      const created = { kind: 'upsert', rows: [makeRow('none', [1, 1])], expected: new Map([['none', null]]) } as const;
      assert.equal((await apply(created))?.written, 1);
      assert.deepEqual((await apply(created))?.conflicts?.length, 1);
    });

    test('rows that do not match the filter of a change count as absent, and no patch leaves it', async () => {
      const { commit, apply, ids, reader, ref } = await open();
      const row = (id: string, owner: string) => makeRow(id, [1, 1], { metadata: { owner } });
      await commit([{ kind: 'upsert', rows: [row('a', 'own'), row('b', 'other'), row('c', 'own')] }], ['first']);
      const within = { owner: 'own' };
      const expected = new Map([
        ['a', 'first'],
        ['b', 'first'],
      ]);
      const patches = ['a', 'b'].map((id) => ({ id, metadata: { seen: true } }));
      const patch = { kind: 'patch', patches, maxBytes: 1_000, within } as const;
      const conflicts = [{ id: 'b', version: null }];
      assert.deepEqual(await apply({ ...patch, expected }), { ...nothing, conflicts });
      assert.deepEqual(await apply({ kind: 'upsert', rows: [row('d', 'own')], expected, within }), {
        ...nothing,
        conflicts,
      });
      assert.deepEqual(await apply(patch), { ...nothing, written: 1, missing: ['b'] });
      const leave = [{ id: 'a', metadata: { owner: 'other' } }];
      assert.deepEqual(await apply({ ...patch, patches: leave }), { ...nothing, outside: 1 });
      const where = { kind: 'patchWhere', filter: {}, maxRowBytes: 1_000, maxBytes: 1e9, within } as const;
      assert.equal((await apply({ ...where, metadata: { seen: 1 } }))?.written, 2);
      assert.equal((await apply({ ...where, metadata: { owner: null } }))?.outside, 2);
      assert.deepEqual(await apply({ kind: 'delete', ids: ['b', 'c', 'none'], within }), { ...nothing, deleted: 1 });
      assert.deepEqual(await ids(), ['a', 'b']);
      const [other] = await reader.fetch(ref(), ['b'], false);
      assert.deepEqual(other?.metadata, { owner: 'other' });
    });

    test('a patch reports at most a hundred absent ids, and of metadata of the service none as too large', async () => {
      const { apply } = await open();
      await apply({ kind: 'upsert', rows });
      const missing = absent.map((id) => ({ id, metadata: {} }));
      const patch = (metadata: Row['metadata'], maxBytes: number) =>
        apply({ kind: 'patch', patches: [{ id: 'row 0', metadata }, ...missing], maxBytes });
      const found = await patch({ heading_path: ['x'.repeat(500)] }, 100);
      assert.deepEqual([found?.written, found?.missing], [1, absent.slice(0, 100)]);
      assert.deepEqual((await patch({ raw: 'x'.repeat(500) }, 100))?.tooLarge, ['row 0']);
    });

    test('a change for which there is no room, or whose rows weigh too much, changes nothing', async () => {
      const { apply, ids } = await open();
      const before = rows.slice(0, 3);
      await apply({ kind: 'upsert', rows: before });
      assert.deepEqual(await apply({ kind: 'upsert', rows: [...before, makeRow('new', [1, 1])] }, 3), {
        ...nothing,
        noRoom: 1,
      });
      assert.deepEqual(await apply({ kind: 'upsert', rows: before }, 3), { written: 3, deleted: 0 });
      const change = {
        kind: 'patchWhere',
        filter: {},
        metadata: { seen: true },
        maxRowBytes: 1_000,
        maxBytes: 10,
      } as const;
      assert.deepEqual(await apply(change), { ...nothing, tooMany: 3 });
      const replacement = {
        kind: 'replaceJob',
        oldJobId: 'fruit',
        rows: [makeRow('new', [1, 1])],
        maxBytes: 10,
      } as const;
      assert.ok((await apply(replacement))?.tooMany !== undefined);
      assert.deepEqual(
        await ids(),
        before.map(({ id }) => id),
      );
    });

    test('a repeated change is not applied again, and a change without rows returns the result of its key', async () => {
      const { commit, ids } = await open();
      const first = await commit(
        [
          { kind: 'upsert', rows },
          { kind: 'delete', ids: ['row 0'] },
        ],
        ['one', 'two'],
      );
      await commit([{ kind: 'upsert', rows: [makeRow('row 0', [1, 1])] }], ['three']);
      const repeated = await commit(
        [
          { kind: 'upsert', rows },
          { kind: 'delete', ids: ['row 0'] },
        ],
        ['one', 'two'],
      );
      assert.deepEqual(repeated.results, first.results);
      assert.deepEqual(
        await ids(),
        rows.map(({ id }) => id),
      );
      const lookup = await commit(
        [
          { kind: 'upsert', rows: [] },
          { kind: 'upsert', rows: [] },
        ],
        ['two', 'unknown'],
      );
      assert.deepEqual(lookup.results, [{ written: 0, deleted: 1 }, nothing]);
    });

    test('a filter that every row matches empties the index, which takes rows again', async () => {
      const { apply, ids, reader, ref } = await open();
      await apply({ kind: 'upsert', rows });
      assert.deepEqual(await apply({ kind: 'deleteWhere', filter: {} }), { written: 0, deleted: 4 });
      assert.deepEqual([await ids(), await reader.count(ref())], [[], 0]);
      assert.deepEqual(await apply({ kind: 'deleteWhere', filter: {} }), nothing);
      assert.equal((await apply({ kind: 'upsert', rows }))?.written, 4);
      assert.equal(await reader.count(ref(), { colour: 'green' }), 2);
    });

    test('rows are found by vector, text and both, within a filter, and summarized', async () => {
      const { apply, reader, ref } = await open();
      await apply({ kind: 'upsert', rows });
      const vector = Float32Array.of(1, 2);
      const found = async (query: object) =>
        (await reader.search(ref(), { topK: 2, ...query } as never)).map(({ row }) => row.id);
      assert.deepEqual(await found({ mode: 'dense', vector }), ['row 2', 'row 3']);
      assert.deepEqual(await found({ mode: 'dense', vector, filter: { at: { $lt: 2 } } }), ['row 1', 'row 0']);
      assert.deepEqual(await found({ mode: 'sparse', text: 'red' }), ['row 0']);
      const fusion = { method: 'rrf', k: 10, denseWeight: 0.1 };
      assert.equal((await found({ mode: 'hybrid', vector: async () => vector, text: 'red', fusion }))[0], 'row 0');
      const [hit] = await reader.search(ref(), { mode: 'dense', vector, topK: 1, includeVector: true });
      assert.deepEqual([hit?.row.vector, hit?.row.text], [vector, 'green tea']);
      const sum = await reader.summarize(ref(), { colour: 'green' }, () => {
        let total = 0;
        return { add: ({ at }) => void (total += Number(at)), result: () => total };
      });
      assert.equal(sum, 3);
    });

    test('random changes leave exactly the rows of a model', async () => {
      const engine = engines[name]();
      const { ref } = await openIndex(engine);
      const explored = await exploreChanges({ ...engine, ref: ref() }, null, { changes: 25, seed: 61 });
      assert.equal(explored.changes, 25);
    });
  });
}
