import { UnreadableFile } from './port.ts';

/** Receives the events of an XML parser in order. Names come without prefix, attributes with it. */
export interface XmlVisitor {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text: (text: string) => void;
  readonly close: (name: string) => void;
}

/** Element with its descendants. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (XmlElement | string)[];
}

const maxDepth = 1_000;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Parses XML once from start to end. Declared entities are never expanded, and no external resource is loaded.
 * @throws UnreadableFile if elements nest too deep.
 */
export const visitXml = async (xml: string, visitor: XmlVisitor): Promise<void> => {
  const { Parser } = await import('htmlparser2');
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        if (depth > maxDepth) throw new UnreadableFile(`The file's XML nests deeper than ${maxDepth} elements`);
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

/** Parses a document into a tree whose root is an element without a name. */
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

/** Child elements of `parent`, filtered by name if one is given. */
export const childrenOf = (parent: XmlElement | undefined, name?: string): readonly XmlElement[] =>
  (parent?.children ?? []).filter(
    (child): child is XmlElement => typeof child !== 'string' && (name === undefined || child.name === name),
  );

/** First child element of `parent` with this name. */
export const childOf = (parent: XmlElement | undefined, name: string): XmlElement | undefined =>
  childrenOf(parent, name)[0];

/** Descendants of `parent` with this name, in order, without those nested in another match. */
export const findAll = (parent: XmlElement | undefined, name: string): readonly XmlElement[] =>
  childrenOf(parent).flatMap((child) => (child.name === name ? [child] : findAll(child, name)));

/** Value of an attribute, with any prefix. */
export const attributeOf = (element: XmlElement | undefined, name: string): string | undefined =>
  element?.attributes[name] ?? Object.entries(element?.attributes ?? {}).find(([key]) => localName(key) === name)?.[1];

/** Text content of an element, unchanged. */
export const textIn = (element: XmlElement | undefined): string =>
  (element?.children ?? []).map((child) => (typeof child === 'string' ? child : textIn(child))).join('');
