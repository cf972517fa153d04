import type { DocFile } from './doc-file.ts';
import { propertiesIn, sprm } from './doc-properties.ts';

/** Format of characters, as far as it changes how the text is read. */
export interface CharacterFormat {
  readonly isHidden: boolean;
  readonly isDeleted: boolean;
  readonly isBold: boolean;
  readonly isRaised: boolean;
  /** In half-points. */
  readonly size: number;
  /** Code of a character of the font Symbol. */
  readonly symbol?: number;
}

/** Place of a paragraph in headings and lists. */
export interface ParagraphFormat {
  /** 0 for the document's title; null if it is no heading. */
  readonly level: number | null;
  readonly isCaption: boolean;
  /** Index of its list, from 1; 0: it is in none. */
  readonly list: number;
  readonly listLevel: number;
}

/** Styles of a DOC. */
export interface DocStyles {
  readonly paragraph: (style: number, properties: Buffer) => ParagraphFormat;
  /** Format of characters of a paragraph. */
  readonly characters: (style: number, properties: Buffer) => CharacterFormat;
}

interface Style {
  /** Number of a built-in style. */
  readonly builtIn: number;
  readonly base: number;
  readonly paragraph: Buffer;
  readonly characters: Buffer;
}

// Built-in styles. Source: [MS-DOC] 2.9.271, STD.
const caption = 34;
const title = 62;
const maxHeading = 9;
const noBase = 0xfff;

const plain: CharacterFormat = { isHidden: false, isDeleted: false, isBold: false, isRaised: false, size: 20 };
const noFormat: ParagraphFormat = { level: null, isCaption: false, list: 0, listLevel: 0 };

// Half-points by which raised text without a superscript format is at least raised.
const minRaised = 4;

/** Applies a switch, which may refer to the style: 0x80 is its value, 0x81 the opposite. */
const switched = (operand: Buffer, ofStyle: boolean): boolean => {
  const value = operand.readUInt8(0);
  if (value === 0x80) return ofStyle;
  return value === 0x81 ? !ofStyle : value === 1;
};

const withCharacters = (format: CharacterFormat, properties: Buffer, ofStyle: CharacterFormat): CharacterFormat => {
  let { isHidden, isDeleted, isBold, isRaised, size } = format;
  let symbol: number | undefined;
  for (const [property, operand] of propertiesIn(properties)) {
    if (property === sprm.characterDeleted) isDeleted = (operand.readUInt8(0) & 1) === 1;
    else if (property === sprm.characterHidden) isHidden = switched(operand, ofStyle.isHidden);
    else if (property === sprm.characterBold) isBold = switched(operand, ofStyle.isBold);
    else if (property === sprm.characterRaised) isRaised = operand.readUInt8(0) === 1;
    else if (property === sprm.characterPosition) isRaised = operand.readInt16LE(0) >= minRaised;
    else if (property === sprm.characterSize) size = operand.readUInt16LE(0);
    else if (property === sprm.characterSymbol) symbol = operand.readUInt16LE(2);
  }
  return { isHidden, isDeleted, isBold, isRaised, size, ...(symbol !== undefined && { symbol }) };
};

const withParagraph = (format: ParagraphFormat, properties: Buffer): ParagraphFormat => {
  let { level, list, listLevel } = format;
  for (const [property, operand] of propertiesIn(properties)) {
    if (property === sprm.paragraphOutline)
      level = operand.readUInt8(0) < 9 ? Math.min(6, operand.readUInt8(0) + 1) : level;
    else if (property === sprm.paragraphListLevel) listLevel = Math.min(8, operand.readUInt8(0));
    // Other numbers keep only the indentation of a list.
    else if (property === sprm.paragraphList) list = operand.readUInt16LE(0) < 0x7ff ? operand.readUInt16LE(0) : 0;
  }
  return { ...format, level, list, listLevel };
};

const evenAfter = (at: number): number => at + (at & 1);

