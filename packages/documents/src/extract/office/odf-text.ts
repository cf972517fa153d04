import { oneLine } from '../../../../../shared/kernel/text.ts';
import { altText } from './alt-text.ts';
import { composeBlocks, lineOf, withoutLook, type Look, type Piece } from './compose-blocks.ts';
import type { Block } from '../cut-units.ts';
import { pageNumber, withoutPageNumbers } from './header-text.ts';
import { ListCounter } from './list-numbers.ts';
import { noOdfStyles, type OdfFormat, type OdfStyles } from './odf-styles.ts';
import { attributeOf, childOf, childrenOf, findAll, textIn, type XmlElement } from '../parse-xml.ts';
import { expandSpans, type SpanningCell } from '../table.ts';
import { markRaised, renderRaised } from '../text/superscript.ts';

/** How the text of a document is read. */
export interface OdfReading {
  readonly styles: OdfStyles;
  /** Whether it is the text of headers and footers, without page numbers. */
  readonly isRunning?: boolean;
  /** Called if hidden text is left out. */
  readonly onHidden?: () => void;
  /** Numbers of lists and headings. Absent: they are not written. */
  readonly counters?: Counters;
  readonly headings?: ListCounter;
}

const plainReading: OdfReading = { styles: noOdfStyles };

const skipped = new Set([
  'tracked-changes',
  'annotation',
  'note-citation',
  'placeholder',
  'sequence-decls',
  'forms',
  'soft-page-break',
  'ruby-text',
]);

const isParagraph = ({ name }: XmlElement): boolean => name === 'p' || name === 'h';

/** Whether a section, a field or a paragraph is switched off. */
const isOff = (element: XmlElement): boolean =>
  attributeOf(element, 'display') === 'none' || attributeOf(element, 'is-hidden') === 'true';

const shapes = new Set([
  'frame',
  'custom-shape',
  'g',
  'rect',
  'line',
  'ellipse',
  'circle',
  'polygon',
  'polyline',
  'path',
  'connector',
  'control',
]);

/** The description of a picture or a shape. */
const descriptionOf = (shape: XmlElement): string =>
  altText(textIn(childOf(shape, 'desc')), textIn(childOf(shape, 'title')));

/** Collects the text of one paragraph. */
class ParagraphText {
  /** Boxes and shapes anchored to it. Notes of a heading too, which are kept out of the heading path. */
  readonly apart: XmlElement[] = [];
  readonly descriptions = new Set<string>();
  readonly #reading: OdfReading;
  readonly #isHeading: boolean;
  readonly #sizes = new Set<number>();
  #hasBold = false;
  #hasPlain = false;

  constructor(reading: OdfReading, isHeading: boolean) {
    this.#reading = reading;
    this.#isHeading = isHeading;
  }

