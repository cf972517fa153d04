import { openZip, type Archive } from '../containers/open-zip.ts';
import { attributeOf, childOf, childrenOf, parseXml, type XmlElement } from '../parse-xml.ts';
import { UnreadableFile } from '../port.ts';

/** Relationship of a part of an office file. */
export interface Relation {
  /** Last segment of the relationship's type: `slide`, `worksheet`, `footnotes`. */
  readonly type: string;
  /** Name of the part in the archive. */
  readonly target: string;
}

/** Office Open XML file: an archive of parts with relationships. */
export interface OfficePackage {
  readonly archive: Archive;
  /** Name of the main document part. */
  readonly main: string;
  /** Parses a part. Throws `UnreadableFile` if it is missing. */
  readonly xml: (part: string) => Promise<XmlElement>;
  /** Relationships of a part by id. */
  readonly relations: (part: string) => Promise<ReadonlyMap<string, Relation>>;
}

/** Resolves `target` relative to the part `from`. */
export const resolvePart = (from: string, target: string): string => {
  const segments = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const segment of target.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
};

const relationsFile = (part: string): string => part.replace(/[^/]*$/, (name) => `_rels/${name}.rels`);

/** Relationship id of an element, an attribute `id` with any prefix; without a prefix it is another id. */
export const relationId = (element: XmlElement): string =>
  Object.entries(element.attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? '';

/** Opens a DOCX, PPTX or XLSX. Throws `UnreadableFile` if it is damaged. */
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
