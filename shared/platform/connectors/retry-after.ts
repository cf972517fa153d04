/** Seconds that a `Retry-After` header asks for, in either of its forms; null where there is none. */
export const retryAfterSeconds = (header: string | null | undefined, now: Date): number | null => {
  if (header === null || header === undefined || header === '') return null;
  if (/^\d+(\.\d+)?$/.test(header)) return Math.ceil(Number(header));
  const until = Date.parse(header);
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - now.getTime()) / 1000));
};
