import type * as z from 'zod';
import type { Clock } from '../kernel/clock.ts';
import { AppError, ValidationFailure, type ValidationProblem } from '../kernel/errors.ts';
import type { Principal } from '../http/principal.ts';
import type { IndexReader } from '../indexes/index.ts';
import type { ApiKeyCreate } from './schemas.ts';

/** Refuses a key that is born expired, names foreign indexes or exceeds its creator. Throws 403 and 422. */
export const requireGrantable = async (
  deps: { readonly indexes: IndexReader },
  caller: Principal,
  body: z.output<typeof ApiKeyCreate>,
  clock: Clock,
): Promise<void> => {
  const problems: ValidationProblem[] = [];
  const problem = (field: string, at: number | null, msg: string): void => {
    problems.push({
      loc: ['body', field, ...(at === null ? [] : [at])],
      msg: `Value error, ${msg}`,
      type: 'value_error',
    });
  };
  if (body.expires_at != null && Date.parse(body.expires_at) <= clock.now().getTime())
    problem('expires_at', null, 'the expiry must lie in the future');
  for (const [at, indexId] of (body.index_ids ?? []).entries()) {
    const index = await deps.indexes.get(caller.organizationId, indexId);
    if (index === null || index.status === 'deleting') problem('index_ids', at, 'there is no such index');
  }
  if (problems.length > 0) throw new ValidationFailure(problems);
  if (body.permissions.some((permission) => !caller.permissions.includes(permission))) {
    throw new AppError('forbidden', 'A key cannot have permissions that its creator lacks');
  }
};
