import { oneLine } from '../../../kernel/text.ts';
import { openBlocks, type Block } from '../cut-units.ts';
import { drawingOf, readDrawings, type Drawings } from './drawing-text.ts';
import type { FormatReader } from '../format.ts';
import { noteUnreadPictures } from './unread-pictures.ts';
import { openPackage, relationId, type OfficePackage } from './open-package.ts';
import { attributeOf, childOf, childrenOf, findAll, type XmlElement } from '../parse-xml.ts';
import { readImports, type Imports } from './read-imports.ts';
import { symbolCharacter } from './symbol-font.ts';
import { rowLine } from '../table-rows.ts';

type Levels = ReadonlyMap<string, number>;

/** Texts of footnotes, endnotes and comments, by the name of the referring element and their id. */
type Notes = ReadonlyMap<string, string>;

/** Content of the parts that the document's text refers to. */
interface Sources {
  readonly levels: Levels;
  readonly notes: Notes;
  readonly drawings: Drawings;
  readonly imports: Imports['blocks'];
}

interface Reading extends Sources {
  readonly blocks: Block[];
}

// Content that is not text of the document: deleted words, field codes, copies of drawings for old programs, and
// reading aids of East Asian scripts.
const skipped = new Set(['del', 'delText', 'instrText', 'Fallback', 'pPr', 'rPr', 'sectPr', 'moveFrom', 'rt']);
const signs: Readonly<Record<string, string>> = { tab: '\t', br: '\n', cr: '\n', noBreakHyphen: '-', ptab: '\t' };

/** Character of a symbol element. Only the font Symbol is known; symbols of other fonts are ornaments. */
const signOf = (element: XmlElement): string | undefined => {
  if (element.name !== 'sym') return signs[element.name];
  const isSymbol = attributeOf(element, 'font')?.toLowerCase() === 'symbol';
  return isSymbol ? symbolCharacter(Number.parseInt(attributeOf(element, 'char') ?? '', 16)) : undefined;
};

const levelOfStyle = (style: XmlElement): number | undefined => {
  const name = attributeOf(childOf(style, 'name'), 'val')?.toLowerCase() ?? '';
  if (name === 'title') return 0;
  const byName = /^heading (\d)$/.exec(name)?.[1];
  const outline = byName ?? attributeOf(childOf(childOf(style, 'pPr'), 'outlineLvl'), 'val');
  if (outline === undefined) return undefined;
  const level = Number(outline) + (byName === undefined ? 1 : 0);
  return level >= 1 && level <= 9 ? Math.min(6, level) : undefined;
};

/** Heading level of every heading style, by style id. A style inherits it from its base style. */
const readLevels = async (office: OfficePackage): Promise<Levels> => {
  const relation = [...(await office.relations(office.main)).values()].find(({ type }) => type === 'styles');
  if (relation === undefined || !office.archive.names.has(relation.target)) return new Map();
  const styles = findAll(await office.xml(relation.target), 'style');
  const levels = new Map<string, number>();
  // Twice, since a style may precede its base style.
  for (const style of [...styles, ...styles]) {
    const base = levels.get(attributeOf(childOf(style, 'basedOn'), 'val') ?? '');
    const level = levelOfStyle(style) ?? (base === 0 ? undefined : base);
    if (level !== undefined) levels.set(attributeOf(style, 'styleId') ?? '', level);
  }
  return levels;
};

/** Text of a paragraph. @param replace Returns the replacement of an element; undefined: its own text. */
const wordsOf = (element: XmlElement, replace: (child: XmlElement) => string | undefined): string =>
  element.children
    .map((child) => {
      if (typeof child === 'string') return element.name === 't' ? child : '';
      if (skipped.has(child.name)) return '';
      return replace(child) ?? signOf(child) ?? wordsOf(child, replace);
    })
    .join('');

const levelOf = (properties: XmlElement | undefined, levels: Levels): number | null => {
  const outline = attributeOf(childOf(properties, 'outlineLvl'), 'val');
  if (outline !== undefined && Number(outline) < 9) return Math.min(6, Number(outline) + 1);
  return levels.get(attributeOf(childOf(properties, 'pStyle'), 'val') ?? '') ?? null;
};

const noteKey = (reference: string, element: XmlElement): string => `${reference} ${attributeOf(element, 'id') ?? ''}`;

