import * as z from 'zod';
import { statusByCode } from '../kernel/errors.ts';
import type { Endpoint, Needs } from './endpoint.ts';

type Schema = Record<string, unknown>;

/** Version of the API; it does not follow that of the software. */
const apiVersion = '1.0.0';

const needsText: Readonly<Record<Needs, string>> = {
  none: 'No credential.',
  identity: 'An ID token of the configured identity provider.',
  read: 'Any credential with the `read` permission.',
  write: 'Any credential with the `write` permission.',
  manage: 'An owner’s session, or a key with `write` that is not restricted to indexes.',
  session: 'A session token.',
  owner: 'An owner’s session token.',
};

/** Collects named schemas while the paths are built. */
class Components {
  readonly schemas: Record<string, Schema> = {};

  /** The JSON Schema of a zod schema; whatever has an id becomes a reference. */
  of(schema: z.ZodType, io: 'input' | 'output'): Schema {
    const {
      $schema: _,
      $defs = {},
      ...root
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const meta = z.globalRegistry.get(zodSchema as unknown as z.ZodType) as unknown as
          | { readonly jsonSchema?: Schema }
          | undefined;
        delete jsonSchema['~standard'];
        if (meta?.jsonSchema !== undefined) {
          delete jsonSchema['jsonSchema'];
          Object.assign(jsonSchema, meta.jsonSchema);
        }
      },
    }) as Schema & { readonly $defs?: Record<string, Schema> };
    for (const [name, definition] of Object.entries($defs)) this.schemas[name] ??= this.relink(definition);
    const { id } = root as { readonly id?: string };
    if (id === undefined) return this.relink(root);
    this.schemas[id] ??= this.relink(root);
    return { $ref: `#/components/schemas/${id}` };
  }

  private relink(schema: Schema): Schema {
    const { id: _, ...rest } = schema;
    return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', '"#/components/schemas/')) as Schema;
  }
}

const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });

const errorStatuses = (endpoint: Endpoint): readonly number[] => {
  const statuses = new Set([500, 503, 422]);
  if (endpoint.auth.needs === 'identity') statuses.add(401);
  else if (endpoint.auth.needs !== 'none') for (const status of [401, 403, 429]) statuses.add(status);
  if (endpoint.path.includes('{')) statuses.add(404);
  if (endpoint.body !== undefined) for (const status of [402, 409, 413, 415]) statuses.add(status);
  return [...statuses].toSorted((a, b) => a - b);
};

const codesOf = (status: number): string =>
  Object.entries(statusByCode)
    .filter(([, own]) => own === status)
    .map(([code]) => `\`${code}\``)
    .join(', ');

const errorResponses = (endpoint: Endpoint) =>
  Object.fromEntries(
    errorStatuses(endpoint).map((status) => [
      String(status),
      status === 422
        ? {
            description: 'The request does not validate; every problem is listed.',
            ...json({ $ref: '#/components/schemas/HTTPValidationError' }),
          }
        : { description: `Refused: ${codesOf(status)}.`, ...json({ $ref: '#/components/schemas/ErrorResponse' }) },
    ]),
  );

const parameters = (endpoint: Endpoint, components: Components): readonly Schema[] => {
  const names = [...endpoint.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');
  const inPath = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const query = endpoint.query === undefined ? {} : components.of(endpoint.query, 'input');
  const { properties = {}, required = [] } = query as {
    readonly properties?: Record<string, Schema>;
    readonly required?: readonly string[];
  };
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
  const header = {
    name: 'x-service-organization-id',
    in: 'header',
    required: false,
    schema: { type: ['string', 'null'] },
  };
  return [...inPath, ...inQuery, ...(endpoint.path === '/v1/plans' || endpoint.auth.needs === 'none' ? [] : [header])];
};

const success = (endpoint: Endpoint, components: Components): Schema => {
  const headers = { 'x-request-id': { schema: { type: 'string' } } };
  if (endpoint.response !== undefined)
    return { description: 'Done.', headers, ...json(components.of(endpoint.response, 'output')) };
  if (endpoint.produces !== undefined)
    return { description: 'Done.', headers, content: { [endpoint.produces]: { schema: { type: 'string' } } } };
  return { description: 'Done, no body.', headers };
};

const operation = (endpoint: Endpoint, components: Components): Schema => ({
  operationId: endpoint.id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  tags: [endpoint.tag],
  summary: endpoint.summary,
  description: [endpoint.description, `**Who may call:** ${needsText[endpoint.auth.needs]}`]
    .filter((text) => text !== undefined)
    .join('\n\n'),
  security: endpoint.auth.needs === 'none' ? [] : [{ bearer: [] }],
  parameters: parameters(endpoint, components),
  ...(endpoint.body === undefined
    ? {}
    : { requestBody: { required: true, ...json(components.of(endpoint.body, 'input')) } }),
  responses: { [String(endpoint.status)]: success(endpoint, components), ...errorResponses(endpoint) },
});

const errorSchemas: Readonly<Record<string, Schema>> = {
  ValidationError: {
    type: 'object',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
      msg: { type: 'string' },
      type: { type: 'string' },
    },
  },
  HTTPValidationError: {
    type: 'object',
    properties: { detail: { type: 'array', items: { $ref: '#/components/schemas/ValidationError' } } },
  },
  ErrorResponse: {
    type: 'object',
    required: ['detail', 'code', 'request_id'],
    properties: {
      detail: { type: 'string' },
      code: { type: 'string', enum: Object.keys(statusByCode) },
      request_id: { type: 'string' },
      limit: { type: 'integer' },
      current: { type: 'integer' },
    },
  },
};

/** The OpenAPI 3.1 description of the endpoints, made from the same definitions that validate. Source: OpenAPI 3.1.1. */
export const openApiDocument = (endpoints: readonly Endpoint[]): Schema => {
  const components = new Components();
  const paths: Record<string, Record<string, Schema>> = {};
  for (const endpoint of endpoints) {
    const methods = (paths[endpoint.path] ??= {});
    methods[endpoint.method.toLowerCase()] = operation(endpoint, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Strata',
      version: apiVersion,
      description: 'Vector storage and retrieval that runs in your own account.',
    },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ...errorSchemas,
        ...Object.fromEntries(Object.entries(components.schemas).toSorted(([a], [b]) => a.localeCompare(b))),
      },
    },
  };
};
