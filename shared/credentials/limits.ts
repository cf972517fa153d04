import * as z from 'zod';
import type { CredentialLimits } from '../kernel/credential-limits.ts';
import { plans } from '../kernel/plans.ts';

const { rateLimits: highest, inFlight } = plans.enterprise;

const rate = (max: number) => z.int().min(1).max(max).optional();

const RateLimits = z
  .strictObject({
    requests: rate(highest.requests).describe('Requests of all kinds.'),
    searches: rate(highest.searches).describe('Searches, by their weight.'),
    vector_writes: rate(highest.vector_writes).describe('Requests that write or delete rows.'),
    file_jobs: rate(highest.file_jobs).describe('File jobs that requests create.'),
  })
  .meta({ id: 'CredentialRateLimits', description: 'Limits by minute. An absent one is that of the plan.' });

const figure = z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional();

const MonthlyLimits = z
  .strictObject({
    searches: figure.describe('Searches.'),
    vectors_written: figure.describe('Vectors that its requests and files wrote.'),
    file_jobs: figure.describe('File jobs.'),
    embedding_tokens: figure.describe('Tokens of text that were turned into vectors.'),
    cost_usd: z.number().min(0.01).max(1e9).optional().describe('Estimated cost of its usage in USD, without storage.'),
  })
  .meta({ id: 'CredentialMonthlyLimits', description: 'Limits by calendar month in UTC.' });

/** Fields that limit a new credential. */
export const limitsFields = {
  rate_limits: RateLimits.nullable()
    .optional()
    .describe('Limits of the credential by minute, within those of the organization. A request above one is a 429.'),
  in_flight: z
    .int()
    .min(1)
    .max(inFlight.requests)
    .nullable()
    .optional()
    .describe('Maximum requests of the credential at a time, heavy ones counted as several. Another one is a 429.'),
  monthly_limits: MonthlyLimits.nullable()
    .optional()
    .describe(
      'Limits of the credential by month. When one is reached, requests that would add to it are a 402. Requests that run then are completed.',
    ),
};

const ShownRateLimits = z
  .object(RateLimits.shape)
  .meta({ id: 'ShownRateLimits', description: 'Limits by minute. An absent one is that of the plan.' });

const ShownMonthlyLimits = z
  .object(MonthlyLimits.shape)
  .meta({ id: 'ShownMonthlyLimits', description: 'Limits by calendar month in UTC.' });

/** Fields of a response that show the limits of a credential. */
export const shownLimitsFields = {
  rate_limits: ShownRateLimits.nullable().describe('Its limits by minute; null for those of the plan.'),
  in_flight: z.int().nullable().describe('Maximum of its requests at a time; null for that of the plan.'),
  monthly_limits: ShownMonthlyLimits.nullable().describe('Its limits by month; null for those of the plan.'),
};

/** Limits of a new credential. */
export type LimitsInput = { readonly [Field in keyof typeof limitsFields]?: z.output<(typeof limitsFields)[Field]> };

/** Drops absent values. Null if there are none. */
const givenOf = <Limits extends object>(limits: Limits | null | undefined): Limits | null => {
  const given = Object.entries(limits ?? {}).filter(([, value]) => value !== undefined);
  return given.length === 0 ? null : (Object.fromEntries(given) as Limits);
};

/** Returns the limits of a new credential; null for none. */
export const limitsOf = (input: LimitsInput): CredentialLimits | null => {
  const [rates, monthly, inFlightLimit] = [
    givenOf(input.rate_limits),
    givenOf(input.monthly_limits),
    input.in_flight ?? null,
  ];
  if (rates === null && monthly === null && inFlightLimit === null) return null;
  return { rates: rates ?? {}, inFlight: inFlightLimit, monthly: monthly ?? {} } as CredentialLimits;
};

/** Returns the fields of a response that show the limits of a credential. */
export const toShownLimits = (limits: CredentialLimits | null) => ({
  rate_limits: givenOf(limits?.rates),
  in_flight: limits?.inFlight ?? null,
  monthly_limits: givenOf(limits?.monthly),
});
