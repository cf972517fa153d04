import type { OfficePackage } from './open-package.ts';
import { attributeOf, childOf, findAll, type XmlElement } from '../parse-xml.ts';

/** Format of a run of text, as far as it changes how the text is read. */
export interface RunFormat {
  readonly isHidden?: boolean;
  readonly isBold?: boolean;
  readonly isRaised?: boolean;
  /** In half-points. */
  readonly size?: number;
}

/** Styles of a DOCX. */
export interface WordStyles {
  /** Heading level by style id; 0 for the document's title. */
  readonly levels: ReadonlyMap<string, number>;
  /** Ids of the styles of captions. */
  readonly captions: ReadonlySet<string>;
  readonly formats: ReadonlyMap<string, RunFormat>;
  /** Id of the style of paragraphs that state none. */
  readonly usualId: string;
  /** Format of paragraphs without a style. */
  readonly usual: RunFormat;
}

/** Whether a property is on: `<w:b/>`, but not `<w:b w:val="0"/>`. Undefined if it is absent. */
export const isOn = (properties: XmlElement | undefined, name: string): boolean | undefined => {
  const property = childOf(properties, name);
  return property === undefined ? undefined : !/^(?:0|off|false)$/.test(attributeOf(property, 'val') ?? '');
};

const valueOf = (properties: XmlElement | undefined, name: string): string | undefined =>
  attributeOf(childOf(properties, name), 'val');

// Half-points by which raised text without a superscript format is at least raised.
const minRaised = 4;

const isRaised = (properties: XmlElement | undefined): boolean | undefined => {
  const align = valueOf(properties, 'vertAlign');
  const position = valueOf(properties, 'position');
  if (align === undefined && position === undefined) return undefined;
  return align === 'superscript' || Number(position ?? 0) >= minRaised;
};

/** Format that run properties state. */
export const runFormat = (properties: XmlElement | undefined): RunFormat => {
  const isHidden = isOn(properties, 'vanish');
  const isBold = isOn(properties, 'b');
  const raised = isRaised(properties);
  const size = Number(valueOf(properties, 'sz') ?? Number.NaN);
  return {
    ...(isHidden !== undefined && { isHidden }),
    ...(isBold !== undefined && { isBold }),
    ...(raised !== undefined && { isRaised: raised }),
    ...(Number.isFinite(size) && { size }),
  };
};

const nameOf = (style: XmlElement): string => valueOf(style, 'name')?.toLowerCase() ?? '';

const levelOfStyle = (style: XmlElement): number | undefined => {
  if (nameOf(style) === 'title') return 0;
  const byName = /^heading (\d)$/.exec(nameOf(style))?.[1];
  const outline = byName ?? valueOf(childOf(style, 'pPr'), 'outlineLvl');
  if (outline === undefined) return undefined;
  const level = Number(outline) + (byName === undefined ? 1 : 0);
  return level >= 1 && level <= 9 ? Math.min(6, level) : undefined;
};

const formatOfStyle = (style: XmlElement): RunFormat => ({
  ...runFormat(childOf(style, 'rPr')),
  // The prompt of an empty content control.
  ...(nameOf(style) === 'placeholder text' && { isHidden: true }),
});

// The size of text for which no style states one.
const defaultSize = 20;

/** Reads the styles of a document. A style inherits from its base style. */
export const readStyles = async (office: OfficePackage): Promise<WordStyles> => {
  const relation = [...(await office.relations(office.main)).values()].find(({ type }) => type === 'styles');
  const isThere = relation !== undefined && office.archive.names.has(relation.target);
  const root = isThere ? await office.xml(relation.target) : undefined;
  const styles = findAll(root, 'style');
  const levels = new Map<string, number>();
  const formats = new Map<string, RunFormat>();
  const captions = new Set<string>();
  // Twice, since a style may precede its base style.
  for (const style of [...styles, ...styles]) {
    const id = attributeOf(style, 'styleId') ?? '';
    const baseId = valueOf(style, 'basedOn') ?? '';
    const base = levels.get(baseId);
    const level = levelOfStyle(style) ?? (base === 0 ? undefined : base);
    if (level !== undefined) levels.set(id, level);
    if (nameOf(style) === 'caption' || captions.has(baseId)) captions.add(id);
    formats.set(id, { ...formats.get(baseId), ...formatOfStyle(style) });
  }
  const normal = styles.find(
    (style) => attributeOf(style, 'type') === 'paragraph' && attributeOf(style, 'default') === '1',
  );
  const defaults = runFormat(findAll(root, 'rPrDefault').map((element) => childOf(element, 'rPr'))[0]);
  const usual = { size: defaultSize, ...defaults, ...formats.get(attributeOf(normal, 'styleId') ?? '') };
  return { levels, captions, formats, usual, usualId: attributeOf(normal, 'styleId') ?? '' };
};
