/** Formats the number in a cell as it is displayed. */
export type NumberFormat = (value: string) => string;

// Ids of built-in formats. Source: ECMA-376, part 1, 18.8.30.
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

const dayZero = Date.UTC(1899, 11, 30);
// Day 60 is February 29 of 1900, which did not exist, so that the days before it are later than they would be.
const dayMs = 86_400_000;

/**
 * First day of the date system of a workbook or chart, in milliseconds since 1970.
 * @param date1904 Its attribute of this name.
 */
export const firstDayOf = (date1904: string | undefined): number =>
  /^(?:1|true)$/.test(date1904 ?? '') ? Date.UTC(1904, 0, 1) : dayZero;

const numberOf = (value: string): number => (value === '' ? Number.NaN : Number(value));

/** Writes binary fractions in short form: 0.1 + 0.2 is stored as 0.30000000000000004. */
export const plain: NumberFormat = (value) =>
  /\.\d{12,}/.test(value) ? String(Number(Number(value).toPrecision(15))) : value;

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
    const start = firstDay === dayZero && days >= 1 && days < 60 ? firstDay + dayMs : firstDay;
    const [date = '', time = ''] = new Date(start + Math.round(days * 86_400) * 1000).toISOString().split(/[T.]/);
    if (days < 1) return time;
    return time === '00:00:00' ? date : `${date} ${time}`;
  };

// Source: ECMA-376, part 1, 18.8.30. Dates beyond these are displayed in the user's language.
const builtIn: ReadonlyMap<number, string> = new Map([
  [9, '0%'],
  [10, '0.00%'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
]);

/**
 * Removes literals from a format code: quoted words, colours and languages, escaped characters. Some programs write the
 * name General in the user's language, which would otherwise be read as days and seconds.
 */
const signsOf = (code: string): string =>
  code.replace(/"[^"]*"|\[(?!h+\]|m+\]|s+\])[^\]]*\]|\\.|[_*].|standaa?rd|general/gi, '');

// Quoted words, escaped characters, layout, currencies, colours and conditions, exponents, single characters.
const codePart = /"[^"]*"|\\.|[_*].|\[[^\]]*\]|general|standaa?rd|e[+-]|./gis;

/** Part of a section of a format code. */
type FormatPart =
  | { readonly kind: 'digit' | 'point' | 'comma' | 'slash' | 'percent' | 'text' }
  | {
      readonly kind: 'literal';
      readonly text: string;
      /** Whether it marks negative numbers. */ readonly isSign?: boolean;
    };

const literal = (text: string): FormatPart => ({ kind: 'literal', text, isSign: /^[-+()]$/.test(text) });

const signs: Readonly<Record<string, FormatPart>> = {
  '.': { kind: 'point' },
  ',': { kind: 'comma' },
  '/': { kind: 'slash' },
  '%': { kind: 'percent' },
  '@': { kind: 'text' },
};

