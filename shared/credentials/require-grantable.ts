import type { Clock } from '../kernel/clock.ts';
import { AppError, type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import type { Permission, Principal } from '../http/principal.ts';
import { type IndexReader, isLive } from '../indexes/index.ts';
import { isId } from './items.ts';

/** What a new credential is for. */
interface Reach {
  readonly index_ids?: readonly string[] | null | undefined;
  readonly expires_at?: string | null | undefined;
}

/** The rights that a new credential is to have. */
interface Grant extends Reach {
  readonly permissions: readonly Permission[];
}

/** A call that makes a credential. */
interface Granting {
  readonly body: Reach;
  readonly caller: Principal;
  readonly deps: { readonly indexes: IndexReader };
  readonly clock: Clock;
}

/** What is wrong with an expiry, in words; none where nothing is. */
const expiryProblems = (expiresAt: string, clock: Clock): readonly string[] => {
  const expiry = new Date(expiresAt);
  if (expiry.getTime() <= clock.now().getTime()) return ['the expiry must lie in the future'];
  // RFC 3339 has four digits for a year, and an offset may lead beyond them.
  return expiry.getUTCFullYear() > 9999 ? ['the expiry must lie before the year 10000 in UTC'] : [];
};

const outlives = (expiresAt: string | null | undefined, creatorEnds: string | null): boolean =>
  creatorEnds !== null && (expiresAt == null || Date.parse(expiresAt) > Date.parse(creatorEnds));

/** What is wrong with a credential that is born expired or names indexes that its organization does not have. */
export const grantProblems = async ({ body, caller, deps, clock }: Granting): Promise<readonly ValidationProblem[]> => {
  const untimely = body.expires_at == null ? [] : expiryProblems(body.expires_at, clock);
  const unknown = await Promise.all(
    (body.index_ids ?? []).map(async (id, at) => {
      const index = isId(id) ? await deps.indexes.get(caller.organizationId, id) : null;
      return isLive(index) ? [] : [valueProblem(['body', 'index_ids', at], 'there is no such index')];
    }),
  );
  return [...unknown.flat(), ...untimely.map((msg) => valueProblem(['body', 'expires_at'], msg))];
};

/** The indexes that a new credential is restricted to, each once; null for no restriction. */
export const restrictionOf = ({ index_ids }: Reach): readonly string[] | null =>
  index_ids == null ? null : [...new Set(index_ids)];

/** Refuses a credential that exceeds its creator. Throws 403. */
export const requireGrantable = (caller: Principal, grant: Grant): void => {
  if (grant.permissions.some((permission) => !caller.permissions.includes(permission)))
    throw new AppError('forbidden', 'A credential cannot have permissions that its creator lacks');
  if (outlives(grant.expires_at, caller.expiresAt))
    throw new AppError('forbidden', 'A key that expires cannot create a credential that outlives it');
};
