import { AppError } from '../kernel/errors.ts';
import type { CredentialLimits, MonthlyLimitKey } from '../kernel/credential-limits.ts';
import type { RateLimitKey } from '../kernel/plans.ts';
import { estimateSubjectUsd } from './estimate-cost.ts';
import type { RateTerms } from './rate-limit-shards.ts';
import type { SubjectFigures } from './subject-usage.ts';

const holder = 'This credential';

/** Returns the limits by minute and in flight of a credential. All of its requests in flight count together. */
export const credentialTerms = ({ rates, inFlight }: CredentialLimits): RateTerms => ({
  holder,
  isOwn: true,
  rateLimits: {
    requests: rates.requests ?? Infinity,
    searches: rates.searches ?? Infinity,
    vector_writes: rates.vector_writes ?? Infinity,
    file_jobs: rates.file_jobs ?? Infinity,
  },
  inFlight: { requests: inFlight ?? Infinity, searches: Infinity, vector_writes: Infinity, file_jobs: Infinity },
});

/** Whether the credential has limits by minute or in flight, which each of its requests counts against. */
export const hasRates = ({ rates, inFlight }: CredentialLimits): boolean =>
  inFlight !== null || Object.keys(rates).length > 0;

const figureOf: Readonly<Record<MonthlyLimitKey, (figures: SubjectFigures) => number>> = {
  searches: (figures) => figures.searches_dense + figures.searches_sparse + figures.searches_hybrid,
  vectors_written: (figures) => figures.vectors_written,
  file_jobs: (figures) => figures.file_jobs,
  embedding_tokens: (figures) => figures.embedding_tokens,
  cost_usd: estimateSubjectUsd,
};

/** Monthly limits that a request of each rate adds to. */
const addedBy: Readonly<Record<RateLimitKey, readonly MonthlyLimitKey[]>> = {
  requests: [],
  searches: ['searches', 'embedding_tokens', 'cost_usd'],
  vector_writes: ['vectors_written', 'embedding_tokens', 'cost_usd'],
  file_jobs: ['file_jobs', 'vectors_written', 'embedding_tokens', 'cost_usd'],
};

/** Returns the monthly limits of a credential that requests of these rates add to. */
export const monthlyLimitsFor = (
  { monthly }: CredentialLimits,
  rates: readonly RateLimitKey[],
): readonly MonthlyLimitKey[] =>
  [...new Set(rates.flatMap((rate) => addedBy[rate]))].filter((key) => monthly[key] !== undefined);

/** Throws 402 if one of these monthly limits of a credential is reached. */
export const requireMonthlyLimits = (
  { monthly }: CredentialLimits,
  keys: readonly MonthlyLimitKey[],
  used: SubjectFigures,
): void => {
  for (const key of keys) {
    const [limit = Infinity, current] = [monthly[key], figureOf[key](used)];
    if (current < limit) continue;
    const allowed = key === 'cost_usd' ? `a cost of ${limit} USD` : `${limit} ${key.replaceAll('_', ' ')}`;
    throw new AppError('plan_limit_reached', `${holder} allows ${allowed} a month`, {
      fields: { limit, current },
      isOwn: true,
    });
  }
};
