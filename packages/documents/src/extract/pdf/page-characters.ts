import type { PdfiumModule } from '@hyzyla/pdfium/dist/index.cjs';
import { hasRightToLeft } from '../text/right-to-left.ts';

/** PDFium's handles of an open page and of its text. */
export interface PageHandles {
  readonly pdfium: PdfiumModule;
  readonly page: number;
  readonly textPage: number;
}

/** Properties that the characters of one text object have in common. */
export interface TextStyle {
  /** Name of the font without the prefix of a subset; empty if it has none. */
  readonly fontName: string;
  /** In points as shown, that is, scaled by the text matrix. */
  readonly fontSize: number;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  /** Direction of the text as shown, in degrees counterclockwise from the page's right: 0 to 359. */
  readonly angle: number;
  /** Modes of PDF 32000-1, table 106: 0 fill, 1 stroke, 2 both, 3 invisible, 4 to 7 the same with clipping. */
  readonly renderMode: number;
  /** Red, green, blue and opacity, 0 to 255. */
  readonly fill: readonly [number, number, number, number];
  /** PDFium's handle of the text object, valid while the page is open; 0 for characters that PDFium inserted. */
  readonly object: number;
}

/** Character of a page. Coordinates are in points from the top left corner of the page as shown. */
export interface PageCharacter {
  /** One code point, or several for a ligature. A hyphen at a line end is U+FFFE if PDFium joined the word. */
  readonly text: string;
  /** Box from ascent to descent and over the advance width. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Position of the glyph's origin. For horizontal text `originY` is the baseline. */
  readonly originX: number;
  readonly originY: number;
  /** Whether PDFium inserted it: a space or a line break (`\r`, `\n`). */
  readonly isGenerated: boolean;
  /** Whether its font has no Unicode map, so that `text` is a guess. */
  readonly isUnmapped: boolean;
  readonly style: TextStyle;
}

const boxNumbers = 6;

// Making a string of a code takes longer than looking it up.
const latin = Array.from({ length: 0x1_80 }, (_, code) => String.fromCodePoint(code));

/** Character whose coordinates are in an array for its page, which takes a third of the memory of own numbers. */
class PlacedCharacter implements PageCharacter {
  readonly text: string;
  readonly isUnmapped: boolean;
  readonly style: TextStyle;
  readonly #boxes: Float64Array;
  readonly #at: number;

  constructor(text: string, isUnmapped: boolean, style: TextStyle, boxes: Float64Array, index: number) {
    this.text = text;
    this.isUnmapped = isUnmapped;
    this.style = style;
    this.#boxes = boxes;
    this.#at = index * boxNumbers;
  }

  get isGenerated(): boolean {
    return this.style.object === 0;
  }

  get x(): number {
    return this.#boxes[this.#at] ?? 0;
  }

  get y(): number {
    return this.#boxes[this.#at + 1] ?? 0;
  }

  get width(): number {
    return this.#boxes[this.#at + 2] ?? 0;
  }

  get height(): number {
    return this.#boxes[this.#at + 3] ?? 0;
  }

  get originX(): number {
    return this.#boxes[this.#at + 4] ?? 0;
  }

  get originY(): number {
    return this.#boxes[this.#at + 5] ?? 0;
  }
}

/** Returns a copy of a character with other values. */
export const changedCharacter = (one: PageCharacter, changes: Partial<PageCharacter>): PageCharacter => ({
  text: changes.text ?? one.text,
  x: changes.x ?? one.x,
  y: changes.y ?? one.y,
  width: changes.width ?? one.width,
  height: changes.height ?? one.height,
  originX: changes.originX ?? one.originX,
  originY: changes.originY ?? one.originY,
  isGenerated: changes.isGenerated ?? one.isGenerated,
  isUnmapped: changes.isUnmapped ?? one.isUnmapped,
  style: changes.style ?? one.style,
});

