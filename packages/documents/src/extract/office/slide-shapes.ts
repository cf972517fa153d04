import { linesOf } from './drawing-text.ts';
import type { OfficePackage } from './open-package.ts';
import { attributeOf, childOf, childrenOf, findAll, type XmlElement } from '../parse-xml.ts';
import type { Box } from './shape-order.ts';

/** Placeholders of a layout or a master, by number and by kind. */
interface Placeholder {
  readonly box: Box | null;
  /** Prompt that is shown while the placeholder is empty. */
  readonly prompt: string;
}

/** Placeholders that the shapes of a slide inherit from. */
export type Placeholders = (shape: XmlElement) => readonly Placeholder[];

/** Shape with its position on the slide. */
export type PlacedShape = readonly [XmlElement, Box | null];

/** Properties of a shape: its name, description and placeholder. */
export const propertiesOf = (shape: XmlElement): XmlElement | undefined =>
  childrenOf(shape).find(({ name }) => name.startsWith('nv'));

const placeholderOf = (shape: XmlElement): XmlElement | undefined =>
  childOf(childOf(propertiesOf(shape), 'nvPr'), 'ph');

/** Kind of a placeholder: `title`, `body`, `ftr`. Empty for other shapes. */
export const roleOf = (shape: XmlElement): string => {
  const placeholder = placeholderOf(shape);
  return placeholder === undefined ? '' : (attributeOf(placeholder, 'type') ?? 'body');
};

type Transform = (box: Box) => Box;

const numberOf = (element: XmlElement | undefined, name: string): number =>
  Number(attributeOf(element, name) ?? Number.NaN);

const rectangle = (frame: XmlElement | undefined, offset: string, size: string): Box | null => {
  const [from, to] = [childOf(frame, offset), childOf(frame, size)];
  const box = { x: numberOf(from, 'x'), y: numberOf(from, 'y'), width: numberOf(to, 'cx'), height: numberOf(to, 'cy') };
  return Object.values(box).every(Number.isFinite) ? box : null;
};

const ownBox = (shape: XmlElement): Box | null => {
  const properties = childOf(shape, 'spPr') ?? childOf(shape, 'grpSpPr') ?? shape;
  return rectangle(childOf(properties, 'xfrm'), 'off', 'ext');
};

/** Position of the shapes in a group, whose own coordinates are scaled to the group's box. */
const groupTransform = (group: XmlElement, outer: Transform): Transform => {
  const frame = childOf(childOf(group, 'grpSpPr'), 'xfrm');
  const [box, inner] = [rectangle(frame, 'off', 'ext'), rectangle(frame, 'chOff', 'chExt')];
  if (box === null || inner === null) return outer;
  const [across, down] = [
    inner.width > 0 ? box.width / inner.width : 1,
    inner.height > 0 ? box.height / inner.height : 1,
  ];
  return ({ x, y, width, height }) =>
    outer({
      x: box.x + (x - inner.x) * across,
      y: box.y + (y - inner.y) * down,
      width: width * across,
      height: height * down,
    });
};

const shapeNames = new Set(['sp', 'graphicFrame', 'cxnSp', 'pic']);

const isHidden = (shape: XmlElement): boolean =>
  /^(?:1|true)$/.test(attributeOf(childOf(propertiesOf(shape), 'cNvPr'), 'hidden') ?? '');

const placedIn = (
  tree: XmlElement | undefined,
  transform: Transform,
  inherited: Placeholders,
): readonly PlacedShape[] =>
  childrenOf(tree).flatMap((child): readonly PlacedShape[] => {
    if (child.name === 'AlternateContent') return placedIn(childOf(child, 'Choice'), transform, inherited);
    if (isHidden(child)) return [];
    if (child.name === 'grpSp') {
      const box = ownBox(child);
      // The group itself, for its description.
      const own = { ...child, children: childrenOf(child).filter(({ name }) => name.startsWith('nv')) };
      return [[own, box && transform(box)], ...placedIn(child, groupTransform(child, transform), inherited)];
    }
    if (!shapeNames.has(child.name)) return [];
    const box = ownBox(child);
    if (box !== null) return [[child, transform(box)]];
    return [[child, inherited(child).find((placeholder) => placeholder.box !== null)?.box ?? null]];
  });

const noPlaceholders: Placeholders = () => [];

/** Visible shapes of a slide or notes page, those of groups too. */
export const shapesIn = (part: XmlElement, inherited: Placeholders = noPlaceholders): readonly PlacedShape[] =>
  placedIn(findAll(part, 'spTree')[0], (box) => box, inherited);

const kindOf = (shape: XmlElement): string => (/^(?:title|ctrTitle)$/.test(roleOf(shape)) ? 'title' : roleOf(shape));

const targetOf = async (office: OfficePackage, part: string, wanted: string): Promise<string | undefined> => {
  const relation = [...(await office.relations(part)).values()].find(({ type }) => type === wanted);
  return relation !== undefined && office.archive.names.has(relation.target) ? relation.target : undefined;
};

const readPlaceholders = async (office: OfficePackage, part: string | undefined): Promise<Placeholders> => {
  if (part === undefined) return noPlaceholders;
  const [byNumber, byKind] = [new Map<string, Placeholder>(), new Map<string, Placeholder>()];
  for (const [shape, box] of shapesIn(await office.xml(part))) {
    const placeholder = placeholderOf(shape);
    if (placeholder === undefined) continue;
    const found = { box, prompt: linesOf(shape).join(' ') };
    const number = attributeOf(placeholder, 'idx');
    if (number !== undefined) byNumber.set(number, found);
    if (!byKind.has(kindOf(shape))) byKind.set(kindOf(shape), found);
  }
  return (shape) => {
    const placeholder = placeholderOf(shape);
    if (placeholder === undefined) return [];
    const found = byNumber.get(attributeOf(placeholder, 'idx') ?? '') ?? byKind.get(kindOf(shape));
    return found === undefined ? [] : [found];
  };
};

/** Opens the layouts of a presentation. @returns Placeholders of the layout and the master of a slide. */
export const openLayouts = (office: OfficePackage): ((slide: string) => Promise<Placeholders>) => {
  const known = new Map<string, Promise<Placeholders>>();
  const read = (part: string | undefined): Promise<Placeholders> => {
    const found = known.get(part ?? '') ?? readPlaceholders(office, part);
    known.set(part ?? '', found);
    return found;
  };
  return async (slide) => {
    const layout = await targetOf(office, slide, 'slideLayout');
    const master = layout === undefined ? undefined : await targetOf(office, layout, 'slideMaster');
    const [inLayout, inMaster] = [await read(layout), await read(master)];
    return (shape) => [...inLayout(shape), ...inMaster(shape)];
  };
};
