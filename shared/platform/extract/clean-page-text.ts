// Line-end hyphens that PDFium recognises arrive as U+FFFE with the lines already joined; the second form is what it
// leaves alone. Only before a small letter: "Anglo-\nSaxon" keeps its hyphen.
const joinedHyphen = /\uFFFE/g;
const brokenWord = /(\p{L})[-\u00AD\u2010] *\n(?=\p{Ll})/gu;
const ligatures = /[\uFB00-\uFB06]/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is removed
const invisible = /[\u0000-\u0008\u000E-\u001F\u007F\u00AD\u200B\uFEFF\uFFFD]/g;

/** The text of a PDF page for people and search: words joined over line ends, one kind of space, no control characters. */
export const cleanPageText = (raw: string): string =>
  raw
    .toWellFormed()
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(joinedHyphen, '')
    .replace(brokenWord, '$1')
    .replace(ligatures, (ligature) => ligature.normalize('NFKC'))
    .replace(invisible, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .normalize('NFC')
    .trim();
