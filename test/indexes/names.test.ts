import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { listEvents } from '../../functions/events/list.ts';
import { createIndex } from '../../functions/indexes/create.ts';
import { getIndex } from '../../functions/indexes/get.ts';
import { updateIndex } from '../../functions/indexes/update.ts';
import { indexWriterUses } from '../../functions/workers/index-writer/uses.ts';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import type { EventHistory } from '../../shared/events/index.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { indexesWrite, updateIndexRecord, updateIndexUses } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { callOk, person } from '../support/call.ts';

const directory = await mkdtemp(join(tmpdir(), 'strata-names-'));
const cloud = new Cloud(directory);
before(() => cloud.start());
after(async () => {
  await cloud.stop();
  await rm(directory, { recursive: true, force: true });
});

const newOwner = (): Principal => person(newId('org', cloud.runtime.clock.now()), 'owner');

const create = async (owner: Principal): Promise<string> =>
  (await callOk(cloud.runtime, createIndex, owner, { body: { name: 'first', dimensions: 4 } }))['id'] as string;

/** A second later, gives the index another name. */
const rename = async (owner: Principal, id: string, name: string): Promise<void> => {
  cloud.advance(1);
  await callOk(cloud.runtime, updateIndex, owner, { path: { index_id: id }, body: { name } });
};

/** Names in the events of an organization, newest first. */
const toldNames = async (owner: Principal): Promise<readonly (readonly [string, string])[]> => {
  const { events } = (await callOk(cloud.runtime, listEvents, owner)) as unknown as EventHistory;
  return events.map(({ event_type, payload }) => {
    const { index } = payload['data'] as { readonly index: { readonly name: string } };
    return [event_type, index.name] as const;
  });
};

/** The writer makes what is to be created; `act` runs once its table stands, before the index is ready. */
const makeReady = async (act: (tried: number) => Promise<void>): Promise<void> => {
  const { indexes } = makeDeps({ indexes: indexesWrite }, cloud.runtime);
  let tried = 0;
  const markReady: typeof indexes.markReady = async (...ready) => {
    await act((tried += 1));
    cloud.advance(1);
    return indexes.markReady(...ready);
  };
  const deps = makeDeps(indexWriterUses, cloud.runtime);
  const ledger = { ...deps.ledger, indexes: { ...indexes, markReady } };
  await cloud.drain(indexWriter, { ...deps, ledger });
};

test('index.created carries the name of the creation and lies before the renames that came while the index was made', async () => {
  const owner = newOwner();
  const id = await create(owner);
  await makeReady(async (tried) => {
    if (tried < 3) await rename(owner, id, `name ${tried}`);
  });
  assert.deepEqual(await toldNames(owner), [
    ['index.updated', 'name 2'],
    ['index.updated', 'name 1'],
    ['index.created', 'first'],
  ]);
});

/** Renames an index; `meanwhile` runs once the event of the first try is dated, before that is stored. */
const renameAfter = async (owner: Principal, id: string, name: string, meanwhile: () => Promise<void>) => {
  const deps = makeDeps(updateIndexUses, cloud.runtime);
  let passed: Promise<void> | null = null;
  const slow: typeof deps.indexes.update = async (...change) => {
    await (passed ??= meanwhile());
    cloud.advance(1);
    return deps.indexes.update(...change);
  };
  const { organizationId } = owner;
  const { clock } = cloud.runtime;
  await updateIndexRecord(
    { deps: { ...deps, indexes: { ...deps.indexes, update: slow } }, clock, organizationId },
    id,
    { name },
  );
};

test('after two concurrent renames the last event contains the stored name', async () => {
  const owner = newOwner();
  const id = await create(owner);
  await renameAfter(owner, id, 'slow', () => rename(owner, id, 'fast'));
  assert.equal((await callOk(cloud.runtime, getIndex, owner, { path: { index_id: id } }))['name'], 'slow');
  assert.deepEqual(await toldNames(owner), [
    ['index.updated', 'slow'],
    ['index.updated', 'fast'],
  ]);
});

test('a rename that an index becomes ready before is dated after its creation', async () => {
  const owner = newOwner();
  const id = await create(owner);
  await renameAfter(owner, id, 'second', async () => {
    cloud.advance(1);
    await cloud.drain(indexWriter);
  });
  assert.deepEqual(await toldNames(owner), [
    ['index.updated', 'second'],
    ['index.created', 'first'],
  ]);
});
