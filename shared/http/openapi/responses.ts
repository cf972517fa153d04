import { type Endpoint, type Needs, needsPrincipal, refusesQuery } from '../endpoint.ts';
import { type ErrorCode, statusByCode } from '../../kernel/errors.ts';
import type { Components } from './components.ts';
import { exampleOf } from './example-of.ts';
import { type HeaderName, headersOf, rateHeaders } from './headers.ts';
import { linksOf } from './links.ts';
import { isPaged } from './parameters.ts';
import type { Schema } from './schema.ts';

const anyCredential = [
  'unauthenticated',
  'token_expired',
  'key_revoked',
  'organization_not_allowed',
  'rate_limited',
] as const satisfies readonly ErrorCode[];

/** Error codes that any request may return. */
const anyRequest = ['headers_too_large', 'internal', 'unavailable'] as const satisfies readonly ErrorCode[];

/** Error codes of the required access of an endpoint. */
const refusedBy: Readonly<Record<Needs, readonly ErrorCode[]>> = {
  none: [],
  identity: ['unauthenticated', 'rate_limited'],
  client: ['rate_limited'],
  read: [...anyCredential, 'forbidden'],
  write: [...anyCredential, 'write_permission_required'],
  manage: [...anyCredential, 'owner_required', 'write_permission_required'],
  session: [...anyCredential, 'forbidden'],
  owner: [...anyCredential, 'owner_required'],
};

/** Returns every error code of an endpoint, in the order of `statusByCode`. */
const codesOf = ({
  auth,
  path,
  body,
  consumes,
  feature,
  idempotent,
  errorCodes = [],
}: Endpoint): readonly ErrorCode[] => {
  const codes = new Set<ErrorCode>([...refusedBy[auth.needs], ...errorCodes, ...anyRequest]);
  if (path.includes('{')) codes.add('not_found');
  const isOfIndex = needsPrincipal(auth.needs) && path.includes('{index_id}');
  if (isOfIndex || auth.unrestricted === true) codes.add('index_not_allowed');
  if (body !== undefined) codes.add('payload_too_large');
  if (body !== undefined && consumes === undefined) codes.add('unsupported_media_type');
  if (feature !== undefined) codes.add('feature_not_in_plan');
  if (idempotent === true) codes.add('idempotency_conflict');
  return (Object.keys(statusByCode) as ErrorCode[]).filter((code) => codes.has(code));
};

const headersByStatus: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['www-authenticate'],
  403: ['www-authenticate', ...rateHeaders],
  409: ['retry-after', ...rateHeaders],
  429: ['retry-after', ...rateHeaders],
  431: [],
  503: ['retry-after', ...rateHeaders],
};

/** Name of the response component of each error status. */
const refusalNames: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  402: 'PlanLimitReached',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'CursorExpired',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'ValidationFailed',
  429: 'RateLimited',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
};

const codesByStatus = Map.groupBy(Object.keys(statusByCode) as ErrorCode[], (code): number => statusByCode[code]);

const refusalText = (codes: readonly ErrorCode[]): string => `Error: ${codes.map((code) => `\`${code}\``).join(', ')}.`;

/** @param others Content of additional media types. */
const refusal = (status: number, codes: readonly ErrorCode[], others: Schema = {}): Schema => ({
  description: refusalText(codes),
  headers: headersOf(['x-request-id', ...(headersByStatus[status] ?? rateHeaders)]),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/ErrorResponse' },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
    ...others,
  },
});

const validationFailed = (others: Schema = {}): Schema => ({
  description: 'The request is not valid. The body lists every problem.',
  headers: headersOf(['x-request-id', ...rateHeaders]),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/HTTPValidationError' } }, ...others },
});

const fileHeaders = ['etag', 'cache-control'] as const satisfies readonly HeaderName[];

/** Shared responses by name. Rate limit headers are absent if the request was not counted. */
export const sharedResponses: Readonly<Record<string, Schema>> = {
  NoContent: { description: 'Success without a body.', headers: headersOf(['x-request-id', ...rateHeaders]) },
  NotModified: {
    description: 'The file has not changed since the version in `if-none-match`.',
    headers: headersOf(['x-request-id', ...fileHeaders]),
  },
  ...Object.fromEntries(
    Object.entries(refusalNames).flatMap(([status, name]) => {
      const codes = codesByStatus.get(Number(status));
      return codes === undefined ? [] : [[name, refusal(Number(status), codes)]];
    }),
  ),
  ValidationFailed: validationFailed(),
};

/** Returns a reference to a shared response. `description` lists the codes if the operation has only some of them. */
const shared = (name: string, description?: string): Schema => ({
  $ref: `#/components/responses/${name}`,
  ...(description === undefined ? {} : { description }),
});

