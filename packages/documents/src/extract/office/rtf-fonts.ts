import { charsetOfCodePage, western } from '../text/code-pages.ts';

/** Charsets of an RTF file: one for each font, and one for text without a font. */
export interface RtfFonts {
  readonly charsets: Map<number, string>;
  document: string;
  /** Default font. */
  preferred: number;
  /** Font that the font table is describing. */
  described: number;
}

/** Code pages by Windows charset number. */
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

/** Fonts before the font table is read. */
export const noFonts = (): RtfFonts => ({ charsets: new Map(), document: western, preferred: 0, described: 0 });

/** Applies a control word of the font table. */
export const describeFont = (fonts: RtfFonts, word: string, value: number): void => {
  const codePage = word === 'cpg' ? value : word === 'fcharset' ? codePages.get(value) : undefined;
  if (word === 'f') fonts.described = value;
  if (codePage !== undefined) fonts.charsets.set(fonts.described, charsetOfCodePage(codePage));
};

/** Applies a control word of the document header. */
export const describeDocument = (fonts: RtfFonts, word: string, value: number): void => {
  if (word === 'ansicpg') fonts.document = charsetOfCodePage(value);
  if (word === 'deff') fonts.preferred = value;
};

const charsetIn = ({ charsets, document, preferred }: RtfFonts, font: number | null): string => {
  const charset = charsets.get(font ?? preferred) ?? document;
  // Many writers declare the first font as western and mean the document's code page, until they choose a font.
  return font === null && charset === western ? document : charset;
};

/** Decodes bytes, each given as a character, in the charset of a font; null: no font was chosen. */
export const decodeIn = (fonts: RtfFonts, font: number | null, bytes: string): string =>
  /[\u0080-\u00FF]/.test(bytes) ? new TextDecoder(charsetIn(fonts, font)).decode(Buffer.from(bytes, 'latin1')) : bytes;
