const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const lowered = '₀₁₂₃₄₅₆₇₈₉';

const toDigits = (digits: string): string =>
  Array.from(digits, (digit) => Math.max(raised.indexOf(digit), lowered.indexOf(digit))).join('');

const smallDigit = new RegExp(`[${raised}${lowered}^]`);
const loweredDigits = new RegExp(`(?<=[\\p{L}\\p{N}])[${lowered}]+`, 'gu');
// After a longer word, a raised digit is the number of a note. After a figure, it is an exponent.
const raisedDigits = new RegExp(`(?<=(?<![\\p{L}\\p{M}\\p{N}])\\p{L}{1,2})(?:[${raised}]+|\\^\\d{1,2}(?!\\d))`, 'gu');

/** Writes small digits of units and formulas as digits: `m²` and `m^2` as `m2`, `H₂O` as `H2O`. */
const withDigits = (text: string): string =>
  smallDigit.test(text)
    ? text
        .replace(loweredDigits, toDigits)
        .replace(raisedDigits, (digits) => (digits.startsWith('^') ? digits.slice(1) : toDigits(digits)))
    : text;

const dottedCapital = /İ|i\u0307/g;
const russianYo = /[Ёё]/g;

const devanagari = /[\u0900-\u097F]/;
/** Nasal consonants without a vowel before a consonant of their own place, and the stroke for a nasal vowel. */
const nasal =
  /\u0919\u094D(?=[\u0915-\u0918])|\u091E\u094D(?=[\u091A-\u091D])|\u0923\u094D(?=[\u091F-\u0922])|\u0928\u094D(?=[\u0924-\u0927])|\u092E\u094D(?=[\u092A-\u092D])|\u0901/g;
const nukta = /\u093C/g;

/** Writes nasals as the dot above and drops the dot below, as Lucene's normalizer for Hindi. */
const withDots = (text: string): string =>
  devanagari.test(text) ? text.replace(nasal, '\u0902').replace(nukta, '') : text;

/** Replaces letters and digits that have two forms in ordinary writing by one of them. The text is in NFC. */
export const oneLetterForm = (text: string): string =>
  withDots(withDigits(text))
    .replace(dottedCapital, (letter) => (letter === 'İ' ? 'I' : 'i'))
    .replace(russianYo, (letter) => (letter === 'Ё' ? 'Е' : 'е'));
