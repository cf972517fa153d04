import assert from 'node:assert/strict';
import { glob, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createIndex } from '../../functions/indexes/create.ts';
import { denseSearch } from '../../functions/search/dense.ts';
import { sparseSearch } from '../../functions/search/sparse.ts';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { usageRead } from '../../shared/usage/index.ts';
import { call, callOk, machine } from '../support/call.ts';
import { Cloud } from '../support/emulated-cloud.ts';

const directory = await mkdtemp(join(tmpdir(), 'strata-searches-'));
const cloud = new Cloud(directory);
before(() => cloud.start());
after(async () => {
  await cloud.stop();
  await rm(directory, { recursive: true });
});

test('a search is counted once it is answered, and not where the index cannot be read', async () => {
  const { runtime } = cloud;
  const organizationId = newId('org', runtime.clock.now());
  const caller = machine(organizationId);
  const { id } = await callOk(runtime, createIndex, caller, { body: { name: 'searched', dimensions: 2 } });
  await cloud.drain(indexWriter);
  const path = { index_id: id as string };
  const month = runtime.clock.now().toISOString().slice(0, 7);
  const counted = async () =>
    (await makeDeps({ usage: usageRead }, runtime).usage.indexMonth(organizationId, month, path.index_id))?.searches;
  await callOk(runtime, denseSearch, caller, { path, body: { vector: [1, 0] } });
  await callOk(runtime, sparseSearch, caller, { path, body: { text: 'herring' } });
  assert.deepEqual(await counted(), { dense: 1, sparse: 1, hybrid: 0 });
  const manifests = join(directory, 'vectors', '*', organizationId, '*.lance', '_versions', '*');
  for await (const manifest of glob(manifests)) await writeFile(manifest, 'no manifest');
  for (const [endpoint, body] of [
    [denseSearch, { vector: [1, 0] }],
    [sparseSearch, { text: 'herring' }],
  ] as const) {
    const { status } = await call(runtime, endpoint, caller, { path, body });
    assert.equal(status, 503);
  }
  assert.deepEqual(await counted(), { dense: 1, sparse: 1, hybrid: 0 });
});
