import { openPages, type Block } from '../cut-units.ts';
import { drawingOf, linesOf, readDrawings, type Drawings } from './drawing-text.ts';
import type { FormatReader } from '../format.ts';
import { noteUnreadPictures } from './unread-pictures.ts';
import { openPackage, relationId, type OfficePackage } from './open-package.ts';
import { attributeOf, childOf, childrenOf, findAll, type XmlElement } from '../parse-xml.ts';
import type { Place } from '../port.ts';
import { rowLine } from '../table-rows.ts';

const roleOf = (shape: XmlElement): string => {
  const properties = childrenOf(shape).find(({ name }) => name.startsWith('nv'));
  const placeholder = childOf(childOf(properties, 'nvPr'), 'ph');
  return placeholder === undefined ? '' : (attributeOf(placeholder, 'type') ?? 'body');
};

const isTitle = (shape: XmlElement): boolean => /^(?:title|ctrTitle)$/.test(roleOf(shape));

const shapesOf = (tree: XmlElement | undefined): readonly XmlElement[] =>
  childrenOf(tree).flatMap((child) => {
    if (child.name === 'grpSp') return shapesOf(child);
    if (child.name === 'AlternateContent') return shapesOf(childOf(child, 'Choice'));
    return child.name === 'sp' || child.name === 'graphicFrame' || child.name === 'cxnSp' ? [child] : [];
  });

const tableText = (table: XmlElement): string =>
  childrenOf(table, 'tr')
    .map((row) => rowLine(childrenOf(row, 'tc').map((cell) => linesOf(cell).join(' '))))
    .filter((line) => line !== '')
    .join('\n');

const shapeText = (shape: XmlElement, drawings: Drawings): string => {
  const [table] = findAll(shape, 'tbl');
  if (table !== undefined) return tableText(table);
  const [drawing] = [...findAll(shape, 'chart'), ...findAll(shape, 'relIds')];
  if (drawing !== undefined) return drawingOf(drawing, drawings) ?? '';
  const lines = linesOf(shape);
  return (roleOf(shape) === 'body' && lines.length > 1 ? lines.map((line) => `- ${line}`) : lines).join('\n');
};

const shapesIn = async (office: OfficePackage, part: string): Promise<readonly XmlElement[]> => {
  const [tree] = findAll(await office.xml(part), 'spTree');
  return shapesOf(tree);
};

const blocksOf = async (office: OfficePackage, part: string, place: Place): Promise<readonly Block[]> => {
  const shapes = await shapesIn(office, part);
  const drawings = await readDrawings(office, part);
  const title = shapes.find(isTitle);
  const heading = title === undefined ? '' : linesOf(title).join(' ');
  const bodies = shapes
    .filter((shape) => shape !== title && !/^(?:dt|ftr|sldNum|hdr)$/.test(roleOf(shape)))
    .map((shape) => shapeText(shape, drawings));
  const notes: string[] = [];
  for (const { type, target } of (await office.relations(part)).values()) {
    if (type !== 'notesSlide' || !office.archive.names.has(target)) continue;
    const words = (await shapesIn(office, target)).filter((shape) => roleOf(shape) === 'body').flatMap(linesOf);
    if (words.length > 0) notes.push(`Notes: ${words.join('\n')}`);
  }
  return [
    ...(heading === '' ? [] : [{ text: heading, level: 1, place }]),
    ...[...bodies, ...notes].filter((text) => text !== '').map((text) => ({ text, level: null, place })),
  ];
};

/** Reads PPTX slide by slide, in the order of the presentation: title, shapes, tables, charts, diagrams, speaker notes. */
export const readPptx: FormatReader = async ({ bytes }) => {
  const office = await openPackage(bytes);
  const relations = await office.relations(office.main);
  const [list] = findAll(await office.xml(office.main), 'sldIdLst');
  const slides: (readonly Block[])[] = [];
  for (const slide of childrenOf(list, 'sldId')) {
    const target = relations.get(relationId(slide))?.target;
    const isThere = target !== undefined && office.archive.names.has(target);
    slides.push(isThere ? await blocksOf(office, target, { slide: slides.length + 1 }) : []);
  }
  return noteUnreadPictures(openPages(slides), office.archive);
};
