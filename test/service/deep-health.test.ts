import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dependencyCheck } from '../../shared/health/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { systemClock } from '../../shared/kernel/clock.ts';
import { readConfig } from '../../shared/kernel/config.ts';
import { silentLogger } from '../../shared/kernel/log.ts';
import { buckets, queues, tables } from '../../shared/kernel/names.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/shared-service.ts';
import { apiOf } from './support/api.ts';
import { call, newOrganization } from './support/organization.ts';

const service = await startService();
const { baseUrl } = service;
Object.assign(process.env, service.environment);
const region = 'us-east-1';

test('only an owner gets the health of every table, bucket, queue, model and engine', async () => {
  const { session, key } = await newOrganization(baseUrl);
  const owner = apiOf(session);
  const names = [
    ...Object.keys(tables).map((table) => `table/${region}/${table}`),
    ...buckets.map((bucket) => `bucket/${region}/${bucket}`),
    ...Object.keys(queues).map((queue) => `queue/${region}/${queue}`),
    `embedding/${region}`,
    `embedding/${region}/embedded-multilingual-e5-small`,
  ];
  const outcomesOf = async () => (await owner.get('/v1/health/deep')).map(({ ms: _ms, ...outcome }) => outcome);
  const ok = names.map((name) => ({ name, status: 'ok', error: null }));
  assert.deepEqual(await outcomesOf(), [...ok, { name: `engine/${region}`, status: 'skipped', error: null }]);
  const { id } = await owner.post('/v1/indexes', { body: { name: 'probed', dimensions: 8 } });
  await eventually(
    () => owner.get('/v1/indexes/{index_id}/stats', { params: { path: { index_id: id } } }),
    ({ status }) => status === 'ready',
  );
  assert.deepEqual(await outcomesOf(), [...ok, { name: `engine/${region}`, status: 'ok', error: null }]);
  assert.equal((await call(key, 'GET', '/v1/health/deep')).status, 403);
});

test('an unreachable dependency is reported by its name, and the others are still checked', async () => {
  const config = readConfig({ ...service.environment, STRATA_REGIONS: `${region},eu-central-1` });
  const lines: string[] = [];
  const log = { ...silentLogger, warn: (_message: string, fields = {}) => void lines.push(JSON.stringify(fields)) };
  const { check } = makeDeps({ check: dependencyCheck }, { config, clock: systemClock, log });
  const outcomes = await check('org_none', []);
  const failed = outcomes.filter(({ status }) => status === 'failed').map(({ name }) => name);
  const regional = Object.entries(queues).filter(([, { scope }]) => scope === 'region');
  const expected = [
    ...buckets.map((bucket) => `bucket/eu-central-1/${bucket}`),
    ...regional.map(([queue]) => `queue/eu-central-1/${queue}`),
    'embedding/eu-central-1',
    'embedding/eu-central-1/embedded-multilingual-e5-small',
  ];
  assert.deepEqual(failed, expected);
  assert.equal(lines.length, expected.length);
  assert.equal(outcomes.find(({ name }) => name === `queue/eu-central-1/plan`)?.error, 'QueueDoesNotExist');
});
