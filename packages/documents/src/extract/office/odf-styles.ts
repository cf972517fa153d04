import type { ListLevel, NumberFormat } from './list-numbers.ts';
import { attributeOf, childOf, childrenOf, findAll, type XmlElement } from '../parse-xml.ts';

/** Format of ODF text, as far as it changes how the text is read. */
export interface OdfFormat {
  readonly isHidden?: boolean;
  readonly isBold?: boolean;
  readonly isRaised?: boolean;
  /** In half-points. */
  readonly size?: number;
}

interface OdfStyle {
  readonly format: OdfFormat;
  readonly parent: string | undefined;
  readonly masterPage: string | undefined;
  /** Whether slides of this style are not shown. */
  readonly isHiddenSlide: boolean;
}

/** Styles of an ODF document. */
export interface OdfStyles {
  /** Format of a style and of those that it is based on. @param family `paragraph` or `text`. */
  readonly formatOf: (family: string, name: string | undefined) => OdfFormat;
  /** Names of a style and of those that it is based on. */
  readonly namesOf: (family: string, name: string | undefined) => readonly string[];
  readonly isHiddenSlide: (name: string | undefined) => boolean;
  /** Levels of a list style; undefined if there is none of the name. */
  readonly listOf: (name: string | undefined) => readonly (ListLevel | undefined)[] | undefined;
  /** Levels of the numbers of headings. */
  readonly outline: readonly (ListLevel | undefined)[];
  /** Names of the master pages that styles refer to. */
  readonly masterPages: ReadonlySet<string>;
}

const isRaised = (position: string | undefined): boolean | undefined => {
  if (position === undefined) return undefined;
  const [height = ''] = position.trim().split(/\s+/);
  return height === 'super' || Number.parseFloat(height) > 0;
};

const formatIn = (properties: XmlElement | undefined): OdfFormat => {
  const display = attributeOf(properties, 'display');
  const weight = attributeOf(properties, 'font-weight');
  const raised = isRaised(attributeOf(properties, 'text-position'));
  const size = /^([\d.]+)pt$/.exec(attributeOf(properties, 'font-size') ?? '')?.[1];
  return {
    ...(display !== undefined && { isHidden: display === 'none' }),
    ...(weight !== undefined && { isBold: weight === 'bold' || Number(weight) >= 600 }),
    ...(raised !== undefined && { isRaised: raised }),
    ...(size !== undefined && { size: Math.round(2 * Number(size)) }),
  };
};

const styleOf = (style: XmlElement): OdfStyle => ({
  format: formatIn(childOf(style, 'text-properties')),
  parent: attributeOf(style, 'parent-style-name'),
  masterPage: attributeOf(style, 'master-page-name'),
  isHiddenSlide: attributeOf(childOf(style, 'drawing-page-properties'), 'visibility') === 'hidden',
});

const formats: Readonly<Record<string, NumberFormat>> = {
  i: 'lowerRoman',
  I: 'upperRoman',
  a: 'lowerLetter',
  A: 'upperLetter',
  '1': 'decimal',
};

const maxLevels = 10;

/** Levels of a list style, or of the numbers of headings. */
const levelsOf = (style: XmlElement): readonly (ListLevel | undefined)[] => {
  const levels = Array.from({ length: maxLevels }, (): ListLevel | undefined => undefined);
  for (const level of childrenOf(style)) {
    const at = Number(attributeOf(level, 'level') ?? 0) - 1;
    if (!(at >= 0 && at < maxLevels)) continue;
    const format = formats[attributeOf(level, 'num-format') ?? ''] ?? null;
    const count = Math.max(1, Math.min(at + 1, Number(attributeOf(level, 'display-levels') ?? 1)));
    const numbers = Array.from({ length: count }, (_, nth) => `%${at + 2 - count + nth}`).join('.');
    levels[at] = {
      start: Number(attributeOf(level, 'start-value') ?? 1),
      format,
      text: `${attributeOf(level, 'num-prefix') ?? ''}${numbers}${attributeOf(level, 'num-suffix') ?? ''}`,
    };
  }
  return levels;
};

const maxParents = 20;
const defaultSize = 24;

/** Reads the styles of the parts of a document. */
export const readOdfStyles = (parts: readonly XmlElement[]): OdfStyles => {
  const styles = new Map<string, OdfStyle>();
  const usual: OdfFormat = { size: defaultSize };
  const lists = new Map<string, readonly (ListLevel | undefined)[]>();
  let outline: readonly (ListLevel | undefined)[] = [];
  for (const part of parts) {
    for (const group of childrenOf(part).filter(({ name }) => name === 'styles' || name === 'automatic-styles')) {
      for (const style of childrenOf(group, 'style'))
        styles.set(`${attributeOf(style, 'family') ?? ''} ${attributeOf(style, 'name') ?? ''}`, styleOf(style));
      for (const style of childrenOf(group, 'list-style')) lists.set(attributeOf(style, 'name') ?? '', levelsOf(style));
      for (const style of childrenOf(group, 'outline-style')) outline = levelsOf(style);
      for (const style of childrenOf(group, 'default-style'))
        if (attributeOf(style, 'family') === 'paragraph') Object.assign(usual, styleOf(style).format);
    }
  }
  const namesOf = (family: string, name: string | undefined): readonly string[] => {
    const names: string[] = [];
    for (
      let next = name;
      next !== undefined && names.length < maxParents;
      next = styles.get(`${family} ${next}`)?.parent
    )
      names.push(next);
    return names;
  };
  const formatOf = (family: string, name: string | undefined): OdfFormat => {
    const formats = namesOf(family, name).map((next) => styles.get(`${family} ${next}`)?.format ?? {});
    const own = family === 'paragraph' ? { ...usual } : {};
    for (const format of formats.toReversed()) Object.assign(own, format);
    return own;
  };
  return {
    formatOf,
    namesOf,
    listOf: (name) => lists.get(name ?? ''),
    outline,
    isHiddenSlide: (name) => styles.get(`drawing-page ${name}`)?.isHiddenSlide === true,
    masterPages: new Set([...styles.values()].flatMap(({ masterPage }) => masterPage ?? [])),
  };
};

/** Styles of a document without any. */
export const noOdfStyles = readOdfStyles([]);

const maxMasterPages = 50;

/** Headers or footers that the pages of a text document show. */
export const runningIn = (
  stylesPart: XmlElement | undefined,
  { masterPages }: OdfStyles,
  kind: 'header' | 'footer',
): readonly XmlElement[] => {
  const pages = findAll(childOf(stylesPart, 'master-styles'), 'master-page');
  const byName = new Map(pages.map((page) => [attributeOf(page, 'name') ?? '', page]));
  const used = new Set<XmlElement>();
  for (const name of ['Standard', ...masterPages]) {
    let page = byName.get(name);
    while (page !== undefined && !used.has(page) && used.size < maxMasterPages) {
      used.add(page);
      page = byName.get(attributeOf(page, 'next-style-name') ?? '');
    }
  }
  return [...used].flatMap((page) =>
    childrenOf(page).filter(
      (part) => new RegExp(`^${kind}(?:-left|-first)?$`).test(part.name) && attributeOf(part, 'display') !== 'false',
    ),
  );
};
