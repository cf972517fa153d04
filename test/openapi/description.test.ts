import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { statusByCode } from '../../shared/kernel/errors.ts';
import { needsPrincipal } from '../../shared/http/endpoint.ts';
import {
  allEndpoints,
  type Content,
  description,
  type Operation,
  operations,
  type Schema,
} from './support/description.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(description, 'description');

const validators = new Map<string, ValidateFunction>();

const validatorOf = (schema: Schema): ValidateFunction => {
  const text = JSON.stringify(schema).replaceAll('"#/', '"description#/');
  const validator = validators.get(text) ?? ajv.compile(JSON.parse(text) as Schema);
  validators.set(text, validator);
  return validator;
};

/** Returns why a value does not match a schema; null if it does. */
const problemOf = (schema: Schema, value: unknown): string | null => {
  const validate = validatorOf(schema);
  return validate(value) ? null : `${ajv.errorsText(validate.errors)}: ${JSON.stringify(value)}`;
};

/** Returns every body of an operation with its example. */
const bodiesOf = ({ requestBody, responses }: Operation): readonly (readonly [string, Content])[] => [
  ...Object.values(requestBody?.content ?? {}).map((content) => ['request', content] as const),
  ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content).map((body) => [status, body] as const),
  ),
];

const names = <Value>(entries: readonly (readonly [string, Value])[], holds: (value: Value) => boolean) =>
  entries.filter(([, value]) => holds(value)).map(([name]) => name);

describe('the API description', () => {
  test('is OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(description) as never);
    assert.deepEqual({ valid, errors }, { valid: true, errors: undefined });
  });

  test('has unique operation ids under described tags', () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    assert.equal(new Set(ids).size, allEndpoints.length);
    const known = new Set(description.tags.map(({ name }) => name));
    assert.deepEqual(
      names(operations, ({ tags }) => !tags.every((tag) => known.has(tag))),
      [],
    );
  });

  test('describes every path parameter', () => {
    const bare = names(operations, ({ parameters }) =>
      parameters.some(({ in: place, description: text }) => place === 'path' && text === undefined),
    );
    assert.deepEqual(bare, []);
  });

  test('has the defaults of numeric query parameters', () => {
    const paged = operations.filter(([, { parameters }]) =>
      parameters.some((parameter) => parameter.name === 'cursor'),
    );
    assert.ok(paged.length > 10);
    for (const [name, { parameters }] of paged) {
      // The source decides on the size of its pages.
      if (name.endsWith('/choices')) continue;
      const limit = parameters.find((parameter) => parameter.name === 'limit') ?? assert.fail(name);
      const isWhole = name.endsWith('/tasks');
      assert.equal(limit.schema['default'], isWhole ? undefined : 100, name);
      assert.equal(
        limit.description,
        isWhole ? 'Maximum number of items on the page. If absent: all items.' : 'Maximum number of items on the page.',
        name,
      );
      assert.equal(limit.required, false, name);
    }
    const [, history] = operations.find(([name]) => name.endsWith('/stats/history')) ?? assert.fail();
    const days = history.parameters.find((parameter) => parameter.name === 'days');
    assert.deepEqual(days?.schema, { type: 'integer', format: 'int32', default: 30, minimum: 1, maximum: 90 });
  });

  test('has valid examples of every body', () => {
    const problems = operations.flatMap(([name, operation]) =>
      bodiesOf(operation).flatMap(([place, { schema, example, examples }]) => {
        if (schema['type'] === 'string' || schema['type'] === 'object') return [];
        const referred = Object.keys(examples ?? {}).map((code) => description.components.examples[code]?.value);
        const own = place === '422' ? [] : example === undefined ? referred : [example];
        if (own.length === 0 && place !== '422') return [`${name} ${place} has none`];
        return own.flatMap((value) => {
          const problem = problemOf(schema, value);
          if (problem !== null) return [`${name} ${place}: ${problem}`];
          return JSON.stringify(value).includes('"string"')
            ? [`${name} ${place} was made up: ${JSON.stringify(value)}`]
            : [];
        });
      }),
    );
    assert.deepEqual(problems, []);
  });

  test('has valid examples on every schema', () => {
    const problems = Object.entries(description.components.schemas).flatMap(([name, schema]) =>
      ((schema['examples'] ?? []) as readonly unknown[]).flatMap((value) => {
        const problem = problemOf({ $ref: `#/components/schemas/${name}` }, value);
        return problem === null ? [] : [`${name}: ${problem}`];
      }),
    );
    assert.deepEqual(problems, []);
  });

  test('has no object defaults and no unnamed variants, which client generators drop', () => {
    const objectDefaults = Object.entries(description.components.schemas).flatMap(([name, schema]) =>
      Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>).flatMap(([field, own]) => {
        const { default: value = null, anyOf } = own;
        return anyOf !== undefined && typeof value === 'object' && value !== null && !Array.isArray(value)
          ? [`${name}.${field}`]
          : [];
      }),
    );
    assert.deepEqual(objectDefaults, []);
    const nameless = Object.entries(description.components.schemas).filter(([, { oneOf = [] }]) =>
      (oneOf as readonly Schema[]).some((variant) => !('$ref' in variant)),
    );
    assert.deepEqual(
      nameless.map(([name]) => name),
      [],
    );
  });

  test('has an example of each error code under its status', () => {
    for (const [name, { responses }] of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        for (const code of Object.keys(content?.['application/json']?.examples ?? {})) {
          assert.equal(String(statusByCode[code as keyof typeof statusByCode]), status, `${name} ${code}`);
        }
      }
    }
  });

  for (const endpoint of allEndpoints) {
    const name = `${endpoint.method} ${endpoint.path}`;
    test(name, () => {
      const [, operation] = operations.find(([own]) => own === name) ?? assert.fail();
      const { responses, parameters, security } = operation;
      const answers = Object.values(responses);
      const success = responses[endpoint.status] ?? assert.fail();
      const has = (status: number): boolean => status in responses;
      const isAdmitted = needsPrincipal(endpoint.auth.needs);
      const headers = Object.keys(success.headers ?? {});
      const takes = (header: string): boolean => parameters.some((parameter) => parameter.name === header);
      assert.ok(answers.every((answer) => 'x-request-id' in (answer.headers ?? {})));
      const isKnown = endpoint.auth.needs !== 'none';
      const isForbidden = isAdmitted || endpoint.errorCodes?.includes('forbidden') === true;
      assert.deepEqual([401, 403, 429].map(has), [isKnown, isForbidden, isKnown]);
      assert.equal(security.length === 0, endpoint.auth.needs === 'none');
      assert.equal(has(413), endpoint.body !== undefined);
      assert.equal(has(402), endpoint.errorCodes?.includes('plan_limit_reached') === true);
      assert.equal(headers.includes('ratelimit-remaining'), isKnown);
      assert.equal(headers.includes('x-next-cursor'), takes('cursor'));
      assert.equal(headers.includes('idempotent-replayed'), takes('Idempotency-Key'));
      assert.equal(takes('Idempotency-Key'), endpoint.idempotent === true);
      assert.ok(endpoint.idempotent !== true || has(409));
      assert.equal(takes('x-service-organization-id'), endpoint.auth.needs !== 'none');
      assert.ok(endpoint.status !== 204 || success.content === undefined);
      if (has(429)) assert.ok('retry-after' in (responses['429']?.headers ?? {}));
      assert.ok(!has(405));
    });
  }
});
