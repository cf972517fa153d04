/** A JSON Schema or another object of the API description. */
export type Node = Readonly<Record<string, unknown>>;

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const nodeAt = (node: Node, key: string): Node => (isNode(node[key]) ? node[key] : {});

export const nodesAt = (node: Node, key: string): readonly Node[] =>
  Array.isArray(node[key]) ? (node[key] as unknown[]).filter(isNode) : [];

export const textAt = (node: Node, key: string): string => (typeof node[key] === 'string' ? node[key] : '');

const prefix = '#/components/schemas/';

/** Name of the schema that a reference names; null if the schema is no reference. */
export const referenceOf = (schema: Node): string | null => {
  const reference = textAt(schema, '$ref');
  return reference.startsWith(prefix) ? reference.slice(prefix.length) : null;
};

/** Names whose Python type is written by hand. */
const handwritten: Readonly<Record<string, string>> = { JsonValue: 'Any', VectorInput: 'VectorInput' };

const scalars: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

const literalOf = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
};

const literal = (values: readonly unknown[]): string =>
  `Literal[${values.map((value) => literalOf(value)).join(', ')}]`;

/** Python types that values of a schema have. `list` is `list` for responses and `Sequence` for requests. */
const alternatives = (schema: Node, list: string): readonly string[] => {
  const reference = referenceOf(schema);
  if (reference !== null) return [handwritten[reference] ?? reference];
  if ('const' in schema) return [literal([schema['const']])];
  if (Array.isArray(schema['enum'])) return [literal(schema['enum'])];
  const members = [...nodesAt(schema, 'anyOf'), ...nodesAt(schema, 'oneOf')];
  if (members.length > 0) return members.flatMap((member) => alternatives(member, list));
  const types = [schema['type']].flat();
  return types.map((type) => {
    if (type === 'array') return `${list}[${pythonType(nodeAt(schema, 'items'), list)}]`;
    if (type === 'object') return `dict[str, ${pythonType(nodeAt(schema, 'additionalProperties'), list)}]`;
    return scalars[String(type)] ?? 'Any';
  });
};

/** Python type annotation of a schema. */
export const pythonType = (schema: Node, list: 'list' | 'Sequence' | (string & {})): string => {
  const found = [...new Set(alternatives(schema, list))];
  if (found.includes('Any')) return 'Any';
  // None comes last, as Python programmers write it.
  return [...found.filter((type) => type !== 'None'), ...found.filter((type) => type === 'None')].join(' | ');
};

/** Whether a schema becomes a class. Others become aliases. */
export const isClass = (schema: Node): boolean => Object.keys(nodeAt(schema, 'properties')).length > 0;

const references = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(references);
  if (!isNode(value)) return [];
  const own = referenceOf(value);
  // Examples and mappings contain no schemas.
  const parts = Object.entries(value).filter(([key]) => key !== 'examples' && key !== 'discriminator');
  return [...(own === null ? [] : [own]), ...parts.flatMap(([, part]) => references(part))];
};

/** Names of the schemas that some parts of the description refer to, each after those that it refers to itself. */
export const reachedSchemas = (parts: readonly unknown[], schemas: Node): readonly string[] => {
  const reached = new Set<string>();
  const open = new Set<string>();
  const visit = (name: string): void => {
    if (open.has(name) || name in handwritten) return;
    open.add(name);
    references(schemas[name]).forEach(visit);
    reached.add(name);
  };
  parts.flatMap(references).forEach(visit);
  return [...reached];
};

const keywords = new Set(
  'from import class def global lambda pass return yield async await is in not and or'.split(' '),
);

/** Name of a parameter or attribute; a Python keyword gets an underscore. */
export const pythonName = (name: string): string => {
  const plain = name.replaceAll(/[^\w]/g, '_');
  return keywords.has(plain) ? `${plain}_` : plain;
};

const maxWidth = 112;

/** A description as lines of a docstring. */
export const docLines = (text: string, indent: string): readonly string[] => {
  const lines: string[] = [];
  for (const paragraph of text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      if (line !== '' && indent.length + line.length + word.length + 1 > maxWidth) {
        lines.push(line);
        line = '';
      }
      line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines.map((line) => (line === '' ? '' : `${indent}${line}`));
};

/** A docstring of one or more paragraphs. */
export const docstring = (text: string, indent: string): readonly string[] => {
  const lines = docLines(text.trim(), indent);
  const [first = ''] = lines;
  if (lines.length === 1 && first.length < maxWidth) return [`${indent}"""${first.trim().replace(/"$/, '" ')}"""`];
  return [`${indent}"""${first.trim()}`, ...lines.slice(1), `${indent}"""`];
};
