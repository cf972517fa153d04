import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { endpoints } from '../../../functions/registry.ts';
import * as z from 'zod';
import { type Endpoint, withRoutes } from '../../../shared/http/endpoint.ts';
import { description } from '../../openapi/support/description.ts';
import type { WireAnswer } from './service.ts';

const registered = Object.values(endpoints) as readonly Endpoint[];

/** Endpoints of the registry that the API description has. Those of another protocol below a prefix are not in it. */
export const allEndpoints = registered.filter(({ routes }) => routes === undefined);

/** All endpoints, including those of another protocol. */
export const servedEndpoints = withRoutes(registered);

const isDescribed = (endpoint: Endpoint): boolean => allEndpoints.includes(endpoint);

export type JsonSchema = Readonly<Record<string, unknown>>;

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

/** Operation of the API description. */
export interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content & { readonly headers?: Readonly<Record<string, unknown>> }>>;
}

/** Current API description of the registry, parsed from JSON. */
export const openApi = description as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly headers: Readonly<Record<string, unknown>>;
  };
};

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
formats.default(ajv);
ajv.addSchema(openApi, 'openapi');

/** Resolves a schema that is a reference within the document. */
export const resolveSchema = (schema: JsonSchema): JsonSchema => {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const name = reference.slice('#/components/schemas/'.length);
  return resolveSchema(openApi.components.schemas[name] ?? {});
};

const validators = new Map<string, ValidateFunction>();

/** Returns the validator of a schema of the API description. */
export const validatorOf = (schema: JsonSchema): ValidateFunction => {
  const text = JSON.stringify(schema);
  const known = validators.get(text);
  if (known !== undefined) return known;
  const absolute = JSON.parse(text.replaceAll('"#/components/', '"openapi#/components/')) as JsonSchema;
  const made = ajv.compile(absolute);
  validators.set(text, made);
  return made;
};

/** Returns the operation of an endpoint. */
export const operationOf = ({ method, path }: Endpoint): Operation => {
  const operation = openApi.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not in the document`);
  return operation;
};

/** Returns the parameter names of a path, in order. */
export const pathParameters = ({ path }: Endpoint): readonly string[] =>
  [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');

/** Returns the schema of a request body; null if there is none. */
export const bodySchemaOf = (endpoint: Endpoint): { readonly type: string; readonly schema: JsonSchema } | null => {
  if (!isDescribed(endpoint)) {
    const { body, consumes: type = 'application/json' } = endpoint;
    const schema = body === undefined ? null : z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
    return schema === null ? null : { type, schema };
  }
  const [entry] = Object.entries(operationOf(endpoint).requestBody?.content ?? {});
  return entry?.[1].schema === undefined ? null : { type: entry[0], schema: entry[1].schema };
};

const contentProblem = (
  content: NonNullable<Content['content']>,
  { headers, text, status }: WireAnswer,
): string | null => {
  const type = headers['content-type'] ?? '';
  const described = content[type] ?? content[type.split(';')[0] ?? ''] ?? content[`${type.split('/')[0]}/*`];
  if (described === undefined) return `content type '${type}' of a ${status} is not documented`;
  if (described.schema === undefined || !/json/.test(type)) return null;
  const validate = validatorOf(described.schema);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return `the body of a ${status} is no JSON: ${text.slice(0, 200)}`;
  }
  if (described.schema['type'] === 'string') return null;
  if (validate(body)) return null;
  return `the body of a ${status} breaks its schema: ${ajv.errorsText(validate.errors)}: ${text.slice(0, 500)}`;
};

/** Returns how a response of an endpoint that is not described differs from its definition; null if it does not. */
const undefinedAnswer = ({ errorFormat, status }: Endpoint, answer: WireAnswer): string | null => {
  if (answer.status === status || answer.status === 302) return null;
  if (errorFormat?.statuses.includes(answer.status) !== true) return `status ${answer.status} is not documented`;
  const { error } = errorFormat.body.safeParse(JSON.parse(answer.text));
  return error === undefined ? null : `the body of a ${answer.status} breaks its schema: ${error.message}`;
};

/** Returns how a response differs from the API description of its endpoint; null if it does not. */
export const undocumented = (endpoint: Endpoint, answer: WireAnswer): string | null => {
  if (!isDescribed(endpoint)) return undefinedAnswer(endpoint, answer);
  const described = operationOf(endpoint).responses[String(answer.status)];
  if (described === undefined) return `status ${answer.status} is not documented: ${answer.text.slice(0, 500)}`;
  if (!/^req_[0-9a-z]{26}$/.test(answer.headers['x-request-id'] ?? '')) return 'the answer has no x-request-id';
  const { headers = {} } = described;
  const unexpected = Object.keys(answer.headers).filter(
    (name) => name in openApi.components.headers && !(name in headers),
  );
  if (unexpected.length > 0) return `a ${answer.status} has undocumented headers: ${unexpected.join(', ')}`;
  if (described.content === undefined)
    return answer.text === '' ? null : `a ${answer.status} has a body: ${answer.text}`;
  return contentProblem(described.content, answer);
};