/** Content of errors of an endpoint that browsers are sent to. */
const page: Schema = { 'text/html': { schema: { type: 'string' } } };

const sharedRefusal = (status: number, codes: readonly ErrorCode[]): Schema => {
  const isWhole = codes.length === codesByStatus.get(status)?.length;
  return shared(refusalNames[status] ?? '', isWhole ? undefined : refusalText(codes));
};

/** Returns additional headers of a success that must not be cached: one with a secret, and a page for one person. */
const uncachedHeaders = ({ returnsSecret, errorPage }: Endpoint): readonly HeaderName[] => [
  ...(returnsSecret === true ? (['cache-control', 'pragma'] as const) : []),
  ...(errorPage !== undefined && returnsSecret !== true ? (['cache-control'] as const) : []),
];

/** Whether the request is counted for its caller before its errors other than a 401. */
const isCounted = ({ auth }: Endpoint): boolean => auth.needs === 'client' || needsPrincipal(auth.needs);

/** Returns the error responses in the format of another protocol. */
const ownRefusals = (endpoint: Endpoint, components: Components): Schema => {
  const { errorFormat } = endpoint;
  if (errorFormat === undefined) return {};
  const schema = components.of(errorFormat.body, 'output');
  const example = exampleOf(schema, components.schemas);
  const response = (status: number): Schema => ({
    description: 'Error in the format of the protocol.',
    headers: headersOf([
      'x-request-id',
      ...(status === 401 ? (['www-authenticate'] as const) : []),
      ...(errorFormat.headers ?? []),
      ...(isCounted(endpoint) && status !== 401 ? rateHeaders : []),
    ]),
    content: { 'application/json': { schema, example } },
  });
  return Object.fromEntries(errorFormat.statuses.map((status) => [status, response(status)]));
};

/** Whether an invalid request returns a list of its problems. */
const listsProblems = (endpoint: Endpoint): boolean => {
  const { produces, query, body, errorFormat } = endpoint;
  const hasInput = produces === undefined || query !== undefined || body !== undefined || refusesQuery(endpoint);
  return hasInput && errorFormat?.statuses.includes(400) !== true;
};

/** Returns the headers of a success. */
const successHeaders = (endpoint: Endpoint, parameters: readonly Schema[]): Schema => {
  const names: readonly HeaderName[] = [
    'x-request-id',
    ...(endpoint.auth.needs === 'none' ? [] : rateHeaders),
    ...(isPaged(parameters) ? (['x-next-cursor'] as const) : []),
    ...(endpoint.idempotent === true ? (['idempotent-replayed'] as const) : []),
    ...(endpoint.isFile === true ? fileHeaders : []),
    ...uncachedHeaders(endpoint),
  ];
  return headersOf(names);
};

const success = (endpoint: Endpoint, headers: Schema, components: Components): Schema => {
  if (endpoint.response !== undefined) {
    const schema = components.of(endpoint.response, 'output');
    const example = exampleOf(schema, components.schemas);
    const content = { 'application/json': { schema, example } };
    return { description: 'Success.', headers, content, ...linksOf(endpoint.id) };
  }
  if (endpoint.produces === undefined) return shared('NoContent');
  const schema = endpoint.produces.startsWith('image/')
    ? { type: 'string', format: 'binary' }
    : { type: endpoint.produces === 'application/json' ? 'object' : 'string' };
  return { description: 'Success.', headers, content: { [endpoint.produces]: { schema } } };
};

/** Returns the success of an endpoint with another body, or without one. */
const alternativeSuccess = ({ alternative }: Endpoint, headers: Schema, components: Components): Schema => {
  if (alternative === undefined) return {};
  const { status, description, response } = alternative;
  if (response === undefined) return { [status]: { description, headers } };
  const schema = components.of(response, 'output');
  const content = { 'application/json': { schema, example: exampleOf(schema, components.schemas) } };
  return { [status]: { description, headers, content } };
};

/** Returns the responses of an operation by status. */
export const responsesOf = (endpoint: Endpoint, parameters: readonly Schema[], components: Components): Schema => {
  const codes = Map.groupBy(codesOf(endpoint), (code): number => statusByCode[code]);
  const isPage = endpoint.errorPage !== undefined;
  const headers = successHeaders(endpoint, parameters);
  return {
    [endpoint.status]: success(endpoint, headers, components),
    ...alternativeSuccess(endpoint, headers, components),
    ...(endpoint.isFile === true ? { 304: shared('NotModified') } : {}),
    ...Object.fromEntries(
      [...codes].map(([status, own]) => [status, isPage ? refusal(status, own, page) : sharedRefusal(status, own)]),
    ),
    ...(listsProblems(endpoint) ? { 422: isPage ? validationFailed(page) : shared('ValidationFailed') } : {}),
    ...ownRefusals(endpoint, components),
  };
};
