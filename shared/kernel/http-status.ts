/** Said of a request that took too long, came too early (RFC 8470) or came too often, and not of what it asks for. */
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether an answer of this HTTP status may be another one soon. */
export const isTransientStatus = (status: number): boolean => status >= 500 || transientStatuses.has(status);
