import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { completeOnboarding } from '../../functions/onboarding/complete.ts';
import { openTable } from '../../shared/db/table.ts';
import { indexFormat } from '../../shared/indexes/record.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import type { Plan } from '../../shared/kernel/plans.ts';
import { organizationsWrite } from '../../shared/organizations/index.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { call, person } from '../support/call.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const answers = { organization_name: 'Acme', use_case: 'manuals', expected_vectors: '1M' };

/** Returns an owner of a new organization in a deployment with these regions. */
const newOwner = async (regions: readonly string[], plan: Plan = 'developer') => {
  const runtime = { ...cloud.runtime, config: { ...cloud.runtime.config, regions } };
  const { organizations } = makeDeps({ organizations: organizationsWrite }, runtime);
  const email = `${randomUUID()}@example.com`;
  const { memberships } = await organizations.signIn({ issuer: 'i', subject: email, email, name: 'Ada' });
  const organizationId = memberships[0]?.organizationId ?? '';
  return {
    organizationId,
    complete: async (body: object, now: Plan = plan) => {
      const caller = { ...person(organizationId, 'owner'), plan: now };
      const answer = await call(runtime, completeOnboarding, caller, { body });
      return answer.status === 200 ? (await organizations.get(organizationId))?.defaultRegion : answer;
    },
  };
};

test('the default region is us-east-1 or the first one, and a region that is not deployed is refused', async () => {
  const usual = await newOwner(['eu-central-1', 'us-east-1']);
  assert.equal(await usual.complete(answers), 'us-east-1');
  assert.equal(await usual.complete({ ...answers, default_region: 'eu-central-1' }), 'eu-central-1');
  const elsewhere = await newOwner(['eu-central-1', 'eu-west-1']);
  assert.equal(await elsewhere.complete(answers), 'eu-central-1');
  const msg = "Input should be 'eu-central-1' or 'eu-west-1'";
  assert.deepEqual(await elsewhere.complete({ ...answers, default_region: 'us-east-1' }), {
    status: 422,
    body: { detail: [{ loc: ['body', 'default_region'], msg, type: 'enum' }] },
  });
});

test('a plan with one region refuses another region while an index exists among deleted ones', async () => {
  for (const plan of ['developer', 'scale'] as const) {
    const { organizationId, complete } = await newOwner(['us-east-1', 'eu-central-1'], plan);
    for (let index = 10; index < 40; index += 1) {
      await openTable(cloud.runtime, 'indexes').put({
        pk: `ORG#${organizationId}`,
        sk: `idx_${index}`,
        format: indexFormat,
        status: index === 10 ? 'ready' : 'deleting',
        cloud_region: 'us-east-1',
        ancestors: [],
      });
    }
    const moved = await complete({ ...answers, default_region: 'eu-central-1' });
    if (plan === 'scale') assert.equal(moved, 'eu-central-1');
    else assert.partialDeepStrictEqual(moved, { status: 403, body: { code: 'feature_not_in_plan' } });
    assert.equal(await complete(answers), 'us-east-1');
  }
});

test('after a downgrade an organization may select its current region or one with an index', async () => {
  const regions = ['us-east-1', 'eu-central-1', 'eu-west-1', 'eu-north-1'];
  const { organizationId, complete } = await newOwner(regions, 'scale');
  assert.equal(await complete({ ...answers, default_region: 'eu-west-1' }), 'eu-west-1');
  const lying = ['us-east-1', 'eu-central-1'];
  for (const [at, region] of lying.entries()) {
    await openTable(cloud.runtime, 'indexes').put({
      pk: `ORG#${organizationId}`,
      sk: `idx_${at}`,
      format: indexFormat,
      status: 'ready',
      cloud_region: region,
      ancestors: [],
    });
  }
  const ask = (region: string) => complete({ ...answers, default_region: region }, 'developer');
  assert.partialDeepStrictEqual(await ask('eu-north-1'), {
    status: 403,
    body: { code: 'feature_not_in_plan', detail: 'The plan allows indexes in one region, which is eu-west-1' },
  });
  for (const region of ['eu-west-1', ...lying]) assert.equal(await ask(region), region);
});
