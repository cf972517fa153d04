import { randomBytes } from 'node:crypto';
import { newToken } from '../../../shared/credentials/index.ts';
import { systemClock } from '../../../shared/kernel/clock.ts';
import { readConfig } from '../../../shared/kernel/config.ts';
import { silentLogger } from '../../../shared/kernel/log.ts';
import { openOrganizations } from '../../../shared/organizations/index.ts';
import { eventually } from '../../support/eventually.ts';
import { withTestEngine } from '../../../scripts/support/test-engine.ts';
import type { ContractService, Send } from './service.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
export type Body = any;

/** Signed-in user. */
export interface Person {
  readonly email: string;
  readonly userId: string;
  readonly bearer: string;
  /** Organization of the user. */
  readonly organizationId: string;
}

/** Organization with the index that requests use. */
export interface Tenant {
  readonly service: ContractService;
  readonly send: Send;
  readonly owner: Person;
  readonly organizationId: string;
  readonly indexId: string;
  /** Member of the organization, if it has one. */
  readonly member?: Person;
}

/** Kind of caller, as in the specification. */
export interface Caller {
  readonly kind: 'none' | 'expired' | 'revoked' | 'key' | 'token' | 'session';
  readonly bearer: string | null;
  readonly organizationId: string | null;
  readonly permissions: readonly ('read' | 'write')[];
  readonly indexIds: readonly string[] | null;
  readonly role: 'owner' | 'member' | null;
  /** Verified e-mail address of a session. */
  readonly email: string | null;
  /** Organization that the caller has to select, since the default is another one. */
  readonly selects: string | null;
}

export const callerNames = [
  'none',
  'expired',
  'revoked',
  'read key',
  'write key',
  'restricted key',
  'OAuth token',
  'member',
  'owner',
  'other owner',
] as const;
export type CallerName = (typeof callerNames)[number];

/** Two organizations with every kind of caller. */
export interface AuthorizationFixture {
  readonly service: ContractService;
  readonly send: Send;
  /** Own organization, with the index of the restricted key. */
  readonly own: Tenant;
  /** Own organization, with another index. */
  readonly away: Tenant;
  readonly foreign: Tenant;
  readonly callers: Readonly<Record<CallerName, Caller>>;
}

/** Returns the headers of a JSON request of a caller. */
export const headersOf = (bearer: string | null, type: string | null = 'application/json'): Record<string, string> => ({
  ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
  ...(type === null ? {} : { 'content-type': type }),
});

