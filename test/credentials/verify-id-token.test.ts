import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { bootstrap } from '../../functions/auth/bootstrap.ts';
import { identityVerify } from '../../shared/credentials/index.ts';
import { openTable } from '../../shared/db/table.ts';
import { auditLogOf } from '../../shared/audit/index.ts';
import { handleEndpoint } from '../../shared/http/handle.ts';
import { makeDeps, type Runtime } from '../../shared/kernel/capability.ts';
import type { Config } from '../../shared/kernel/config.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { plans } from '../../shared/kernel/plans.ts';
import { Cloud, listening } from '../support/emulated-cloud.ts';

const audience = 'strata-console';
const cloud = new Cloud();
const { runtime } = cloud;
const provider = await generateKeyPair('ES256');
const stranger = await generateKeyPair('ES256');

let issuer = '';
const keys = { keys: [{ ...(await exportJWK(provider.publicKey)), kid: 'key', alg: 'ES256' }] };
const server = createServer((request, response) => {
  const isKeyless = request.url?.startsWith('/keyless') === true;
  const address = `${issuer}/${isKeyless ? 'nothing' : 'keys'}`;
  const body = request.url === '/keys' ? keys : { issuer, jwks_uri: address };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
});
before(async () => {
  await cloud.start();
  issuer = await listening(server);
});
after(async () => {
  server.close();
  await cloud.stop();
});

interface Token {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Partial<JWTHeaderParameters>;
  readonly signer?: typeof provider;
}

/** Claims of a provider that implements only OpenID Connect. */
const tokenOf = ({ claims = {}, header = {}, signer = provider }: Token): Promise<string> => {
  const now = Math.floor(runtime.clock.now().getTime() / 1000);
  const usual = { sub: 'ada', email: 'Ada@Example.com', email_verified: true, iss: issuer, aud: audience };
  return new SignJWT({ ...usual, iat: now, exp: now + 300, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'key', ...header })
    .sign(signer.privateKey);
};

const provided = (own: Partial<Config> = {}): Runtime => ({
  ...runtime,
  config: { ...runtime.config, identityIssuer: issuer, identityAudience: [audience], ...own },
});

const verify = async (token: Token, own: Partial<Config> = {}) =>
  makeDeps({ identities: identityVerify }, provided(own)).identities.verify(await tokenOf(token));

test('an ID token of Cognito or any other OpenID provider identifies its user', async () => {
  const ada = { issuer, subject: 'ada', email: 'ada@example.com', name: '' };
  assert.deepEqual(await verify({}), ada);
  assert.deepEqual(await verify({ header: { typ: 'JWT' }, claims: { name: 'Ada' } }), { ...ada, name: 'Ada' });
  assert.deepEqual(await verify({ claims: { token_use: 'id', email_verified: 'true' } }), ada);
});

test('the keys of an issuer may be at another address than the issuer', async () => {
  const named = { identityIssuer: 'https://issuer.example', identityKeys: `${issuer}/keys` };
  const { issuer: known } = await verify({ claims: { iss: named.identityIssuer } }, named);
  assert.equal(known, named.identityIssuer);
});

test('an ID token with an invalid name is accepted', async () => {
  const nameOf = async (name: unknown) => (await verify({ claims: { name } })).name;
  for (const name of [undefined, null, 7, { given: 'Ada' }]) assert.equal(await nameOf(name), '');
  assert.equal(await nameOf('é'.repeat(255)), 'é'.repeat(255));
  assert.equal(await nameOf('a'.repeat(5_000)), 'a'.repeat(255));
  assert.equal(await nameOf('🌍'.repeat(200)), '🌍'.repeat(127));
});

test('a verified e-mail address is accepted in any spelling and normalized', async () => {
  const emailOf = async (email: string) => (await verify({ claims: { email } })).email;
  const verified = ['a&b@example.com', 'a=b@example.com', 'a/b@example.com', 'user%x@example.com', "a'@example.com"];
  verified.push('jürgen@example.com', 'x@münchen.de', 'a@example.xn--p1ai', '用户@例子.公司', 'root@localhost');
  for (const email of verified) assert.equal(await emailOf(email), email);
  assert.equal(await emailOf('J\u0055\u0308RGEN@Example.COM'), 'jürgen@example.com');
});

test('an ID token with a subject of 255 characters is accepted', async () => {
  const sub = 's'.repeat(255);
  assert.equal((await verify({ claims: { sub } })).subject, sub);
});

