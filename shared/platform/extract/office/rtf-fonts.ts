import { charsetOfCodePage, western } from '../text/code-pages.ts';

/** In which charsets the bytes of an RTF file are: each font has its own, and the document one for those without. */
export interface RtfFonts {
  readonly charsets: Map<number, string>;
  document: string;
  /** The font of text that names none. */
  preferred: number;
  /** The font that the table of fonts is about to describe. */
  described: number;
}

/** Code pages by the numbers that Windows gives to the charsets of fonts. */
const codePages: ReadonlyMap<number, number> = new Map([
  [0, 1252],
  [128, 932],
  [129, 949],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
]);

/** The fonts of a file whose table has not been read. */
export const noFonts = (): RtfFonts => ({ charsets: new Map(), document: western, preferred: 0, described: 0 });

/** Takes in a control word of the table of fonts. */
export const describeFont = (fonts: RtfFonts, word: string, value: number): void => {
  const codePage = word === 'cpg' ? value : word === 'fcharset' ? codePages.get(value) : undefined;
  if (word === 'f') fonts.described = value;
  if (codePage !== undefined) fonts.charsets.set(fonts.described, charsetOfCodePage(codePage));
};

/** Takes in a control word that is about the whole document. */
export const describeDocument = (fonts: RtfFonts, word: string, value: number): void => {
  if (word === 'ansicpg') fonts.document = charsetOfCodePage(value);
  if (word === 'deff') fonts.preferred = value;
};

const charsetIn = ({ charsets, document, preferred }: RtfFonts, font: number | null): string => {
  const charset = charsets.get(font ?? preferred) ?? document;
  // Many writers call the first font a western one and mean the document's code page by it until they choose a font.
  return font === null && charset === western ? document : charset;
};

/** The text of bytes, each a character of `bytes`, that stand in a font, or in none that was chosen. */
export const decodeIn = (fonts: RtfFonts, font: number | null, bytes: string): string =>
  /[\u0080-\u00FF]/.test(bytes) ? new TextDecoder(charsetIn(fonts, font)).decode(Buffer.from(bytes, 'latin1')) : bytes;
