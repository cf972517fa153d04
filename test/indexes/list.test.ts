import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listIndexes } from '../../functions/indexes/list.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { answerOf, machine } from '../support/call.ts';
import { putReadyIndex } from '../support/ready-index.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

test('a credential that is restricted to indexes pages through these alone, newest first', async () => {
  const { organizationId, ...rest } = machine(newId('org', cloud.runtime.clock.now()));
  const put = (status: string): Promise<string> => {
    cloud.advance(1);
    return putReadyIndex(cloud.runtime, organizationId, { status });
  };
  const oldest = await put('ready');
  await put('ready');
  const leaving = await put('deleting');
  const newest = await put('creating');
  await put('ready');
  const gone = newId('idx', cloud.runtime.clock.now());
  const caller = { ...rest, organizationId, indexIds: [oldest, gone, newest, leaving, oldest] };
  const list = async (query: Readonly<Record<string, string>> = {}) => {
    const { body, headers } = await answerOf(cloud.runtime, listIndexes, caller, { query });
    const ids = (JSON.parse(body) as readonly { readonly id: string }[]).map(({ id }) => id);
    return { ids, next: headers['x-next-cursor'] };
  };
  assert.deepEqual(await list(), { ids: [newest, oldest], next: undefined });
  const { ids, next = '' } = await list({ limit: '1' });
  assert.deepEqual([ids, Buffer.from(next, 'base64url').toString()], [[newest], newest]);
  assert.deepEqual(await list({ limit: '1', cursor: next }), { ids: [oldest], next: undefined });
});
