import { invalid } from './tables-error.ts';

/** `digits` × 10^`exponent`, without zeros at the end of the digits. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

// Source: DynamoDB, "Naming rules and data types", numbers.
const maxDigits = 38;
const maxMagnitude = 125;
const minMagnitude = -130;

const shape = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/** Whole numbers that are their own canonical form. */
const canonical = /^(?:0|-?[1-9]\d{0,14})$/;

const significantDigits = ({ digits }: Decimal): string => String(digits < 0n ? -digits : digits);

/** Returns the power of ten of the first digit. */
const magnitudeOf = (decimal: Decimal): number => significantDigits(decimal).length - 1 + decimal.exponent;

const withoutZeros = (digits: bigint, exponent: number): Decimal => {
  if (digits === 0n) return { digits, exponent: 0 };
  const text = String(digits);
  const short = text.replace(/0+$/, '');
  return { digits: BigInt(short), exponent: exponent + text.length - short.length };
};

const parse = (text: string): Decimal => {
  const [, sign = '', whole = '', fraction = '', power = '0'] = shape.exec(text) ?? [];
  if (whole === '' && fraction === '')
    throw invalid(`The parameter cannot be converted to a numeric value${text === '' ? '' : `: ${text}`}`);
  const digits = BigInt(whole + fraction);
  return withoutZeros(sign === '-' ? -digits : digits, Number(power) - fraction.length);
};

/** Returns the decimal without an exponent, as DynamoDB returns it. */
const format = (decimal: Decimal): string => {
  const { digits, exponent } = decimal;
  const sign = digits < 0n ? '-' : '';
  const text = significantDigits(decimal);
  if (exponent >= 0) return digits === 0n ? '0' : `${sign}${text}${'0'.repeat(exponent)}`;
  const padded = text.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
};

const checked = (decimal: Decimal): Decimal => {
  const magnitude = magnitudeOf(decimal);
  const range = 'Attempting to store a number with magnitude';
  if (magnitude > maxMagnitude) throw invalid(`Number overflow. ${range} larger than supported range`);
  if (magnitude < minMagnitude) throw invalid(`Number underflow. ${range} smaller than supported range`);
  if (significantDigits(decimal).length > maxDigits)
    throw invalid('Attempting to store more than 38 significant digits in a Number');
  return decimal;
};

/** Returns the canonical text of a number, so that equal numbers have equal texts. */
export const canonicalNumber = (text: string): string => (canonical.test(text) ? text : format(checked(parse(text))));

/** Returns the sum of two numbers. */
export const addNumbers = (one: string, other: string): string => {
  const [a, b] = [parse(one), parse(other)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = ({ digits, exponent: own }: Decimal): bigint => digits * 10n ** BigInt(own - exponent);
  return format(checked(withoutZeros(scaled(a) + scaled(b), exponent)));
};

export const negateNumber = (text: string): string => (text.startsWith('-') ? text.slice(1) : `-${text}`);

const negativeSign = 0;
const zeroSign = 1;
const positiveSign = 2;
const digitsEnd = 0xff;

/** Returns bytes whose order is that of the numbers: sign, magnitude and digits; of negative numbers their complements. */
export const numberBytes = (text: string): Buffer => {
  const decimal = parse(text);
  if (decimal.digits === 0n) return Buffer.from([zeroSign]);
  const digits = Buffer.from(significantDigits(decimal), 'latin1');
  const magnitude = magnitudeOf(decimal) - minMagnitude;
  if (decimal.digits > 0n) return Buffer.concat([Buffer.from([positiveSign, magnitude]), digits]);
  const complements = digits.map((digit) => digitsEnd - digit);
  return Buffer.concat([Buffer.from([negativeSign, digitsEnd - magnitude]), complements, Buffer.from([digitsEnd])]);
};

/** Returns the number of bytes that DynamoDB counts for a number. */
export const numberSize = (text: string): number => {
  const decimal = parse(text);
  return Math.ceil(significantDigits(decimal).length / 2) + (decimal.digits < 0n ? 2 : 1);
};
