/** The one source of time, so that tests can drive it. */
export interface Clock {
  /** The present moment. */
  now(): Date;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => new Date() };

/** The moment so many milliseconds after another. */
export const laterBy = (at: Date | string, ms: number): Date => new Date(new Date(at).getTime() + ms);

/** RFC 3339 UTC with milliseconds and `Z`, the only time format on the wire and at rest. */
export const timestamp = (clock: Clock): string => clock.now().toISOString();
