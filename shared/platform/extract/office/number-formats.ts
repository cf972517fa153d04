/** Formats the number in a cell as it is displayed. */
export type NumberFormat = (value: string) => string;

// Ids of built-in formats. Source: ECMA-376, part 1, 18.8.30.
const percentIds: ReadonlySet<number> = new Set([9, 10]);
const durationId = 46;
// East Asian dates begin at 27 and at 50; programs display them in the user's language.
const dateIds = [
  { first: 14, last: 22 },
  { first: 27, last: 36 },
  { first: 45, last: 47 },
  { first: 50, last: 58 },
] as const;

const maxDays = 2_958_466;

// Maximum of spreadsheet programs. With longer codes, each of a sheet's thousands of styles would cost milliseconds.
const maxCodeChars = 255;

/**
 * First day of the date system of a workbook or chart, in milliseconds since 1970.
 * @param date1904 Its attribute of this name.
 */
export const firstDayOf = (date1904: string | undefined): number =>
  /^(?:1|true)$/.test(date1904 ?? '') ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);

const numberOf = (value: string): number => (value === '' ? Number.NaN : Number(value));

/** Writes binary fractions in short form: 0.1 + 0.2 is stored as 0.30000000000000004. */
export const plain: NumberFormat = (value) =>
  /\.\d{12,}/.test(value) ? String(Number(Number(value).toPrecision(15))) : value;

const percent: NumberFormat = (value) => {
  const share = numberOf(value);
  return Number.isFinite(share) ? `${Number((share * 100).toPrecision(15))}%` : value;
};

/** Formats a number of days as hours, minutes and, if requested or not zero, seconds: 36:00. */
const durationIn =
  (withSeconds: boolean): NumberFormat =>
  (value) => {
    const days = numberOf(value);
    if (!Number.isFinite(days) || Math.abs(days) > maxDays) return value;
    const all = Math.round(Math.abs(days) * 86_400);
    const twoDigits = (number: number): string => String(Math.floor(number) % 60).padStart(2, '0');
    const seconds = withSeconds || all % 60 !== 0 ? `:${twoDigits(all)}` : '';
    return `${days < 0 ? '-' : ''}${Math.floor(all / 3_600)}:${twoDigits(all / 60)}${seconds}`;
  };

/** Formats a day number as date, time or both, in ISO 8601. Invalid numbers are unchanged. */
const dateFrom =
  (firstDay: number): NumberFormat =>
  (value) => {
    const days = numberOf(value);
    if (!Number.isFinite(days) || days < 0 || days > maxDays) return value;
    const [date = '', time = ''] = new Date(firstDay + Math.round(days * 86_400) * 1000).toISOString().split(/[T.]/);
    if (days < 1) return time;
    return time === '00:00:00' ? date : `${date} ${time}`;
  };

/**
 * Removes literals from a format code: quoted words, colours and languages, escaped characters. Some programs write the
 * name General in the user's language, which would otherwise be read as days and seconds.
 */
const signsOf = (code: string): string =>
  code.replace(/"[^"]*"|\[(?!h+\]|m+\]|s+\])[^\]]*\]|\\.|[_*].|standaa?rd/gi, '');

// Quoted words, escaped characters, layout, colours and languages, single characters.
const codePart = /"[^"]*"|\\.|[_*].|\[(?:[a-z]+\d*|\$-[^\]]*)\]|./gis;

/** Text that a part of a code displays: null for a digit, undefined if it is neither a digit nor a literal. */
const shownBy = (part: string): string | null | undefined => {
  if (part === '0') return null;
  if (/^[-() ]$/.test(part)) return part;
  if (/^["\\]./s.test(part)) return part.replace(/^\\|"/g, '');
  return /^[_*[]./s.test(part) ? '' : undefined;
};

/** Format with digits and literals in fixed places, as in post codes and article numbers: `00000`, `"A-"0000`. */
const fixedPlaces = (code: string): NumberFormat | undefined => {
  const [section = ''] = /^(?:"[^"]*"|\\.|[^;])*/s.exec(code) ?? [];
  const shown = (section.match(codePart) ?? []).map(shownBy);
  const places = shown.filter((part) => part === null).length;
  if (places === 0 || shown.includes(undefined)) return undefined;
  return (value) => {
    const number = numberOf(value);
    if (!Number.isSafeInteger(number) || number < 0) return plain(value);
    const digits = String(number).padStart(places, '0');
    const surplus = digits.length - places;
    const placed = [digits.slice(0, surplus + 1), ...digits.slice(surplus + 1).split('')].values();
    return shown
      .map((part) => (part === null ? placed.next().value : part))
      .join('')
      .trim();
  };
};

/**
 * Returns the format with this id and, unless it is built in, this code. Values are written in full and in one way; the
 * code determines only their kind. Exception: a format of fixed places, whose zeros and literals belong to the value.
 * @param firstDay First day of the date system, in milliseconds since 1970.
 */
export const numberFormat = (id: number, code: string | undefined, firstDay: number): NumberFormat => {
  if (code === undefined || code.length > maxCodeChars) {
    if (percentIds.has(id)) return percent;
    if (id === durationId) return durationIn(true);
    return dateIds.some(({ first, last }) => id >= first && id <= last) ? dateFrom(firstDay) : plain;
  }
  const signs = signsOf(code);
  if (/\[[hms]+\]/i.test(signs)) return durationIn(/s/i.test(signs));
  if (/[ymdhs]/i.test(signs)) return dateFrom(firstDay);
  return signs.includes('%') ? percent : (fixedPlaces(code) ?? plain);
};
