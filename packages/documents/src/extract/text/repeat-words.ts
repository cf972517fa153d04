const units: ReadonlyMap<string, string> = new Map([
  ['SECONDLY', 'second'],
  ['MINUTELY', 'minute'],
  ['HOURLY', 'hour'],
  ['DAILY', 'day'],
  ['WEEKLY', 'week'],
  ['MONTHLY', 'month'],
  ['YEARLY', 'year'],
]);

const weekdays: ReadonlyMap<string, string> = new Map([
  ['MO', 'Monday'],
  ['TU', 'Tuesday'],
  ['WE', 'Wednesday'],
  ['TH', 'Thursday'],
  ['FR', 'Friday'],
  ['SA', 'Saturday'],
  ['SU', 'Sunday'],
]);

const ordinals: ReadonlyMap<string, string> = new Map([
  ['-1', 'last'],
  ['1', 'first'],
  ['2', 'second'],
  ['3', 'third'],
  ['4', 'fourth'],
  ['5', 'fifth'],
]);

const months = 'January February March April May June July August September October November December'.split(' ');

const and = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

const weekdayOf = (code: string): string => {
  const [, number = '', day = ''] = /^([+-]?\d*)(\w\w)$/.exec(code) ?? [];
  const ordinal = ordinals.get(number.replace('+', ''));
  return `${ordinal === undefined ? (number === '' ? '' : `${number} `) : `${ordinal} `}${weekdays.get(day) ?? code}`;
};

const written = new Set(['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'COUNT', 'UNTIL', 'WKST']);

/**
 * Writes a rule of repetition in words: `every 2 weeks on Monday and Friday, 10 times`. Parts without words follow as
 * they are written.
 */
export const repeatWords = (rule: string, timeOf: (value: string, zone: string) => string): string => {
  const parts = new Map(
    rule
      .toUpperCase()
      .split(';')
      .map((part) => [part.split('=')[0] ?? '', part.split('=')[1] ?? ''] as const),
  );
  const listOf = (name: string): readonly string[] => (parts.get(name) ?? '').split(',').filter((one) => one !== '');
  const unit = units.get(parts.get('FREQ') ?? '');
  if (unit === undefined) return rule;
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const days = [...listOf('BYDAY').map(weekdayOf), ...listOf('BYMONTHDAY').map((day) => `day ${day}`)];
  const inMonths = listOf('BYMONTH').map((month) => months[Number(month) - 1] ?? month);
  const others = [...parts].filter(([name, value]) => !written.has(name) && value !== '');
  return [
    interval > 1 ? `every ${interval} ${unit}s` : `every ${unit}`,
    days.length === 0 ? '' : ` on ${and(days)}`,
    inMonths.length === 0 ? '' : ` in ${and(inMonths)}`,
    parts.has('COUNT') ? `, ${parts.get('COUNT')} times` : '',
    parts.has('UNTIL') ? ` until ${timeOf(parts.get('UNTIL') ?? '', '')}` : '',
    others.length === 0 ? '' : ` (${others.map((part) => part.join('=')).join(', ')})`,
  ].join('');
};