const readParagraph = (paragraph: XmlElement, reading: Reading): void => {
  const { blocks, levels, notes, drawings } = reading;
  const properties = childOf(paragraph, 'pPr');
  const level = levelOf(properties, levels);
  const boxes: XmlElement[] = [];
  const asides: string[] = [];
  const replace = (child: XmlElement): string | undefined => {
    const drawing = drawingOf(child, drawings);
    const note = notes.get(noteKey(child.name, child));
    // A note of a heading is kept out of the heading path, which is stored with all text under it.
    if (note !== undefined && level === null) return ` (${note})`;
    if (child.name === 'txbxContent') boxes.push(child);
    else if (drawing !== undefined || note !== undefined) asides.push(drawing ?? note ?? '');
    else return undefined;
    return '';
  };
  const text = wordsOf(paragraph, replace).trim();
  const isItem = level === null && childOf(properties, 'numPr') !== undefined;
  const previous = blocks.at(-1);
  if (text !== '' && isItem && previous?.text.startsWith('- ') === true) {
    blocks[blocks.length - 1] = { ...previous, text: `${previous.text}\n- ${text}` };
  } else if (text !== '') blocks.push({ text: isItem ? `- ${text}` : text, level });
  blocks.push(...asides.filter((aside) => aside !== '').map((aside) => ({ text: aside, level: null })));
  for (const box of boxes) readBody(box, reading);
};

/** Text of a cell or a note in one line. */
const lineOf = (element: XmlElement, sources: Sources): string => {
  const blocks: Block[] = [];
  readBody(element, { ...sources, blocks });
  return oneLine(blocks.map(({ text }) => text).join(' '));
};

const readTable = (table: XmlElement, reading: Reading): void => {
  // At any depth: content controls may enclose rows and cells.
  const text = findAll(table, 'tr')
    .map((row) => rowLine(findAll(row, 'tc').map((cell) => lineOf(cell, reading))))
    .filter((line) => line !== '')
    .join('\n');
  if (text !== '') reading.blocks.push({ text, level: null });
};

const readImport = (chunk: XmlElement, { blocks, imports }: Reading): void => {
  // One by one: a file may have more blocks than a call allows arguments.
  for (const block of imports.get(relationId(chunk)) ?? []) blocks.push(block);
};

const isDropCap = (element: XmlElement): boolean =>
  /^(?:drop|margin)$/.test(attributeOf(childOf(childOf(element, 'pPr'), 'framePr'), 'dropCap') ?? '');

/** Joins a drop cap, which is a paragraph of its own, with the paragraph that continues its word. */
const joinDropCaps = function* (elements: readonly XmlElement[]): Generator<XmlElement> {
  const open = (): XmlElement => ({ name: 'p', attributes: {}, children: [] });
  let begun = open();
  for (const element of elements) {
    if (isDropCap(element)) {
      for (const child of childrenOf(element)) if (child.name !== 'pPr') begun.children.push(child);
    } else if (begun.children.length === 0 || element.children.length === 0) yield element;
    else {
      const joins = element.name === 'p';
      yield joins ? { ...begun, children: [...begun.children, ...element.children] } : begun;
      if (!joins) yield element;
      begun = open();
    }
  }
  if (begun.children.length > 0) yield begun;
};

const readBody = (body: XmlElement, reading: Reading): void => {
  for (const child of joinDropCaps(childrenOf(body))) {
    if (child.name === 'p') readParagraph(child, reading);
    else if (child.name === 'tbl') readTable(child, reading);
    else if (child.name === 'altChunk') readImport(child, reading);
    else if (!skipped.has(child.name)) readBody(child, reading);
  }
};

const readNotes = async (office: OfficePackage, levels: Levels): Promise<Notes> => {
  const notes = new Map<string, string>();
  const kinds: Readonly<Record<string, string>> = { footnotes: 'footnote', endnotes: 'endnote', comments: 'comment' };
  for (const { type, target } of (await office.relations(office.main)).values()) {
    const kind = kinds[type];
    if (kind === undefined || !office.archive.names.has(target)) continue;
    for (const note of findAll(await office.xml(target), kind)) {
      const text = lineOf(note, { levels, notes: new Map(), drawings: new Map(), imports: new Map() });
      if (text !== '') notes.set(noteKey(`${kind}Reference`, note), text);
    }
  }
  return notes;
};

/**
 * Reads DOCX: headings by style or outline level, lists, tables row by row, text boxes, charts, diagrams and embedded
 * files. Notes and comments are in parentheses at their reference.
 */
export const readDocx: FormatReader = async ({ bytes }, context) => {
  const office = await openPackage(bytes);
  const levels = await readLevels(office);
  const notes = await readNotes(office, levels);
  const drawings = await readDrawings(office, office.main);
  const imports = await readImports(office, office.main, context);
  const blocks: Block[] = [];
  readBody(await office.xml(office.main), { levels, notes, drawings, imports: imports.blocks, blocks });
  return noteUnreadPictures({ ...openBlocks(blocks), notes: imports.notes }, office.archive);
};