/** Size of a page as shown and the characters on it, in PDFium's reading order. */
export interface PageCharacters {
  readonly width: number;
  readonly height: number;
  readonly characters: readonly PageCharacter[];
  /** Whether all characters read from left to right, with an angle of 0. */
  readonly isUpright: boolean;
  /** Quarters by which the characters were turned to be upright. Default 0. */
  readonly turns?: number;
}

/** Visible part of a page in page coordinates, and its rotation in quarter turns clockwise. */
export interface PageFrame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly rotation: number;
}

/** Reads the frame of a page. */
export const frameOf = (pdfium: PdfiumModule, page: number): PageFrame => {
  const memory = pdfium.wasmExports.malloc(16);
  pdfium._FPDF_GetPageBoundingBox(page, memory);
  const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(pdfium.HEAPU8.buffer, memory, 4);
  pdfium.wasmExports.free(memory);
  const [x, y] = [Math.min(left, right), Math.min(top, bottom)];
  return {
    left: x,
    bottom: y,
    right: Math.max(left, right),
    top: Math.max(top, bottom),
    rotation: pdfium._FPDFPage_GetRotation(page) & 3,
  };
};

/** Size of a page as shown. */
const sizeOf = ({ left, top, right, bottom, rotation }: PageFrame): Pick<PageCharacters, 'width' | 'height'> =>
  rotation % 2 === 0 ? { width: right - left, height: top - bottom } : { width: top - bottom, height: right - left };

/**
 * Coefficients that convert page coordinates to points from the top left corner of the page as shown:
 * `x = a * pageX + b * pageY + c`, `y = d * pageX + e * pageY + f`.
 */
export type ToShown = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Returns the conversion of a page. */
export const toShown = ({ left, top, right, bottom, rotation }: PageFrame): ToShown => {
  if (rotation === 1) return [0, 1, -bottom, 1, 0, -left];
  if (rotation === 2) return [-1, 0, right, 0, 1, -bottom];
  if (rotation === 3) return [0, -1, top, -1, 0, right];
  return [1, 0, -left, 0, -1, top];
};

const italicFlag = 1 << 6;
const forceBoldFlag = 1 << 18;
const boldWeight = 600;
// Besides words: the names of Computer Modern and of the fonts of URW.
const boldName = /bold|black|heavy|demi(?!light)|^(?:cm|sf|ec|la|tc)bx?[a-z]*\d|-medi(?!um)/i;
// Stems of a font may be thick although it is the usual weight of its family.
const usualName = /[-, ](?:regular|roman|book|light)$/i;
const italicName = /italic|oblique/i;
const nameBytes = 256;

const firstRightToLeft = 0x0590;

// In points: floats differ by less.
const sameHeight = 0.01;

// PDFium's code of a hyphen at a line end whose word it joined.
const hyphenCode = 2;
/** Text of a hyphen at a line end whose word PDFium joined. */
export const joinedHyphen = '\uFFFE';

const inserted: TextStyle = {
  fontName: '',
  fontSize: 0,
  isBold: false,
  isItalic: false,
  angle: 0,
  renderMode: 0,
  fill: [0, 0, 0, 255],
  object: 0,
};

interface Font {
  readonly fontName: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

/** Reads the characters of an open text page. `memory` are 512 bytes that PDFium may write into. */
class CharacterReader {
  readonly #pdfium: PdfiumModule;
  readonly #textPage: number;
  readonly #rotation: number;
  readonly #toShown: ToShown;
  readonly #memory: number;
  readonly #fonts = new Map<number, Font>();
  readonly #readBox: PdfiumModule['wasmExports']['FPDFText_GetLooseCharBox'];
  readonly #readInk: PdfiumModule['wasmExports']['FPDFText_GetCharBox'];
  readonly #readOrigin: PdfiumModule['wasmExports']['FPDFText_GetCharOrigin'];
  /** Distance of the origin from the box, which is the same for all upright characters of a style, and its height. */
  readonly #known = { x: 0, y: 0, height: -1 };
  #floats: Float32Array = new Float32Array();
  #doubles: Float64Array = new Float64Array();

