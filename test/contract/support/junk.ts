import type { Endpoint } from '../../../shared/http/endpoint.ts';
import type { Sample } from '../samples.ts';
import { bodySchemaOf, type JsonSchema, resolveSchema, validatorOf } from './document.ts';

type Loc = readonly (string | number)[];

/** Invalid body with the locations of all its problems. */
export interface Junk {
  readonly body: unknown;
  readonly locs: readonly Loc[];
}

/** Candidate values. Every schema refuses at least one of them. */
const candidates: readonly unknown[] = [12_345, '\u0007', true, { junk: 1 }, [[]], null];

/** Returns a value that a schema refuses; undefined if it accepts all candidates. */
const refusedBy = (schema: JsonSchema): unknown => {
  const validate = validatorOf(schema);
  return candidates.find((candidate) => !validate(candidate));
};

const propertiesOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> => {
  const own = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  return Object.fromEntries(Object.entries(own).map(([name, property]) => [name, property]));
};

/** Returns an object in which every field has a wrong type. */
const junkObject = (schema: JsonSchema, at: Loc): Junk => {
  const wrong = Object.entries(propertiesOf(schema)).flatMap(([name, property]) => {
    const value = refusedBy(property);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { body: Object.fromEntries(wrong), locs: wrong.map(([name]) => [...at, name]) };
};

/** Returns a body in which every field is invalid, with the expected locations; null for an endpoint without a body. */
export const junkFor = (endpoint: Endpoint, sample: Sample): Junk | null => {
  if (sample.junk !== undefined) return sample.junk;
  const described = bodySchemaOf(endpoint);
  if (described === null) return null;
  const schema = resolveSchema(described.schema);
  if (schema['type'] !== 'array') return junkObject(schema, ['body']);
  const { body, locs } = junkObject(resolveSchema(schema['items'] as JsonSchema), ['body', 0]);
  return { body: [body], locs };
};

/** Returns the required fields of an object body. */
export const requiredOf = (endpoint: Endpoint): readonly string[] => {
  const described = bodySchemaOf(endpoint);
  return described === null ? [] : ((resolveSchema(described.schema)['required'] ?? []) as readonly string[]);
};