/** Sends a request that must succeed. Returns the parsed body. */
export const ask = async (
  send: Send,
  bearer: string | null,
  method: string,
  url: string,
  body?: unknown,
): Promise<Body> => {
  const answer = await send({
    method,
    url,
    headers: headersOf(bearer, body === undefined ? null : 'application/json'),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.status >= 300) throw new Error(`${method} ${url} answered ${answer.status} ${answer.text}`);
  return answer.text === '' ? null : JSON.parse(answer.text);
};

/** Signs a new user in. */
export const newPerson = async (
  service: ContractService,
  send: Send,
  email = `${randomBytes(8).toString('hex')}@example.com`,
): Promise<Person> => {
  const opened = await ask(send, await service.idToken(email), 'POST', '/v1/auth/bootstrap');
  const organizationId = opened.organizations[0].organization_id as string;
  return { email, userId: opened.user.id, bearer: opened.session_token, organizationId };
};

/** Creates an index of three dimensions. */
export const newIndex = async (send: Send, bearer: string, name = 'contract'): Promise<string> =>
  (
    await ask(
      send,
      bearer,
      'POST',
      '/v1/indexes',
      withTestEngine({ name, dimensions: 3, non_filterable_metadata_keys: ['secret'] }),
    )
  ).id;

/** Creates an organization with an index. */
export const newTenant = async (service: ContractService, send: Send): Promise<Tenant> => {
  const owner = await newPerson(service, send);
  const indexId = await newIndex(send, owner.bearer);
  return { service, send, owner, organizationId: owner.organizationId, indexId };
};

/** Changes the plan of an organization to the largest one, like the command of the operator. */
const raisePlan = async ({ organizationId }: Tenant): Promise<void> => {
  const runtime = { config: readConfig(process.env), clock: systemClock, log: silentLogger };
  await openOrganizations(runtime).setPlan(organizationId, 'scale');
};

/** Creates an organization with an index and the largest plan. */
export const newUnlimitedTenant = async (service: ContractService, send: Send): Promise<Tenant> => {
  const tenant = await newTenant(service, send);
  await raisePlan(tenant);
  return tenant;
};

/** Creates a user who joins an organization, with a session that was opened afterwards. */
export const newMember = async ({ service, send, owner, organizationId }: Tenant): Promise<Person> => {
  const person = await newPerson(service, send);
  const invitation = await send({
    method: 'POST',
    url: '/v1/organization/invitations',
    headers: { ...headersOf(owner.bearer), 'x-service-organization-id': organizationId },
    body: JSON.stringify({ email: person.email, role: 'member' }),
  });
  if (invitation.status !== 201) throw new Error(`no invitation: ${invitation.status} ${invitation.text}`);
  const { id } = JSON.parse(invitation.text) as { id: string };
  await ask(send, person.bearer, 'POST', '/v1/organization/invitations/accept', { invitation_id: id });
  return person;
};

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

/** Creates an OAuth client of a tenant. */
export const newClient = ({ send, owner }: Tenant): Promise<Client> =>
  ask(send, owner.bearer, 'POST', '/v1/oauth/clients', { name: 'contract' });

/** Returns the HTTP Basic credentials of a client. */
export const basicOf = ({ client_id, client_secret }: Client): string =>
  Buffer.from(`${client_id}:${client_secret}`).toString('base64');

/** Returns an access token of a new OAuth client. */
const newAccessToken = async (tenant: Tenant): Promise<string> => {
  const type = 'application/x-www-form-urlencoded';
  const answer = await tenant.send({
    method: 'POST',
    url: '/v1/oauth/token',
    headers: { 'content-type': type, authorization: `Basic ${basicOf(await newClient(tenant))}` },
    body: 'grant_type=client_credentials',
  });
  if (answer.status !== 200) throw new Error(`no access token: ${answer.status} ${answer.text}`);
  return (JSON.parse(answer.text) as { access_token: string }).access_token;
};

/** Creates an API key of a tenant. */
export const newKey = async ({ send, owner }: Tenant, options: object): Promise<{ id: string; token: string }> =>
  ask(send, owner.bearer, 'POST', '/v1/api-keys', { name: 'contract', ...options });

/** Well-formed API key that does not exist. */
export const unknownKey = (): string => newToken('api_key', randomBytes(32));

const expiredKey = async (tenant: Tenant): Promise<string> => {
  const key = await newKey(tenant, { expires_at: new Date(Date.now() + 1_500).toISOString() });
  const request = { method: 'GET', url: '/v1/organization', headers: headersOf(key.token) };
  await eventually(
    () => tenant.send(request),
    ({ status }) => status === 401,
    20,
  );
  return key.token;
};

const revokedKey = async (tenant: Tenant): Promise<string> => {
  const key = await newKey(tenant, {});
  await ask(tenant.send, tenant.owner.bearer, 'DELETE', `/v1/api-keys/${key.id}`);
  return key.token;
};

const both = ['read', 'write'] as const;

const makeCallers = async (own: Tenant, foreign: Tenant, member: Person): Promise<AuthorizationFixture['callers']> => {
  const nobody: Caller = {
    kind: 'none',
    bearer: null,
    organizationId: own.organizationId,
    permissions: both,
    indexIds: null,
    role: null,
    email: null,
    selects: null,
  };
  const key = async (permissions: Caller['permissions'], indexIds: Caller['indexIds'] = null): Promise<Caller> => {
    const { token } = await newKey(own, { permissions, index_ids: indexIds });
    return { ...nobody, kind: 'key', bearer: token, permissions, indexIds };
  };
  const session = (person: Person, role: 'owner' | 'member', organizationId: string): Caller => ({
    ...nobody,
    kind: 'session',
    bearer: person.bearer,
    organizationId,
    role,
    email: person.email,
  });
  return {
    none: nobody,
    expired: { ...nobody, kind: 'expired', bearer: await expiredKey(own) },
    revoked: { ...nobody, kind: 'revoked', bearer: await revokedKey(own) },
    'read key': await key(['read']),
    'write key': await key(['write']),
    'restricted key': await key(both, [own.indexId]),
    'OAuth token': { ...nobody, kind: 'token', bearer: await newAccessToken(own) },
    member: { ...session(member, 'member', own.organizationId), selects: own.organizationId },
    owner: session(own.owner, 'owner', own.organizationId),
    'other owner': session(foreign.owner, 'owner', foreign.organizationId),
  };
};

/** Creates both organizations and all callers. */
export const newAuthorizationFixture = async (service: ContractService, send: Send): Promise<AuthorizationFixture> => {
  const [ours, foreign] = await Promise.all([newUnlimitedTenant(service, send), newUnlimitedTenant(service, send)]);
  const own = { ...ours, member: await newMember(ours) };
  const away = { ...own, indexId: await newIndex(send, own.owner.bearer, 'away') };
  return { service, send, own, away, foreign, callers: await makeCallers(own, foreign, own.member) };
};
