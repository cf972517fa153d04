import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lambdaHostLimits, instantAwsShape } from '#local-cloud';
import { numberOf } from '../../shared/db/read-item.ts';
import { openTable } from '../../shared/db/table.ts';
import { systemClock } from '../../shared/kernel/clock.ts';
import { readConfig } from '../../shared/kernel/config.ts';
import { silentLogger } from '../../shared/kernel/log.ts';
import { waitingWritesKey } from '../../shared/kernel/names.ts';
import { eventually } from '../support/eventually.ts';
import { startOwnService } from '../support/whole-service.ts';
import { call, newOrganization, type TestOrganization } from './support/organization.ts';

const perIndex = 3;
const deployment = 5;

const service = await startOwnService(['us-east-1'], {
  shape: instantAwsShape,
  limits: lambdaHostLimits,
  parameters: { WaitingWrites: String(deployment), WaitingWritesPerIndex: String(perIndex) },
});
Object.assign(process.env, service.environment);
const usage = openTable({ config: readConfig(service.environment), clock: systemClock, log: silentLogger }, 'usage');

const nobody = { baseUrl: service.baseUrl, bearer: null };

/** Lets requests to the object store whose address contains a text wait or fail; null ends that. */
const beginFault = async (fault: { readonly address: string; readonly effect: 'hold' | 'fail' } | null) => {
  assert.equal((await call(nobody, 'POST', '/_local/object-store-fault', JSON.stringify(fault))).status, 200);
};

const newIndex = async ({ key }: TestOrganization): Promise<string> => {
  const { body } = await call(key, 'POST', '/v1/indexes', { name: 'stall', dimensions: 2 });
  assert.equal((await upsert({ key }, body.id, 'first')).status, 200);
  return body.id;
};

const upsert = ({ key }: Pick<TestOrganization, 'key'>, index: string, id: string) =>
  call(key, 'POST', `/v1/indexes/${index}/vectors`, [{ id, vector: [1, 1] }]);

/** Begins writes, and resolves once so many in all are counted as waiting. */
const beginWrites = async (organization: TestOrganization, index: string, ids: readonly string[], counted: number) => {
  const writes = ids.map((id) => upsert(organization, index, id));
  await eventually(
    () => usage.query(waitingWritesKey),
    ({ items }) => items.reduce((sum, item) => sum + numberOf(item, 'all'), 0) >= counted,
  );
  return writes;
};

const assertRefused = (answer: Awaited<ReturnType<typeof upsert>>): void => {
  assert.deepEqual([answer.status, answer.body.code], [429, 'rate_limited'], JSON.stringify(answer.body));
  assert.equal(answer.headers.get('retry-after'), '2');
};

test('writes to a stalled index are refused beyond a limit, while an index of another organization is written', async (t) => {
  t.after(() => beginFault(null));
  const [stalled, second, calm] = await Promise.all([1, 2, 3].map(() => newOrganization(service.baseUrl)));
  assert.ok(stalled !== undefined && second !== undefined && calm !== undefined);
  const [first, sibling, other, third] = await Promise.all([stalled, stalled, second, calm].map(newIndex));
  assert.ok(first !== undefined && sibling !== undefined && other !== undefined && third !== undefined);
  await beginFault({ address: stalled.id, effect: 'hold' });
  const writes = await beginWrites(stalled, first, ['a', 'b', 'c'], perIndex);
  assertRefused(await upsert(stalled, first, 'd'));
  assert.equal((await upsert(calm, third, 'a')).status, 200);

  // A second stalled index fills the bound of the deployment.
  writes.push(...(await beginWrites(stalled, sibling, ['a', 'b'], deployment)));
  assertRefused(await upsert(second, other, 'a'));
  await beginFault(null);
  await Promise.all(writes);
  // A write whose response was late is applied as well, and writes are accepted again.
  await eventually(
    () => upsert(second, other, 'a'),
    ({ status }) => status === 200,
  );
  const { body } = await eventually(
    () => call(stalled.key, 'POST', `/v1/indexes/${first}/vectors/fetch`, { ids: ['a', 'b', 'c', 'd'] }),
    ({ body: fetched }) => fetched.vectors.length >= 3,
  );
  assert.deepEqual(
    body.vectors.map(({ id }: { id: string }) => id),
    ['a', 'b', 'c'],
  );
});
