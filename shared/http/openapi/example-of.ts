import { exampleTime } from '../examples.ts';
import type { Schema } from './schema.ts';

const prefix = '#/components/schemas/';

interface Node extends Schema {
  readonly $ref?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly minimum?: number;
}

const byFormat: Readonly<Record<string, string>> = { 'date-time': exampleTime, date: exampleTime.slice(0, 10) };

const byType: Readonly<Record<string, unknown>> = {
  string: 'string',
  boolean: true,
  null: null,
  object: {},
  array: [],
};

/**
 * Returns an example of a schema: its own if it has one, else composed of examples of its parts. A string without a format
 * becomes `string`.
 */
export const exampleOf = (schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown => {
  const node = schema as Node;
  if (node.examples !== undefined) return node.examples[0];
  if (node.$ref !== undefined) return exampleOf(schemas[node.$ref.slice(prefix.length)] ?? {}, schemas);
  if ('const' in node) return node['const'];
  if ('default' in node) return node['default'];
  if (node.enum !== undefined) return node.enum[0];
  if (node.anyOf?.[0] !== undefined) return exampleOf(node.anyOf[0], schemas);
  if (node.properties !== undefined) {
    return Object.fromEntries(
      Object.entries(node.properties).map(([name, property]) => [name, exampleOf(property, schemas)]),
    );
  }
  if (node.items !== undefined) return [exampleOf(node.items, schemas)];
  const { format } = node;
  if (format !== undefined && format in byFormat) return byFormat[format];
  const type = typeof node.type === 'string' ? node.type : (node.type?.[0] ?? 'null');
  return type === 'integer' || type === 'number' ? (node.minimum ?? 0) : (byType[type] ?? null);
};
