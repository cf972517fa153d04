import type { OfficePackage } from './open-package.ts';
import { relationId } from './open-package.ts';
import { attributeOf, childOf, childrenOf, findAll, type XmlElement } from '../parse-xml.ts';
import { isOn } from './word-styles.ts';

/** Names of the parts with the headers and footers that a document shows, in order, each once. */
export interface HeaderParts {
  readonly headers: readonly string[];
  readonly footers: readonly string[];
}

const hasEvenPages = async (office: OfficePackage): Promise<boolean> => {
  const settings = [...(await office.relations(office.main)).values()].find(({ type }) => type === 'settings');
  if (settings === undefined || !office.archive.names.has(settings.target)) return false;
  return isOn(childOf(await office.xml(settings.target), 'settings'), 'evenAndOddHeaders') === true;
};

/** Finds the headers and footers of all sections. Those for first or even pages count only if the section has them. */
export const findHeaders = async (office: OfficePackage, document: XmlElement): Promise<HeaderParts> => {
  const relations = await office.relations(office.main);
  const isEven = await hasEvenPages(office);
  const [headers, footers] = [new Set<string>(), new Set<string>()];
  for (const section of findAll(document, 'sectPr')) {
    const isShown = new Map([
      ['first', isOn(section, 'titlePg') === true],
      ['even', isEven],
    ]);
    for (const reference of childrenOf(section)) {
      const found =
        reference.name === 'headerReference' ? headers : reference.name === 'footerReference' ? footers : null;
      const target = relations.get(relationId(reference))?.target;
      if (found === null || target === undefined || !office.archive.names.has(target)) continue;
      if (isShown.get(attributeOf(reference, 'type') ?? '') ?? true) found.add(target);
    }
  }
  return { headers: [...headers], footers: [...footers] };
};
