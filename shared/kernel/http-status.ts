/** Client errors that concern the timing of a request (RFC 8470 for 425), not its content. */
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether a request that failed with this HTTP status may succeed if it is retried. */
export const isTransientStatus = (status: number): boolean => status >= 500 || transientStatuses.has(status);
