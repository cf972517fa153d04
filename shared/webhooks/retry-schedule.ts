import { createHash } from 'node:crypto';
import { laterBy } from '../kernel/clock.ts';
import { retryAfterSeconds } from '../kernel/retry-after.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * Delay of each attempt after the previous one, in milliseconds. The first delays are short, for receivers that restart.
 * All delays together take 75 hours and 38 minutes before jitter.
 */
export const attemptDelaysMs: readonly number[] = [
  0,
  5 * second,
  20 * second,
  1 * minute,
  2 * minute,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

const jitterRatio = 0.2;

/** Exceeds the longest delay between two attempts of a delivery. */
export const maxPauseMs = 30 * hour;

/** Returns a number from -1 to 1 that depends on the seed alone. */
const jitter = (seed: string): number =>
  (createHash('sha256').update(seed).digest().readUInt32BE() / 0xff_ff_ff_ff) * 2 - 1;

interface Failed {
  readonly deliveryId: string;
  /** Attempts made so far, at least 1. */
  readonly attempt: number;
  /** `Retry-After` of the receiver: seconds or an HTTP date. */
  readonly retryAfter: string | null;
}

/**
 * Returns the time of the next attempt after a failed one; null after the last. Jitter of up to 20 % spreads deliveries
 * that failed together. The time is never before the `Retry-After` of the receiver, up to 24 hours.
 */
export const nextAttemptAt = ({ deliveryId, attempt, retryAfter }: Failed, now: Date): Date | null => {
  const base = attemptDelaysMs[attempt];
  if (base === undefined) return null;
  const jittered = base * (1 + jitterRatio * jitter(`${deliveryId}:${attempt}`));
  const asked = Math.min((retryAfterSeconds(retryAfter, now) ?? 0) * second, 24 * hour);
  return laterBy(now, Math.round(Math.max(jittered, asked)));
};

const maxDoublings = 10;

/**
 * Returns until when an attempt is deferred while another attempt probes the receiver. Exponential backoff: one to two
 * seconds with jitter, doubled each time, up to half an hour. It limits the cost of many deliveries to a slow receiver,
 * since each deferral costs as much as an attempt.
 */
export const deferredUntil = (
  { id, deferrals }: { readonly id: string; readonly deferrals: number },
  now: Date,
): Date => {
  const pauseMs = (1.5 + jitter(`${id}#${deferrals}`) / 2) * second * 2 ** Math.min(deferrals, maxDoublings);
  return laterBy(now, Math.round(pauseMs));
};
