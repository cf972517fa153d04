import type * as z from 'zod';
import { expiryProblems, patchedExpiry } from '../http/expiry.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Deps } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ValidationProblem } from '../kernel/errors.ts';
import type { Principal } from '../http/principal.ts';
import { applyChange, changeIndexUses, type IndexRecord, requireCaughtUp } from '../indexes/index.ts';
import { repeatedIds } from './repeated-ids.ts';
import type { UpdateBody, UpdateResponse } from './schemas.ts';
import { tooManyItems } from './too-many-items.ts';

/** Capabilities that an update needs. */
export const updateUses = changeIndexUses;

interface UpdateCall {
  readonly deps: Deps<typeof updateUses>;
  /** The index. */
  readonly prefetched: Promise<IndexRecord>;
  readonly caller: Principal;
  readonly idempotency: IdempotencyContext;
}

type Items = z.output<typeof UpdateBody>;

/** Validates the items of an update, after their schema. */
export const updateProblems = ({
  body,
  caller,
  clock,
}: {
  readonly body: readonly Partial<Items[number]>[];
  readonly caller: Pick<Principal, 'plan'>;
  readonly clock: Clock;
}): readonly ValidationProblem[] => [
  ...tooManyItems(body, caller.plan),
  ...repeatedIds(body),
  ...body.flatMap((item, at) => expiryProblems(item, ['body', at], clock.now())),
];

/**
 * Merges metadata into rows and waits until searches see it. Returns ids without a row as `missing`. If the version of a row
 * differs, or its metadata would become too large, nothing is changed. Throws 404, 409, 422, 429 and 503.
 */
export const updateVectors = async (
  { deps, prefetched, caller, idempotency }: UpdateCall,
  items: Items,
): Promise<z.output<typeof UpdateResponse>> => {
  const index = await prefetched;
  if (!idempotency.isRepeat) requireCaughtUp(index);
  const patches = items.map(({ expires_at: expiresAt, metadata, ...item }) => ({
    ...item,
    metadata: patchedExpiry(metadata, expiresAt),
  }));
  const change = { op: 'patch', patches } as const;
  const { written, missing = [], version } = await applyChange({ deps, caller, idempotency }, index, () => change);
  return { updated: written, missing: [...missing], version };
};
