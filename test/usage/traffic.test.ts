import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { plans } from '../../shared/kernel/plans.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { trafficUse } from '../../shared/usage/index.ts';
import { Cloud } from '../events/support/cloud.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const clients = 8;
const plan = 'developer';

test('eight clients together are let through as often as the plan says, and told when to come back', async () => {
  const organizationId = newId('org', cloud.runtime.clock.now());
  const limit = plans[plan].rateLimits.file_jobs;
  const refusals: AppError[] = [];
  let [asked, accepted] = [0, 0];
  // Each client is a function of its own, which remembers nothing of the others.
  const client = async (): Promise<void> => {
    const traffic = trafficUse.make(cloud.runtime);
    while (asked < limit + 60) {
      asked += 1;
      const counted = await traffic.count(organizationId, ['requests', 'file_jobs']);
      try {
        counted.admit(plan);
        accepted += 1;
      } catch (error) {
        assert.ok(error instanceof AppError);
        refusals.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  assert.deepEqual([accepted, refusals.length], [limit, asked - limit]);
  const leftSeconds = 60 - cloud.runtime.clock.now().getUTCSeconds();
  for (const { code, headers } of refusals) {
    assert.equal(code, 'rate_limited');
    assert.deepEqual(headers, {
      'retry-after': String(leftSeconds),
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(leftSeconds),
    });
  }
  cloud.advance(leftSeconds);
  const next = await trafficUse.make(cloud.runtime).count(organizationId, ['requests', 'file_jobs']);
  assert.equal(next.admit(plan)['ratelimit-remaining'], String(limit - 1));
});
