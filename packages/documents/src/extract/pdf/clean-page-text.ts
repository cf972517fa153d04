import { mendHanLines } from './mend-han-lines.ts';

// PDFium writes a line-end hyphen that it recognises as U+FFFE and joins the lines; it leaves others before a line end.
// A word continues in lower case, or in capitals only: "Anglo-Saxon" keeps its hyphen, and so does "Haupt- und". After
// a vowel, "en" is a syllable and not the Dutch word.
const openCompound = /(?:\uFFFE|[-\u2010] *\n)(?=(?:und|oder|bzw|and|or|et|y|och)(?![\p{L}\p{N}]))/gu;
const openDutchCompound = /(?<![aeiouyäöü])(?:\uFFFE|[-\u2010] *\n)(?=en(?![\p{L}\p{N}]))/gu;
const compound = /\uFFFE(?=\p{N})|(?<!\p{Lu}{2})\uFFFE(?=\p{Lu})|\uFFFE(?=\p{Lu}(?!\p{Lu}))/gu;
const brokenWord = /\uFFFE|(?<=\p{L})[-\u00AD\u2010] *\n(?=\p{Ll})/gu;
const ligatures = /[\uFB00-\uFB06]/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is removed
const invisible = /[\u0000-\u0008\u000E-\u001F\u007F\u00AD\u200B\uFEFF\uFFFD]/g;

// Text that needs no more than uniform spaces.
const plain = /^[\n\x20-\x2C\x2E-\x7E]*$/;

const withUniformSpaces = (text: string): string =>
  text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n');

/** Cleans the text of a PDF page: words joined over line ends, uniform spaces, no control characters. */
export const cleanPageText = (raw: string): string => {
  if (plain.test(raw)) return withUniformSpaces(raw).trim();
  const lines = mendHanLines(raw.toWellFormed().replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n'))
    .replace(openCompound, '- ')
    .replace(openDutchCompound, '- ')
    .replace(compound, '-')
    .replace(brokenWord, '')
    .replace(ligatures, (ligature) => ligature.normalize('NFKC'))
    .replace(invisible, '');
  return withUniformSpaces(lines).normalize('NFC').trim();
};
