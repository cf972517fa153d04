/** Some thirty years: whoever asks for more means never, and a date can still be reckoned from it. */
const maxSeconds = 1e9;

/**
 * Seconds from now that a `Retry-After` header asks to wait, from 0 to 1e9: whole or decimal seconds, or an HTTP date.
 * Null where it says nothing that can be read. Source: RFC 9110, section 10.2.3.
 */
export const retryAfterSeconds = (header: string | null | undefined, now: Date): number | null => {
  const value = header?.trim() ?? '';
  if (value === '') return null;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(maxSeconds, Math.max(0, Math.ceil(seconds)));
};
