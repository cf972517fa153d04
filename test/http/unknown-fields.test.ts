import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { endpoints } from '../../functions/registry.ts';
import { refusesQuery, withRoutes } from '../../shared/http/endpoint.ts';

/** Endpoints whose clients may send more than the contract names, or that follow the rules of another protocol. */
const lenient = [
  'accept-invitation',
  'branch-index',
  'complete-onboarding',
  'create-file',
  'create-index',
  'create-invitation',
  'index-mcp',
  'issue-access-token',
  'mcp',
  'replace-file',
  'revoke-token',
];

/** Key files of Google, which contain more than the service uses. */
const foreignFiles = ['AuthorizedUser', 'GoogleCredentials', 'PersonalServiceAccount', 'ServiceAccount'];

const definitions = withRoutes(Object.values(endpoints));

/** Returns a schema and all schemas within it. */
const schemasIn = (schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): ReadonlySet<z.core.$ZodType> => {
  if (seen.has(schema)) return seen;
  seen.add(schema);
  const parts: unknown[] = [];
  if (schema instanceof z.ZodObject) parts.push(...Object.values(schema.shape));
  if (schema instanceof z.ZodLazy) parts.push(schema.unwrap());
  for (const value of Object.values(schema._zod.def)) parts.push(...(Array.isArray(value) ? value : [value]));
  for (const part of parts) if (part instanceof z.core.$ZodType) schemasIn(part, seen);
  return seen;
};

/** Whether an object refuses a field that it does not name. */
const refusesUnknown = (object: z.ZodObject): boolean =>
  object.safeParse({ 'unknown field': 1 }).error?.issues.some((issue) => issue.code === 'unrecognized_keys') === true;

const nameOf = (object: z.ZodObject): string => object.meta()?.id ?? Object.keys(object.shape).join();

const openObjects = (schema: z.ZodType): readonly string[] =>
  [...schemasIn(schema)]
    .filter((part) => part instanceof z.ZodObject)
    .filter((object) => !refusesUnknown(object))
    .map(nameOf);

test('only the endpoints of a named list ignore unknown fields', () => {
  const found = definitions.filter(({ ignoresUnknownFields }) => ignoresUnknownFields === true).map(({ id }) => id);
  assert.deepEqual(found.toSorted(), lenient);
});

test('every object in the body of any other endpoint refuses unknown fields', () => {
  const strict = definitions.filter(({ ignoresUnknownFields }) => ignoresUnknownFields !== true);
  const open = strict.flatMap(({ id, body }) =>
    (body === undefined ? [] : openObjects(body)).map((name) => [id, name]),
  );
  assert.deepEqual(
    open.filter(([, name = '']) => !foreignFiles.includes(name)),
    [],
  );
  assert.deepEqual(new Set(open.map(([, name]) => name)), new Set(foreignFiles));
});

test('an endpoint that ignores unknown fields has no object that refuses them', () => {
  for (const { id, body, ignoresUnknownFields } of definitions) {
    if (ignoresUnknownFields !== true) continue;
    assert.ok(body instanceof z.ZodObject && !refusesUnknown(body), id);
  }
});

test('a query refuses unknown parameters wherever something is found, changed or deleted', () => {
  const open = definitions
    .filter((endpoint) => endpoint.query === undefined && !refusesQuery(endpoint) && endpoint.method !== 'GET')
    .map(({ id }) => id);
  assert.deepEqual(
    open.filter((id) => !lenient.includes(id)),
    ['bootstrap'],
  );
  const ignoring = definitions.flatMap(({ id, query }) =>
    query === undefined ? [] : openObjects(query).map(() => id),
  );
  // Source: RFC 6749, 3.1, by which unknown parameters of these pages are ignored.
  assert.deepEqual(ignoring.toSorted(), ['get-authorization-page', 'return-from-consent']);
});
