import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { projectDirectory } from '../../scripts/support/project-directory.ts';
import { eventTypes } from '../../shared/events/index.ts';
import { toPascalCase } from '../../shared/kernel/text.ts';
import { follow, isObject, operations, published, resolve, type Schema } from './support/description.ts';

const maxBytes = 1_000_000;

/** Returns every object within a value with its path, without examples. */
function* nodesOf(value: unknown, place = '#'): Generator<readonly [string, Schema]> {
  if (!isObject(value)) return;
  if (!Array.isArray(value)) yield [place, value];
  for (const [key, part] of Object.entries(value))
    if (!['example', 'examples', 'default', 'mapping'].includes(key)) yield* nodesOf(part, `${place}/${key}`);
}

const nodes = [...nodesOf(published)];
const components = published['components'] as Readonly<Record<string, Readonly<Record<string, Schema>>>>;
const schemas = components['schemas'] ?? {};

/** Returns the references of a part of the document, transitively. */
const reachedFrom = (part: unknown, reached = new Set<string>()): ReadonlySet<string> => {
  for (const [, { $ref: reference }] of nodesOf(part)) {
    if (typeof reference !== 'string' || reached.has(reference)) continue;
    reached.add(reference);
    reachedFrom(follow(reference), reached);
  }
  return reached;
};

const places = (holds: (node: Schema, place: string) => boolean): readonly string[] =>
  nodes.filter(([place, node]) => holds(node, place)).map(([place]) => place);

/** Whether a part refers to a shared one, which has a description. A property needs its own description. */
const isReference = ({ $ref: reference }: Schema): boolean =>
  typeof reference === 'string' && !reference.startsWith('#/components/schemas/');

/** Whether `properties` of a node is that of a schema, and not a property with this name. */
const isProperties = (properties: unknown, place: string): boolean =>
  isObject(properties) && !place.endsWith('/properties');

/** Returns the schema at a JSON Pointer. */
const schemaAt = (schema: Schema, keys: readonly string[]): Schema | undefined => {
  const [key, ...rest] = keys;
  const { properties, items, anyOf } = resolve(schema) as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly items?: Schema;
    readonly anyOf?: readonly Schema[];
  };
  if (key === undefined) return schema;
  if (anyOf !== undefined) return anyOf.map((variant) => schemaAt(variant, keys)).find((found) => found !== undefined);
  const next = /^\d+$/.test(key) ? items : properties?.[key];
  return next === undefined ? undefined : schemaAt(next, rest);
};

/** Returns every link with the path of its response. */
const links = operations.flatMap(([name, operation]) =>
  Object.values(operation.responses).flatMap((response) =>
    Object.entries(response.links ?? {}).map(([linkName, link]) => ({ name, linkName, link, operation, response })),
  ),
);

