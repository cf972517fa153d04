import { altText } from './alt-text.ts';
import { openPages, type Block } from '../cut-units.ts';
import { drawingOf, linesOf, readDrawings, type Drawings } from './drawing-text.ts';
import type { FormatReader } from '../format.ts';
import { noteHiddenSlides } from './hidden-notes.ts';
import { noteUnreadPictures } from './unread-pictures.ts';
import { openPackage, relationId, type OfficePackage } from './open-package.ts';
import { attributeOf, childOf, childrenOf, findAll, textIn, type XmlElement } from '../parse-xml.ts';
import type { Place } from '../port.ts';
import { inReadingOrder } from './shape-order.ts';
import { openLayouts, propertiesOf, roleOf, shapesIn, type Placeholders } from './slide-shapes.ts';
import { expandSpans, tableBlocks, type TableGrid } from '../table.ts';

const isTitle = (shape: XmlElement): boolean => /^(?:title|ctrTitle)$/.test(roleOf(shape));

const isOn = (element: XmlElement | undefined, name: string): boolean =>
  /^(?:1|true|on)$/.test(attributeOf(element, name) ?? '');

const spanOf = (cell: XmlElement, name: string): number => Math.trunc(Number(attributeOf(cell, name) ?? 1)) || 1;

const gridOf = (table: XmlElement): TableGrid => {
  const rows = childrenOf(table, 'tr').map((row) =>
    childrenOf(row, 'tc')
      .filter((cell) => !isOn(cell, 'hMerge') && !isOn(cell, 'vMerge'))
      .map((cell) => ({
        text: linesOf(cell).join(' '),
        columns: Math.max(1, spanOf(cell, 'gridSpan')),
        rows: Math.max(1, spanOf(cell, 'rowSpan')),
      })),
  );
  const [first = []] = rows;
  const height = first.reduce((max, cell) => Math.max(max, cell.rows), 1);
  // A cell across several columns may have their names below it.
  const isHead =
    isOn(childOf(table, 'tblPr'), 'firstRow') && rows.length > 1 && first.every(({ columns }) => columns === 1);
  return { rows: expandSpans(rows), ...(isHead && { headRows: height }) };
};

/** Text of a shape: paragraphs, the points of a list, or the words of a chart. */
const shapeText = (shape: XmlElement, drawings: Drawings, inherited: Placeholders): string => {
  const [drawing] = [...findAll(shape, 'chart'), ...findAll(shape, 'relIds')];
  if (drawing !== undefined) return drawingOf(drawing, drawings) ?? '';
  const lines = linesOf(shape);
  const text = (roleOf(shape) === 'body' && lines.length > 1 ? lines.map((line) => `- ${line}`) : lines).join('\n');
  return inherited(shape).some(({ prompt }) => prompt !== '' && prompt === lines.join(' ')) ? '' : text;
};

const descriptionOf = (shape: XmlElement): string => {
  const properties = childOf(propertiesOf(shape), 'cNvPr');
  return altText(attributeOf(properties, 'descr'), attributeOf(properties, 'title'));
};

const shapeBlocks = (
  shape: XmlElement,
  drawings: Drawings,
  inherited: Placeholders,
  place: Place,
): readonly Block[] => {
  const [table] = findAll(shape, 'tbl');
  const toBlock = (text: string): Block => ({ text, level: null, place });
  const blocks =
    table === undefined ? [toBlock(shapeText(shape, drawings, inherited))] : tableBlocks(gridOf(table), { place });
  const description = descriptionOf(shape);
  return [...blocks, toBlock(description === blocks[0]?.text ? '' : description)].filter(({ text }) => text !== '');
};

/** Comments on a slide, each with its replies. */
const commentsIn = (part: XmlElement): readonly string[] =>
  findAll(part, 'cm').map((comment) => {
    const replies = findAll(childOf(comment, 'replyLst'), 'reply').map((reply) => linesOf(reply).join('\n'));
    const own = textIn(childOf(comment, 'text')).trim() || linesOf(childOf(comment, 'txBody')).join('\n');
    return [own, ...replies].filter((text) => text !== '').join('\n');
  });

