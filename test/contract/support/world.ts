import { randomBytes } from 'node:crypto';
import { newToken } from '../../../shared/credentials/index.ts';
import { systemClock } from '../../../shared/kernel/clock.ts';
import { readConfig } from '../../../shared/kernel/config.ts';
import { silentLogger } from '../../../shared/kernel/log.ts';
import { openOrganizations } from '../../../shared/organizations/index.ts';
import { eventually } from '../../support/eventually.ts';
import type { ContractService, Send } from './service.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
export type Body = any;

/** A signed-in person. */
export interface Person {
  readonly email: string;
  readonly userId: string;
  readonly bearer: string;
  /** The organization that they own. */
  readonly organizationId: string;
}

/** An organization and the index in it that a request is about. */
export interface Place {
  readonly service: ContractService;
  readonly send: Send;
  readonly owner: Person;
  readonly organizationId: string;
  readonly indexId: string;
  /** Somebody who belongs to the organization as a member, where there is one. */
  readonly member?: Person;
}

/** Who calls, in the words of the specification. */
export interface Caller {
  readonly kind: 'none' | 'expired' | 'revoked' | 'key' | 'token' | 'session';
  readonly bearer: string | null;
  readonly organizationId: string | null;
  readonly permissions: readonly ('read' | 'write')[];
  readonly indexIds: readonly string[] | null;
  readonly role: 'owner' | 'member' | null;
  /** Verified e-mail of a session. */
  readonly email: string | null;
  /** The organization that the caller has to name, since without it they act for another. */
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

/** Two organizations and everybody who may call. */
export interface World {
  readonly service: ContractService;
  readonly send: Send;
  /** Ours, with the index that the restricted key may use. */
  readonly own: Place;
  /** Ours, with another index. */
  readonly away: Place;
  readonly foreign: Place;
  readonly callers: Readonly<Record<CallerName, Caller>>;
}

/** Headers of a JSON request by a caller. */
export const headersOf = (bearer: string | null, type: string | null = 'application/json'): Record<string, string> => ({
  ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
  ...(type === null ? {} : { 'content-type': type }),
});

/** Asks and expects success; gives the parsed body. */
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

/** Signs somebody new in. */
export const newPerson = async (
  service: ContractService,
  send: Send,
  email = `${randomBytes(8).toString('hex')}@example.com`,
): Promise<Person> => {
  const opened = await ask(send, await service.idToken(email), 'POST', '/v1/auth/bootstrap');
  const organizationId = opened.organizations[0].organization_id as string;
  return { email, userId: opened.user.id, bearer: opened.session_token, organizationId };
};

/** A fresh index of three dimensions. */
export const newIndex = async (send: Send, bearer: string, name = 'contract'): Promise<string> =>
  (await ask(send, bearer, 'POST', '/v1/indexes', { name, dimensions: 3, non_filterable_metadata_keys: ['secret'] }))
    .id;

/** An organization of its own with an index. */
export const newPlace = async (service: ContractService, send: Send): Promise<Place> => {
  const owner = await newPerson(service, send);
  const indexId = await newIndex(send, owner.bearer);
  return { service, send, owner, organizationId: owner.organizationId, indexId };
};

/** Moves an organization to a plan with room for everything, as the operator's command does it. */
const enlarge = async ({ organizationId }: Place): Promise<void> => {
  const runtime = { config: readConfig(process.env), clock: systemClock, log: silentLogger };
  await openOrganizations(runtime).setPlan(organizationId, 'scale');
};

/** An organization of its own with an index and a plan with room for everything. */
export const newRoomyPlace = async (service: ContractService, send: Send): Promise<Place> => {
  const place = await newPlace(service, send);
  await enlarge(place);
  return place;
};

/** Somebody new who joins an organization as a member, in a session that begins after that. */
export const newMember = async ({ service, send, owner, organizationId }: Place): Promise<Person> => {
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

/** A fresh OAuth client of a place. */
export const newClient = ({ send, owner }: Place): Promise<Client> =>
  ask(send, owner.bearer, 'POST', '/v1/oauth/clients', { name: 'contract' });

/** What HTTP Basic carries for a client. */
export const basicOf = ({ client_id, client_secret }: Client): string =>
  Buffer.from(`${client_id}:${client_secret}`).toString('base64');

/** An access token of a fresh OAuth client. */
const newAccessToken = async (place: Place): Promise<string> => {
  const type = 'application/x-www-form-urlencoded';
  const answer = await place.send({
    method: 'POST',
    url: '/v1/oauth/token',
    headers: { 'content-type': type, authorization: `Basic ${basicOf(await newClient(place))}` },
    body: 'grant_type=client_credentials',
  });
  if (answer.status !== 200) throw new Error(`no access token: ${answer.status} ${answer.text}`);
  return (JSON.parse(answer.text) as { access_token: string }).access_token;
};

/** A fresh API key of a place, as its owner makes it. */
export const newKey = async ({ send, owner }: Place, options: object): Promise<{ id: string; token: string }> =>
  ask(send, owner.bearer, 'POST', '/v1/api-keys', { name: 'contract', ...options });

/** A well-formed key that nobody was given. */
export const unknownKey = (): string => newToken('api_key', randomBytes(32));

const expiredKey = async (place: Place): Promise<string> => {
  const key = await newKey(place, { expires_at: new Date(Date.now() + 1_500).toISOString() });
  const request = { method: 'GET', url: '/v1/organization', headers: headersOf(key.token) };
  await eventually(
    () => place.send(request),
    ({ status }) => status === 401,
    20,
  );
  return key.token;
};

const revokedKey = async (place: Place): Promise<string> => {
  const key = await newKey(place, {});
  await ask(place.send, place.owner.bearer, 'DELETE', `/v1/api-keys/${key.id}`);
  return key.token;
};

const both = ['read', 'write'] as const;

const makeCallers = async (own: Place, foreign: Place, member: Person): Promise<World['callers']> => {
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

/** Makes both organizations and all callers. */
export const newWorld = async (service: ContractService, send: Send): Promise<World> => {
  const [ours, foreign] = await Promise.all([newRoomyPlace(service, send), newRoomyPlace(service, send)]);
  const own = { ...ours, member: await newMember(ours) };
  const away = { ...own, indexId: await newIndex(send, own.owner.bearer, 'away') };
  return { service, send, own, away, foreign, callers: await makeCallers(own, foreign, own.member) };
};
