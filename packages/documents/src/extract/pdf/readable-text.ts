import type { PageCharacter, TextStyle } from './page-characters.ts';

// Rarity of each letter (column) after each letter (row), from `a` (always) in steps of 0.4 bits. It is the mean of 391
// languages in Latin letters, all of the same weight: the Universal Declaration of Human Rights. Letters have no accents.
const rarities = `
mppostqpnqmllhspqkmlqrqtos
erzzgzzthyvoyxizzpwxiypzqz
hzrylzzehxvnzujzzrwpjzvztt
gzzogzzogrxsxtkzznrykwszpo
qqoonspqnqmkmhurvjllrrstpr
fvyvipxpizvtzsizzltqizpwot
fowrjtpnjuppxojvzppqivpsrw
fyvuizzvgvrqtqittsvoivsvrz
lonnnqopoqlmmhoqumlksrssor
fvswhzzsgoruqpjtyvuohytzrz
fzxxjzupiupputirzsrqgwnzqz
fvzshxurgurlrtjwwzqqkwrzqz
ekzvivuviyvtpsjozxssivqzvz
gvqlktisjrpusomtutoknuvvos
qoonsqpqppmllhmpslmlmpruqs
ezyzhvzpiwwoxwirzjtqjyqztz
gxvtmyxrkwsqqslqpyroeztzwz
grtphwsshuqrrpkwxqnkkstzsv
gypxixzjhxosutjpuwokksrzpx
gzvzhyumgtuqwtjwzokojvuzrt
kpppmrqqmqlklhqpslllosrtqr
frzsgxyphtypvqizupsujtqwpr
dwzxgzzpiwvqwsixzxtulzxzuz
hsrukxqtgqoqurlrxwqnjuqoqr
extshxvviyrssnitwrrpluwwsy
ftwqhztmfutrsqjwzuuslqnzpq
`
  .trim()
  .split('\n')
  .map((row) => Array.from(row).map((rarity) => (rarity.codePointAt(0) ?? 0) - 97));

const bitsPerStep = 0.4;

const folded: Readonly<Record<string, string>> = {
  ß: 's',
  æ: 'a',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  œ: 'o',
  þ: 't',
};

/** Numbers of the letters of a text, 0 to 25, without case and accents; -1 for other characters. */
const letterNumbers = (text: string): readonly number[] => {
  const numbers: number[] = [];
  if (/^[\s\x20-\x7E]*$/.test(text)) {
    for (let at = 0; at < text.length; at += 1) {
      const number = (text.charCodeAt(at) | 0x20) - 97;
      numbers.push(number >= 0 && number < 26 ? number : -1);
    }
    return numbers;
  }
  for (const character of text.toLowerCase().normalize('NFD')) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) {
      numbers.push(code >= 97 && code < 123 ? code - 97 : -1);
      continue;
    }
    if (character >= '\u0300' && character <= '\u036F') continue;
    const number = ((folded[character] ?? character).codePointAt(0) ?? 0) - 97;
    numbers.push(number >= 0 && number < 26 ? number : -1);
  }
  return numbers;
};

/** Mean rarity in bits of the pairs of letters in a text, and the number of pairs. */
const rarityOf = (numbers: readonly number[]): { readonly bits: number; readonly pairs: number } => {
  let [sum, pairs, last] = [0, 0, -1];
  for (const number of numbers) {
    if (number !== -1 && last !== -1) {
      sum += rarities[last]?.[number] ?? 0;
      pairs += 1;
    }
    last = number;
  }
  return { bits: pairs === 0 ? 0 : (sum / pairs) * bitsPerStep, pairs };
};

// Measured over the texts of 195 languages, and over code, keys and part numbers.
const minPairs = 40;
const rare = 5;
const usual = 4.7;
const minGain = 1;
const maxShift = 40;
const minLetterShare = 0.75;
const wordLength = { least: 2, most: 12 } as const;
// Chance that two letters of a text are the same. Sequences of few letters, such as those of genes, exceed it.
const maxSameness = 0.1;
const maxChars = 1_200;

/** Whether letters may be those of sentences: many different ones, in words, with little between them. */
const isLikeProse = (text: string): boolean => {
  const numbers = letterNumbers(text);
  const counts = Array.from({ length: 26 }, () => 0);
  let [letters, words, last] = [0, 0, -1];
  for (const number of numbers) {
    if (number !== -1) {
      counts[number] = (counts[number] ?? 0) + 1;
      letters += 1;
      if (last === -1) words += 1;
    }
    last = number;
  }
  const printed = text.replaceAll(/\s/g, '').length;
  const length = letters / Math.max(1, words);
  const sameness = counts.reduce((sum, count) => sum + (count / Math.max(1, letters)) ** 2, 0);
  return (
    letters >= minLetterShare * printed &&
    length >= wordLength.least &&
    length <= wordLength.most &&
    sameness <= maxSameness
  );
};