const secondsFromNow = (seconds: number): number => Math.floor(runtime.clock.now().getTime() / 1000) + seconds;

test('an ID token of a provider whose clock differs by a minute is accepted', async () => {
  const ahead = { nbf: secondsFromNow(55), iat: secondsFromNow(55), exp: secondsFromNow(355) };
  const behind = { nbf: secondsFromNow(-355), iat: secondsFromNow(-355), exp: secondsFromNow(-55) };
  for (const claims of [ahead, behind]) assert.equal((await verify({ claims })).subject, 'ada');
});

const refused: Readonly<Record<string, Token>> = {
  'an access token of Cognito': { claims: { token_use: 'access' } },
  'an access token by its header': { header: { typ: 'at+jwt' } },
  'an access token by the long form of its header': { header: { typ: 'application/AT+JWT' } },
  'an e-mail address that is not verified': { claims: { email_verified: false } },
  'no word on whether the e-mail address is verified': { claims: { email_verified: undefined } },
  'an address without a domain': { claims: { email: 'ada' } },
  'an address without a name before the @': { claims: { email: ' @example.com' } },
  'an address with two domains': { claims: { email: 'ada@example.com@example.net' } },
  'an address with a control character': { claims: { email: 'ada\u0000@example.com' } },
  'an address with half a character': { claims: { email: 'ada\ud83c@example.com' } },
  'an address that is too long': { claims: { email: `${'a'.repeat(320)}@example.com` } },
  // Its lower case is a `k`.
  'an address with a Kelvin sign': { claims: { email: '\u212Aate@example.com' } },
  'another audience': { claims: { aud: 'another' } },
  'another issuer': { claims: { iss: 'https://another.example' } },
  'a time that has passed': { claims: { exp: 1 } },
  'a time that passed more than a minute ago': { claims: { exp: secondsFromNow(-65) } },
  'a time that begins in more than a minute': { claims: { nbf: secondsFromNow(65) } },
  'a subject that is empty': { claims: { sub: '' } },
  'a subject that is longer than OpenID Connect lets it be': { claims: { sub: 's'.repeat(256) } },
  'no end': { claims: { exp: undefined } },
  'a key of another signer': { signer: stranger },
};
for (const [what, token] of Object.entries(refused)) {
  test(`${what} opens no session`, async () => {
    await assert.rejects(verify(token), (error) => error instanceof AppError && error.code === 'unauthenticated');
  });
}

test('opening a session returns 503 if the provider or its keys are not available', async () => {
  for (const identityIssuer of ['http://127.0.0.1:1', `${issuer}/keyless`])
    await assert.rejects(verify({}, { identityIssuer }), (error) => {
      assert.ok(error instanceof AppError);
      assert.deepEqual([error.code, error.headers], ['unavailable', { 'retry-after': '1' }]);
      return true;
    });
});

test('opening a session counts against the rate limit of the first organization and returns 429 beyond it', async () => {
  const unused = () => Promise.reject(new Error('the endpoint authenticates by itself'));
  const handler = handleEndpoint(bootstrap, {
    runtime: provided(),
    authenticate: unused,
    idempotency: null,
    audit: auditLogOf(bootstrap, provided()),
    authorize: unused,
    resolvePath: unused,
  });
  const event = {
    rawPath: bootstrap.path,
    requestContext: { requestId: 'gateway' },
    headers: { authorization: `Bearer ${await tokenOf({ claims: { sub: 'rated' } })}` },
  };
  // The adapter reads no other field of the event and none of the context.
  const ask = () => handler(event as unknown as APIGatewayProxyEventV2, {} as Context);
  const { requests } = plans.developer.rateLimits;
  const opened = await ask();
  assert.deepEqual([opened.statusCode, opened.headers['ratelimit-remaining']], [200, String(requests - 1)]);
  const { organizations } = JSON.parse(opened.body) as {
    readonly organizations: readonly { readonly organization_id: string }[];
  };
  const minute = Math.floor(runtime.clock.now().getTime() / 60_000);
  const rate = { pk: `RATE#${organizations[0]?.organization_id}#0`, sk: String(minute) };
  await openTable(runtime, 'usage').update(rate, { set: { requests } });
  const refused = await ask();
  assert.deepEqual([refused.statusCode, refused.headers['ratelimit-remaining']], [429, '0']);
});
