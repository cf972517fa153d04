import { endpoints } from '../../../functions/registry.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { openApiDocument } from '../../../shared/http/openapi.ts';
import { webhookMessages } from '../../../shared/webhooks/index.ts';

export type Schema = Readonly<Record<string, unknown>>;

export interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Schema>>;
}

interface Link {
  readonly operationId: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Schema>>;
  readonly content?: Readonly<Record<string, Content>>;
  readonly links?: Readonly<Record<string, Link>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Schema[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface Description {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
  };
}

const registered: readonly Endpoint[] = Object.values(endpoints);

/** Endpoints that the description has. Those that serve another protocol below a prefix are not in it. */
export const allEndpoints = registered.filter(({ routes }) => routes === undefined);

/** Published API description. */
export const published = JSON.parse(JSON.stringify(openApiDocument(registered, webhookMessages))) as Schema;

export const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** Resolves a reference in the published description. */
export const follow = (reference: string): unknown =>
  reference
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), published);

/** Replaces references to shared parameters and responses in a part of the description. */
const expand = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(expand);
  if (!isObject(part)) return part;
  const { $ref: reference, ...rest } = part;
  if (typeof reference === 'string' && /^#\/components\/(parameters|responses)\//.test(reference))
    return { ...(follow(reference) as Schema), ...rest };
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, expand(value)]));
};

/** Published API description with resolved parameters and responses. */
export const description = expand(published) as Description;

/** Operations by method and path, such as `GET /v1/indexes`. */
export const operations: readonly (readonly [string, Operation])[] = Object.entries(description.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
);

/** Resolves a schema that is a reference. */
export const resolve = (schema: Schema): Schema => {
  const { $ref: reference } = schema;
  if (typeof reference !== 'string') return schema;
  const name = reference.slice('#/components/schemas/'.length);
  const found = description.components.schemas[name];
  if (found === undefined) throw new Error(`${reference} leads nowhere`);
  return resolve(found);
};

const nullable = (text: string, isNullable: boolean): string => (isNullable ? `${text}, null` : text);

/** Returns the type of a schema in the notation of the contract. */
export const typeText = (given: Schema): string => {
  const schema = resolve(given);
  const { anyOf, oneOf, type, properties, additionalProperties: values, items, format, const: value } = schema;
  const parts = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  if (parts !== undefined) {
    const some = parts.filter((part) => part['type'] !== 'null');
    const [one] = some;
    return nullable(some.length === 1 && one !== undefined ? typeText(one) : 'any', some.length < parts.length);
  }
  if (typeof value === 'string') return `enum ${value}`;
  if (Array.isArray(schema['enum'])) return `enum ${schema['enum'].join(', ')}`;
  if (Array.isArray(type)) {
    const one: unknown = type.find((name) => name !== 'null');
    return nullable(typeText({ ...schema, type: one }), type.includes('null'));
  }
  if (type === 'string') return format === 'date-time' ? 'datetime' : 'string';
  if (type === 'array') return `list of ${typeText(items as Schema)}`;
  if (type === 'object' && properties === undefined && values !== undefined)
    return `map of ${typeText(values as Schema)}`;
  return typeof type === 'string' ? type : 'any';
};
