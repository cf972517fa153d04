import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createApiKey } from '../../functions/api-keys/create.ts';
import { listApiKeys } from '../../functions/api-keys/list.ts';
import { credentialsWrite } from '../../shared/credentials/index.ts';
import { openTable } from '../../shared/db/table.ts';
import { freshCreation } from '../../shared/http/creation.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { Cloud } from '../events/support/cloud.ts';
import { call, person } from '../support/call.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const { runtime } = cloud;
const { keys } = makeDeps({ keys: credentialsWrite }, runtime);

const newOwner = () => person(newId('org', runtime.clock.now()), 'owner');
const sha256 = (text: unknown): string => createHash('sha256').update(String(text)).digest('hex');

test('an expiry has a year of four digits, and one that was stored with more ends no list', async () => {
  const owner = newOwner();
  const create = (expiresAt: string) =>
    call(runtime, createApiKey, owner, { body: { name: 'k', expires_at: expiresAt } });
  assert.equal((await create('9999-12-31T23:59:59-01:00')).status, 422);
  assert.deepEqual((await call(runtime, listApiKeys, owner)).body, []);
  const latest = await create('9999-12-31T23:59:59.999Z');
  assert.equal(latest.status, 201);

  const { id, token } = latest.body as { readonly id: string; readonly token: string };
  const set = { expires_at: '+010000-01-01T00:59:59.000Z' };
  const table = openTable(runtime, 'credentials');
  await table.update({ pk: `ORG#${owner.organizationId}`, sk: `KEY#${id}` }, { set });
  await table.update({ pk: `HASH#${sha256(token)}`, sk: 'CREDENTIAL' }, { set });
  const listed = await call(runtime, listApiKeys, owner);
  assert.equal(listed.status, 200);
  const shown = (listed.body as readonly { readonly expires_at: string }[])[0]?.expires_at;
  assert.equal(shown, '9999-12-31T23:59:59.999Z');
  const found = await keys.find(token);
  assert.equal(found?.kind === 'api_key' && found.expiresAt, shown);
});

test('whoever finds the key taken off the list by a repeat of the request is told of the limit', async () => {
  const caller = newOwner();
  const credentials: typeof keys = {
    ...keys,
    activateKey: async (key, token) => {
      await keys.unlistKey(key);
      return keys.activateKey(key, token);
    },
  };
  const deps = { ...makeDeps(createApiKey.uses, runtime), credentials };
  const { clock } = runtime;
  const body = { name: 'k', permissions: ['read'] };
  const creating = createApiKey.handle({ caller, body, deps, clock, creation: freshCreation(clock) });
  await assert.rejects(creating, (error) => error instanceof AppError && error.code === 'plan_limit_reached');
  assert.equal(await keys.countKeys(caller.organizationId), 0);
});
