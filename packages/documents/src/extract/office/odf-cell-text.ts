import { attributeOf, type XmlElement } from '../parse-xml.ts';

const digits = /^([^\d]*?)([-−(]?\d(?:[.,'’\s]?\d)*)([^\d]*)$/u;

/** Numbers that a text of digits may mean, with decimal points or commas, and how exactly it states them. */
const meaningsOf = (text: string): readonly (readonly [number, number])[] => {
  const bare = text.replace(/[^\d.,]/g, '');
  const point = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  const whole = Number(bare.replace(/[.,]/g, ''));
  if (point === -1) return [[whole, 0.5]];
  const decimals = bare.length - point - 1;
  return [
    [whole, 0.5],
    [whole / 10 ** decimals, 0.5 / 10 ** decimals],
  ];
};

/** Writes a number in full, with the currency or unit that is displayed beside it. */
const numberText = (value: string, displayed: string): string => {
  const number = Number(value);
  const [, prefix = '', shown = '', suffix = ''] = digits.exec(displayed) ?? [];
  if (value === '' || !Number.isFinite(number)) return displayed;
  // Fractions, words, and numbers in fixed places.
  if (shown === '' || /^0\d/.test(shown)) return displayed === '' || /^#+$/.test(displayed) ? value : displayed;
  const size = Math.abs(number);
  const isWhole = meaningsOf(shown).some(([meaning, margin]) => Math.abs(meaning - size) <= margin + size * 1e-9);
  const [before, after] = [prefix.replace(/[-−(+]/g, ''), suffix.replace(/^\)$/, '')].map((text) =>
    // Words such as `M` mean the scaled number.
    isWhole || /^\s*\p{Sc}\s*$/u.test(text) ? text : '',
  );
  const short = String(Number(size.toPrecision(15)));
  return `${number < 0 ? '-' : ''}${before ?? ''}${/e/.test(short) ? value.replace('-', '') : short}${after ?? ''}`.trim();
};

/**
 * Text of a cell by its value: dates in ISO 8601, numbers in full with the currency or unit that is displayed beside
 * them. @param displayed Text that the program displayed.
 */
export const cellValueText = (cell: XmlElement, displayed: string): string => {
  const value = attributeOf(cell, 'value') ?? '';
  switch (attributeOf(cell, 'value-type')) {
    case 'date':
      return (attributeOf(cell, 'date-value') ?? displayed).replace(/T00:00:00(?:\.0+)?$/, '').replace('T', ' ');
    case 'time': {
      const [, hours, minutes, seconds] =
        /^PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S$/.exec(attributeOf(cell, 'time-value') ?? '') ?? [];
      return hours === undefined
        ? displayed
        : [hours, minutes, seconds].map((part) => part?.padStart(2, '0')).join(':');
    }
    case 'percentage': {
      const share = Number(value);
      return value === '' || !Number.isFinite(share) ? displayed : `${Number((share * 100).toPrecision(15))}%`;
    }
    case 'float':
    case 'currency':
      return numberText(value, displayed);
    default:
      return displayed;
  }
};
