const rfc3339 =
  /^(?<date>\d{4}-(?:0[1-9]|1[0-2])-(?<day>0[1-9]|[12]\d|3[01]))T(?<minute>(?:[01]\d|2[0-3]):[0-5]\d):(?<second>[0-5]\d|60)(?:\.(?<fraction>\d+))?(?:Z|(?<offset>[+-](?:[01]\d|2[0-3]):[0-5]\d))$/i;

/** Characters of the shortest time, `2026-02-01T00:00:00Z`. */
const minLength = 20;
const secondsOfDay = 86_400;
/** Seconds from the day before the year 0 to 1970. With its offset, no time of RFC 3339 is earlier. */
const secondsBefore1970 = 62_167_219_200 + secondsOfDay;

/** Returns the seconds that a time in the offset `+hh:mm` is ahead of UTC. */
const secondsOf = (offset: string): number => {
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(4))];
  return (offset.startsWith('-') ? -60 : 60) * (hours * 60 + minutes);
};

/** Returns a fraction without the zeros at its end. */
const significant = (fraction: string): string => {
  let end = fraction.length;
  while (fraction[end - 1] === '0') end -= 1;
  return fraction.slice(0, end);
};

/**
 * Returns the instant of a time with an offset, as a text that is equal for equal instants and orders them by code
 * point. All digits of the fraction count. Null for any other text. Source: RFC 3339, 5.6 and 5.7.
 */
export const instantOf = (text: string): string | null => {
  if (text.length < minLength || text[4] !== '-') return null;
  const { date, day, minute, second, fraction = '', offset = '+00:00' } = rfc3339.exec(text)?.groups ?? {};
  const isLeap = second === '60';
  const local = new Date(`${date}T${minute}:${isLeap ? '59' : second}Z`);
  // A day such as 30 February becomes one of the next month.
  if (local.getUTCDate() !== Number(day)) return null;
  const seconds = local.getTime() / 1000 - secondsOf(offset) + secondsBefore1970;
  if (isLeap && (seconds + 1) % secondsOfDay !== 0) return null;
  // The colon is behind all digits, so a leap second is behind the fractions of the second before it.
  return `${String(seconds).padStart(12, '0')}${isLeap ? ':' : ''}${significant(fraction)}`;
};
