import type { Block } from '../cut-units.ts';
import { blocksOf, paragraphsIn, type OdfReading } from './odf-text.ts';
import { attributeOf, childrenOf, type XmlElement } from '../parse-xml.ts';
import { inReadingOrder, type Box } from './shape-order.ts';

const points: Readonly<Record<string, number>> = { cm: 28.35, in: 72, mm: 2.835, pt: 1, px: 0.75 };

const lengthOf = (shape: XmlElement, name: string): number => {
  const [, number, unit = ''] = /^(-?[\d.]+)([a-z]*)$/.exec(attributeOf(shape, name) ?? '') ?? [];
  return Number(number ?? Number.NaN) * (points[unit] ?? 1);
};

const boxOf = (shape: XmlElement): Box | null => {
  const box = {
    x: lengthOf(shape, 'x'),
    y: lengthOf(shape, 'y'),
    width: lengthOf(shape, 'width'),
    height: lengthOf(shape, 'height'),
  };
  return Object.values(box).every(Number.isFinite) ? box : null;
};

/** Shapes of a page. Those in groups have positions of their own. */
const shapesIn = (page: XmlElement): readonly XmlElement[] =>
  childrenOf(page).flatMap((shape) => {
    if (/^(?:notes|annotation|forms)$/.test(shape.name)) return [];
    const isDescribed = childrenOf(shape).some(({ name }) => name === 'desc' || name === 'title');
    return shape.name === 'g' && !isDescribed ? shapesIn(shape) : [shape];
  });

const isFurniture = (shape: XmlElement): boolean =>
  /^(?:footer|date-time|page-number)$/.test(attributeOf(shape, 'class') ?? '') ||
  attributeOf(shape, 'placeholder') === 'true';

/** Blocks of a slide: title, shapes in reading order, speaker notes, comments. */
export const slideBlocks = (page: XmlElement, slide: number, reading: OdfReading): readonly Block[] => {
  const place = { slide };
  const isTitle = (shape: XmlElement): boolean => attributeOf(shape, 'class') === 'title';
  const shapes = shapesIn(page).filter((shape) => !isFurniture(shape));
  const title = shapes
    .filter(isTitle)
    .flatMap((shape) => paragraphsIn(shape, reading))
    .join(' ')
    .trim();
  const bodies = shapes
    .filter((shape) => !isTitle(shape))
    .map((shape) => [blocksOf(shape, reading), boxOf(shape)] as const)
    .filter(([blocks]) => blocks.length > 0);
  const textsOf = (name: string): readonly string[] =>
    childrenOf(page, name)
      .map((element) =>
        paragraphsIn(element, reading)
          .filter((text) => text !== '')
          .join('\n'),
      )
      .filter((text) => text !== '');
  const notes = textsOf('notes').map((text) => `Notes: ${text}`);
  const comments = textsOf('annotation').map((text) => `Comment: ${text}`);
  return [
    ...(title === '' ? [] : [{ text: title, level: 1, place }]),
    ...inReadingOrder(bodies)
      .flat()
      .map((block) => ({ ...block, level: null, place })),
    ...[...notes, ...comments].map((text) => ({ text, level: null, place })),
  ];
};
