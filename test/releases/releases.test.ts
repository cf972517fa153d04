import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { unzipSync } from 'fflate';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { call } from '../service/support/organization.ts';
import { startProcess } from '../service/support/process.ts';
import { eventually } from '../support/eventually.ts';
import { askAll, dimensionsOf, encoded, indexIds, sparseVector } from './questions.ts';

const releases = readdirSync(import.meta.dirname).flatMap((name) => /^(.+)\.zip$/.exec(name)?.[1] ?? []);

for (const release of releases)
  test(`the data of release ${release} is opened, answers as it did, and takes writes`, async (context) => {
    const directory = temporaryDirectory();
    for (const [name, bytes] of Object.entries(unzipSync(readFileSync(join(import.meta.dirname, `${release}.zip`))))) {
      const file = join(directory, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
    const service = await startProcess(directory);
    context.after(service.kill);
    const { key } = service;
    const answers = JSON.parse(readFileSync(join(import.meta.dirname, `${release}.json`), 'utf8')) as unknown;
    assert.deepEqual(await askAll(key), answers);
    const ids = await indexIds(key);
    for (const [name, id] of Object.entries(ids)) {
      const path = `/v1/indexes/${id}/vectors`;
      const vector = encoded(sparseVector(dimensionsOf[name as keyof typeof ids], 99));
      const row = { id: 'row-11', vector, text: 'written by a later version', metadata: {} };
      assert.equal((await call(key, 'POST', path, [row])).status, 200);
      assert.equal((await call(key, 'POST', `${path}/delete`, { ids: ['row-12'] })).status, 200);
      const { body } = await call(key, 'POST', `/v1/indexes/${id}/search/sparse`, { text: '"a later version"' });
      assert.deepEqual(
        body.results.map((hit: { readonly id: string }) => hit.id),
        ['row-11'],
      );
      assert.deepEqual((await call(key, 'POST', `${path}/fetch`, { ids: ['row-12'] })).body.vectors, []);
    }
    // A fold into a table of the release adds the columns that it lacks.
    const large = `/v1/indexes/${ids['large']}`;
    const waiting = async (): Promise<number> => (await call(key, 'GET', `${large}/stats`)).body.unindexed_vectors;
    let [highest, round] = [0, 0];
    await eventually(
      async () => {
        highest = Math.max(highest, await waiting());
        round += 1;
        const rows = Array.from({ length: 200 }, (_, at) => ({
          id: `later-${round}-${at}`,
          vector: encoded(sparseVector(dimensionsOf.large, at)),
          text: 'written before a fold',
          metadata: {},
        }));
        assert.equal((await call(key, 'POST', `${large}/vectors`, rows)).status, 200);
        return waiting();
      },
      (rows) => rows < highest,
    );
    const { body } = await call(key, 'POST', `${large}/search/sparse`, {
      text: '"before a fold"',
      include: ['citation'],
    });
    assert.deepEqual([body.results.length, body.results[0].citation], [10, null]);
  });