const toPart = (part: string): FormatPart => {
  if (/^(?:[0#?]|e[+-]|general|standaa?rd)$/i.test(part)) return { kind: 'digit' };
  if (/^".*"$/s.test(part)) return literal(part.slice(1, -1));
  if (part.startsWith('\\')) return literal(part.slice(1));
  if (/^[_*]./s.test(part)) return literal('');
  const currency = /^\[\$([^\]-]*)/.exec(part);
  if (part.length > 1) return literal(currency?.[1] ?? '');
  return signs[part] ?? literal(part);
};

interface FormatSection {
  readonly parts: readonly FormatPart[];
  /** Text before and after the number, without the signs of negative numbers. */
  readonly prefix: string;
  readonly suffix: string;
  readonly hasDigits: boolean;
  readonly isPercent: boolean;
  /** Whether the number is displayed in thousands or millions. */
  readonly isScaled: boolean;
  /** Largest denominator of a fraction, or the only one; 0: no fraction. */
  readonly denominator: number;
  readonly hasFixedDenominator: boolean;
  readonly condition: RegExpExecArray | null;
}

const isDigit = ({ kind }: FormatPart): boolean => kind === 'digit';

const textOf = (parts: readonly FormatPart[]): string =>
  parts.map((part) => (part.kind === 'literal' ? part.text : '')).join('');

/** Text beside a number, without signs and brackets that mark negative numbers. */
const beside = (parts: readonly FormatPart[]): string =>
  textOf(parts.filter((part) => part.kind !== 'literal' || part.isSign !== true)).replace(/\s+/g, ' ');

const toSection = (code: string): FormatSection => {
  const written = code.match(codePart) ?? [];
  const parts = written.map(toPart);
  const first = parts.findIndex(isDigit);
  const last = parts.findLastIndex(isDigit);
  const scale = parts.slice(last + 1).findIndex(({ kind }) => kind !== 'comma');
  const isScaled = last !== -1 && (scale === -1 ? last < parts.length - 1 : scale > 0);
  const fraction = /[?#0]\s*\/\s*(?:(\d+)|([?#]+))/.exec(code);
  const fixed = Number(fraction?.[1] ?? 0);
  const suffix = beside(parts.slice(last + 1));
  return {
    parts,
    prefix: last === -1 ? textOf(parts) : beside(parts.slice(0, first)),
    // Words such as `M` mean the scaled number.
    suffix:
      last === -1 || (fixed > 0 && /^\d+$/.test(suffix.trim())) || (isScaled && !/\p{Sc}/u.test(suffix)) ? '' : suffix,
    hasDigits: last !== -1,
    isPercent: parts.some(({ kind }) => kind === 'percent'),
    isScaled,
    denominator: fixed || (fraction === null ? 0 : 10 ** Math.min(3, fraction[2]?.length ?? 1) - 1),
    hasFixedDenominator: fixed > 0,
    condition: /\[(<=|>=|<>|<|>|=)(-?[\d.]+)\]/.exec(code),
  };
};

const meets = ({ condition }: FormatSection, number: number): boolean => {
  const limit = Number(condition?.[2]);
  switch (condition?.[1]) {
    case '<':
      return number < limit;
    case '<=':
      return number <= limit;
    case '>':
      return number > limit;
    case '>=':
      return number >= limit;
    case '=':
      return number === limit;
    default:
      return number !== limit;
  }
};

/** Section that displays a number: by conditions, else those of positive numbers, negative numbers and zero. */
const sectionFor = (sections: readonly FormatSection[], number: number): FormatSection | undefined => {
  if (sections.some(({ condition }) => condition !== null)) {
    return (
      sections.find((section) => section.condition !== null && meets(section, number)) ??
      sections.find(({ condition }) => condition === null)
    );
  }
  if (number === 0 && sections.length > 2) return sections[2];
  return number < 0 && sections.length > 1 ? sections[1] : sections[0];
};

/** Writes a number as a fraction if it is one exactly. */
const asFraction = (number: number, limit: number, isFixed: boolean): string | undefined => {
  const size = Math.abs(number);
  const whole = Math.floor(size);
  for (let denominator = isFixed ? limit : 1; denominator <= limit; denominator += 1) {
    const counter = (size - whole) * denominator;
    if (Math.abs(counter - Math.round(counter)) > 1e-9 * denominator) continue;
    const [sign, rest] = [number < 0 ? '-' : '', Math.round(counter)];
    if (rest === 0 || rest === denominator) return `${sign}${whole + rest / denominator}`;
    return `${sign}${whole === 0 ? '' : `${whole} `}${rest}/${denominator}`;
  }
  return undefined;
};

/** Writes the digits of a number in the fixed places of a section, as in post codes: `00000`, `000-0000`. */
const inPlaces = ({ parts }: FormatSection, number: number): string | undefined => {
  const digitsOnly = parts.every(({ kind }) => kind === 'digit' || kind === 'literal');
  const places = parts.filter(isDigit).length;
  if (!digitsOnly || places < 2 || !Number.isSafeInteger(number) || number < 0) return undefined;
  const digits = String(number).padStart(places, '0');
  const surplus = digits.length - places;
  const placed = [digits.slice(0, surplus + 1), ...Array.from(digits.slice(surplus + 1))].values();
  return parts
    .map((part) => (part.kind === 'literal' ? part.text : placed.next().value))
    .join('')
    .trim();
};

const hasFixedPlaces = (code: string): boolean => {
  const bare = code.replace(/"[^"]*"|\\.|[_*].|\[[^\]]*\]/g, '-');
  if (/#(?:-| )+##0[^0#]*$|E[+-]/i.test(bare)) return false;
  return /^[^0#?]*0{2,}[^0#?,.]*$/.test(bare) || /[0#]+[^0#?.,/]+[0#]+/.test(bare);
};

/** Writes numbers with the currency, unit or other text of their format. */
const withLiterals = (code: string): NumberFormat => {
  const codes = code.match(/(?:"[^"]*"|\\.|[^;"\\])+|(?<=;|^)(?=;|$)/gs) ?? [];
  const sections = codes.map(toSection);
  const hasPlaces = codes.map(hasFixedPlaces);
  return (value) => {
    const number = numberOf(value);
    if (!Number.isFinite(number)) return value;
    const section = sectionFor(sections, number);
    if (section === undefined) return plain(value);
    if (!section.hasDigits) {
      const isHidden = code.replace(/\s/g, '') === ';;;' || code.replace(/\s/g, '') === ';;';
      if (isHidden) return '';
      // `"-"` displays zero, and `"yes"` displays a value by words.
      return /\p{L}/u.test(section.prefix) ? section.prefix.trim() : plain(value);
    }
    const size = Math.abs(section.isPercent ? Number((number * 100).toPrecision(15)) : number);
    const places = hasPlaces[sections.indexOf(section)] === true ? inPlaces(section, number) : undefined;
    const fraction =
      section.denominator === 0
        ? undefined
        : asFraction(Math.abs(number), section.denominator, section.hasFixedDenominator);
    if (places !== undefined) return places;
    const digits = fraction ?? (number < 0 || section.isPercent ? plain(String(size)) : plain(value));
    return `${number < 0 ? '-' : ''}${section.prefix}${digits}${section.isPercent ? '%' : ''}${section.suffix}`.trim();
  };
};

/** Writes the time of day of a number of days. Moments of a later day than the first year keep their date. */
const timeOfDay =
  (show: NumberFormat): NumberFormat =>
  (value) => {
    const days = numberOf(value);
    return days >= 1 && days < 366 ? show(String(days % 1)) : show(value);
  };

/**
 * Returns the format with this id and, unless it is built in, this code. Values are written in full and in one way, with
 * the currency or unit of their format. Exception: a format of fixed places, whose zeros belong to the value.
 * @param firstDay First day of the date system, in milliseconds since 1970.
 */
export const numberFormat = (id: number, code: string | undefined, firstDay: number): NumberFormat => {
  const known = code !== undefined && code.length <= maxCodeChars ? code : builtIn.get(id);
  if (known === undefined) {
    return dateIds.some(({ first, last }) => id >= first && id <= last) ? dateFrom(firstDay) : plain;
  }
  const shown = signsOf(known);
  if (/\[[hms]+\]/i.test(shown)) return durationIn(/s/i.test(shown));
  if (/[ymdhs]/i.test(shown))
    return /[yd]/i.test(shown) || !/[hs]/i.test(shown) ? dateFrom(firstDay) : timeOfDay(dateFrom(firstDay));
  return /["\\$[\p{L}\p{Sc}%/°;]|0{2}|[0#][^0#?.,]+[0#]/u.test(known) && !/^general$/i.test(known)
    ? withLiterals(known)
    : plain;
};
