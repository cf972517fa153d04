/** The only source of time, so that tests can control it. */
export interface Clock {
  /** Returns the current time. */
  now(): Date;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => new Date() };

/** Returns the time `ms` milliseconds after another. */
export const laterBy = (at: Date | string, ms: number): Date => new Date(new Date(at).getTime() + ms);

/** RFC 3339 UTC with milliseconds and `Z`, the only time format on the wire and at rest. */
export const timestamp = (clock: Clock): string => clock.now().toISOString();
