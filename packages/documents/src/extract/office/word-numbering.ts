import { ListCounters, type CountedList, type ListLevel, type NumberFormat } from './list-numbers.ts';
import type { OfficePackage } from './open-package.ts';
import { attributeOf, childOf, childrenOf, findAll, type XmlElement } from '../parse-xml.ts';

/** Automatic numbers of a DOCX, counted in the order of its paragraphs. */
export interface WordNumbering {
  /**
   * Returns the mark of a paragraph, such as `2.1` or `(b)`; empty for a bullet. Null: it is in no list.
   * @param style Id of its style.
   */
  readonly markOf: (properties: XmlElement | undefined, style: string) => string | null;
}

const maxLevels = 9;

const valueOf = (element: XmlElement | undefined, name: string): string | undefined =>
  attributeOf(childOf(element, name), 'val');

const formats: Readonly<Record<string, NumberFormat | null>> = {
  bullet: null,
  none: null,
  decimalZero: 'decimalZero',
  lowerRoman: 'lowerRoman',
  upperRoman: 'upperRoman',
  lowerLetter: 'lowerLetter',
  upperLetter: 'upperLetter',
};

interface Level extends ListLevel {
  /** Id of the style whose paragraphs have this level. */
  readonly style: string | undefined;
}

const readLevel = (level: XmlElement): Level => {
  const format = formats[valueOf(level, 'numFmt') ?? 'decimal'];
  return {
    start: Number(valueOf(level, 'start') ?? 1),
    format: format === undefined ? 'decimal' : format,
    text: valueOf(level, 'lvlText') ?? '',
    isLegal: childOf(level, 'isLgl') !== undefined,
    style: valueOf(level, 'pStyle'),
  };
};

const readLevels = (list: XmlElement | undefined): readonly (Level | undefined)[] => {
  const levels = Array.from({ length: maxLevels }, (): Level | undefined => undefined);
  for (const level of childrenOf(list, 'lvl')) {
    const at = Number(attributeOf(level, 'ilvl') ?? 0);
    if (at >= 0 && at < maxLevels) levels[at] = readLevel(level);
  }
  return levels;
};

/** List to which paragraphs of a number id belong. Its key is the id of the definition. */
interface List extends CountedList {
  readonly levels: readonly (Level | undefined)[];
}

const readLists = (root: XmlElement | undefined, styles: ReadonlyMap<string, Numbered>): ReadonlyMap<string, List> => {
  const abstracts = new Map(
    childrenOf(root, 'abstractNum').map((list) => [attributeOf(list, 'abstractNumId') ?? '', list]),
  );
  const abstractOf = new Map(
    childrenOf(root, 'num').map((list) => [attributeOf(list, 'numId') ?? '', valueOf(list, 'abstractNumId') ?? '']),
  );
  return new Map(
    childrenOf(root, 'num').map((list) => {
      const id = attributeOf(list, 'numId') ?? '';
      const named = abstractOf.get(id) ?? '';
      // A list may state that a style of lists defines it.
      const linked = styles.get(valueOf(abstracts.get(named), 'numStyleLink') ?? '')?.list;
      const abstractId = linked === undefined ? named : (abstractOf.get(linked) ?? named);
      const levels = readLevels(abstracts.get(abstractId)).slice();
      const restarts = new Map<number, number>();
      for (const change of childrenOf(list, 'lvlOverride')) {
        const at = Number(attributeOf(change, 'ilvl') ?? 0);
        const level = childOf(change, 'lvl');
        if (level !== undefined && at < maxLevels) levels[at] = readLevel(level);
        const start = valueOf(change, 'startOverride') ?? (level === undefined ? undefined : valueOf(level, 'start'));
        if (start !== undefined) restarts.set(at, Number(start));
      }
      return [id, { key: abstractId, levels, restarts }];
    }),
  );
};

/** List and level that a paragraph or a style states. */
interface Numbered {
  readonly list?: string;
  readonly level?: number;
}

const numberedBy = (properties: XmlElement | undefined): Numbered => {
  const own = childOf(properties, 'numPr');
  const list = valueOf(own, 'numId');
  const level = valueOf(own, 'ilvl');
  return { ...(list !== undefined && { list }), ...(level !== undefined && { level: Number(level) }) };
};

const readStyles = (root: XmlElement | undefined): ReadonlyMap<string, Numbered> => {
  const styles = findAll(root, 'style');
  const numbered = new Map<string, Numbered>();
  // Twice, since a style may precede its base style.
  for (const style of [...styles, ...styles]) {
    const base = numbered.get(valueOf(style, 'basedOn') ?? '');
    numbered.set(attributeOf(style, 'styleId') ?? '', { ...base, ...numberedBy(childOf(style, 'pPr')) });
  }
  return numbered;
};

const partOf = async (office: OfficePackage, type: string): Promise<XmlElement | undefined> => {
  const relation = [...(await office.relations(office.main)).values()].find((one) => one.type === type);
  return relation !== undefined && office.archive.names.has(relation.target) ? office.xml(relation.target) : undefined;
};

/** Reads the lists of a document. Lists with the same definition count on, unless one states where it begins. */
export const readNumbering = async (office: OfficePackage): Promise<WordNumbering> => {
  const styles = readStyles(await partOf(office, 'styles'));
  const lists = readLists(childOf(await partOf(office, 'numbering'), 'numbering'), styles);
  const counters = new ListCounters();
  return {
    markOf: (properties, style) => {
      const own = numberedBy(properties);
      const { list: id, level: stated } = { ...styles.get(style), ...own };
      const list = id === undefined ? undefined : lists.get(id);
      if (id === '0') return null;
      if (id === undefined || list === undefined) return childOf(properties, 'numPr') === undefined ? null : '';
      const linked = own.level === undefined ? list.levels.findIndex((level) => level?.style === style) : -1;
      const level = Math.max(0, Math.min(maxLevels - 1, linked >= 0 ? linked : (stated ?? 0)));
      return counters.next(id, list, level);
    },
  };
};
