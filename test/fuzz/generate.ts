import fc from 'fast-check';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import {
  bodySchemaOf,
  type JsonSchema,
  operationOf,
  pathParameters,
  resolveSchema,
} from '../contract/support/document.ts';

/** Parts of a generated request that replace those of a prepared request. */
export interface Generated {
  /** Path parameters; null for the prepared one. */
  readonly path: Readonly<Record<string, string | null>>;
  readonly query: Readonly<Record<string, string>>;
  /** Text of the body; null for the prepared body. */
  readonly body: string | null;
  readonly contentType: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for the prepared value or that of the caller. */
  readonly bearer: string | null;
}

/** Placeholder of a number outside the range of a double, which only text can contain. */
const hugeNumber = 'a huge number';

const leaf = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(0, -1, 2 ** 53, 1e308, '', 'x'.repeat(300), 'true', '\u202E', '\u0000', '2026-02-30T00:00:00Z'),
);

/** Metadata filters, valid and invalid. */
const filters: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  filter: fc.dictionary(
    fc.constantFrom('lang', 'year', 'secret', '$and', '$or', '$not', '$nor'),
    fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.dictionary(
        fc.constantFrom('$eq', '$ne', '$in', '$nin', '$gt', '$gte', '$lt', '$lte', '$exists', '$near'),
        fc.oneof(leaf, fc.array(leaf, { maxLength: 3 })),
        { maxKeys: 2 },
      ),
      fc.array(tie('filter'), { maxLength: 3 }),
      tie('filter'),
    ),
    { maxKeys: 3 },
  ),
})).filter;

type Bounds = Readonly<Record<string, number | undefined>>;

const text = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const { minLength = 0, maxLength = 40 } = schema as Bounds;
  const pattern = schema['pattern'];
  if (schema['format'] === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (schema['format'] === 'email') return fc.emailAddress();
  const most = Math.max(minLength, Math.min(maxLength, 40));
  const free = fc.string({ unit: 'binary', minLength, maxLength: most });
  const words = fc.constantFrom(
    'https://example.com/a',
    's3://bucket/key.txt',
    '/items',
    'text/plain',
    'page',
    'us-east-1',
  );
  const longest = fc.constant('x'.repeat(Math.min(maxLength, 40_000)));
  if (typeof pattern !== 'string')
    return fc.oneof({ weight: 4, arbitrary: free }, { weight: 4, arbitrary: words }, longest);
  try {
    return fc.oneof(fc.stringMatching(new RegExp(pattern, 'u')), words);
  } catch {
    // A pattern that fast-check cannot generate text for.
    return fc.oneof(free, words);
  }
};

const integer = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const { minimum = -(2 ** 31), maximum = 2 ** 31 } = schema as Bounds;
  return fc.oneof(fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) }), fc.constantFrom(minimum, maximum));
};

const list = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const { minItems = 0, maxItems = 4 } = schema as Bounds;
  const items = arbitraryOf((schema['items'] ?? {}) as JsonSchema);
  return fc.array(items, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) });
};

const record = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined;
  if (properties === undefined) {
    const values = schema['additionalProperties'];
    if (typeof values !== 'object' || values === null) return filters;
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), arbitraryOf(values as JsonSchema), { maxKeys: 3 });
  }
  const model = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, arbitraryOf(property)]));
  return fc.record(model, { requiredKeys: (schema['required'] ?? []) as string[] });
};

const byType: Readonly<Record<string, (schema: JsonSchema) => fc.Arbitrary<unknown>>> = {
  string: text,
  integer,
  number: (schema) => fc.oneof(integer(schema), fc.double({ min: -4, max: 4 })),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: list,
  object: record,
};

/** Values that a schema accepts, with a preference for its bounds and examples. */
const arbitraryOf = (reference: JsonSchema): fc.Arbitrary<unknown> => {
  const schema = resolveSchema(reference);
  if ('const' in schema) return fc.constant(schema['const']);
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined;
  const values = schema['enum'] as readonly unknown[] | undefined;
  const types = [schema['type'] ?? 'any'].flat().map(String);
  const made =
    values === undefined
      ? fc.oneof(
          ...(choices === undefined
            ? types.map((type) => byType[type]?.(schema) ?? fc.jsonValue({ maxDepth: 3 }))
            : choices.map(arbitraryOf)),
        )
      : fc.constantFrom(...values);
  const examples = (schema['examples'] ?? []) as readonly unknown[];
  return examples.length === 0 ? made : fc.oneof(made, fc.constantFrom(...examples));
};

type Path = readonly (string | number)[];

const placesIn = (value: unknown, at: Path = []): readonly Path[] =>
  typeof value !== 'object' || value === null
    ? [at]
    : [at, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...at, key]))];

/** Replaces one part of a value; undefined removes it. */
const replaced = (value: unknown, [key, ...rest]: Path, by: unknown): unknown => {
  if (key === undefined || typeof value !== 'object' || value === null) return by;
  const inner = replaced((value as Record<string, unknown>)[key], rest, by);
  return Array.isArray(value)
    ? value.map((item: unknown, at) => (String(at) === String(key) ? inner : item))
    : { ...value, [key]: inner };
};

