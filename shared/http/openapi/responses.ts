import { type Endpoint, type Needs, needsPrincipal } from '../endpoint.ts';
import { type ErrorCode, statusByCode } from '../../kernel/errors.ts';
import type { Components } from './components.ts';
import { exampleOf } from './example-of.ts';
import { type HeaderName, headersOf, rateHeaders } from './headers.ts';
import { isPaged } from './parameters.ts';
import type { Schema } from './schema.ts';

const anyCredential = [
  'unauthenticated',
  'token_expired',
  'key_revoked',
  'organization_not_allowed',
  'rate_limited',
] as const satisfies readonly ErrorCode[];

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
  const codes = new Set<ErrorCode>([...refusedBy[auth.needs], ...refuses, 'internal', 'unavailable']);
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
  403: ['www-authenticate'],
  429: ['retry-after', ...rateHeaders],
  503: ['retry-after'],
};

/**
 * Headers of a refusal: whoever is known to be of an organization has been counted before anything else is refused. Nobody
 * with a 401 is, and of those with a 403 all but the ones who chose another's organization.
 */
const refusalHeaders = ({ auth }: Endpoint, status: number): readonly HeaderName[] => [
  'x-request-id',
  ...(headersByStatus[status] ?? []),
  ...(needsPrincipal(auth.needs) && status !== 401 ? rateHeaders : []),
];

const refusal = (endpoint: Endpoint, status: number, codes: readonly ErrorCode[]): Schema => ({
  description: `Refused: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
  headers: headersOf([
    ...refusalHeaders(endpoint, status),
    ...(codes.includes('index_not_ready') ? (['retry-after'] as const) : []),
  ]),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/ErrorResponse' },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
});

const validationFailed = (endpoint: Endpoint): Schema => ({
  description: 'The request does not validate; every problem is listed.',
  headers: headersOf(refusalHeaders(endpoint, 422)),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/HTTPValidationError' } } },
});

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
      ...refusalHeaders(endpoint, status),
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

const fileHeaders = ['etag', 'cache-control'] as const satisfies readonly HeaderName[];

const notModified: Schema = {
  description: 'The file is still the one that `if-none-match` names; there is no body.',
  headers: headersOf(['x-request-id', ...fileHeaders]),
};

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
    return { description: 'Done.', headers, content: { 'application/json': { schema, example } } };
  }
  if (endpoint.produces === undefined) return { description: 'Done; there is no body.', headers };
  const schema = { type: endpoint.produces === 'application/json' ? 'object' : 'string' };
  return { description: 'Done.', headers, content: { [endpoint.produces]: { schema } } };
};

/** Every answer of an operation, by status. */
export const responsesOf = (endpoint: Endpoint, parameters: readonly Schema[], components: Components): Schema => {
  const codes = Map.groupBy(codesOf(endpoint), (code) => statusByCode[code]);
  return {
    [endpoint.status]: success(endpoint, parameters, components),
    ...(endpoint.isFile === true ? { 304: notModified } : {}),
    ...Object.fromEntries([...codes].map(([status, own]) => [status, refusal(endpoint, status, own)])),
    ...(listsProblems(endpoint) ? { 422: validationFailed(endpoint) } : {}),
    ...ownRefusals(endpoint, components),
  };
};
