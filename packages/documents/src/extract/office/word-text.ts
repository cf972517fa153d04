import { altText } from './alt-text.ts';
import type { Look } from './compose-blocks.ts';
import { drawingOf, type Drawings } from './drawing-text.ts';
import { pageNumber, withoutPageNumbers } from './header-text.ts';
import { mathText } from './math-text.ts';
import { attributeOf, childOf, findAll, textIn, type XmlElement } from '../parse-xml.ts';
import { symbolCharacter } from './symbol-font.ts';
import { markFigure, markRaised, renderRaised } from '../text/superscript.ts';
import { isOn, runFormat, type RunFormat, type WordStyles } from './word-styles.ts';

/** Texts of footnotes, endnotes and comments, by the name of the referring element and their id. */
export type Notes = ReadonlyMap<string, string>;

/** Key of a note in `Notes`. */
export const noteKey = (reference: string, element: XmlElement): string =>
  `${reference} ${attributeOf(element, 'id') ?? ''}`;

/** Content of the parts that the text of a paragraph refers to. */
export interface TextSources {
  readonly styles: WordStyles;
  readonly notes: Notes;
  readonly drawings: Drawings;
  /** Whether it is the text of headers and footers, without page numbers. */
  readonly isRunning?: boolean;
  /** Called if hidden text is left out. */
  readonly onHidden: () => void;
}

/** Text of a paragraph, and what is anchored to it. */
export interface WordText {
  readonly text: string;
  readonly look: Look;
  /** Text boxes. */
  readonly boxes: readonly XmlElement[];
  /** Charts, descriptions of pictures, and notes of a heading. */
  readonly asides: readonly string[];
}

// Content that is not text of the document: deleted words, copies of drawings for old programs, and reading aids of East
// Asian scripts.
const skipped = new Set(['del', 'delText', 'Fallback', 'pPr', 'rPr', 'sectPr', 'sdtPr', 'moveFrom', 'rt', 'tblPr']);
const signs: Readonly<Record<string, string>> = { tab: '\t', br: '\n', cr: '\n', noBreakHyphen: '-', ptab: '\t' };

/** Whether an element has no text of the document. */
export const isSkipped = ({ name }: XmlElement): boolean => skipped.has(name);

const promptWords =
  /^\W*(?:(?:click|tap|choose|enter|select|type) (?:or|here|to|an?|any|your|the|text|date)\b|klicken|wählen sie|cliquez|choisissez|haga clic|elija|fare clic|scegli)|^\[.*\]$/i;

/**
 * Whether a content control is empty and shows a prompt, by its character style or words. Programs that fill in forms
 * leave the mark of a prompt on the answer.
 */
export const isPrompt = (control: XmlElement): boolean => {
  if (isOn(childOf(control, 'sdtPr'), 'showingPlcHdr') !== true) return false;
  const content = childOf(control, 'sdtContent');
  return findAll(content, 'rStyle').length > 0 || promptWords.test(textIn(content).trim());
};

/** Character of a symbol element. Only the font Symbol is known; symbols of other fonts are ornaments. */
const signOf = (element: XmlElement): string | undefined => {
  if (element.name !== 'sym') return signs[element.name];
  const isSymbol = attributeOf(element, 'font')?.toLowerCase() === 'symbol';
  return isSymbol ? symbolCharacter(Number.parseInt(attributeOf(element, 'char') ?? '', 16)) : undefined;
};

interface Field {
  code: string;
  isResult: boolean;
}

/** Collects the text of one paragraph. */
class ParagraphText {
  readonly boxes: XmlElement[] = [];
  readonly asides = new Set<string>();
  readonly #fields: Field[] = [];
  readonly #sizes = new Set<number>();
  #hasPlain = false;
  #hasBold = false;
  readonly #sources: TextSources;
  readonly #format: RunFormat;
  readonly #isHeading: boolean;

  constructor(sources: TextSources, format: RunFormat, isHeading: boolean) {
    this.#sources = sources;
    this.#format = format;
    this.#isHeading = isHeading;
  }

