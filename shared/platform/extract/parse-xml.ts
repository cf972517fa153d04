import { UnreadableFile } from './port.ts';

/** What is met while reading XML, in order. Names come without their prefix, attributes with it. */
export interface XmlVisitor {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text: (text: string) => void;
  readonly close: (name: string) => void;
}

/** An element with all that lies in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (XmlElement | string)[];
}

const deepest = 1_000;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Reads XML once from start to end. Entities that a document declares stay as they stand: none is ever expanded, and
 * nothing outside the text is looked up.
 * @throws UnreadableFile where elements nest deeper than any document does.
 */
export const visitXml = async (xml: string, visitor: XmlVisitor): Promise<void> => {
  const { Parser } = await import('htmlparser2');
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        if (depth > deepest) throw new UnreadableFile(`The file's XML nests deeper than ${deepest} elements`);
        visitor.open(localName(name), attributes);
      },
      ontext: visitor.text,
      onclosetag: (name) => {
        depth -= 1;
        visitor.close(localName(name));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(xml);
  parser.end();
};

/** The document as a tree, under an element without a name. */
export const parseXml = async (xml: string): Promise<XmlElement> => {
  const root: XmlElement = { name: '', attributes: {}, children: [] };
  const open = [root];
  await visitXml(xml, {
    open: (name, attributes) => {
      const element: XmlElement = { name, attributes, children: [] };
      open.at(-1)?.children.push(element);
      open.push(element);
    },
    text: (text) => open.at(-1)?.children.push(text),
    close: () => open.pop(),
  });
  return root;
};

/** The elements right under `parent`, with the given name if one is given. */
export const childrenOf = (parent: XmlElement | undefined, name?: string): readonly XmlElement[] =>
  (parent?.children ?? []).filter(
    (child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name),
  );

/** The first element right under `parent` with this name. */
export const childOf = (parent: XmlElement | undefined, name: string): XmlElement | undefined =>
  childrenOf(parent, name)[0];

/** Every element under `parent` with this name, in order; not those inside another such. */
export const findAll = (parent: XmlElement | undefined, name: string): readonly XmlElement[] =>
  childrenOf(parent).flatMap((child) => (child.name === name ? [child] : findAll(child, name)));

/** An attribute's value, whatever prefix the document uses for it. */
export const attributeOf = (element: XmlElement | undefined, name: string): string | undefined =>
  element?.attributes[name] ?? Object.entries(element?.attributes ?? {}).find(([key]) => localName(key) === name)?.[1];

/** All text in an element, as it stands. */
export const textIn = (element: XmlElement | undefined): string =>
  (element?.children ?? []).map((child) => (typeof child === 'string' ? child : textIn(child))).join('');
