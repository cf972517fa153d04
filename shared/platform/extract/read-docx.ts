import { openBlocks, type Block } from './cut-units.ts';
import type { FormatReader } from './format.ts';
import { notePictures } from './note-pictures.ts';
import { openPackage, type OfficePackage } from './open-package.ts';
import { attributeOf, childOf, childrenOf, findAll, type XmlElement } from './parse-xml.ts';

type Levels = ReadonlyMap<string, number>;

interface Reading {
  readonly levels: Levels;
  readonly blocks: Block[];
}

// What Word keeps beside the text: deleted words, field codes, and the copy of a drawing for old programs.
const skipped = new Set(['del', 'delText', 'instrText', 'Fallback', 'pPr', 'rPr', 'sectPr', 'moveFrom']);
const signs: Readonly<Record<string, string>> = { tab: '\t', br: '\n', cr: '\n', noBreakHyphen: '-', ptab: '\t' };

const levelOfStyle = (style: XmlElement): number | undefined => {
  const name = attributeOf(childOf(style, 'name'), 'val')?.toLowerCase() ?? '';
  if (name === 'title') return 0;
  const byName = /^heading (\d)$/.exec(name)?.[1];
  const outline = byName ?? attributeOf(childOf(childOf(style, 'pPr'), 'outlineLvl'), 'val');
  if (outline === undefined) return undefined;
  const level = Number(outline) + (byName === undefined ? 1 : 0);
  return level >= 1 && level <= 9 ? Math.min(6, level) : undefined;
};

/** The heading level of every style that is one, by the style's id; styles inherit it from the one they are based on. */
const readLevels = async (office: OfficePackage): Promise<Levels> => {
  const relation = [...(await office.relations(office.main)).values()].find(({ type }) => type === 'styles');
  if (relation === undefined || !office.archive.names.has(relation.target)) return new Map();
  const styles = findAll(await office.xml(relation.target), 'style');
  const levels = new Map<string, number>();
  // Twice, for a style may stand before the one that it is based on.
  for (const style of [...styles, ...styles]) {
    const base = levels.get(attributeOf(childOf(style, 'basedOn'), 'val') ?? '');
    const level = levelOfStyle(style) ?? (base === 0 ? undefined : base);
    if (level !== undefined) levels.set(attributeOf(style, 'styleId') ?? '', level);
  }
  return levels;
};

/** The words of a paragraph; text boxes that hang on it are handed to `onBox`. */
const wordsOf = (element: XmlElement, onBox: (box: XmlElement) => void): string =>
  element.children
    .map((child) => {
      if (typeof child === 'string') return element.name === 't' ? child : '';
      if (skipped.has(child.name)) return '';
      if (child.name === 'txbxContent') {
        onBox(child);
        return '';
      }
      return signs[child.name] ?? wordsOf(child, onBox);
    })
    .join('');

const levelOf = (properties: XmlElement | undefined, levels: Levels): number | null => {
  const outline = attributeOf(childOf(properties, 'outlineLvl'), 'val');
  if (outline !== undefined && Number(outline) < 9) return Math.min(6, Number(outline) + 1);
  return levels.get(attributeOf(childOf(properties, 'pStyle'), 'val') ?? '') ?? null;
};

const readParagraph = (paragraph: XmlElement, { levels, blocks }: Reading): void => {
  const boxes: XmlElement[] = [];
  const text = wordsOf(paragraph, (box) => boxes.push(box)).trim();
  const properties = childOf(paragraph, 'pPr');
  const level = levelOf(properties, levels);
  const isItem = level === null && childOf(properties, 'numPr') !== undefined;
  const previous = blocks.at(-1);
  if (text !== '' && isItem && previous?.text.startsWith('- ') === true) {
    blocks[blocks.length - 1] = { ...previous, text: `${previous.text}\n- ${text}` };
  } else if (text !== '') blocks.push({ text: isItem ? `- ${text}` : text, level });
  for (const box of boxes) readBody(box, { levels, blocks });
};

const cellText = (cell: XmlElement, { levels }: Reading): string => {
  const blocks: Block[] = [];
  readBody(cell, { levels, blocks });
  return blocks.map(({ text }) => text.replace(/\s+/g, ' ')).join(' ');
};

const readTable = (table: XmlElement, reading: Reading): void => {
  const rows = childrenOf(table, 'tr').map((row) =>
    findAll(row, 'tc')
      .map((cell) => cellText(cell, reading))
      .join(' | '),
  );
  const text = rows.filter((row) => /[^|\s]/.test(row)).join('\n');
  if (text !== '') reading.blocks.push({ text, level: null });
};

const readBody = (body: XmlElement, reading: Reading): void => {
  for (const child of childrenOf(body)) {
    if (child.name === 'p') readParagraph(child, reading);
    else if (child.name === 'tbl') readTable(child, reading);
    else if (!skipped.has(child.name)) readBody(child, reading);
  }
};

const notesOf = async (office: OfficePackage, levels: Levels): Promise<readonly Block[]> => {
  const blocks: Block[] = [];
  const wanted = new Set(['footnotes', 'endnotes', 'comments']);
  for (const { type, target } of (await office.relations(office.main)).values()) {
    if (wanted.has(type) && office.archive.names.has(target)) readBody(await office.xml(target), { levels, blocks });
  }
  return blocks.map((block) => ({ ...block, level: null }));
};

/** Reads DOCX: headings by style or outline level, lists, tables row by row, text boxes, then notes and comments. */
export const readDocx: FormatReader = async ({ bytes }) => {
  const office = await openPackage(bytes);
  const levels = await readLevels(office);
  const blocks: Block[] = [];
  readBody(await office.xml(office.main), { levels, blocks });
  return notePictures(openBlocks([...blocks, ...(await notesOf(office, levels))]), office.archive);
};
