import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { endOneSession } from '../../functions/auth/end-one-session.ts';
import { endSession } from '../../functions/auth/end-session.ts';
import { listSessions } from '../../functions/auth/list-sessions.ts';
import {
  authenticationUses,
  authenticator,
  credentialsWrite,
  exchangeGrant,
  exchangeGrantUses,
  newToken,
} from '../../shared/credentials/index.ts';
import { freshIdempotencyContext } from '../../shared/http/idempotency.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { laterBy } from '../../shared/kernel/clock.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { call } from '../support/call.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { putOrganization } from '../support/organization.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const { runtime } = cloud;
const { credentials } = makeDeps({ credentials: credentialsWrite }, runtime);
const authenticate = authenticator(makeDeps(authenticationUses, runtime), runtime.clock);

interface User {
  readonly id: string;
  readonly organizationId: string;
}

const newUser = async (): Promise<User> => {
  const [id, organizationId] = [newId('usr', runtime.clock.now()), newId('org', runtime.clock.now())];
  await putOrganization(runtime, organizationId, { members: new Set([id]), owners: new Set([id]) });
  return { id, organizationId };
};

const newSession = async ({ id: userId }: User, userAgent: string | null = null, hours = 12) => {
  cloud.advance(0.001);
  const now = runtime.clock.now();
  const session = {
    id: newId('sess', now),
    userId,
    email: 'a@example.com',
    createdAt: now.toISOString(),
    expiresAt: laterBy(now, hours * 3_600_000).toISOString(),
    userAgent,
  };
  const token = newToken('session', randomBytes(32));
  await credentials.addSession(session, token);
  return { ...session, token };
};

const callerOf = async (bearer: string, { organizationId }: User): Promise<Principal> =>
  (await authenticate({ bearer, organizationId }, ['requests'])).caller;

const refusalOf = (bearer: string, user: User): Promise<string | null> =>
  callerOf(bearer, user).then(
    () => null,
    (error: unknown) => (error as { readonly code: string }).code,
  );

test('a user lists their open sessions, newest first, with the current one marked', async () => {
  const user = await newUser();
  await newSession(user, 'brief', 1);
  const [a, b] = [await newSession(user, 'laptop'), await newSession(user)];
  await newSession(await newUser());
  cloud.advance(3_600);
  const listed = await call(runtime, listSessions, await callerOf(a.token, user));
  const shown = ({ id, createdAt, expiresAt, userAgent }: typeof a, current: boolean) => ({
    id,
    created_at: createdAt,
    expires_at: expiresAt,
    current,
    user_agent: userAgent,
    application: null,
  });
  assert.deepEqual(listed, { status: 200, body: [shown(b, false), shown(a, true)] });
});

test('ending a session refuses its token at once and keeps the other sessions of the user', async () => {
  const user = await newUser();
  const [a, b, c] = [await newSession(user), await newSession(user), await newSession(user)];
  const caller = await callerOf(a.token, user);
  const endB = () => call(runtime, endOneSession, caller, { path: { session_id: b.id } });
  for (let times = 0; times < 2; times += 1) assert.deepEqual(await endB(), { status: 204, body: null });
  assert.equal(await refusalOf(b.token, user), 'unauthenticated');
  assert.equal((await call(runtime, endSession, caller)).status, 204);
  assert.equal(await refusalOf(a.token, user), 'unauthenticated');
  assert.equal(await refusalOf(c.token, user), null);
  const { body } = await call(runtime, listSessions, await callerOf(c.token, user));
  assert.deepEqual(
    (body as readonly { readonly id: string }[]).map(({ id }) => id),
    [c.id],
  );
});

test('ending a session of another user returns 404', async () => {
  const [user, other] = [await newUser(), await newUser()];
  const [own, foreign] = [await newSession(user), await newSession(other)];
  const caller = await callerOf(own.token, user);
  const end = (session_id: string) => call(runtime, endOneSession, caller, { path: { session_id } });
  const detailOf = async (id: string) => {
    const { status, body } = await end(id);
    return [status, (body as { readonly detail: string }).detail];
  };
  for (const id of [foreign.id, newId('sess', runtime.clock.now()), 'x'])
    assert.deepEqual(await detailOf(id), [404, 'Session not found']);
  assert.equal(await refusalOf(foreign.token, other), null);
});

test('ending a session that dies at any request is completed by its repeat', async () => {
  const user = await newUser();
  const asking = await newSession(user);
  const caller = await callerOf(asking.token, user);
  for (const kind of ['not applied', 'reply lost'] as const) {
    for (let request = 1; request <= 4; request += 1) {
      const { id, token } = await newSession(user);
      const end = () => call(runtime, endOneSession, caller, { path: { session_id: id } });
      cloud.faults.arm({ request, kind });
      await end();
      cloud.faults.arm(null);
      assert.equal((await end()).status, 204, `${kind} at ${request}`);
      assert.equal(await refusalOf(token, user), 'unauthenticated');
    }
  }
});

test('a refresh token returns the same tokens for a minute, also after a crash, and ends the grant later', async () => {
  const user = await newUser();
  const { token, expiresAt, ...session } = await newSession(user);
  const deps = makeDeps(exchangeGrantUses, runtime);
  const newGrant = async () => {
    const now = runtime.clock.now().toISOString();
    const value = newToken('authorization_code', randomBytes(32));
    const verifier = 'v'.repeat(43);
    const redirectUri = 'http://127.0.0.1/callback';
    const grant = {
      id: newId('grant', runtime.clock.now()),
      organizationId: user.organizationId,
      creators: [session.userId],
      sessionHash: createHash('sha256').update(token).digest('hex'),
      clientId: 'strata-cli',
      clientName: 'Strata command line',
      scopes: ['read'],
      indexIds: null,
      bounds: null,
      limits: null,
      resource: 'http://localhost',
      createdAt: now,
      expiresAt,
    } as const;
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    await deps.grants.add(grant, { redirectUri, challenge, expiresAt }, value);
    return exchange({
      grant_type: 'authorization_code',
      code: value,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    });
  };
  const exchange = (request: { readonly grant_type: string } & Readonly<Record<string, string>>) =>
    exchangeGrant(
      { deps, idempotency: freshIdempotencyContext(runtime.clock), authorization: null },
      { client_id: 'strata-cli', ...request },
    );
  const refresh = async (value: string | null) => {
    const {
      token: access,
      refreshToken,
      expiresInSeconds,
    } = await exchange({
      grant_type: 'refresh_token',
      refresh_token: value ?? '',
    });
    return { access, refreshToken, expiresInSeconds };
  };
  const first = await newGrant();
  const second = await refresh(first.refreshToken);
  cloud.advance(59);
  assert.deepEqual(await refresh(first.refreshToken), second);
  assert.equal((await deps.grants.grantOf(second.access))?.hasEnded, false);
  cloud.advance(2);
  await assert.rejects(refresh(first.refreshToken), { code: 'bad_request' });
  assert.equal((await deps.grants.grantOf(second.access))?.hasEnded, true);
  await assert.rejects(refresh(second.refreshToken), { code: 'bad_request' });

  // A process that crashed after it had marked the token stored no tokens.
  const { refreshToken } = await newGrant();
  const use = { at: runtime.clock.now().toISOString(), salt: 'salt' };
  assert.ok(refreshToken !== null && (await deps.grants.use(refreshToken, use)));
  const repeated = await refresh(refreshToken);
  assert.equal((await deps.grants.grantOf(repeated.access))?.hasEnded, false);
});
