import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listIndexes } from '../../functions/indexes/list.ts';
import { openTable } from '../../shared/db/table.ts';
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

test('indexes are listed by a part of their name in any case, and by their parent', async () => {
  const { organizationId, ...rest } = machine(newId('org', cloud.runtime.clock.now()));
  const caller = { ...rest, organizationId, indexIds: null };
  const put = (item: Parameters<typeof putReadyIndex>[2]): Promise<string> => {
    cloud.advance(1);
    return putReadyIndex(cloud.runtime, organizationId, item);
  };
  const parent = await put({ name: 'Acme handbook' });
  const branches: string[] = [];
  for (const name of ['acme draft', 'other']) branches.push(await put({ name, parent_index_id: parent }));
  const [draft = '', other = ''] = branches;
  const last = await put({ name: 'Backup of ACME' });
  await put({ name: 'acme, deleted', status: 'deleting' });
  const table = openTable(cloud.runtime, 'indexes');
  const dependents = [...branches.map((id) => `${id}@1`), 'exp_01@1'];
  await table.update({ pk: `ORG#${organizationId}`, sk: parent }, { include: { dependents } });
  const pagesOf = async (
    query: Readonly<Record<string, string>>,
    by: typeof caller | { readonly indexIds: string[] },
  ) => {
    const pages: string[][] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const own: Readonly<Record<string, string>> = cursor === '' ? query : { ...query, cursor };
      const { body, headers } = await answerOf(cloud.runtime, listIndexes, { ...caller, ...by }, { query: own });
      pages.push((JSON.parse(body) as readonly { readonly id: string }[]).map(({ id }) => id));
      cursor = headers['x-next-cursor'];
    }
    return pages;
  };
  assert.deepEqual(await pagesOf({ q: 'acme', limit: '2' }, caller), [[last, draft], [parent]]);
  assert.deepEqual(await pagesOf({ q: 'aCmE' }, { indexIds: [parent, other] }), [[parent]]);
  assert.deepEqual(await pagesOf({ q: 'acm?' }, caller), [[]]);
  assert.deepEqual(await pagesOf({ parent_index_id: parent }, caller), [[other, draft]]);
  assert.deepEqual(await pagesOf({ parent_index_id: parent, q: 'DRAFT' }, caller), [[draft]]);
  assert.deepEqual(await pagesOf({ parent_index_id: parent }, { indexIds: [parent, other] }), [[other]]);
  for (const foreign of [last, newId('idx', cloud.runtime.clock.now()), 'exp_01'])
    assert.deepEqual(await pagesOf({ parent_index_id: foreign }, caller), [[]]);
  assert.deepEqual(await pagesOf({ parent_index_id: parent }, { indexIds: [other] }), [[]]);
});
