import * as z from 'zod';
import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import type { JsonObject } from '../kernel/json.ts';
import { expiryKey } from '../kernel/row-metadata.ts';
import { integer } from './schema-helpers.ts';

/** Seconds of the longest time to live, a hundred years. */
const maxTtlSeconds = 3_155_760_000;

/** Time to live, in seconds. */
export const TtlSeconds = integer().min(1).max(maxTtlSeconds).nullable().optional();

/** Time with an offset. */
const ExpiresAt = z.iso.datetime({ offset: true }).nullable().optional();

/** Fields of a request by which what it writes expires. */
export const expiryFields = {
  expires_at: ExpiresAt.describe(
    'Time, with an offset, from which no read returns it. Null: it never expires. Absent: as `ttl_seconds` or the index says.',
  ),
  ttl_seconds: TtlSeconds.describe('Seconds from now until it expires, in place of `expires_at`.'),
};

/** Field by which a request changes when something expires. */
export const changedExpiry = {
  expires_at: ExpiresAt.describe('New time, with an offset, from which no read returns it. Null: it never expires.'),
};

/** Returns a patch of metadata that changes when its row expires too. */
export const patchedExpiry = (patch: JsonObject, expiresAt: string | null | undefined): JsonObject =>
  expiresAt === undefined ? patch : { ...patch, [expiryKey]: expiresAt === null ? null : Date.parse(expiresAt) };

/** Values of the fields above. */
export interface RequestedExpiry {
  readonly expires_at?: string | null | undefined;
  readonly ttl_seconds?: number | null | undefined;
}

/** Returns the problems of a requested expiry: one in the past, or two of them. */
export const expiryProblems = (
  { expires_at: at, ttl_seconds: ttl }: RequestedExpiry,
  loc: ValidationProblem['loc'],
  now: Date,
): readonly ValidationProblem[] => {
  if (at == null) return [];
  if (ttl != null) return [valueProblem([...loc, 'ttl_seconds'], 'give either expires_at or ttl_seconds')];
  return Date.parse(at) > now.getTime() ? [] : [valueProblem([...loc, 'expires_at'], 'the time has passed')];
};

/**
 * Returns when something expires that is written at a time, in milliseconds since 1970. Undefined: never.
 * @param ttlOfIndex Seconds that the index says; null: none.
 */
export const expiryAt = (
  { expires_at: expiresAt, ttl_seconds: ttl }: RequestedExpiry,
  at: Date,
  ttlOfIndex: number | null,
): number | undefined => {
  if (typeof expiresAt === 'string') return Date.parse(expiresAt);
  const seconds = ttl ?? (expiresAt === null ? null : ttlOfIndex);
  return seconds === null ? undefined : at.getTime() + seconds * 1_000;
};

/** Returns when something expires that is written at a time, RFC 3339 UTC; null: never. Parameters as of `expiryAt`. */
export const expiryText = (...asked: Parameters<typeof expiryAt>): string | null => {
  const at = expiryAt(...asked);
  return at === undefined ? null : new Date(at).toISOString();
};
