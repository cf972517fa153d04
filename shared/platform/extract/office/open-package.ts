import { openZip, type Archive } from '../containers/open-zip.ts';
import { attributeOf, childOf, childrenOf, parseXml, type XmlElement } from '../parse-xml.ts';
import { UnreadableFile } from '../port.ts';

/** What one part of an office file points to. */
export interface Relation {
  /** Last word of the relation's type: `slide`, `worksheet`, `footnotes`. */
  readonly type: string;
  /** Name of the part in the archive. */
  readonly target: string;
}

/** An office file of the Open XML kind: parts in an archive that point to each other. */
export interface OfficePackage {
  readonly archive: Archive;
  /** Name of the part that is the document itself. */
  readonly main: string;
  /** A part as a tree. Throws `UnreadableFile` where it is missing. */
  readonly xml: (part: string) => Promise<XmlElement>;
  /** What a part points to, by the id that it uses for it. */
  readonly relations: (part: string) => Promise<ReadonlyMap<string, Relation>>;
}

/** The part's name that `target` means inside the part `from`. */
export const resolvePart = (from: string, target: string): string => {
  const segments = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const segment of target.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
};

const relationsFile = (part: string): string => part.replace(/[^/]*$/, (name) => `_rels/${name}.rels`);

/** The id by which an element names what its part points to, whatever prefix it has; without one it is another id. */
export const relationId = (element: XmlElement): string =>
  Object.entries(element.attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? '';

/** Opens a DOCX, PPTX or XLSX. Throws `UnreadableFile` for a damaged one. */
export const openPackage = async (bytes: Uint8Array): Promise<OfficePackage> => {
  const archive = await openZip(bytes);
  const relations = async (part: string): Promise<ReadonlyMap<string, Relation>> => {
    const text = await archive.text(relationsFile(part));
    const root = text === null ? undefined : childOf(await parseXml(text), 'Relationships');
    return new Map(
      childrenOf(root, 'Relationship')
        .filter((relation) => attributeOf(relation, 'TargetMode') !== 'External')
        .map((relation) => [
          attributeOf(relation, 'Id') ?? '',
          {
            type: attributeOf(relation, 'Type')?.split('/').at(-1) ?? '',
            target: resolvePart(part, attributeOf(relation, 'Target') ?? ''),
          },
        ]),
    );
  };
  const xml = async (part: string): Promise<XmlElement> => {
    const text = await archive.text(part);
    if (text === null) throw new UnreadableFile(`The file is damaged: its part ${part.slice(0, 100)} is missing`);
    return parseXml(text);
  };
  const main = [...(await relations('')).values()].find(({ type }) => type === 'officeDocument')?.target;
  if (main === undefined) throw new UnreadableFile('The file is damaged: it does not say which part is its document');
  return { archive, main, xml, relations };
};
