import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'svix';
import { plans } from '../../shared/kernel/plans.ts';
import { smokeReceiverRoute } from '../../shared/webhooks/index.ts';
import { startService } from '../support/shared-service.ts';
import { runCommand } from '../operator/run-command.ts';
import { apiOf } from './support/api.ts';
import { newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

const rowsOf = (stdout: string): readonly string[] =>
  stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) =>
      line
        .split(/ {2,}/, 2)
        .join(' ')
        .replace(/ \d+ ms$/, ''),
    );

test('the smoke test passes every step and removes all that it created', { timeout: 120_000 }, async () => {
  const { session } = await newOrganization(baseUrl);
  const { code, stdout, stderr } = await runCommand('smoke', ['--url', `${baseUrl}/`], {
    STRATA_TOKEN: session.bearer ?? '',
  });
  assert.equal(stderr, '');
  assert.equal(code, 0, stdout);
  const steps = ['sign-in', 'receiver', 'index', 'upload', 'file', 'dense search', 'sparse search', 'hybrid search'];
  assert.deepEqual(
    rowsOf(stdout),
    [...steps, 'branch', 'event', 'clean-up'].map((step) => `${step} ok`),
    stdout,
  );
  assert.ok(!stdout.includes(session.bearer ?? ''));
  const owner = apiOf(session);
  assert.deepEqual(await owner.get('/v1/organization/webhooks/endpoints'), []);
  assert.deepEqual(await owner.get('/v1/indexes'), []);
});

test('a smoke test continues after a failed step, removes all that it created, and ends with 1', async () => {
  const { session } = await newOrganization(baseUrl);
  const owner = apiOf(session);
  const body = { url: 'https://elsewhere.example.com/hook' };
  for (let count = 0; count < plans.developer.limits.webhook_endpoints; count += 1)
    await owner.post('/v1/organization/webhooks/endpoints', { body });
  const { code, stdout } = await runCommand('smoke', ['--url', baseUrl], { STRATA_TOKEN: session.bearer ?? '' });
  assert.equal(code, 1);
  assert.match(stdout, /^receiver +FAILED +\d+ ms  .* answered 402: /m);
  assert.match(stdout, /^branch +ok /m);
  assert.match(stdout, /^clean-up +ok /m);
  assert.deepEqual(await owner.get('/v1/indexes'), []);
});

test('a smoke test without a credential that the service accepts fails at the sign-in', async () => {
  const { code, stdout } = await runCommand('smoke', ['--url', baseUrl], { STRATA_TOKEN: 'strata_unknown' });
  assert.equal(code, 1);
  assert.match(stdout, /sign-in +FAILED .*401/);
});

test('the receiver of a deployment accepts only what a webhook endpoint of that organization has signed for it', async () => {
  const [own, other] = await Promise.all([newOrganization(baseUrl), newOrganization(baseUrl)]);
  const pathOf = (organizationId: string): string =>
    smokeReceiverRoute.path.replace('{organization_id}', organizationId);
  const body = JSON.stringify({ type: 'index.created' });
  const post = async (organizationId: string, secret: string, at = new Date()): Promise<number> => {
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
    };
    return (await fetch(baseUrl + pathOf(organizationId), { method: 'POST', headers, body })).status;
  };
  const add = async (url: string): Promise<string> =>
    (await apiOf(own.session).post('/v1/organization/webhooks/endpoints', { body: { url } })).secret;
  const unknown = `whsec_${randomBytes(32).toString('base64')}`;
  assert.equal(await post(own.id, unknown), 401);
  const secret = await add(baseUrl + pathOf(own.id));
  assert.equal(await post(own.id, secret), 204);
  assert.equal(await post(own.id, unknown), 401);
  assert.equal(await post(other.id, secret), 401);
  assert.equal(await post(own.id, secret, new Date(Date.now() - 10 * 60_000)), 401);
  assert.equal(await post(own.id, await add('https://elsewhere.example.com/hook')), 401);
  assert.equal((await fetch(baseUrl + pathOf(own.id), { method: 'POST', body })).status, 401);
});
