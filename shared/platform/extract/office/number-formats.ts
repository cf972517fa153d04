/** What a cell shows for the number that it holds. */
export type NumberFormat = (value: string) => string;

// Numbers of the formats that every spreadsheet program has built in. Source: ECMA-376, part 1, 18.8.30.
const percentIds: ReadonlySet<number> = new Set([9, 10]);
const durationId = 46;
// East Asian dates begin at 27 and at 50; each program shows them in the language of its user.
const dateIds = [
  { first: 14, last: 22 },
  { first: 27, last: 36 },
  { first: 45, last: 47 },
  { first: 50, last: 58 },
] as const;

const mostDays = 2_958_466;

// As many as spreadsheet programs take. Of longer ones each of a sheet's thousands of styles would cost milliseconds.
const mostCodeChars = 255;

/** The day from which a workbook or chart counts, in milliseconds since 1970. @param date1904 What it says under this name. */
export const firstDayOf = (date1904: string | undefined): number =>
  /^(?:1|true)$/.test(date1904 ?? '') ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);

const numberOf = (value: string): number => (value === '' ? Number.NaN : Number(value));

/** Binary fractions as a person would write them: 0.1 + 0.2 is stored as 0.30000000000000004. */
export const plain: NumberFormat = (value) =>
  /\.\d{12,}/.test(value) ? String(Number(Number(value).toPrecision(15))) : value;

const percent: NumberFormat = (value) => {
  const share = numberOf(value);
  return Number.isFinite(share) ? `${Number((share * 100).toPrecision(15))}%` : value;
};

/** A number of days as hours, minutes and, where they are wanted or there are any, seconds: 36:00. */
const durationIn =
  (withSeconds: boolean): NumberFormat =>
  (value) => {
    const days = numberOf(value);
    if (!Number.isFinite(days) || Math.abs(days) > mostDays) return value;
    const all = Math.round(Math.abs(days) * 86_400);
    const twoDigits = (number: number): string => String(Math.floor(number) % 60).padStart(2, '0');
    const seconds = withSeconds || all % 60 !== 0 ? `:${twoDigits(all)}` : '';
    return `${days < 0 ? '-' : ''}${Math.floor(all / 3_600)}:${twoDigits(all / 60)}${seconds}`;
  };

/** A day number as date, time or both, in ISO 8601; as it stands where it is none. */
const dateFrom =
  (firstDay: number): NumberFormat =>
  (value) => {
    const days = numberOf(value);
    if (!Number.isFinite(days) || days < 0 || days > mostDays) return value;
    const [date = '', time = ''] = new Date(firstDay + Math.round(days * 86_400) * 1000).toISOString().split(/[T.]/);
    if (days < 1) return time;
    return time === '00:00:00' ? date : `${date} ${time}`;
  };

/**
 * A format's code without what is shown as it stands: words in quotes, colours and languages, escaped characters. The
 * name of no format, General, some programs write in the language of their user: as a code it would be days and seconds.
 */
const signsOf = (code: string): string =>
  code.replace(/"[^"]*"|\[(?!h+\]|m+\]|s+\])[^\]]*\]|\\.|[_*].|standaa?rd/gi, '');

// Words in quotes, escaped characters, what lays out, colours and languages, single signs.
const codePart = /"[^"]*"|\\.|[_*].|\[(?:[a-z]+\d*|\$-[^\]]*)\]|./gis;

/** What a part of a code shows: null for the place of a digit, undefined for what is neither that nor a fixed sign. */
const shownBy = (part: string): string | null | undefined => {
  if (part === '0') return null;
  if (/^[-() ]$/.test(part)) return part;
  if (/^["\\]./s.test(part)) return part.replace(/^\\|"/g, '');
  return /^[_*[]./s.test(part) ? '' : undefined;
};

/** A format whose digits and signs stand in fixed places, as in post codes and article numbers: `00000`, `"A-"0000`. */
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
 * The format of a spreadsheet that has this number and, unless it is built in, this code. Values are kept whole and
 * written in one way, whatever the code says of digits and order; it only tells what they are, unless it is one of fixed
 * places, whose zeros and signs belong to what is written.
 * @param firstDay Of the day numbers, in milliseconds since 1970.
 */
export const numberFormat = (id: number, code: string | undefined, firstDay: number): NumberFormat => {
  if (code === undefined || code.length > mostCodeChars) {
    if (percentIds.has(id)) return percent;
    if (id === durationId) return durationIn(true);
    return dateIds.some(({ first, last }) => id >= first && id <= last) ? dateFrom(firstDay) : plain;
  }
  const signs = signsOf(code);
  if (/\[[hms]+\]/i.test(signs)) return durationIn(/s/i.test(signs));
  if (/[ymdhs]/i.test(signs)) return dateFrom(firstDay);
  return signs.includes('%') ? percent : (fixedPlaces(code) ?? plain);
};
