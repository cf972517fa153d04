/** Parts of one text that are indexed. A text with more identifiers is found by the parts of the first ones. */
const maxEntries = 1_000;
/** Characters of a word up to which its parts are indexed. */
const maxWord = 500;
/** Characters of a compound up to which its joined form is indexed. */
const maxJoined = 40;
/** Numbers of a version or an address that are indexed. */
const maxNumbers = 8;

// Letters of scripts whose words a dictionary finds, and Korean pairs of syllables, form no identifiers.
const letter =
  '[\\p{L}--[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]]';
const capital = '\\p{Lu}\\p{M}*';
const small = `(?:[${letter}--\\p{Lu}]\\p{M}*)`;
const wordCharacter = `(?:${letter}|[\\p{M}\\p{N}_])`;

/** Words with a character or a change of characters inside that may be a border. */
const candidates = new RegExp(`${wordCharacter}+(?:[.'@\\-‐‑]${wordCharacter}+)*`, 'gv');
const divisible =
  /_|[\p{L}\p{M}\p{N}][.'@\-‐‑][\p{L}\p{N}]|\p{L}\p{M}*\p{N}|\p{N}\p{L}|\p{Ll}\p{M}*\p{Lu}|\p{Lu}{2}\p{Ll}/u;

const hyphen = /[-‐‑]/;
const plainWord = /^[\p{L}\p{M}\p{N}]+$/u;
const contraction = /^\p{L}[\p{L}\p{M}]*'\p{L}[\p{L}\p{M}]*$/u;
const possessive = /'s$/i;
const dottedNumber = /\p{Nd}+(?:\.\p{Nd}+)+/gu;
/** Words of letters between underscores, dots and digits. */
const letterRuns = new RegExp(`(?:${letter}\\p{M}*)+`, 'gv');
const acronyms = /^(?:\p{Lu}\p{M}*){2,}s$/u;
const initials = /^\p{L}(?:\.\p{L})+$/u;
const onlyDottedNumber = /^\p{Nd}+(?:\.\p{Nd}+)+$/u;
const letters = /\p{L}/u;

/** Runs of an identifier: numbers, acronyms with the plural, acronyms before a word, words, and acronyms at the end. */
const runs = new RegExp(
  `\\p{Nd}+(?:\\.\\p{Nd}+)*|(?:${capital}){2,}s(?![\\p{L}\\p{M}])|(?:${capital})+(?=${capital}${small})|(?:${capital})?${small}+|(?:${capital})+`,
  'gv',
);

/** `wellbeing` for `well-being`, `covid19` for `COVID-19`. A range of numbers is no compound. */
const joinedOf = (pieces: readonly string[]): readonly string[] => {
  const joined = pieces.join('');
  const isCompound = pieces.length > 1 && pieces.length <= 3 && joined.length <= maxJoined;
  return isCompound && letters.test(joined) && pieces.every((piece) => plainWord.test(piece)) ? [joined] : [];
};

/** Numbers of a version or an address, alone and in adjacent pairs: `2.0` for `2.0.1`. A decimal number has no parts. */
const numberParts = (number: string): readonly string[] => {
  const numbers = number.split('.').slice(0, maxNumbers);
  if (numbers.length < 3) return [];
  const pairs = numbers.slice(1).map((next, at) => `${numbers[at]}.${next}`);
  const alone = numbers.filter(({ length }) => length > 1).join(' ');
  return alone === '' ? pairs : [alone, ...pairs];
};

const identifierParts = (piece: string): readonly string[] => {
  if (contraction.test(piece)) return possessive.test(piece) ? [] : [piece.replace("'", '')];
  const numbers = (piece.match(dottedNumber) ?? []).flatMap(numberParts);
  if (onlyDottedNumber.test(piece)) return numbers;
  // No stemmer takes off the plural of a word without vowels.
  if (acronyms.test(piece)) return [piece.slice(0, -1)];
  if (initials.test(piece)) return [piece.replaceAll('.', '')];
  const isInner = (part: string): boolean => part.length > 1 && part !== piece;
  const words = (piece.match(runs) ?? []).filter(isInner);
  const wholes = (piece.match(letterRuns) ?? []).filter((part) => isInner(part) && !words.includes(part));
  return [...(words.length === 0 ? [] : [words.join(' ')]), ...wholes, ...numbers];
};

/**
 * Returns the words inside the words of a text, each entry in their order: `max retry count` for `MAX_RETRY_COUNT`,
 * `get user by id` for `getUserById`, `john doe` for `john.doe`, and compounds and contractions in one word. Words are
 * divided at `_`, `.`, `@`, changes of case, and between letters and digits. Single letters and digits are no parts.
 */
export const wordParts = (text: string): readonly string[] => {
  const entries = new Set<string>();
  const words = new Set((text.match(/\S+/g) ?? []).filter((part) => divisible.test(part)));
  for (const [word] of [...words].flatMap((part) => [...part.matchAll(candidates)])) {
    if (word.length > maxWord) continue;
    const pieces = word.split(hyphen);
    for (const entry of [...joinedOf(pieces), ...pieces.flatMap((piece) => piece.split('@')).flatMap(identifierParts)])
      entries.add(entry);
    if (entries.size >= maxEntries) break;
  }
  return [...entries];
};
