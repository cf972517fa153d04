/** Milliseconds that a `Retry-After` asks for, seconds or an HTTP date; 0 where it says nothing. */
export const readRetryAfterMs = (value: string | null, now: Date): number => {
  if (value === null) return 0;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
};