const junk: fc.Arbitrary<unknown> = fc.oneof(
  leaf,
  fc.constantFrom(undefined, null, [], {}, [[]], '\uD800', hugeNumber, '1536', true, 'x'.repeat(5_000)),
  fc.jsonValue({ maxDepth: 4 }),
);

const mutated = (sound: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(sound, fc.array(fc.tuple(fc.nat(), junk), { minLength: 1, maxLength: 3 })).map(([value, changes]) =>
    changes.reduce<unknown>((now, [place, by]) => {
      const places = placesIn(now);
      return replaced(now, places[place % places.length] ?? [], by);
    }, value),
  );

const toText = (value: unknown): string => (JSON.stringify(value) ?? '').replaceAll(`"${hugeNumber}"`, '1e999');

/** Texts that resemble JSON. */
const broken = (sound: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    fc.tuple(sound, fc.nat()).map(([value, cut]) => toText(value).slice(0, cut % (toText(value).length + 1))),
    fc.tuple(sound, fc.nat()).map(([value, at]) => {
      const whole = toText(value);
      const place = at % (whole.length + 1);
      return `${whole.slice(0, place)},"a":1,${whole.slice(place)}`;
    }),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom('', 'null', '[]', '{}', '7', 'NaN', '\uFEFF{}', '{"a":1,"a":2}', '['.repeat(5_000)),
  );

const formText = (value: unknown): string =>
  new URLSearchParams(
    Object.entries(typeof value === 'object' && value !== null ? value : {}).map(([name, item]): [string, string] => [
      name,
      typeof item === 'string' ? item : JSON.stringify(item),
    ]),
  ).toString();

const bodies = (endpoint: Endpoint): fc.Arbitrary<string | null> => {
  const described = bodySchemaOf(endpoint);
  if (described === null) return fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.constant('{"unasked":1}'));
  const sound = arbitraryOf(described.schema);
  const write = described.type === 'application/json' ? toText : formText;
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 8, arbitrary: sound.map(write) },
    { weight: 8, arbitrary: mutated(sound).map(write) },
    { weight: 2, arbitrary: broken(sound) },
  );
};

const rarely = <Value>(arbitrary: fc.Arbitrary<Value>, weight = 9): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

const idText = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
    fc.constantFrom(
      'idx_00000000000000000000000000',
      '..',
      '%',
      '#',
      'ORG#x',
      'é'.repeat(600),
      'a'.repeat(2_100),
      '\u0000',
    ),
  )
  .filter((id) => id !== '');

/** Cursors in the form of the service, to existing or missing keys. */
const cursors = fc
  .oneof(fc.constantFrom('idx_', 'a', 'job_00000000000000000000000000', '2026-01-01T00:00:00.000Z usr_0', '~'), idText)
  .map((key) => Buffer.from(key).toString('base64url'));

const queryText = (name: string, schema: JsonSchema): fc.Arbitrary<string> => {
  const { minimum = 0, maximum = 10 } = schema as Bounds;
  const edges = fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1).map(String);
  const odd = fc.constantFrom('', 'x', '1.5', '-1', '1e3', '0x10', '9'.repeat(400), '%', '１', 'aWR4XzAx', '\u0000');
  return fc.oneof(
    { weight: 8, arbitrary: name === 'cursor' ? cursors : arbitraryOf(schema).map(String) },
    { weight: 2, arbitrary: edges },
    odd,
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
};

const queries = (endpoint: Endpoint): fc.Arbitrary<Readonly<Record<string, string>>> => {
  const declared = (operationOf(endpoint).parameters ?? []).filter(({ in: place }) => place === 'query');
  const model = Object.fromEntries(declared.map(({ name, schema }) => [name, queryText(name, schema)]));
  return fc.record({ ...model, unasked: fc.constantFrom('1', '') }, { requiredKeys: [] });
};

/** Requests to an endpoint: valid, at the bounds, and invalid in every part. */
export const requestsTo = (endpoint: Endpoint, organizations: readonly string[]): fc.Arbitrary<Generated> =>
  fc.record({
    path: fc.record(Object.fromEntries(pathParameters(endpoint).map((name) => [name, rarely(idText)]))),
    query: queries(endpoint),
    body: bodies(endpoint),
    contentType: rarely(
      fc.constantFrom('text/plain', 'application/json; charset=utf-8', 'application/x-www-form-urlencoded'),
    ),
    headers: fc
      .record(
        {
          'x-service-organization-id': fc.constantFrom(...organizations, 'org_x', '', 'é'.repeat(600)),
          'idempotency-key': fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('k', 'a b', 'k'.repeat(256))),
          'x-request-id': fc.constant('mine'),
        },
        { requiredKeys: [] },
      )
      .chain((all) => rarely(fc.constant(all), 3))
      .map((headers) => headers ?? {}),
    bearer: rarely(fc.constantFrom('', 'nonsense', 'svc_live_', `svc_sess_${'a'.repeat(49)}`), 30),
  });
