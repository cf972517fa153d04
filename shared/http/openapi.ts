import { toCamelCase } from '../kernel/text.ts';
import type { Endpoint } from './endpoint.ts';
import { hasOptionalBody } from './optional-body.ts';
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

/** Version of the API; it does not follow that of the software. */
const apiVersion = '1.0.0';

const description = [
  'Vector storage and retrieval that runs in your own account.',
  'All JSON is in `snake_case`, all times are RFC 3339 in UTC. Unknown fields of a body are ignored where something is created; in a search, a fetch, an update or a deletion they are a 422 `extra_forbidden`, because ignoring `filters` for `filter` would widen the effect. Lists are JSON arrays; where they come in pages, `limit` and `cursor` ask for one and the header `x-next-cursor` leads to the next.',
  'Every answer has an `x-request-id`. In AWS, what API Gateway refuses by itself has a `message` alone: 413 for a body of about 6 MiB or more (a function is handed 6,291,456 bytes, in which every quote, backslash and line break of the body counts twice), 431 for headers of more than 10,240 bytes, 500 or 503 where a function broke off or took too long. A path that does not exist is a 404, a method that a path does not have is a 405 with `allow`. `/docs`, its files, `/openapi.json` and `/v1/health` take HEAD as well.',
  'An identifier in a path that has not the form of one is a 404. A trailing slash is a 308 to the path without it. A JSON answer of 16 KiB or more is compressed for a client that accepts `br` or `gzip`.',
].join('\n\n');

const requestBody = (endpoint: Endpoint, components: Components): Schema => {
  if (endpoint.body === undefined) return {};
  const schema = components.of(endpoint.body, 'input');
  const example = exampleOf(schema, components.schemas);
  return {
    requestBody: {
      required: !hasOptionalBody(endpoint),
      content: { [endpoint.consumes ?? 'application/json']: { schema, example } },
    },
  };
};

const operationOf = (endpoint: Endpoint, parameters: readonly Schema[], components: Components): Schema => {
  const text = [
    endpoint.description,
    `**Who may call:** ${needsText[endpoint.auth.needs]}${endpoint.auth.unrestricted === true ? unrestrictedText : ''}`,
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

/** States at each property that only refers to a component what the component is, for readers of the property alone. */
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

/** Names of everything that a document refers to within itself. */
const referencesIn = (parts: unknown): ReadonlySet<string> =>
  new Set([...JSON.stringify(parts).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference));

/** Leaves out what nothing refers to, such as a response of a status that no endpoint has. */
const usedOf = (section: string, parts: Readonly<Record<string, Schema>>, used: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => used.has(`#/components/${section}/${name}`)));

/**
 * The OpenAPI 3.1 description of the endpoints and of the messages to webhooks, made from the same definitions that
 * validate. Source: OpenAPI 3.1.1.
 */
export const openApiDocument = (endpoints: readonly Endpoint[], messages: readonly WebhookMessage[]): Schema => {
  const components = openComponents();
  const operations = endpoints.map((endpoint) => {
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
    servers: [{ url: '/', description: 'The address that this description was read from.' }],
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
