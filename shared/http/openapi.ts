import { toCamelCase } from '../kernel/text.ts';
import { type Endpoint, hasOptionalBody } from './endpoint.ts';
import { jsonLinesType } from './json-lines-body.ts';
import { type Components, openComponents } from './openapi/components.ts';
import { errorExamples, errorSchemas } from './openapi/errors.ts';
import { exampleOf } from './openapi/example-of.ts';
import { headers } from './openapi/headers.ts';
import { parametersOf, shareParameters } from './openapi/parameters.ts';
import { responsesOf, sharedResponses } from './openapi/responses.ts';
import type { Schema } from './openapi/schema.ts';
import { needsText, securityOf, securitySchemes, unrestrictedText } from './openapi/security.ts';
import { tagTexts } from './openapi/tags.ts';
import { type WebhookMessage, webhooksOf } from './openapi/webhooks.ts';

/** Version of the API, which is independent of the version of the software. */
const apiVersion = '1.0.0';

const description = [
  'Vector storage and retrieval that runs in your own account.',
  'JSON fields are in `snake_case`. Timestamps are RFC 3339 in UTC.',
  '**Unknown fields.** An unknown field of a body, or an unknown parameter of a list or a change, is a 422 `extra_forbidden`. If it were ignored, a misspelled `filter` would match more rows, and a misspelled `index_ids` would create a key for all indexes. Requests that create an index, a branch, a file job or an invitation, or complete the onboarding, ignore unknown fields.',
  '**Pagination.** Lists are JSON arrays. Paginated lists take `limit` and `cursor`. The header `x-next-cursor` contains the `cursor` of the next page.',
  '**Paths.** An unknown path and an id of the wrong form return 404. A method that a path does not support returns 405 with `allow`. A trailing slash returns 308 to the path without it. `/docs`, its files, `/openapi.json` and `/v1/health` also support HEAD.',
  '**Responses.** Every response has the header `x-request-id`. JSON responses of 16 KiB or more are compressed if the client accepts `br` or `gzip`. In AWS, errors of API Gateway itself have only a `message`: 413 for a body of about 6 MiB or more, 431 for headers of more than 10,240 bytes, and 500 or 503 if a function crashed or timed out. The limit of a body is 6,291,456 bytes, in which every quote, backslash and line break counts twice.',
].join('\n\n');

const requestBody = (endpoint: Endpoint, components: Components): Schema => {
  if (endpoint.body === undefined) return {};
  const schema = components.of(endpoint.body, 'input');
  const example = exampleOf(schema, components.schemas);
  return {
    requestBody: {
      required: !hasOptionalBody(endpoint),
      content: {
        [endpoint.consumes ?? 'application/json']: { schema, example },
        ...(endpoint.maxLines === undefined ? {} : { [jsonLinesType]: { schema: { type: 'string' } } }),
      },
    },
  };
};

const operationOf = (endpoint: Endpoint, parameters: readonly Schema[], components: Components): Schema => {
  const text = [
    endpoint.description,
    `**Authorization:** ${needsText[endpoint.auth.needs]}${endpoint.auth.unrestricted === true ? unrestrictedText : ''}`,
  ];
  return {
    operationId: endpoint.operationId ?? toCamelCase(endpoint.id),
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: text.filter((part) => part !== undefined).join('\n\n'),
    security: securityOf[endpoint.auth.needs],
    parameters,
    ...requestBody(endpoint, components),
    responses: responsesOf(endpoint, parameters, components),
  };
};

/** Copies the description of a component to each property that only refers to it. */
const describeReferences = (schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { properties } = schema as { readonly properties?: Readonly<Record<string, Schema>> };
      if (properties === undefined) return [name, schema];
      const described = Object.entries(properties).map(([key, property]) => {
        const { $ref: reference, description: own } = property;
        if (typeof reference !== 'string' || own !== undefined) return [key, property] as const;
        const { description } = schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? {};
        return [key, { ...property, description }] as const;
      });
      return [name, { ...schema, properties: Object.fromEntries(described) }];
    }),
  );

const sorted = (schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> =>
  Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Returns all references within a document. */
const referencesIn = (parts: unknown): ReadonlySet<string> =>
  new Set([...JSON.stringify(parts).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference));

/** Returns the components that are referenced. No endpoint has some of the shared responses. */
const usedOf = (section: string, parts: Readonly<Record<string, Schema>>, used: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => used.has(`#/components/${section}/${name}`)));

/**
 * Returns the OpenAPI 3.1 description of the endpoints and of the messages to webhooks. It derives from the definitions that
 * also validate requests. Source: OpenAPI 3.1.1.
 */
export const openApiDocument = (endpoints: readonly Endpoint[], messages: readonly WebhookMessage[]): Schema => {
  const components = openComponents();
  const operations = endpoints
    .filter(({ routes }) => routes === undefined)
    .map((endpoint) => {
      const parameters = parametersOf(endpoint, components);
      return { endpoint, parameters, operation: operationOf(endpoint, parameters, components) };
    });
  const shared = shareParameters(operations.map(({ parameters }) => parameters));
  const paths: Record<string, Record<string, Schema>> = {};
  for (const { endpoint, parameters, operation } of operations) {
    const methods = (paths[endpoint.path] ??= {});
    methods[endpoint.method.toLowerCase()] = { ...operation, parameters: shared.refer(parameters) };
  }
  const webhooks = webhooksOf(messages, components);
  const used = new Set(endpoints.map(({ tag }) => tag));
  const responses = usedOf('responses', sharedResponses, referencesIn(paths));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Strata',
      version: apiVersion,
      description,
      contact: { name: 'The operator of this deployment' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The origin of this description.' }],
    tags: Object.entries(tagTexts).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : [])),
    paths,
    webhooks,
    components: {
      securitySchemes,
      parameters: shared.components,
      headers,
      responses,
      examples: usedOf('examples', errorExamples, referencesIn(responses)),
      schemas: describeReferences({ ...errorSchemas, ...sorted(components.schemas) }),
    },
  };
};