const [firstPrinted, endPrinted, endMoved] = [0x20, 0x7f, 0x180] as const;

/** Moves the codes of printed characters. Control characters may be the letters of a wrong map; white space is not. */
const shifted = (text: string, by: number): string =>
  Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const isMoved = code < endMoved && code + by >= firstPrinted && code + by < endPrinted && !/\s/.test(character);
    return isMoved ? String.fromCodePoint(code + by) : character;
  }).join('');

/**
 * Whether the letters of a text are wrong: moved by a constant number of codes they are language, and as they are they
 * are not. A wrong Unicode map of a font has this effect. Languages, code and lists of numbers are not affected.
 */
export const isGarbled = (text: string): boolean => {
  const part = text.slice(0, maxChars);
  const { bits, pairs } = rarityOf(letterNumbers(part));
  if (pairs < minPairs || bits < rare) return false;
  for (let by = -maxShift; by <= maxShift; by += 1) {
    if (by === 0) continue;
    const other = shifted(part, by);
    const found = rarityOf(letterNumbers(other));
    if (found.pairs >= minPairs && found.bits <= usual && bits - found.bits >= minGain && isLikeProse(other))
      return true;
  }
  return false;
};

/** Moves the letters A to Z within the alphabet. */
const rotated = (text: string, by: number): string =>
  text.replaceAll(/[A-Za-z]/g, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCodePoint(((letter.charCodeAt(0) - first + by) % 26) + first);
  });

// Bounds for the few words of a heading. They are stricter, since a few abbreviations are rare pairs too.
const heading = { minPairs: 14, rare: 5, usual: 4.1, minGain: 1.3, minLetters: 8, minWords: 3 } as const;

/** Whether the letters of a few words are wrong, as those of a font that only a heading has. */
const isGarbledHeading = (text: string): boolean => {
  const numbers = letterNumbers(text);
  const { bits, pairs } = rarityOf(numbers);
  if (pairs < heading.minPairs || pairs >= minPairs || bits < heading.rare) return false;
  if (new Set(numbers).size <= heading.minLetters || text.split(/\s+/).length < heading.minWords) return false;
  const moves = Array.from({ length: maxShift }, (_, at) => at + 1);
  const others = [
    ...moves.flatMap((by) => [shifted(text, by), shifted(text, -by)]),
    ...moves.slice(0, 25).map((by) => rotated(text, by)),
  ];
  return others.some((other) => {
    const found = rarityOf(letterNumbers(other));
    const isUsual = found.bits <= heading.usual && bits - found.bits >= heading.minGain;
    return (
      found.pairs >= pairs &&
      isUsual &&
      letterNumbers(other).filter((one) => one >= 0).length >= minLetterShare * other.replaceAll(/\s/g, '').length
    );
  });
};

const privateUse = /[\uE000-\uF8FF]/g;
// Signs and bullets are few and stand alone.
const minPrivate = { chars: 10, different: 6, share: 0.7 } as const;

/** Whether the text of a font has no letters, but words of private characters. */
const isPrivate = (text: string): boolean => {
  const found = text.match(privateUse) ?? [];
  return (
    found.length >= minPrivate.chars &&
    new Set(found).size >= minPrivate.different &&
    found.length >= minPrivate.share * text.replaceAll(/\s/g, '').length &&
    /[\uE000-\uF8FF]{4}/.test(text)
  );
};

const isLanguage = (text: string): boolean => {
  const { bits, pairs } = rarityOf(letterNumbers(text));
  return pairs >= minPairs && bits <= usual;
};

/** Whether the letters of one of the fonts of a page are wrong. */
export const hasGarbledFont = (characters: readonly PageCharacter[]): boolean => {
  const fonts = new Map<string, { text: string }>();
  let style: TextStyle | null = null;
  let font = { text: '' };
  for (const character of characters) {
    if (character.style !== style && !character.isGenerated) {
      ({ style } = character);
      const { fontName } = style;
      font = fonts.get(fontName) ?? { text: '' };
      fonts.set(fontName, font);
    }
    if (font.text.length < maxChars) font.text += character.text;
  }
  const texts = [...fonts.values()].map(({ text }) => text);
  if (texts.some((text) => isGarbled(text) || isPrivate(text))) return true;
  // The words of a heading are too few to judge them alone: the text below it must be language.
  return texts.length > 1 && texts.some(isLanguage) && texts.some(isGarbledHeading);
};

// Share of letters and digits among printed characters. Noise of a recognition is mostly punctuation.
const minSenseShare = 0.55;

/** Whether a recognised text of a scan is text, and not noise of punctuation. */
export const makesSense = (text: string): boolean => {
  const printed = text.replaceAll(/\s/gu, '');
  const letters = printed.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '').length;
  return letters >= printed.length * minSenseShare && !isGarbled(text);
};
