import { createHash } from 'node:crypto';
import { laterBy } from '../kernel/clock.ts';
import { retryAfterSeconds } from '../kernel/retry-after.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * Milliseconds before each attempt, counted from the one before: dense for the first minutes, so that a restart of a
 * receiver costs seconds, then patient over three days, 75 hours and 38 minutes in all before the spread.
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

const spread = 0.2;

/** Longer than any two attempts of a delivery lie apart. */
export const longestPauseMs = 30 * hour;

/** A number from -1 to 1 that a repeat derives again. */
const wobble = (seed: string): number =>
  (createHash('sha256').update(seed).digest().readUInt32BE() / 0xff_ff_ff_ff) * 2 - 1;

interface Failed {
  readonly deliveryId: string;
  /** Attempts made so far, at least 1. */
  readonly attempt: number;
  /** The receiver's `Retry-After`: seconds or an HTTP date. */
  readonly retryAfter: string | null;
}

/**
 * When to try again after a failed attempt; null after the last. Up to 20 % earlier or later than the schedule says, so
 * that what failed together does not come back together; never before `Retry-After`, of which a day is believed.
 */
export const nextAttemptAt = ({ deliveryId, attempt, retryAfter }: Failed, now: Date): Date | null => {
  const base = attemptDelaysMs[attempt];
  if (base === undefined) return null;
  const jittered = base * (1 + spread * wobble(`${deliveryId}:${attempt}`));
  const asked = Math.min((retryAfterSeconds(retryAfter, now) ?? 0) * second, 24 * hour);
  return laterBy(now, Math.round(Math.max(jittered, asked)));
};

const mostDoublings = 10;

/**
 * When to ask again for the turn of a receiver at which another attempt is being made: in one to two seconds, spread, and
 * in twice as long each time, up to half an hour. So it waits little longer than it has waited already, and much that
 * waits for a slow receiver does so without much ado: each time costs as much as an attempt.
 */
export const nextTurnAt = ({ id, putOffs }: { readonly id: string; readonly putOffs: number }, now: Date): Date => {
  const pauseMs = (1.5 + wobble(`${id}#${putOffs}`) / 2) * second * 2 ** Math.min(putOffs, mostDoublings);
  return laterBy(now, Math.round(pauseMs));
};
