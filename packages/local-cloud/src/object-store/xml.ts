import { parseXML, XmlNode } from '@aws-sdk/xml-builder';
import type * as z from 'zod';
import { S3Error } from './s3-error.ts';

/** An element: text, child elements by name, or the same element several times. `undefined` leaves it out. */
export type XmlValue =
  | string
  | number
  | boolean
  | undefined
  | readonly XmlValue[]
  | { readonly [name: string]: XmlValue };

const append = (parent: XmlNode, name: string, value: XmlValue): void => {
  if (value === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly XmlValue[]) append(parent, name, item);
    return;
  }
  parent.addChildNode(typeof value === 'object' ? toNode(name, value) : XmlNode.of(name, String(value)));
};

const toNode = (name: string, children: object): XmlNode => {
  const node = new XmlNode(name);
  for (const [child, value] of Object.entries(children) as [string, XmlValue][]) append(node, child, value);
  return node;
};

/** An XML document with one root element. */
export const toXml = (root: string, children: { readonly [name: string]: XmlValue }, namespace?: string): string => {
  const node = toNode(root, children);
  if (namespace !== undefined) node.addAttribute('xmlns', namespace);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${node.toString()}`;
};

/** Parses a document by `schema`: elements are strings or objects, repeated ones arrays. Throws `MalformedXML`. */
export const readXml = <Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> => {
  try {
    return schema.parse(parseXML(text));
  } catch {
    throw new S3Error('MalformedXML');
  }
};
