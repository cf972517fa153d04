import type { RateLimitKey } from './plans.ts';

/** Figures of a month that a credential may be limited by. */
export const monthlyLimitKeys = ['searches', 'vectors_written', 'file_jobs', 'embedding_tokens', 'cost_usd'] as const;

export type MonthlyLimitKey = (typeof monthlyLimitKeys)[number];

/** Limits of a credential within those of its organization. A credential has the same limits as long as it exists. */
export interface CredentialLimits {
  /** By minute. */
  readonly rates: Readonly<Partial<Record<RateLimitKey, number>>>;
  /** Weight of its concurrent requests; null without a limit. */
  readonly inFlight: number | null;
  /** By calendar month in UTC. */
  readonly monthly: Readonly<Partial<Record<MonthlyLimitKey, number>>>;
}
