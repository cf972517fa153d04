import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contract, type Field, type Fields, type Shape } from './support/contract.ts';
import { description, type Operation, resolve, type Schema, typeText } from './support/description.ts';

/** Whether a described type satisfies the contract. It may contain more. */
const isOfType = (actual: string, expected: string): boolean => {
  if (actual === expected || expected === 'any') return true;
  const [actualNull, expectedNull] = [actual.endsWith(', null'), expected.endsWith(', null')];
  if (expected.startsWith('enum ') || actualNull !== expectedNull) return false;
  const [is, wanted] = [actual, expected].map((text) => text.replace(/, null$/, '')) as [string, string];
  if (wanted === 'string') return is.startsWith('enum ') || is === 'string';
  if (wanted === 'number') return is === 'integer' || is === 'number';
  if (wanted === 'object') return is === 'object';
  if (wanted === 'map') return is === 'object' || is.startsWith('map of ');
  if (wanted === 'map of number') return is === 'map of integer';
  return wanted.startsWith('list of ') && is.startsWith('list of ') && isOfType(is.slice(8), wanted.slice(8));
};

const hasDefault = (schema: Schema, { default: expected }: Field): boolean =>
  expected === undefined || JSON.stringify(schema['default']) === JSON.stringify(expected);

interface RecordSchema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Merges the variants of a body to one record. Only fields that all variants require are required. */
const joined = (variants: readonly RecordSchema[]): RecordSchema => {
  const names = [...new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const schemaOf = (name: string): Schema => {
    const schemas = variants.flatMap(({ properties = {} }) =>
      properties[name] === undefined ? [] : [properties[name]],
    );
    const [first = {}, ...others] = schemas;
    const values = schemas.map((schema) => schema['const']);
    if (values.every((value) => value !== undefined)) return { enum: values };
    return others.every((other) => JSON.stringify(other) === JSON.stringify(first)) ? first : {};
  };
  return {
    properties: Object.fromEntries(names.map((name) => [name, schemaOf(name)])),
    required: names.filter((name) => variants.every(({ required }) => required?.includes(name) === true)),
  };
};

const recordOf = (given: Schema): RecordSchema => {
  const schema = resolve(given);
  const variants = (schema['oneOf'] ?? schema['anyOf']) as readonly Schema[] | undefined;
  return variants === undefined ? schema : joined(variants.map(recordOf));
};

/** Returns the differences between a described record and the contract. */
const differences = (given: Schema, fields: Fields): readonly string[] => {
  const { properties = {}, required = [] } = recordOf(given);
  return [
    ...Object.keys(properties).flatMap((name) => (name in fields ? [] : [`${name} is not in the contract`])),
    ...Object.entries(fields).flatMap(([name, field]) => {
      const schema = properties[name];
      if (schema === undefined) return [`${name} is missing`];
      return [
        ...(required.includes(name) === field.required
          ? []
          : [`${name} must ${field.required ? '' : 'not '}be required`]),
        ...(isOfType(typeText(schema), field.type) ? [] : [`${name} is ${typeText(schema)}, not ${field.type}`]),
        ...(hasDefault({ ...resolve(schema), ...schema }, field)
          ? []
          : [`${name} must default to ${JSON.stringify(field.default)}`]),
      ];
    }),
  ];
};

const shapeDifferences = (schema: Schema | undefined, shape: Shape | undefined): readonly string[] => {
  if (schema === undefined || shape === undefined)
    return schema === shape ? [] : [`there must be ${shape === undefined ? 'no' : 'a'} body`];
  if ('fields' in shape) return differences(schema, shape.fields);
  if ('type' in shape)
    return isOfType(typeText(schema), shape.type) ? [] : [`is ${typeText(schema)}, not ${shape.type}`];
  const { type, items } = resolve(schema);
  return type === 'array' ? differences(items as Schema, shape.listOf) : ['is no list'];
};

const operationOf = (method: string, path: string): Operation | undefined =>
  description.paths[path]?.[method.toLowerCase()];

const bodyOf = (part: { readonly content?: Operation['responses'][string]['content'] } | undefined) =>
  part?.content?.['application/json']?.schema;

/** Successes with which an endpoint responds only to a request for them. */
const alternatives: Readonly<Record<string, readonly string[]>> = {
  'POST /v1/indexes': ['200'],
  'POST /v1/indexes/{index_id}/files': ['200'],
};

describe('the API description contains what the interface specifies', () => {
  test('37 endpoints', () => {
    assert.equal(contract.length, 37);
    const absent = contract.filter(({ method, path }) => operationOf(method, path) === undefined);
    assert.deepEqual(
      absent.map(({ method, path }) => `${method} ${path}`),
      [],
    );
  });

  for (const { method, path, request, status, response } of contract) {
    test(`${method} ${path}`, () => {
      const operation = operationOf(method, path);
      assert.ok(operation !== undefined, 'it is not described');
      const statuses = Object.keys(operation.responses);
      assert.deepEqual(
        statuses.filter((text) => text.startsWith('2')),
        [...(alternatives[`${method} ${path}`] ?? []), String(status)],
      );
      assert.equal(operation.requestBody?.required, request === undefined ? undefined : true);
      const sent = bodyOf(operation.requestBody);
      assert.deepEqual(request === undefined || sent === undefined ? [] : differences(sent, request), [], 'request');
      assert.deepEqual(shapeDifferences(bodyOf(operation.responses[status]), response), [], 'response');
      assert.deepEqual(bodyOf(operation.responses['422']), { $ref: '#/components/schemas/HTTPValidationError' });
      const organization = operation.parameters.find(({ name }) => name === 'x-service-organization-id');
      assert.equal(organization === undefined, path === '/v1/plans');
      if (organization !== undefined) assert.equal(typeText(organization.schema), 'string, null');
    });
  }

  test('the pages of the event history', () => {
    const { parameters } = operationOf('GET', '/v1/organization/webhooks/events') ?? assert.fail();
    const schemaOf = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema;
    assert.deepEqual(schemaOf('limit'), {
      type: 'integer',
      format: 'int32',
      default: 25,
      minimum: 1,
      maximum: 100,
    });
    const { type, default: first, minimum } = schemaOf('offset') ?? {};
    assert.deepEqual({ type, first, minimum }, { type: 'integer', first: 0, minimum: 0 });
  });

  test('the bodies of refusals', () => {
    const { ValidationError, HTTPValidationError, ErrorResponse } = description.components.schemas;
    assert.deepEqual(ValidationError?.['required'], ['loc', 'msg', 'type']);
    assert.equal(HTTPValidationError?.['required'], undefined);
    assert.deepEqual(ErrorResponse?.['required'], ['detail', 'code', 'request_id']);
    const { limit, current, conflicts } = ErrorResponse['properties'] as Readonly<Record<string, Schema>>;
    assert.deepEqual(
      [limit, current].map((schema = {}) => typeText(schema)),
      ['integer', 'integer'],
    );
    const row: Fields = {
      id: { type: 'string', required: true },
      version: { type: 'string, null', required: true },
    };
    assert.deepEqual(shapeDifferences(conflicts, { listOf: row }), []);
    assert.deepEqual(bodyOf(operationOf('POST', '/v1/auth/bootstrap')?.responses['401']), {
      $ref: '#/components/schemas/ErrorResponse',
    });
  });
});
