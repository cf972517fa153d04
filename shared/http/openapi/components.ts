import * as z from 'zod';
import type { Schema } from './schema.ts';

type Direction = 'input' | 'output';

const anyJson = { description: 'Any JSON value.' };

const extent = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const;

/** Takes out what says nothing to a reader: the bounds of safe integers, the pattern of a format, names being strings. */
const tidy = (schema: Schema): void => {
  for (const [bound, value] of Object.entries(extent)) if (schema[bound] === value) delete schema[bound];
  if (schema['format'] === 'date-time') delete schema['pattern'];
  if (JSON.stringify(schema['propertyNames']) === '{"type":"string"}') delete schema['propertyNames'];
};

/** A field with a default may be absent from a request, and a reader of an answer must be ready for that as well. */
const relaxRequired = (schema: Schema): void => {
  const { required, properties } = schema as { required?: readonly string[]; properties?: Record<string, Schema> };
  if (required === undefined) return;
  const strict = required.filter((name) => !('default' in (properties?.[name] ?? {})));
  if (strict.length > 0) schema['required'] = strict;
  else delete schema['required'];
};

const annotations = new Set(['id', 'description', 'default', 'examples']);

interface Meta {
  readonly jsonSchema?: Schema;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
}

/**
 * Puts the JSON Schema of a schema's own `meta` in place of zod's, which cannot express what the schema takes, and adds
 * its examples and default, which zod leaves out where a value changes as it is read.
 */
const applyMeta = (schema: Schema, source: z.core.$ZodType): void => {
  const { jsonSchema, examples, default: value } = (z.globalRegistry.get(source) ?? {}) as Meta;
  if (jsonSchema !== undefined) {
    for (const key of Object.keys(schema)) if (!annotations.has(key)) delete schema[key];
    Object.assign(schema, jsonSchema);
  }
  if (examples !== undefined) schema['examples'] = examples;
  const given = source instanceof z.ZodDefault ? source.def.defaultValue : value;
  if (given !== undefined) schema['default'] = given;
};

/** Named schemas, collected while the paths are built. */
export interface Components {
  readonly schemas: Readonly<Record<string, Schema>>;
  /** The JSON Schema of a zod schema; whatever has an id becomes a reference. */
  of(schema: z.ZodType, direction: Direction): Schema;
}

interface Converted extends Schema {
  readonly id?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const convert = (schema: z.ZodType, direction: Direction): Converted =>
  z.toJSONSchema(schema, {
    io: direction,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      applyMeta(jsonSchema, zodSchema);
      tidy(jsonSchema);
      relaxRequired(jsonSchema);
    },
  });

/** What zod writes for `z.json()`, whose parts refer to itself by `name`. */
const jsonDefinition = (name: string): string => {
  const { $defs = {} } = convert(z.object({ value: z.json() }), 'input');
  const [definition] = Object.values($defs);
  return JSON.stringify(definition).replaceAll(/__schema\d+/g, name);
};

/** Gives names to the definitions of one schema and makes its references point to the components. */
const relink = (schema: Schema): Schema => {
  const { id: _, ...rest } = schema;
  return JSON.parse(
    JSON.stringify(rest).replaceAll(/"#\/\$defs\/([^"]+)"/g, (_, name: string) =>
      JSON.stringify(`#/components/schemas/${name.startsWith('__schema') ? 'JsonValue' : name}`),
    ),
  ) as Schema;
};

/** Opens an empty collection. `of` throws where one name would stand for two schemas, or a recursive one has no name. */
export const openComponents = (): Components => {
  const schemas: Record<string, Schema> = {};
  const keep = (name: string, definition: Schema): void => {
    const known = schemas[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition))
      throw new Error(`Two schemas are called ${name}`);
    schemas[name] = definition;
  };
  const define = (name: string, definition: Schema): void => {
    if (!name.startsWith('__schema')) keep(name, relink(definition));
    else if (JSON.stringify(definition).replaceAll(/__schema\d+/g, name) === jsonDefinition(name))
      keep('JsonValue', anyJson);
    else throw new Error(`A recursive schema needs an id: ${JSON.stringify(definition)}`);
  };
  return {
    schemas,
    of: (schema, direction) => {
      const { $schema: _, $defs = {}, ...root } = convert(schema, direction);
      for (const [name, definition] of Object.entries($defs)) define(name, definition);
      const { id } = root;
      if (id === undefined) return relink(root);
      keep(id, relink(root));
      return { $ref: `#/components/schemas/${id}` };
    },
  };
};
