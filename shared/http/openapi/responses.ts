import type { Endpoint, Needs } from '../endpoint.ts';
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

/** Codes with which any request may be refused. */
const anyRequest = ['headers_too_large', 'internal', 'unavailable'] as const satisfies readonly ErrorCode[];

/** With which codes each need refuses a caller. */
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

/** Every code that an endpoint can refuse with, in the order of the table of codes. */
const codesOf = ({ auth, path, body, consumes, feature, repeatable, refuses = [] }: Endpoint): readonly ErrorCode[] => {
  const codes = new Set<ErrorCode>([...refusedBy[auth.needs], ...refuses, ...anyRequest]);
  if (path.includes('{')) codes.add('not_found');
  if (path.includes('{index_id}') || auth.unrestricted === true) codes.add('index_not_allowed');
  if (body !== undefined) codes.add('payload_too_large');
  if (body !== undefined && consumes === undefined) codes.add('unsupported_media_type');
  if (feature !== undefined) codes.add('feature_not_in_plan');
  if (repeatable === true) codes.add('idempotency_conflict');
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

/** Component of each status with which the service refuses a request. */
const refusalNames: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  402: 'PlanLimitReached',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'ValidationFailed',
  429: 'RateLimited',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
};

const codesByStatus = Map.groupBy(Object.keys(statusByCode) as ErrorCode[], (code): number => statusByCode[code]);

const refusalText = (codes: readonly ErrorCode[]): string =>
  `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}.`;

/** @param others Further media types of the body. */
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
  description: 'The request does not validate; every problem is listed.',
  headers: headersOf(['x-request-id', ...rateHeaders]),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/HTTPValidationError' } }, ...others },
});

const fileHeaders = ['etag', 'cache-control'] as const satisfies readonly HeaderName[];

/** Responses that operations share, by name. Headers of the rate limit are absent if the request was not counted. */
export const sharedResponses: Readonly<Record<string, Schema>> = {
  NoContent: { description: 'Done; there is no body.', headers: headersOf(['x-request-id', ...rateHeaders]) },
  NotModified: {
    description: 'The file is still the one that `if-none-match` names; there is no body.',
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

/** Refers to a shared response; `description` names the codes if the operation has only some of those of the status. */
const shared = (name: string, description?: string): Schema => ({
  $ref: `#/components/responses/${name}`,
  ...(description === undefined ? {} : { description }),
});

/** Refusals at an address that browsers are sent to are pages as well. */
const page: Schema = { 'text/html': { schema: { type: 'string' } } };

const sharedRefusal = (status: number, codes: readonly ErrorCode[]): Schema => {
  const isWhole = codes.length === codesByStatus.get(status)?.length;
  return shared(refusalNames[status] ?? '', isWhole ? undefined : refusalText(codes));
};

/** Headers of what a token endpoint answers in the form of its protocol. */
const tokenHeaders = ({ auth }: Endpoint): readonly HeaderName[] =>
  auth.needs === 'client' ? ['cache-control', 'pragma'] : [];

/** Refusals in the form that a protocol prescribes. */
const ownRefusals = (endpoint: Endpoint, components: Components): Schema => {
  const { refusalForm } = endpoint;
  if (refusalForm === undefined) return {};
  const schema = components.of(refusalForm.body, 'output');
  const example = exampleOf(schema, components.schemas);
  const response = (status: number): Schema => ({
    description: 'Refused, as the protocol has it.',
    headers: headersOf([
      'x-request-id',
      ...(status === 401 ? (['www-authenticate'] as const) : []),
      ...tokenHeaders(endpoint),
      // A client that has proven itself is counted before anything else of its request is refused.
      ...(endpoint.auth.needs === 'client' && status !== 401 ? rateHeaders : []),
    ]),
    content: { 'application/json': { schema, example } },
  });
  return Object.fromEntries(refusalForm.statuses.map((status) => [status, response(status)]));
};

/** Whether a request that does not validate is answered with the list of its problems. */
const listsProblems = ({ produces, query, refusalForm }: Endpoint): boolean =>
  (produces === undefined || query !== undefined) && refusalForm?.statuses.includes(400) !== true;

const success = (endpoint: Endpoint, parameters: readonly Schema[], components: Components): Schema => {
  const names: readonly HeaderName[] = [
    'x-request-id',
    ...(endpoint.auth.needs === 'none' ? [] : rateHeaders),
    ...(isPaged(parameters) ? (['x-next-cursor'] as const) : []),
    ...(endpoint.repeatable === true ? (['idempotent-replayed'] as const) : []),
    ...(endpoint.isFile === true ? fileHeaders : []),
    ...tokenHeaders(endpoint),
  ];
  const headers = headersOf(names);
  if (endpoint.response !== undefined) {
    const schema = components.of(endpoint.response, 'output');
    const example = exampleOf(schema, components.schemas);
    const content = { 'application/json': { schema, example } };
    return { description: 'Done.', headers, content, ...linksOf(endpoint.id) };
  }
  if (endpoint.produces === undefined) return shared('NoContent');
  const schema = { type: endpoint.produces === 'application/json' ? 'object' : 'string' };
  return { description: 'Done.', headers, content: { [endpoint.produces]: { schema } } };
};

/** Every response of an operation, by status. */
export const responsesOf = (endpoint: Endpoint, parameters: readonly Schema[], components: Components): Schema => {
  const codes = Map.groupBy(codesOf(endpoint), (code): number => statusByCode[code]);
  const isPage = endpoint.refusalPage !== undefined;
  return {
    [endpoint.status]: success(endpoint, parameters, components),
    ...(endpoint.isFile === true ? { 304: shared('NotModified') } : {}),
    ...Object.fromEntries(
      [...codes].map(([status, own]) => [status, isPage ? refusal(status, own, page) : sharedRefusal(status, own)]),
    ),
    ...(listsProblems(endpoint) ? { 422: isPage ? validationFailed(page) : shared('ValidationFailed') } : {}),
    ...ownRefusals(endpoint, components),
  };
};
