import { openBlocks, type Block } from '../cut-units.ts';
import { composeBlocks, lineOf, withoutLook, type Piece } from './compose-blocks.ts';
import { readDrawings } from './drawing-text.ts';
import type { FormatReader } from '../format.ts';
import { noteHiddenText } from './hidden-notes.ts';
import { noteUnreadPictures } from './unread-pictures.ts';
import { openPackage, relationId, type OfficePackage } from './open-package.ts';
import { attributeOf, childOf, childrenOf, findAll, type XmlElement } from '../parse-xml.ts';
import { readImports, type Imports } from './read-imports.ts';
import { findHeaders } from './word-headers.ts';
import { readNumbering, type WordNumbering } from './word-numbering.ts';
import { readStyles, type WordStyles } from './word-styles.ts';
import { readWordTable } from './word-tables.ts';
import { isPrompt, isSkipped, noteKey, readWordText, type Notes, type TextSources } from './word-text.ts';

/** Content of the parts that the document's text refers to. */
interface Sources extends TextSources {
  readonly numbering: WordNumbering;
  readonly imports: Imports['blocks'];
}

const levelOf = (properties: XmlElement | undefined, { levels }: WordStyles): number | null => {
  const outline = attributeOf(childOf(properties, 'outlineLvl'), 'val');
  if (outline !== undefined && Number(outline) < 9) return Math.min(6, Number(outline) + 1);
  return levels.get(attributeOf(childOf(properties, 'pStyle'), 'val') ?? '') ?? null;
};

const readParagraph = (paragraph: XmlElement, sources: Sources, pieces: Piece[]): void => {
  const { styles } = sources;
  const properties = childOf(paragraph, 'pPr');
  const level = levelOf(properties, styles);
  const { text, look, boxes, asides } = readWordText(paragraph, sources, level !== null);
  const style = attributeOf(childOf(properties, 'pStyle'), 'val') ?? styles.usualId;
  const isCaption = styles.captions.has(style);
  // An empty paragraph shows no number, and does not count.
  const mark = text === '' ? null : sources.numbering.markOf(properties, style);
  const isItem = level === null && mark !== null;
  if (text !== '')
    pieces.push({
      text: level !== null && mark !== null && mark !== '' ? `${mark} ${text}` : text,
      level,
      look,
      isItem,
      isCaption,
      ...(isItem && mark !== '' && { mark }),
    });
  for (const aside of asides) pieces.push({ text: aside, level: null });
  for (const box of boxes) {
    // A line in a box introduces no text after the box.
    for (const piece of piecesOf(box, sources)) pieces.push(withoutLook(piece));
  }
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

const readBody = (body: XmlElement, sources: Sources, pieces: Piece[]): void => {
  for (const child of joinDropCaps(childrenOf(body))) {
    if (child.name === 'p') readParagraph(child, sources, pieces);
    else if (child.name === 'tbl') {
      const textOf = (cell: XmlElement): string => lineOf(piecesOf(cell, sources));
      for (const piece of readWordTable(child, { textOf, piecesOf: (cell) => piecesOf(cell, sources) }))
        pieces.push(piece);
    } else if (child.name === 'altChunk') {
      // One by one: a file may have more blocks than a call allows arguments.
      for (const block of sources.imports.get(relationId(child)) ?? []) pieces.push(block);
    } else if (!isSkipped(child) && !(child.name === 'sdt' && isPrompt(child))) readBody(child, sources, pieces);
  }
};

/** Paragraphs and tables of the document, a cell, a text box or a header. */
const piecesOf = (body: XmlElement, sources: Sources): readonly Piece[] => {
  const pieces: Piece[] = [];
  readBody(body, sources, pieces);
  return pieces;
};

const readNotes = async (office: OfficePackage, sources: Sources): Promise<Notes> => {
  const notes = new Map<string, string>();
  const kinds: Readonly<Record<string, string>> = { footnotes: 'footnote', endnotes: 'endnote', comments: 'comment' };
  for (const { type, target } of (await office.relations(office.main)).values()) {
    const kind = kinds[type];
    if (kind === undefined || !office.archive.names.has(target)) continue;
    for (const note of findAll(await office.xml(target), kind)) {
      const text = lineOf(piecesOf(note, sources));
      const [author, date] = [attributeOf(note, 'author') ?? '', attributeOf(note, 'date')?.slice(0, 10) ?? ''];
      const from = kind === 'comment' ? [author, date].filter((one) => one !== '').join(', ') : '';
      if (text !== '') notes.set(noteKey(`${kind}Reference`, note), from === '' ? text : `${from}: ${text}`);
    }
  }
  return notes;
};

/** Blocks of headers or footers. Text that several of them share is read once. */
const runningBlocks = async (
  office: OfficePackage,
  parts: readonly string[],
  sources: Sources,
): Promise<readonly Block[]> => {
  const seen = new Set<string>();
  const blocks: Block[] = [];
  for (const part of parts) {
    const pieces = piecesOf(await office.xml(part), { ...sources, isRunning: true }).map(withoutLook);
    for (const { text, head } of composeBlocks(pieces)) {
      if (seen.has(text)) continue;
      seen.add(text);
      blocks.push({ text, level: null, isApart: true, ...(head !== undefined && { head }) });
    }
  }
  return blocks;
};

/**
 * Reads DOCX: headings by style, outline level or bold type, lists, tables with merged cells, text boxes, charts, diagrams,
 * descriptions of pictures and embedded files. Notes and comments are in parentheses at their reference. Headers are read
 * once before the text, footers after it. Hidden and deleted text and prompts of empty fields are left out.
 */
export const readDocx: FormatReader = async ({ bytes }, context) => {
  const office = await openPackage(bytes);
  const styles = await readStyles(office);
  const imports = await readImports(office, office.main, context);
  let hasHidden = false;
  const onHidden = (): void => {
    hasHidden = true;
  };
  const numbering = await readNumbering(office);
  const bare = { styles, numbering, notes: new Map(), drawings: new Map(), imports: new Map(), onHidden };
  const notes = await readNotes(office, bare);
  const drawings = await readDrawings(office, office.main);
  const document = await office.xml(office.main);
  const { headers, footers } = await findHeaders(office, document);
  const body = composeBlocks(
    piecesOf(document, { styles, numbering, notes, drawings, imports: imports.blocks, onHidden }),
  );
  const blocks = [
    ...(await runningBlocks(office, headers, bare)),
    ...body,
    ...(await runningBlocks(office, footers, bare)),
  ];
  const hidden = hasHidden ? [noteHiddenText] : [];
  return noteUnreadPictures({ ...openBlocks(blocks), notes: [...imports.notes, ...hidden] }, office.archive);
};
