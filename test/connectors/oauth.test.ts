import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { ProviderAddresses } from '../../shared/platform/connectors/provider-addresses.ts';
import { exchangeCode } from '../../shared/platform/connectors/oauth.ts';
import type { SourceFault } from '../../shared/platform/connectors/port.ts';
import { FakeServer } from './fake-server.ts';

const exchange = (slack: string) =>
  exchangeCode({ slack } as ProviderAddresses, 'slack', {
    client: { clientId: 'client-1', clientSecret: 'client-secret-1' },
    redirectUri: 'https://strata.example.com/v1/connectors/callback',
    code: 'code-1',
    verifier: 'verifier-1',
    now: new Date('2026-06-15T12:00:00Z'),
  });

test('an unreachable OAuth provider is reported with the cause', async () => {
  await assert.rejects(exchange('http://127.0.0.1:9'), ({ kind, cause }: SourceFault) => {
    assert.equal(kind, 'busy');
    assert.ok(cause instanceof Error);
    assert.doesNotMatch(inspect(cause, { depth: null }), /client-secret-1|code-1|verifier-1/);
    return true;
  });
});

test('a token response of a megabyte is accepted, and a longer one is rejected', async (context) => {
  const server = new FakeServer(() => ({ status: 200, body: {} }));
  await server.start();
  context.after(() => server.stop());
  const answered = (padding: number) => {
    server.trouble.push({ status: 200, body: { access_token: 'token-1', padding: 'x'.repeat(padding) } });
    return exchange(server.url);
  };
  assert.deepEqual(await answered(1_000_000), { credentials: { type: 'oauth', token: 'token-1' }, account: null });
  await assert.rejects(answered(1_100_000), { name: 'SourceFault', kind: 'refused' });
});

test('an OAuth error of the provider itself is transient with any status, and an invalid code is permanent', async (context) => {
  const server = new FakeServer(() => ({ status: 200, body: {} }));
  await server.start();
  context.after(() => server.stop());
  const kindOf = async (status: number, code: string) => {
    server.trouble.push({ status, body: { ok: false, error: code } });
    const fault = await exchange(server.url).then(
      () => null,
      (error: unknown) => error as SourceFault,
    );
    return [fault?.kind, fault?.message];
  };
  for (const error of ['fatal_error', 'internal_error', 'service_unavailable', 'request_timeout', 'ratelimited'])
    assert.deepEqual(await kindOf(200, error), ['busy', `Slack responded with ${error}`]);
  assert.deepEqual(await kindOf(400, 'temporarily_unavailable'), ['busy', 'Slack responded with 400']);
  assert.deepEqual(await kindOf(500, 'anything'), ['busy', 'Slack responded with 500']);
  for (const error of ['invalid_code', 'invalid_refresh_token', 'bad_client_secret'])
    assert.equal((await kindOf(200, error))[0], 'refused');
});
