import * as z from 'zod';
import { toPascalCase } from '../../kernel/text.ts';
import type { Schema } from './schema.ts';

type Direction = 'input' | 'output';

const prefix = '#/components/schemas/';

const anyJson = { description: 'Any JSON value.' };

const extent = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } as const;

const maxInt32 = 2 ** 31 - 1;

/** Adds the format of numbers to a schema, because many generators read `integer` without a format as 32 bits. */
const addNumberFormat = (schema: Schema): void => {
  const types = new Set([schema['type']].flat());
  const { maximum } = schema;
  if (types.has('integer')) schema['format'] = typeof maximum === 'number' && maximum <= maxInt32 ? 'int32' : 'int64';
  if (types.has('number')) schema['format'] ??= 'double';
};

/** Removes what does not help a reader: the bounds of safe integers, the pattern of a format, and string property names. */
const tidy = (schema: Schema): void => {
  for (const [bound, value] of Object.entries(extent)) if (schema[bound] === value) delete schema[bound];
  if (schema['format'] === 'date-time') delete schema['pattern'];
  if (JSON.stringify(schema['propertyNames']) === '{"type":"string"}') delete schema['propertyNames'];
};

/** Makes fields with a default optional, in requests and responses. */
const relaxRequired = (schema: Schema): void => {
  const { required, properties } = schema as { required?: readonly string[]; properties?: Record<string, Schema> };
  if (required === undefined) return;
  const strict = required.filter((name) => !('default' in (properties?.[name] ?? {})));
  if (strict.length > 0) schema['required'] = strict;
  else delete schema['required'];
};

/** Adds the discriminator of a union, with the component of each of its values. */
const addDiscriminator = (schema: Schema, source: z.core.$ZodType): void => {
  if (!(source instanceof z.ZodDiscriminatedUnion)) return;
  const { discriminator: propertyName, options } = source.def;
  const mapping = options.flatMap((option) => {
    const id = z.globalRegistry.get(option)?.id;
    const values = [...(option._zod.propValues?.[propertyName] ?? [])];
    return id === undefined ? [] : values.map((value) => [String(value), `${prefix}${id}`] as const);
  });
  schema['discriminator'] = { propertyName, mapping: Object.fromEntries(mapping) };
};

const annotations = new Set(['id', 'description', 'default', 'examples']);

interface Meta {
  readonly jsonSchema?: Schema;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
}

/**
 * Replaces the JSON Schema of zod by that in `meta`, if there is one. Adds examples and default, which zod leaves out for
 * schemas with a transformation.
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
  /** Returns the JSON Schema of a zod schema. A schema with an id becomes a reference. */
  of(schema: z.ZodType, direction: Direction): Schema;
}

interface Converted extends Schema {
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const convert = (schema: z.ZodType, direction: Direction): Converted =>
  z.toJSONSchema(schema, {
    io: direction,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      applyMeta(jsonSchema, zodSchema);
      addDiscriminator(jsonSchema, zodSchema);
      // A client must accept fields that a later version adds to a response.
      if (direction === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      addNumberFormat(jsonSchema);
      tidy(jsonSchema);
      relaxRequired(jsonSchema);
    },
  });

/** Returns the JSON Schema that zod generates for `z.json()`, which refers to itself by `name`. */
const jsonDefinition = (name: string): string => {
  const { $defs = {} } = convert(z.object({ value: z.json() }), 'input');
  const [definition] = Object.values($defs);
  return JSON.stringify(definition).replaceAll(/__schema\d+/g, name);
};

/** Replaces references to the definitions of one schema by references to components. */
const relink = (schema: Schema): Schema => {
  const { id: _, ...rest } = schema;
  return JSON.parse(
    JSON.stringify(rest).replaceAll(/"#\/\$defs\/([^"]+)"/g, (_, name: string) =>
      JSON.stringify(`${prefix}${name.startsWith('__schema') ? 'JsonValue' : name}`),
    ),
  ) as Schema;
};

type Properties = Readonly<Record<string, Schema>>;

/**
 * Moves each property of a request that has a default into a component of its own, such as `IndexCreateDimensions`.
 * `openapi-typescript` makes a property with an inline default required. A default of null is the same as absence.
 * @param resolve Returns the schema that a property with a reference describes.
 */
const extractDefaults = (
  name: string,
  definition: Schema,
  resolve: (schema: Schema) => Schema,
): { readonly definition: Schema; readonly extracted: Properties } => {
  const extracted: Record<string, Schema> = {};
  const extract = ([key, property]: readonly [string, Schema]): readonly [string, Schema] => {
    const { default: value, ...rest } = property;
    const { description } = rest;
    if (value === undefined || value === null) return [key, rest];
    const own = `${name}${toPascalCase(key)}`;
    extracted[own] = resolve(property);
    return [key, { description, $ref: `${prefix}${own}` }];
  };
  const { properties } = definition as { readonly properties?: Properties };
  if (properties === undefined) return { definition, extracted };
  return {
    definition: { ...definition, properties: Object.fromEntries(Object.entries(properties).map(extract)) },
    extracted,
  };
};

/** Opens an empty collection. `of` throws for two schemas with one name, and for a recursive schema without a name. */
export const openComponents = (): Components => {
  const schemas: Record<string, Schema> = {};
  const add = (name: string, definition: Schema): void => {
    const known = schemas[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition))
      throw new Error(`Two schemas have the name ${name}`);
    schemas[name] = definition;
  };
  const addRequest = (name: string, linked: Schema, definitions: Properties): void => {
    const resolve = ({ $ref: reference, ...rest }: Schema): Schema =>
      typeof reference === 'string' ? { ...definitions[reference.slice(prefix.length)], ...rest } : rest;
    const { definition, extracted } = extractDefaults(name, linked, resolve);
    for (const [own, part] of Object.entries(extracted)) add(own, part);
    add(name, definition);
  };
  return {
    schemas,
    of: (schema, direction) => {
      const { $schema: _, $defs = {}, ...root } = convert(schema, direction);
      const named = Object.entries($defs).filter(([name]) => !name.startsWith('__schema'));
      const definitions = Object.fromEntries(named.map(([name, definition]) => [name, relink(definition)]));
      for (const [name, definition] of Object.entries(definitions)) {
        if (direction === 'input') addRequest(name, definition, definitions);
        else add(name, definition);
      }
      for (const [name, definition] of Object.entries($defs)) {
        if (!name.startsWith('__schema')) continue;
        if (JSON.stringify(definition).replaceAll(/__schema\d+/g, name) !== jsonDefinition(name))
          throw new Error(`A recursive schema needs an id: ${JSON.stringify(definition)}`);
        add('JsonValue', anyJson);
      }
      return relink(root);
    },
  };
};
