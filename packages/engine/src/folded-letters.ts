import type { TextLanguage } from './text-language.ts';

/** Letters of another width or size, ligatures of Arabic, units and fractions in one character. */
const compatible = /[\u00B5\u00BC-\u00BE\u2150-\u215F\u2189\u3300-\u33FF\uFB50-\uFDFF\uFE70-\uFEFC\uFF61-\uFF9F]+/g;
const fraction = /(?<=\d)(?=\d+\u2044)/g;

/** First digits of the scripts that have digits of their own. */
const zeros = Array.from('٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀០᠐０', (zero) => zero.codePointAt(0) ?? 0);
const foreignDigit = /[\p{Nd}--[0-9]]/gv;

const toDigit = (digit: string): string => {
  const point = digit.codePointAt(0) ?? 0;
  const zero = zeros.find((first) => point >= first && point < first + 10);
  return zero === undefined ? digit : String(point - zero);
};

const arabic = /[\u0600-\u06FF]/;
/** Vowel signs and other marks of Arabic, and the stroke that lengthens a word. */
// oxlint-disable-next-line no-misleading-character-class -- single marks are what it removes
const arabicMarks = /[\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED]/g;
const [alefs, yehs, kafs, tehMarbuta] = [/[\u0622\u0623\u0625\u0671]/g, /[\u0649\u06CC]/g, /\u06A9/g, /\u0629/g];

/** Writes the forms of a letter that writers of Arabic script use for each other as one. The stemmer takes off `ة`. */
const withArabicForms = (text: string, language: TextLanguage): string => {
  if (!arabic.test(text)) return text;
  const plain = text.replace(arabicMarks, '').replace(alefs, '\u0627').replace(yehs, '\u064A').replace(kafs, '\u0643');
  return language === 'arabic' ? plain : plain.replace(tehMarbuta, '\u0647');
};

const hebrewPoints = /[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7]/g;

const greekWord = /[\u0370-\u03FF\u1F00-\u1FFF]+/g;

/** Greek capitals have no accents, and one form for both forms of sigma. */
const withoutAccents = (word: string): string =>
  word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');

const ligatures = /[ßẞœŒæÆ]/g;
const spelledOut: Readonly<Record<string, string>> = { ß: 'ss', ẞ: 'SS', œ: 'oe', Œ: 'Oe', æ: 'ae', Æ: 'Ae' };

/** Stemmers that know a letter. */
const keptBy: Partial<Readonly<Record<TextLanguage, string>>> = { german: 'ßẞ', danish: 'æÆ', norwegian: 'æÆ' };

/**
 * Replaces letters, marks and digits that writers leave out or exchange, in every script, by one form. It keeps those that
 * the stemmer of the language needs. The text is in NFC.
 */
export const foldedLetters = (text: string, language: TextLanguage): string => {
  const plain = withArabicForms(
    text
      .replace(compatible, (run) => run.normalize('NFKC'))
      .replace(fraction, ' ')
      .replaceAll('\u2044', '/')
      .replace(foreignDigit, toDigit)
      .replace(hebrewPoints, '')
      .replace(ligatures, (letter) => (keptBy[language]?.includes(letter) ? letter : (spelledOut[letter] ?? letter))),
    language,
  );
  return language === 'greek' ? plain : plain.replace(greekWord, withoutAccents);
};
