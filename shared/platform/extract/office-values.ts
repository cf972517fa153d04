/** Whether numbers of a format are dates. @param id Tells of the formats that have no `code` of their own. */
export const isDateFormat = (id: number, code: string | undefined): boolean =>
  code === undefined
    ? (id >= 14 && id <= 22) || (id >= 45 && id <= 47)
    : /[ymdhs]/i.test(code.replace(/"[^"]*"|\[(?!h+\]|m+\]|s+\])[^\]]*\]|\\./gi, ''));

/** The day from which a workbook or chart counts. @param date1904 What it says under this name. */
export const firstDayOf = (date1904: string | undefined): number =>
  /^(?:1|true)$/.test(date1904 ?? '') ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);

/** A day number as date, time or both; as it stands where it is none. */
export const dateText = (value: string, firstDay: number): string => {
  const days = Number(value);
  if (value === '' || !Number.isFinite(days) || days < 0 || days > 2_958_466) return value;
  const [date = '', time = ''] = new Date(firstDay + Math.round(days * 86_400) * 1000).toISOString().split(/[T.]/);
  if (days < 1) return time;
  return time === '00:00:00' ? date : `${date} ${time}`;
};

/** A number as a person would write it: 0.1 + 0.2 is stored as 0.30000000000000004. */
export const numberText = (value: string): string =>
  /\.\d{12,}/.test(value) ? String(Number(Number(value).toPrecision(15))) : value;
