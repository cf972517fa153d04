import type { Clock } from '../kernel/clock.ts';
import { AppError, type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import type { Permission, Principal } from '../http/principal.ts';
import { type IndexReader, isLive } from '../indexes/index.ts';
import { type BoundsInput, boundsProblems } from './bounds.ts';
import { isId } from './items.ts';

/** Indexes and expiry of a new credential. */
interface Restriction extends BoundsInput {
  readonly index_ids?: readonly string[] | null | undefined;
  readonly expires_at?: string | null | undefined;
}

/** Permissions of a new credential with their restriction. */
interface Grant extends Restriction {
  readonly permissions: readonly Permission[];
}

/** Call that creates a credential. */
interface GrantCall {
  readonly body: Restriction & { readonly permissions?: readonly Permission[] | undefined };
  readonly caller: Principal;
  readonly deps: { readonly indexes: IndexReader };
  readonly clock: Clock;
}

/** Returns the problems of an expiry, as messages. */
const expiryProblems = (expiresAt: string, clock: Clock): readonly string[] => {
  const expiry = new Date(expiresAt);
  if (expiry.getTime() <= clock.now().getTime()) return ['the expiry must be in the future'];
  // A year of RFC 3339 has four digits, but with its offset the time in UTC may need five.
  return expiry.getUTCFullYear() > 9999 ? ['the expiry must be before the year 10000 in UTC'] : [];
};

const outlives = (expiresAt: string | null | undefined, creatorExpiresAt: string | null): boolean =>
  creatorExpiresAt !== null && (expiresAt == null || Date.parse(expiresAt) > Date.parse(creatorExpiresAt));

/**
 * Returns the problems of a new credential: an expiry in the past, indexes that its organization does not have, and rows that
 * it cannot be bound to.
 */
export const grantProblems = async ({
  body,
  caller,
  deps,
  clock,
}: GrantCall): Promise<readonly ValidationProblem[]> => {
  const untimely = body.expires_at == null ? [] : expiryProblems(body.expires_at, clock);
  const indexes = await Promise.all(
    (body.index_ids ?? []).map(async (id) => (isId(id) ? deps.indexes.get(caller.organizationId, id) : null)),
  );
  const unknown = indexes.flatMap((index, at) =>
    isLive(index) ? [] : [valueProblem(['body', 'index_ids', at], 'there is no such index')],
  );
  return [
    ...unknown,
    ...boundsProblems(
      body,
      indexes.filter((index) => index !== null),
    ),
    ...untimely.map((msg) => valueProblem(['body', 'expires_at'], msg)),
  ];
};

/** Returns the indexes that a new credential is restricted to, without duplicates; null for no restriction. */
export const restrictionOf = ({ index_ids }: Restriction): readonly string[] | null =>
  index_ids == null ? null : [...new Set(index_ids)];

/** Throws 403 for a credential with more permissions or a later expiry than its creator, and for a creator with limits. */
export const requireGrantable = (caller: Principal, grant: Grant): void => {
  if (grant.permissions.some((permission) => !caller.permissions.includes(permission)))
    throw new AppError('forbidden', 'A credential cannot have permissions that its creator does not have');
  if (outlives(grant.expires_at, caller.expiresAt))
    throw new AppError('forbidden', 'A key that expires cannot create a credential that outlives it');
  if (caller.limits !== null)
    throw new AppError('forbidden', 'A credential with limits cannot create credentials, which would not have them');
};