  constructor(pdfium: PdfiumModule, textPage: number, frame: PageFrame, memory: number) {
    this.#pdfium = pdfium;
    this.#textPage = textPage;
    this.#rotation = frame.rotation;
    this.#toShown = toShown(frame);
    this.#memory = memory;
    this.#readBox = pdfium.wasmExports.FPDFText_GetLooseCharBox;
    this.#readInk = pdfium.wasmExports.FPDFText_GetCharBox;
    this.#readOrigin = pdfium.wasmExports.FPDFText_GetCharOrigin;
  }

  /** Renews the views of the memory, which a growing heap detaches. */
  #refresh(): void {
    if (this.#floats.length > 0) return;
    const { buffer } = this.#pdfium.HEAPU8;
    this.#floats = new Float32Array(buffer, this.#memory, 8);
    this.#doubles = new Float64Array(buffer, this.#memory, 8);
  }

  #font(index: number, object: number): Font {
    const handle = this.#pdfium._FPDFTextObj_GetFont(object);
    const known = this.#fonts.get(handle);
    if (known !== undefined) return known;
    const pdfium = this.#pdfium;
    const at = this.#memory;
    const bytes = pdfium._FPDFText_GetFontInfo(this.#textPage, index, at + 8, nameBytes, at);
    const flags = bytes === 0 ? 0 : (new Int32Array(pdfium.HEAPU8.buffer, at, 1)[0] ?? 0);
    const end = at + 8 + Math.max(0, Math.min(bytes, nameBytes) - 1);
    const name = bytes === 0 ? '' : Buffer.from(pdfium.HEAPU8.subarray(at + 8, end)).toString('utf8');
    const font = {
      fontName: name.replace(/^[A-Z]{6}\+/, ''),
      isBold:
        boldName.test(name) ||
        (!usualName.test(name) &&
          ((flags & forceBoldFlag) !== 0 || pdfium._FPDFText_GetFontWeight(this.#textPage, index) >= boldWeight)),
      isItalic: italicName.test(name) || (flags & italicFlag) !== 0,
    };
    this.#fonts.set(handle, font);
    return font;
  }

  #style(index: number, object: number): TextStyle {
    if (object === 0) return inserted;
    const pdfium = this.#pdfium;
    const at = this.#memory;
    const font = this.#font(index, object);
    pdfium._FPDFText_GetFillColor(this.#textPage, index, at, at + 4, at + 8, at + 12);
    const [red = 0, green = 0, blue = 0, opacity = 255] = new Uint32Array(pdfium.HEAPU8.buffer, at, 4);
    const isPlaced = pdfium._FPDFText_GetMatrix(this.#textPage, index, at) !== 0;
    const [a = 1, b = 0, c = 0, d = 1] = isPlaced ? new Float32Array(pdfium.HEAPU8.buffer, at, 4) : [];
    const turned = (Math.atan2(b, a) * 180) / Math.PI - this.#rotation * 90;
    return {
      ...font,
      fontSize: Math.abs(pdfium._FPDFText_GetFontSize(this.#textPage, index)) * Math.hypot(c, d),
      angle: ((Math.round(turned) % 360) + 360) % 360,
      renderMode: pdfium._FPDFTextObj_GetTextRenderMode(object),
      fill: [red, green, blue, opacity],
      object,
    };
  }

  /** Writes the coordinates of a character into `boxes`. */
  #place(index: number, style: TextStyle, boxes: Float64Array, from: number): void {
    const at = this.#memory;
    const [a, b, c, d, e, f] = this.#toShown;
    this.#readBox(this.#textPage, index, at);
    this.#refresh();
    const { 0: left = 0, 1: top = 0, 2: right = 0, 3: bottom = 0 } = this.#floats;
    const [x1, x2] = [a * left + b * top + c, a * right + b * bottom + c];
    const [y1, y2] = [d * left + e * top + f, d * right + e * bottom + f];
    const x = Math.min(x1, x2);
    const y = Math.min(y1, y2);
    const height = Math.abs(y2 - y1);
    const known = this.#known;
    if (Math.abs(height - known.height) > sameHeight || style.angle !== 0) {
      this.#readOrigin(this.#textPage, index, at + 16, at + 24);
      const { 2: originX = 0, 3: originY = 0 } = this.#doubles;
      known.x = a * originX + b * originY + c - x;
      known.y = d * originX + e * originY + f - y;
      known.height = height;
    }
    boxes[from] = x;
    boxes[from + 1] = y;
    boxes[from + 2] = Math.abs(x2 - x1);
    boxes[from + 3] = height;
    boxes[from + 4] = x + known.x;
    boxes[from + 5] = y + known.y;
  }

  /** Gives a character the width of its ink. Its advance width is that of another form of an Arabic letter. */
  #placeInk(index: number, boxes: Float64Array, from: number): void {
    const at = this.#memory;
    if (this.#readInk(this.#textPage, index, at, at + 8, at + 16, at + 24) === 0) return;
    this.#refresh();
    const { 0: left = 0, 1: right = 0, 2: bottom = 0, 3: top = 0 } = this.#doubles;
    const [a, b, c] = this.#toShown;
    const [x1, x2] = [a * left + b * top + c, a * right + b * bottom + c];
    if (x1 === x2) return;
    boxes[from] = Math.min(x1, x2);
    boxes[from + 2] = Math.abs(x2 - x1);
  }

  read(chars: number): Pick<PageCharacters, 'characters' | 'isUpright'> {
    const {
      FPDFText_GetUnicode: unicodeAt,
      FPDFText_GetTextObject: objectAt,
      FPDFText_IsHyphen: isHyphen,
      FPDFText_HasUnicodeMapError: hasMapError,
    } = this.#pdfium.wasmExports;
    const textPage = this.#textPage;
    const characters: PageCharacter[] = [];
    const boxes = new Float64Array(chars * boxNumbers);
    let isUpright = true;
    let style = inserted;
    for (let index = 0; index < chars; index += 1) {
      const code = unicodeAt(textPage, index);
      if (code === 0 || code > 0x10_ff_ff) continue;
      const object = objectAt(textPage, index);
      if (object !== style.object) {
        style = this.#style(index, object);
        this.#known.height = -1;
        if (style.angle !== 0) isUpright = false;
      }
      this.#place(index, style, boxes, characters.length * boxNumbers);
      if (code >= firstRightToLeft && style.angle === 0 && hasRightToLeft(String.fromCodePoint(code)))
        this.#placeInk(index, boxes, characters.length * boxNumbers);
      const isJoined = code === hyphenCode && isHyphen(textPage, index) === 1;
      const text = isJoined ? joinedHyphen : (latin[code] ?? String.fromCodePoint(code));
      const isUnmapped = hasMapError(textPage, index) === 1;
      characters.push(new PlacedCharacter(text, isUnmapped, style, boxes, characters.length));
    }
    return { characters, isUpright };
  }
}

/** Reads all characters of an open page in PDFium's reading order. */
export const readPageCharacters = ({ pdfium, page, textPage }: PageHandles): PageCharacters => {
  const chars = pdfium._FPDFText_CountChars(textPage);
  const frame = frameOf(pdfium, page);
  if (chars <= 0) return { ...sizeOf(frame), characters: [], isUpright: true };
  const memory = pdfium.wasmExports.malloc(512);
  const read = new CharacterReader(pdfium, textPage, frame, memory).read(chars);
  pdfium.wasmExports.free(memory);
  return { ...sizeOf(frame), ...read };
};
