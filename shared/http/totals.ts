import { AppError } from '../kernel/errors.ts';

/**
 * Returns an error as a caller may see it who is bound to rows: a limit of the organization is named without its figures,
 * which would show what others have used.
 */
export const withoutTotals = (error: unknown): unknown => {
  if (!(error instanceof AppError) || error.isOwn) return error;
  const { code, headers, cause } = error;
  if (code === 'plan_limit_reached')
    return new AppError(code, 'A limit of the plan of the organization is reached', { cause });
  if (code !== 'rate_limited') return error;
  const { 'retry-after': after = '1' } = headers;
  return new AppError(code, 'The organization has no requests left now', { cause, headers: { 'retry-after': after } });
};
