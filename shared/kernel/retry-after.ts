/** Upper limit of about thirty years, so that a date can be computed from any value. */
const maxSeconds = 1e9;

/**
 * Parses a `Retry-After` header, whole or decimal seconds or an HTTP date, into seconds from now, 0 to 1e9.
 * Null if it is absent or invalid. Source: RFC 9110, section 10.2.3.
 */
export const retryAfterSeconds = (header: string | null | undefined, now: Date): number | null => {
  const value = header?.trim() ?? '';
  if (value === '') return null;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(maxSeconds, Math.max(0, Math.ceil(seconds)));
};
