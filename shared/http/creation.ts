import { randomBytes } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import { derivedId, type IdPrefix, newId } from '../kernel/ids.ts';

/**
 * What is new about a thing that a request makes. A repeat of the request under the same `Idempotency-Key` is given the
 * same, so every write of it can be made again without effect.
 */
export interface Creation {
  readonly at: Date;
  /** Whether an earlier run of the request may have got anywhere. */
  readonly isRepeat: boolean;
  /** The identifier of the thing that is made; one for each prefix. */
  id(prefix: IdPrefix): string;
  /** 32 secret random bytes. */
  secret(): Buffer;
}

/** A creation that nobody can repeat. */
export const freshCreation = (clock: Clock): Creation => {
  const at = clock.now();
  return { at, isRepeat: false, id: (prefix) => newId(prefix, at), secret: () => randomBytes(32) };
};

/** The creation that `seed`, 32 random bytes, stands for. */
export const seededCreation = (at: Date, seed: Buffer, isRepeat = false): Creation => ({
  at,
  isRepeat,
  id: (prefix) => derivedId(prefix, at, seed.toString('hex')),
  secret: () => seed,
});
