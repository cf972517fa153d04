import * as z from 'zod';
import { createClient } from '#client';
import { openAwsAccess } from '../operator/aws-access.ts';
import { readPlace } from '../operator/place.ts';
import { findUserPool, signIn } from '../operator/user-pool.ts';
import type { Identity, SmokeOptions } from './options.ts';

/** Session of an owner. */
export interface Session {
  readonly token: string;
  readonly organizationId: string;
  /** Whether this run opened it, and has to end it. */
  readonly isOwn: boolean;
}

const LocalToken = z.object({ id_token: z.string() });

const localIdToken = async (url: string): Promise<string> => {
  const answer = await fetch(`${url}/_local/id-token`, {
    method: 'POST',
    body: JSON.stringify({ email: 'smoke@example.com', name: 'Smoke test' }),
  });
  if (!answer.ok) throw new Error(`${url} is no run of npm start: give --user EMAIL or STRATA_TOKEN`);
  return LocalToken.parse(await answer.json()).id_token;
};

const isIdToken = (token: string): boolean => token.split('.').length === 3;

const poolToken = async (user: Extract<Identity, { readonly kind: 'user' }>): Promise<string> => {
  const place = await readPlace(user.place);
  const pool =
    user.clientId === undefined
      ? await findUserPool(openAwsAccess(), place)
      : { region: place.regions[0], clientId: user.clientId };
  return signIn(pool, user.email, user.password);
};

const tokenOf = (url: string, identity: Identity): string | Promise<string> => {
  if (identity.kind === 'token') return identity.token;
  return identity.kind === 'user' ? poolToken(identity) : localIdToken(url);
};

/** Signs in by what the options give. Throws Error if the caller owns no organization, or none of the id that is asked for. */
export const openSession = async ({ url, identity, organizationId }: SmokeOptions): Promise<Session> => {
  const given = await tokenOf(url, identity);
  const isOwn = isIdToken(given);
  const token = isOwn
    ? (await createClient({ baseUrl: url, token: given }).post('/v1/auth/bootstrap')).session_token
    : given;
  const organizations = await createClient({ baseUrl: url, token }).get('/v1/organizations');
  const owned = organizations.filter(({ role }) => role === 'owner');
  const chosen = owned.find(({ organization_id: id }) => organizationId === undefined || id === organizationId);
  if (chosen === undefined)
    throw new Error(`the caller does not own ${organizationId ?? 'an organization'}: sign in as its owner`);
  return { token, organizationId: chosen.organization_id, isOwn };
};