/** Reads the property lists of a style, each with its length before it. */
const listsOf = (style: Buffer, at: number, count: number): readonly Buffer[] => {
  const lists: Buffer[] = [];
  let next = at;
  for (let index = 0; index < count && next + 2 <= style.length; index += 1) {
    const end = next + 2 + style.readUInt16LE(next);
    lists.push(style.subarray(next + 2, end));
    next = evenAfter(end);
  }
  return lists;
};

const readStyle = (style: Buffer, baseBytes: number): Style | null => {
  if (style.length < baseBytes + 4) return null;
  const kind = style.readUInt16LE(2);
  const lists = listsOf(style, baseBytes + 2 + 2 * (style.readUInt16LE(baseBytes) + 1), style.readUInt16LE(4) & 0xf);
  const isParagraph = (kind & 0xf) === 1;
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = lists;
  return {
    builtIn: style.readUInt16LE(0) & 0xfff,
    base: kind >> 4,
    // The properties of a paragraph begin with the number of the style.
    paragraph: isParagraph ? first.subarray(2) : Buffer.alloc(0),
    characters: isParagraph ? second : first,
  };
};

const readStyleList = (sheet: Buffer): readonly (Style | null)[] => {
  const styles: (Style | null)[] = [];
  if (sheet.length < 6) return styles;
  const [header, count, baseBytes] = [sheet.readUInt16LE(0), sheet.readUInt16LE(2), sheet.readUInt16LE(4)];
  let at = 2 + header;
  while (styles.length < count && at + 2 <= sheet.length) {
    const end = at + 2 + sheet.readUInt16LE(at);
    styles.push(readStyle(sheet.subarray(at + 2, end), baseBytes));
    at = evenAfter(end);
  }
  return styles;
};

/** Reads the styles of a DOC. A style inherits from its base style. */
export const readDocStyles = (file: DocFile): DocStyles => {
  const styles = readStyleList(file.structure('styles'));
  /** Applies the styles from the outermost base to the style itself. */
  const inherit = <Format>(style: number, start: Format, apply: (format: Format, own: Style) => Format): Format => {
    const chain: Style[] = [];
    for (let at = style; at !== noBase && chain.length < styles.length;) {
      const own = styles[at];
      if (own === null || own === undefined) break;
      chain.unshift(own);
      at = own.base;
    }
    return chain.reduce(apply, start);
  };
  const paragraphs = new Map<number, ParagraphFormat>();
  const characters = new Map<number, CharacterFormat>();
  const paragraphOf = (style: number): ParagraphFormat => {
    const known = paragraphs.get(style);
    if (known !== undefined) return known;
    const found = inherit(style, noFormat, (format, own) => {
      // A style based on the title is no title.
      const inherited = format.level === 0 ? null : format.level;
      const isHeading = own.builtIn >= 1 && own.builtIn <= maxHeading;
      const level = own.builtIn === title ? 0 : isHeading ? Math.min(6, own.builtIn) : inherited;
      return withParagraph({ ...format, level, isCaption: format.isCaption || own.builtIn === caption }, own.paragraph);
    });
    paragraphs.set(style, found);
    return found;
  };
  const charactersOf = (style: number): CharacterFormat => {
    const known = characters.get(style);
    if (known !== undefined) return known;
    const found = inherit(style, plain, (format, own) => withCharacters(format, own.characters, format));
    characters.set(style, found);
    return found;
  };
  return {
    paragraph: (style, properties) => withParagraph(paragraphOf(style), properties),
    characters: (style, properties) => {
      const ofParagraph = charactersOf(style);
      let format = ofParagraph;
      for (const [property, operand] of propertiesIn(properties))
        if (property === sprm.characterStyle)
          format = inherit(operand.readUInt16LE(0), format, (inherited, own) =>
            withCharacters(inherited, own.characters, inherited),
          );
      return withCharacters(format, properties, format);
    },
  };
};