  look(): Look {
    const [size] = this.#sizes;
    return { isBold: this.#hasBold && !this.#hasPlain, size: this.#sizes.size === 1 ? (size ?? null) : null };
  }

  textOf(element: XmlElement, format: OdfFormat): string {
    return element.children
      .map((child) => (typeof child === 'string' ? this.#words(child, format) : this.#write(child, format)))
      .join('');
  }

  #words(words: string, { isHidden = false, isBold = false, isRaised = false, size = 0 }: OdfFormat): string {
    const text = words.replace(/\s+/g, ' ');
    if (text.trim() !== '') {
      if (isHidden) this.#reading.onHidden?.();
      else {
        this.#sizes.add(size);
        this.#hasBold ||= isBold;
        this.#hasPlain ||= !isBold;
      }
    }
    if (isHidden) return '';
    return isRaised ? markRaised(text) : text;
  }

  #write(child: XmlElement, format: OdfFormat): string {
    if (child.name === 's') return ' '.repeat(Math.min(100, Number(attributeOf(child, 'c') ?? 1) || 1));
    if (child.name === 'tab') return '\t';
    if (child.name === 'line-break') return '\n';
    const isNote = child.name === 'note' || child.name === 'annotation';
    if (isNote && format.isHidden === true) return '';
    if ((isNote && this.#isHeading) || child.name === 'text-box' || isParagraph(child)) {
      this.apart.push(child);
      return '';
    }
    if (isNote) {
      const note = oneLine(paragraphsIn(child, this.#reading).join(' '));
      return note === '' ? '' : ` (${note})`;
    }
    if (skipped.has(child.name)) return '';
    if (isOff(child)) {
      this.#reading.onHidden?.();
      return '';
    }
    if (this.#reading.isRunning === true && /^page-(?:number|count)$/.test(child.name)) return pageNumber;
    if (child.name === 'span')
      return this.textOf(child, {
        ...format,
        ...this.#reading.styles.formatOf('text', attributeOf(child, 'style-name')),
      });
    if (!shapes.has(child.name)) return this.textOf(child, format);
    const description = descriptionOf(child);
    if (description !== '') this.descriptions.add(description);
    return this.textOf(withoutDescription(child), format);
  }
}

const withoutDescription = (shape: XmlElement): XmlElement => ({
  ...shape,
  children: shape.children.filter((child) => typeof child === 'string' || !/^(?:desc|title)$/.test(child.name)),
});

interface Paragraph {
  readonly text: string;
  readonly look: Look;
  readonly apart: readonly XmlElement[];
  readonly descriptions: readonly string[];
}

const isHiddenParagraph = (paragraph: XmlElement): boolean => childrenOf(paragraph, 'hidden-paragraph').some(isOff);

const readParagraph = (paragraph: XmlElement, reading: OdfReading): Paragraph => {
  const collected = new ParagraphText(reading, paragraph.name === 'h');
  if (isHiddenParagraph(paragraph)) {
    reading.onHidden?.();
    return { text: '', look: collected.look(), apart: [], descriptions: [] };
  }
  const format = reading.styles.formatOf('paragraph', attributeOf(paragraph, 'style-name'));
  const text = withoutPageNumbers(renderRaised(collected.textOf(paragraph, format)));
  return { text, look: collected.look(), apart: collected.apart, descriptions: [...collected.descriptions] };
};

/** Texts of the paragraphs in elements, at any depth. */
const paragraphsOf = (elements: readonly XmlElement[], reading: OdfReading): readonly string[] =>
  elements.flatMap((element) => {
    if (skipped.has(element.name) || isOff(element)) return [];
    if (!isParagraph(element)) return paragraphsIn(element, reading);
    const { text, apart, descriptions } = readParagraph(element, reading);
    return [text, ...paragraphsOf(apart, reading), ...descriptions];
  });

/** Paragraphs of a table cell, a list item or a shape. */
export const paragraphsIn = (element: XmlElement, reading: OdfReading = plainReading): readonly string[] =>
  paragraphsOf(childrenOf(element), reading);

/** Counters of numbered lists, by their style and by their id. */
type Counters = Map<string, ListCounter>;

/** Counter of a list: its own, or that of the list that it continues. Undefined: it has no numbers. */
const counterOf = (list: XmlElement, { styles, counters }: OdfReading): ListCounter | undefined => {
  const style = attributeOf(list, 'style-name') ?? '';
  const levels = styles.listOf(style);
  if (levels === undefined || counters === undefined) return undefined;
  const continued = attributeOf(list, 'continue-list');
  const isContinued = attributeOf(list, 'continue-numbering') === 'true';
  const before =
    continued === undefined ? (isContinued ? counters.get(style) : undefined) : counters.get(`#${continued}`);
  const counter = before ?? new ListCounter(levels);
  counters.set(style, counter);
  counters.set(`#${attributeOf(list, 'id') ?? ''}`, counter);
  return counter;
};

const listText = (list: XmlElement, level: number, outer: ListCounter | undefined, reading: OdfReading): string => {
  const counter =
    level > 0 && attributeOf(list, 'style-name') === undefined ? outer : (counterOf(list, reading) ?? outer);
  const indent = '  '.repeat(level);
  return childrenOf(list)
    .map((item) => {
      const start = Number(attributeOf(item, 'start-value') ?? Number.NaN);
      if (Number.isFinite(start)) counter?.restart(level, start);
      const own = paragraphsOf(childrenOf(item).filter(isParagraph), reading);
      const isNumbered = item.name === 'list-item' && own.length > 0;
      const mark = (isNumbered ? counter?.next(level) : '') || '-';
      const inner = childrenOf(item, 'list').map((nested) => listText(nested, level + 1, counter, reading));
      return [`${indent}${mark} ${own.join(' ')}`, ...inner].filter((line) => line.trim() !== '-').join('\n');
    })
    .filter((text) => text !== '')
    .join('\n');
};

/** Rows of a table, in header rows and row groups too. */
export const rowsOf = (table: XmlElement): readonly XmlElement[] =>
  childrenOf(table).flatMap((child) => {
    if (child.name === 'table-row') return [child];
    return /^table-(?:header-rows|rows|row-group)$/.test(child.name) ? rowsOf(child) : [];
  });

const numberOf = (element: XmlElement, name: string): number =>
  Math.max(1, Math.trunc(Number(attributeOf(element, name) ?? 1)) || 1);

// A few bytes may repeat a cell or a row of a text document without end.
const maxRepeats = 100;

const cellsOf = (row: XmlElement, reading: OdfReading): readonly SpanningCell[] =>
  childrenOf(row, 'table-cell').flatMap((element) => {
    const cell = {
      text: lineOf(piecesIn(element, reading)),
      columns: numberOf(element, 'number-columns-spanned'),
      rows: numberOf(element, 'number-rows-spanned'),
    };
    const repeats = Math.min(maxRepeats, numberOf(element, 'number-columns-repeated'));
    return Array.from({ length: repeats }, () => cell);
  });

const readTable = (table: XmlElement, reading: OdfReading): readonly Piece[] => {
  const shown = (rows: readonly XmlElement[]): readonly XmlElement[] =>
    rows.filter((row) => !/^(?:collapse|filter)$/.test(attributeOf(row, 'visibility') ?? ''));
  const rows = shown(rowsOf(table));
  const isLayout = rows.every(
    (row) => childrenOf(row, 'table-cell').length < 2 && !attributeOf(row, 'number-rows-repeated'),
  );
  if (isLayout) return rows.flatMap((row) => childrenOf(row, 'table-cell').flatMap((cell) => piecesIn(cell, reading)));
  const spans = rows.flatMap((row) => {
    const cells = cellsOf(row, reading);
    const repeats = cells.some(({ text }) => text !== '')
      ? Math.min(maxRepeats, numberOf(row, 'number-rows-repeated'))
      : 1;
    return Array.from({ length: repeats }, () => cells);
  });
  const headRows = shown(childrenOf(table, 'table-header-rows').flatMap(rowsOf)).length;
  return [{ grid: { rows: expandSpans(spans), ...(headRows > 0 && headRows < rows.length && { headRows }) } }];
};

const readParagraphPieces = (paragraph: XmlElement, reading: OdfReading): readonly Piece[] => {
  const { text, look, apart, descriptions } = readParagraph(paragraph, reading);
  const outline = Number(attributeOf(paragraph, 'outline-level') ?? 1);
  const styles = reading.styles.namesOf('paragraph', attributeOf(paragraph, 'style-name'));
  const level = paragraph.name === 'h' ? Math.min(6, Math.max(1, outline || 1)) : styles.includes('Title') ? 0 : null;
  const isCaption = styles.some((name) => /^(?:Caption|Table|Tabelle|Tableau|Tabla)$/.test(name));
  const toPiece = (aside: string): Piece => ({ text: aside, level: null });
  // A line in a box introduces no text after the box.
  const boxes = piecesOf(apart, reading).map(withoutLook);
  const isCounted = paragraph.name === 'h' && text !== '' && attributeOf(paragraph, 'is-list-header') !== 'true';
  const mark = isCounted ? reading.headings?.next(Math.max(0, (outline || 1) - 1)) : undefined;
  return [{ text: mark ? `${mark} ${text}` : text, level, look, isCaption }, ...boxes, ...descriptions.map(toPiece)];
};

const piecesOf = (elements: readonly XmlElement[], reading: OdfReading): readonly Piece[] =>
  elements
    .filter(({ name }) => !skipped.has(name) || name === 'annotation')
    .flatMap((element): readonly Piece[] => {
      if (isOff(element)) {
        reading.onHidden?.();
        return [];
      }
      if (isParagraph(element)) return readParagraphPieces(element, reading);
      if (element.name === 'table') return readTable(element, reading);
      // A numbered heading is inside a list of its own.
      const isList = element.name === 'list' && findAll(element, 'h').length === 0;
      if (isList) return [{ text: listText(element, 0, undefined, reading), level: null }];
      if (!shapes.has(element.name)) return piecesIn(element, reading);
      return [...piecesIn(withoutDescription(element), reading), { text: descriptionOf(element), level: null }];
    })
    .filter((piece) => 'grid' in piece || piece.text !== '');

/** Paragraphs and tables of an element, in order. */
const piecesIn = (body: XmlElement, reading: OdfReading): readonly Piece[] => piecesOf(childrenOf(body), reading);

/** Blocks of the text of an element: headings, paragraphs, lists, tables. */
export const blocksIn = (body: XmlElement, reading: OdfReading): readonly Block[] =>
  composeBlocks(piecesIn(body, reading));

/** Blocks of one element. */
export const blocksOf = (element: XmlElement, reading: OdfReading): readonly Block[] =>
  composeBlocks(piecesOf([element], reading));