  look(): Look {
    const [size] = this.#sizes;
    return { isBold: this.#hasBold && !this.#hasPlain, size: this.#sizes.size === 1 ? (size ?? null) : null };
  }

  textOf(element: XmlElement): string {
    return element.children
      .map((child) => (typeof child === 'string' || isSkipped(child) ? '' : this.#write(child)))
      .join('');
  }

  #write(element: XmlElement): string {
    if (element.name === 'r') return this.#run(element);
    if (element.name === 't') return this.#fields.some((field) => this.#isPageNumber(field)) ? '' : textIn(element);
    if (element.name === 'oMath') return markFigure(mathText(element));
    if (element.name === 'fldChar' || element.name === 'instrText') return this.#field(element);
    if (element.name === 'fldSimple' && this.#isPageNumber({ code: attributeOf(element, 'instr') ?? '' }))
      return pageNumber;
    if (element.name === 'sdt' && isPrompt(element)) return '';
    return this.#object(element) ?? signOf(element) ?? this.textOf(element);
  }

  /** Writes notes, drawings and boxes. Undefined: the element is none. */
  #object(element: XmlElement): string | undefined {
    const { notes, drawings } = this.#sources;
    const note = notes.get(noteKey(element.name, element));
    // A note of a heading is kept out of the heading path, which is stored with all text under it.
    if (note !== undefined && !this.#isHeading) return ` (${note})`;
    if (element.name === 'txbxContent') {
      this.boxes.push(element);
      return '';
    }
    const isShape = /^(?:shape|rect|roundrect|oval|group|image)$/.test(element.name);
    const isDescribed = element.name === 'docPr' || isShape;
    const aside =
      note ??
      drawingOf(element, drawings) ??
      (isDescribed
        ? altText(attributeOf(element, 'descr') ?? attributeOf(element, 'alt'), attributeOf(element, 'title'))
        : undefined);
    if (aside === undefined) return undefined;
    if (aside !== '') this.asides.add(aside);
    return isShape ? undefined : '';
  }

  #run(run: XmlElement): string {
    const properties = childOf(run, 'rPr');
    const style = attributeOf(childOf(properties, 'rStyle'), 'val');
    const format = { ...this.#format, ...this.#sources.styles.formats.get(style ?? ''), ...runFormat(properties) };
    // The mark of a note may be a sign beside the reference.
    const isNote = run.children.some(
      (child) => typeof child !== 'string' && this.#sources.notes.has(noteKey(child.name, child)),
    );
    const text = this.textOf(isNote ? { ...run, children: run.children.filter((child) => !isText(child)) } : run);
    if (format.isHidden === true) {
      if (text.trim() !== '') this.#sources.onHidden();
      return '';
    }
    if (text.trim() !== '' && !isNote) {
      this.#sizes.add(format.size ?? 0);
      this.#hasBold ||= format.isBold === true;
      this.#hasPlain ||= format.isBold !== true;
    }
    return format.isRaised === true && !isNote ? markRaised(text) : text;
  }

  #field(element: XmlElement): string {
    const open = this.#fields.at(-1);
    if (element.name === 'instrText') {
      if (open?.isResult === false) open.code += textIn(element);
      return '';
    }
    const kind = attributeOf(element, 'fldCharType');
    if (kind === 'begin') this.#fields.push({ code: '', isResult: false });
    if (kind === 'separate' && open !== undefined) open.isResult = true;
    if (kind !== 'end' || open === undefined) return '';
    this.#fields.pop();
    return this.#isPageNumber(open) ? pageNumber : '';
  }

  #isPageNumber({ code }: Pick<Field, 'code'>): boolean {
    return this.#sources.isRunning === true && /^\s*(?:PAGE|NUMPAGES|SECTION|SECTIONPAGES)\b/i.test(code);
  }
}

const isText = (child: XmlElement | string): boolean => typeof child !== 'string' && child.name === 't';

/** Reads the text of a paragraph without hidden and deleted text. @param isHeading Whether notes are kept apart. */
export const readWordText = (paragraph: XmlElement, sources: TextSources, isHeading: boolean): WordText => {
  const { styles } = sources;
  const style = attributeOf(childOf(childOf(paragraph, 'pPr'), 'pStyle'), 'val');
  const format = { ...styles.usual, ...styles.formats.get(style ?? '') };
  const collected = new ParagraphText(sources, format, isHeading);
  const text = withoutPageNumbers(renderRaised(collected.textOf(paragraph)));
  return { text, look: collected.look(), boxes: collected.boxes, asides: [...collected.asides] };
};