/** Speaker notes and comments. */
const remarksOn = async (office: OfficePackage, part: string): Promise<readonly string[]> => {
  const [notes, comments]: [string[], string[]] = [[], []];
  for (const { type, target } of (await office.relations(part)).values()) {
    if (!office.archive.names.has(target)) continue;
    if (type === 'comments')
      for (const comment of commentsIn(await office.xml(target))) comments.push(`Comment: ${comment}`);
    if (type !== 'notesSlide') continue;
    const shapes = shapesIn(await office.xml(target)).map(([shape]) => shape);
    const words = shapes.filter((shape) => roleOf(shape) === 'body').flatMap(linesOf);
    if (words.length > 0) notes.push(`Notes: ${words.join('\n')}`);
  }
  return [...notes, ...comments.filter((text) => text !== 'Comment: ')];
};

/** Opens the slides of a presentation. A footer is read with the first slide that has it. */
const openSlides = (office: OfficePackage) => {
  const layoutOf = openLayouts(office);
  const footers = new Set<string>();
  const isNewFooter = (shape: XmlElement): boolean => {
    const text = linesOf(shape).join(' ');
    if (footers.has(text)) return false;
    footers.add(text);
    return true;
  };
  const isFurniture = (shape: XmlElement): boolean =>
    /^(?:dt|sldNum)$/.test(roleOf(shape)) || (/^(?:ftr|hdr)$/.test(roleOf(shape)) && !isNewFooter(shape));
  return async (part: string, slide: XmlElement, place: Place): Promise<readonly Block[]> => {
    const inherited = await layoutOf(part);
    const drawings = await readDrawings(office, part);
    const shapes = shapesIn(slide, inherited);
    const title = shapes.find(([shape]) => isTitle(shape))?.[0];
    const heading = title === undefined ? '' : shapeText(title, drawings, inherited).replace(/\s+/g, ' ');
    const bodies = shapes.flatMap(([shape, box]) => {
      if (shape === title || isFurniture(shape)) return [];
      const blocks = shapeBlocks(shape, drawings, inherited, place);
      return blocks.length === 0 ? [] : [[blocks, box] as const];
    });
    const remarks = (await remarksOn(office, part)).map((text): Block => ({ text, level: null, place }));
    return [
      ...(heading === '' ? [] : [{ text: heading, level: 1, place }]),
      ...inReadingOrder(bodies).flat(),
      ...remarks,
    ];
  };
};

/**
 * Reads PPTX slide by slide, in the order of the presentation: title, then shapes, tables, charts, diagrams and descriptions
 * of pictures in reading order, then speaker notes and comments. Hidden slides and shapes are left out.
 */
export const readPptx: FormatReader = async ({ bytes }) => {
  const office = await openPackage(bytes);
  const relations = await office.relations(office.main);
  const [list] = findAll(await office.xml(office.main), 'sldIdLst');
  const readSlide = openSlides(office);
  const slides: (readonly Block[])[] = [];
  const hidden: number[] = [];
  for (const entry of childrenOf(list, 'sldId')) {
    const target = relations.get(relationId(entry))?.target;
    const part = target !== undefined && office.archive.names.has(target) ? target : null;
    const slide = part === null ? undefined : await office.xml(part);
    const number = slides.length + 1;
    const isHidden = /^(?:0|false|off)$/.test(attributeOf(childrenOf(slide)[0], 'show') ?? '');
    if (isHidden) hidden.push(number);
    slides.push(
      part === null || slide === undefined || isHidden ? [] : await readSlide(part, slide, { slide: number }),
    );
  }
  const file = openPages(slides);
  return noteUnreadPictures({ ...file, notes: [...file.notes, ...noteHiddenSlides(hidden)] }, office.archive);
};
