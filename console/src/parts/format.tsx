import { Text, Tooltip } from '@mantine/core';

const isLanguage = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
};

/** Languages of the browser, for numbers and dates. A browser on Linux may list an invalid tag such as `en-US@posix`. */
export const languages: string[] = navigator.languages.filter(isLanguage);
const numbers = new Intl.NumberFormat(languages);
const compact = new Intl.NumberFormat(languages, { notation: 'compact', maximumFractionDigits: 1 });
const moneys = new Intl.NumberFormat(languages, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });
const scores = new Intl.NumberFormat(languages, { minimumFractionDigits: 4, maximumFractionDigits: 4 });
const percents = new Intl.NumberFormat(languages, { style: 'percent', maximumFractionDigits: 1 });
const dates = new Intl.DateTimeFormat(languages, { dateStyle: 'medium', timeStyle: 'medium' });
const days = new Intl.DateTimeFormat(languages, { dateStyle: 'medium', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat(languages, { numeric: 'auto' });

export const number = (value: number): string => numbers.format(value);
/** A number of things, such as “1 attempt” and “2 attempts”. */
export const count = (value: number, thing: string): string => `${number(value)} ${thing}${value === 1 ? '' : 's'}`;
export const shortNumber = (value: number): string =>
  Math.abs(value) < 10_000 ? numbers.format(value) : compact.format(value);
export const score = (value: number): string => scores.format(value);
export const percent = (share: number): string => percents.format(share);
export const money = (value: number): string => moneys.format(value);
export const day = (date: string): string => days.format(new Date(`${date.slice(0, 10)}T00:00:00Z`));

const months = new Intl.DateTimeFormat(languages, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Name of a month such as `2026-11`. */
export const monthName = (month: string): string => months.format(new Date(`${month}-01T00:00:00Z`));

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export const bytes = (value: number): string => {
  const step = value < 1000 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log10(value) / 3));
  return new Intl.NumberFormat(languages, {
    style: 'unit',
    unit: byteUnits[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(value / 1000 ** step);
};

export const milliseconds = (value: number): string =>
  value < 1000 ? `${numbers.format(Math.round(value))} ms` : `${numbers.format(Math.round(value / 100) / 10)} s`;

const relativeSteps = [
  { unit: 'second', seconds: 1, below: 60 },
  { unit: 'minute', seconds: 60, below: 3_600 },
  { unit: 'hour', seconds: 3_600, below: 86_400 },
  { unit: 'day', seconds: 86_400, below: 30 * 86_400 },
] as const;

const ago = (date: Date): string => {
  const seconds = (date.getTime() - Date.now()) / 1000;
  const step = relativeSteps.find(({ below }) => Math.abs(seconds) < below);
  return step === undefined ? days.format(date) : relative.format(Math.round(seconds / step.seconds), step.unit);
};

/** Time relative to now; the exact time is in a tooltip. */
export const Time = ({ at, none = '–' }: { readonly at: string | null | undefined; readonly none?: string }) => {
  if (at === null || at === undefined) return <>{none}</>;
  const date = new Date(at);
  return (
    <Tooltip label={dates.format(date)} withArrow>
      <Text component="time" dateTime={at} inherit>
        {ago(date)}
      </Text>
    </Tooltip>
  );
};

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** Browser and system that a user agent names, such as “Firefox on Windows”; the user agent itself if it names no browser. */
export const browserName = (userAgent: string): string => {
  const named = (names: readonly (readonly [string, string])[]): string | undefined =>
    names.find(([part]) => userAgent.includes(part))?.[1];
  const [program, system] = [named(browsers), named(systems)];
  if (program === undefined) return userAgent;
  return system === undefined ? program : `${program} on ${system}`;
};