describe('the API description for client generators', () => {
  test('is served in at most a megabyte', async () => {
    const { size } = await stat(join(projectDirectory, 'docs', 'openapi.json'));
    assert.ok(size <= maxBytes, `${size} bytes`);
  });

  test('describes every tag, operation, parameter, response, header, schema and property', () => {
    const bare = [
      ...operations.filter(([, { description }]) => (description ?? '') === '').map(([name]) => name),
      ...nodes.flatMap(([place, node]) => {
        const [section, kind] = place.split('/').slice(-3, -1);
        const isPart =
          section !== 'properties' &&
          ['properties', 'headers', 'responses', 'links', 'parameters'].includes(kind ?? '');
        const isSchema = section === 'components' && kind === 'schemas';
        const isTag = kind === 'tags';
        if (!isPart && !isSchema && !isTag) return [];
        return typeof node['description'] === 'string' || isReference(node) ? [] : [place];
      }),
    ];
    assert.deepEqual(bare, []);
  });

  test('names every object with properties and every union of several schemas', () => {
    const nameless = places((node, place) => {
      const variants = ((node['anyOf'] ?? node['oneOf'] ?? []) as readonly Schema[]).filter(
        ({ type }) => type !== 'null',
      );
      const isNamed = /^#\/components\/schemas\/[^/]+$/.test(place);
      return !isNamed && (isProperties(node['properties'], place) || variants.length > 1);
    });
    assert.deepEqual(nameless, []);
  });

  test('has no dangling references and no unused components', () => {
    const references = nodes.flatMap(([, { $ref: reference }]) => (typeof reference === 'string' ? [reference] : []));
    const used = new Set([...references, ...JSON.stringify(published).matchAll(/#\/components\/[^"]+/g)].map(String));
    assert.deepEqual(
      references.filter((reference) => follow(reference) === undefined),
      [],
    );
    const unused = Object.entries(components)
      .filter(([section]) => section !== 'securitySchemes')
      .flatMap(([section, parts]) => Object.keys(parts).map((name) => `#/components/${section}/${name}`))
      .filter((reference) => !used.has(reference));
    assert.deepEqual(unused, []);
  });

  test('has a format for every integer and number', () => {
    const formats: Readonly<Record<string, readonly string[]>> = {
      integer: ['int32', 'int64'],
      number: ['float', 'double'],
    };
    const bare = places(({ type, format }) =>
      [type].flat().some((name) => formats[String(name)]?.includes(String(format)) === false),
    );
    assert.deepEqual(bare, []);
  });

  test('allows additional properties in responses and webhooks', () => {
    const received = [
      published['webhooks'],
      components['responses'],
      ...operations.map(([, { responses }]) => responses),
    ];
    const reached = received.flatMap((part) =>
      [...reachedFrom(part)].map((reference) => [reference, follow(reference)]),
    );
    const closed = [...received.map((part) => ['', part] as const), ...reached].flatMap(([name, part]) =>
      [...nodesOf(part)]
        .filter(([, node]) => node['additionalProperties'] === false)
        .map(([place]) => `${String(name)}${place}`),
    );
    assert.deepEqual(closed, []);
  });

  test('has no inline defaults in requests, which openapi-typescript makes required', () => {
    const sent = new Set(operations.flatMap(([, { requestBody }]) => [...reachedFrom(requestBody)]));
    const own = [...sent].flatMap((reference) => {
      const { properties = {} } = follow(reference) as { readonly properties?: Readonly<Record<string, Schema>> };
      return Object.entries(properties)
        .filter(([, property]) => 'default' in property)
        .map(([name]) => `${reference}/${name}`);
    });
    assert.deepEqual(own, []);
  });

  test('has names that are unique in Go and TypeScript', () => {
    const suffixes = [
      'Params',
      'Response',
      'JSONRequestBody',
      'JSONBody',
      'FormdataRequestBody',
      'Data',
      'Error',
      'Errors',
      'Responses',
    ];
    const names = [
      ...['schemas', 'parameters', 'responses'].flatMap((section) => Object.keys(components[section] ?? {})),
      ...operations.flatMap(([, { operationId }]) => suffixes.map((suffix) => toPascalCase(operationId) + suffix)),
    ].map((name) => name.toLowerCase());
    assert.deepEqual(
      names.filter((name, position) => names.indexOf(name) !== position),
      [],
    );
  });

  test('has a discriminator and a name for every variant of a union', () => {
    const unions = Object.entries(schemas).filter(([, { oneOf }]) => oneOf !== undefined);
    assert.ok(unions.length > 5);
    for (const [name, { oneOf, discriminator }] of unions) {
      const { propertyName, mapping } = discriminator as {
        readonly propertyName: string;
        readonly mapping: Readonly<Record<string, string>>;
      };
      const variants = (oneOf as readonly Schema[]).map(({ $ref: reference }) => reference);
      assert.deepEqual(new Set(Object.values(mapping)), new Set(variants), name);
      for (const [value, reference] of Object.entries(mapping)) {
        const property = schemaAt(follow(reference) as Schema, [propertyName]);
        assert.equal(property?.['const'], value, `${name} ${value}`);
      }
    }
  });

  test('has links to existing operations, parameters and response values', () => {
    assert.ok(links.length > 50);
    for (const { name, linkName, link, operation, response } of links) {
      const text = `${name} ${linkName}`;
      const [, target] =
        operations.find(([, { operationId }]) => operationId === link.operationId) ?? assert.fail(text);
      for (const [parameter, expression] of Object.entries(link.parameters ?? {})) {
        assert.ok(
          target.parameters.some((own) => own.name === parameter),
          `${text} ${parameter}`,
        );
        const [, place, key = ''] = /^\$(request\.path\.|response\.body#\/)(.+)$/.exec(expression) ?? assert.fail(text);
        const { schema = {} } = response.content?.['application/json'] ?? {};
        const found =
          place === 'request.path.'
            ? operation.parameters.find((own) => own.in === 'path' && own.name === key)
            : schemaAt(schema, key.split('/'));
        assert.ok(found !== undefined, `${text} ${expression}`);
      }
      const required = target.parameters.filter((own) => own.required).map((own) => own.name);
      const given = Object.keys(link.parameters ?? {});
      assert.deepEqual(
        required.filter((parameter) => !given.includes(parameter)),
        [],
        text,
      );
    }
  });

  test('has a signed webhook for every event type and for test messages', () => {
    const webhooks = published['webhooks'] as Readonly<Record<string, { readonly post: Schema }>>;
    assert.deepEqual(Object.keys(webhooks), [...eventTypes, 'webhook.test']);
    for (const [type, { post }] of Object.entries(webhooks)) {
      const headers = (post['parameters'] as readonly Schema[]).map(({ name, in: place }) => [place, name]);
      assert.deepEqual(
        headers,
        ['hook', 'webhook'].flatMap((prefix) =>
          ['id', 'timestamp', 'signature'].map((name) => ['header', `${prefix}-${name}`]),
        ),
      );
      const { content } = post['requestBody'] as { readonly content: Readonly<Record<string, { schema: Schema }>> };
      const property = schemaAt(content['application/json']?.schema ?? {}, ['type']);
      assert.equal(property?.['const'], type);
    }
  });
});
