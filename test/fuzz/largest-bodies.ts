import type { Endpoint } from '../../shared/http/endpoint.ts';
import { bodySchemaOf, type JsonSchema, resolveSchema } from '../contract/support/document.ts';

/** Body of the maximum size, filled with the cheapest elements in one place. */
export interface LargestBody {
  /** Place and filling: `body.filter ← {"$and":[{}, …]}`. */
  readonly name: string;
  readonly text: string;
}

type Path = readonly (string | number)[];

/** Place in a body: a list, an object, or a value in one of them. */
interface Position {
  readonly path: Path;
  readonly schema: JsonSchema;
}

const choicesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  ((schema['anyOf'] ?? schema['oneOf'] ?? []) as readonly JsonSchema[]).map(resolveSchema);

const isContainer = (schema: JsonSchema): boolean =>
  ['items', 'properties', 'additionalProperties'].some((name) => name in schema) ||
  [schema['type']].flat().some((type) => type === 'array' || type === 'object') ||
  choicesOf(schema).some(isContainer);

/** Returns all lists and objects of a body, the body itself first. Of a list, only the first item is included. */
const positionsIn = (reference: JsonSchema, path: Path = []): readonly Position[] => {
  const schema = resolveSchema(reference);
  if (!isContainer(schema)) return [];
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const items = schema['items'] as JsonSchema | undefined;
  const below = [
    ...choicesOf(schema).flatMap((choice) => positionsIn(choice, path).slice(1)),
    ...(items === undefined ? [] : positionsIn(items, [...path, 0])),
    ...Object.entries(properties).flatMap(([name, property]) => positionsIn(property, [...path, name])),
  ];
  const seen = new Set<string>();
  return [{ path, schema }, ...below].filter((position) => {
    const name = position.path.join('.');
    return !seen.has(name) && seen.add(name);
  });
};

const mark = 'filled here';

/** Returns a value with `mark` in one place. Missing parents are created. */
const marked = (value: unknown, [key, ...rest]: Path): unknown => {
  if (key === undefined) return mark;
  if (typeof key === 'number') {
    const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
    return [marked(items[key], rest), ...items.slice(1)];
  }
  const fields = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  return { ...fields, [key]: marked(fields[key], rest) };
};

type Fill = (bytes: number) => string;

const listOf =
  (item: string): Fill =>
  (bytes) =>
    `[${`${item},`.repeat(Math.max(0, Math.floor((bytes - 2) / (item.length + 1)) - 1))}${item}]`;

const objectOf =
  (value: string): Fill =>
  (bytes) => {
    const entries: string[] = [];
    for (let left = bytes - 2, at = 0; ; at += 1) {
      const entry = `"${at.toString(36)}":${value}`;
      left -= entry.length + 1;
      if (left < 0) return `{${entries.join()}}`;
      entries.push(entry);
    }
  };

const fills: readonly (readonly [name: string, fill: Fill])[] = [
  ...['{}', '[]', '0', 'null', '""', '{"id":"a"}', '"a"'].map((item) => [`[${item}, …]`, listOf(item)] as const),
  ...['0', '{}', 'null'].map((value) => [`{"…": ${value}, …}`, objectOf(value)] as const),
  ['{"$and": [{}, …]}', (bytes) => `{"$and":${listOf('{}')(bytes - 9)}}`],
  ['{"$or": [{"a": 1}, …]}', (bytes) => `{"$or":${listOf('{"a":1}')(bytes - 8)}}`],
  ['{"a": {"$in": [0, …]}}', (bytes) => `{"a":{"$in":${listOf('0')(bytes - 14)}}}`],
  ['{"a": [[], …]}', (bytes) => `{"a":${listOf('[]')(bytes - 6)}}`],
  ['"aaa…"', (bytes) => `"${'a'.repeat(Math.max(0, bytes - 2))}"`],
];

/** Number of items over which a filling in a list is spread. */
const spreads = [128, 1_000];

const copies = (sound: unknown, path: Path, count: number, fill: Fill, bytes: number): string => {
  const list = path.indexOf(0);
  const template = JSON.stringify(marked(sound, path));
  const whole = JSON.parse(template) as unknown;
  const items = path.slice(0, list).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], whole);
  const [first] = items as readonly unknown[];
  const item = JSON.stringify(first).replace(`"${mark}"`, () => fill(Math.floor(bytes / count) - 100));
  const around = JSON.stringify(marked(sound, path.slice(0, list)));
  const numbered = Array.from({ length: count }, (_, at) => item.replace(/"id":"[^"]*"/, `"id":"${at}"`));
  return around.replace(`"${mark}"`, () => `[${numbered.join()}]`);
};

/**
 * Returns bodies of about a size for an endpoint, from its API description: every list and object of a valid body, filled with
 * the cheapest elements of many kinds. None for an endpoint without a JSON body.
 */
export const largestBodies = function* (endpoint: Endpoint, sound: unknown, bytes: number): Generator<LargestBody> {
  const described = bodySchemaOf(endpoint);
  if (described?.type !== 'application/json') return;
  for (const { path } of positionsIn(described.schema)) {
    const place = ['body', ...path].join('.');
    const template = JSON.stringify(marked(sound, path));
    for (const [name, fill] of fills) {
      const text = template.replace(`"${mark}"`, () => fill(bytes - template.length));
      yield { name: `${place} ← ${name}`, text };
      if (!path.includes(0)) continue;
      for (const count of spreads)
        yield {
          name: `${count} × ${place} ← ${name}`,
          text: copies(sound, path, count, fill, bytes - template.length),
        };
    }
  }
};

/** Boundary of the forms. */
export const formBoundary = 'b';

const part = (headers: string, content: string): string =>
  `--${formBoundary}\r\ncontent-disposition: form-data; ${headers}\r\n\r\n${content}\r\n`;

/** Returns forms of about a size: many parts, long headers, and a file that resembles delimiters. */
export const largestForms = (bytes: number): readonly LargestBody[] => {
  const [field, header, line] = [part('name="a"', ''), 'a: b\r\n', '\r\n--'];
  const whole = (content: string): string => `${content}--${formBoundary}--\r\n`;
  const fileOf = (content: string): string => part('name="file"; filename="a"', content);
  return [
    { name: 'form ← many parts', text: whole(field.repeat(Math.floor(bytes / field.length))) },
    {
      name: 'form ← many headers',
      text: whole(part(`name="file"\r\n${header.repeat(Math.floor(bytes / header.length))}b: c`, '')),
    },
    { name: 'form ← many beginnings of delimiters', text: whole(fileOf(line.repeat(Math.floor(bytes / line.length)))) },
  ];
};
